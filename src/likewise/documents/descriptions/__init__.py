"""Tables that describe documents: their rows, their columns, and which row is about which document.

::

    a file ─ table_file.py ─→ rows ─ columns.py ─→ which column is which
             xlsx.py                 matching.py    which row is about which document

`metadata.py` ties these together.
"""
