"""Tables and folders as rows: read with their place, and written back without some of them.

::

    source = open_rows(["pages/"], text="body", id="url", column="date")
    for batch in source.batches():                 # every row, in a fixed order
        batch.file, batch.first, batch.texts, batch.ids, batch.values
    for some in source.gather(3, rows):            # some rows of file 3 again
        some.rows, some.texts
    target = Target(source, "out/")                # what can be seen to go wrong, before work
    write_rows(source, target, verdicts)           # the same format, without the rows not kept

Nothing is lost: a row that cannot be read (a broken line, a record with too many fields, a damaged
PDF) is a row without a text. It is told, and written as it is.
"""

from likewise.documents.rows.batch import RowBatch, RowTexts
from likewise.documents.rows.file import RowFile
from likewise.documents.rows.source import RowSource, open_rows
from likewise.documents.rows.target import Target
from likewise.documents.rows.verdicts import Masks, Verdicts
from likewise.documents.rows.write import Written, write_rows

__all__ = [
    "Masks",
    "RowBatch",
    "RowFile",
    "RowSource",
    "RowTexts",
    "Target",
    "Verdicts",
    "Written",
    "open_rows",
    "write_rows",
]
