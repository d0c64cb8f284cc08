"""Two to five texts in parallel: rows in order, and which words agree in which texts.

`make_synopsis` makes a `Synopsis` of documents. The steps, each a module: `columns` (words that
agree), `agreement` (how many there are by the texts that have them), `breaks` (where a text may be
cut), `units` (its sentences and lines), `links` (how many words of two units agree), `order` (the
units of all texts in one order, as far as there is one), `elsewhere` (wording that another text has
in another place) and `rows`.
"""
