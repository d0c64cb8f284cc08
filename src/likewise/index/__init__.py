"""The persistent index: documents of the past, and which of them a new one is similar to.

::

    Index (index.py)            the verbs: add, query, remove, verify, …
      settings.py               what an index was made for; stored in it
      entries.py, segments.py   band keys as sorted, packed segments, whatever the store
      matches.py                answers: verified pairs, or estimates where no text is kept
    Store (store.py)            what a store must do
      sqlite.py                 one file
      postgres.py               a schema of a PostgreSQL database
"""
