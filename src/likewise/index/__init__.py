"""Documents in a database, and queries about new ones: `Index` in index.py.

`SimilarityQuery` and `PassageQuery` find candidates by the entries in postings/, whatever the store
in stores/, and compare them with the text.
"""
