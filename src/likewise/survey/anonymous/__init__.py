"""A survey without names, and the key that leads back to them.

::

    people.py ─→ name_search.py ─→ which words of each text are names
                                   redaction.py    one text without them, and its places
    numbering.py   Document 1, Group 1, Archive 1
                   survey.py       the survey with the same figures, without names
                   views.py        texts and passages of it

The survey is searched with names, and only what is shown changes: every figure is the same.
"""
