"""Tables, one module per format: read in batches, some rows read again, and written back.

`formats.TABLES` lists the formats. `Reader` takes the rows that are documents from them, as
`Table.read_documents` gives them; for `dedup`, every row counts:

::

    source = open_rows(["pages/"], text="body", id="url", column="date")
    for batch in source.batches():                 # every row, in a fixed order
        batch.file, batch.first, batch.texts, batch.ids, batch.values
    for some in source.gather(3, rows):            # some rows of file 3 again
        some.rows, some.texts
    target = Target(source, "out/")                # what can be seen to go wrong, before work
    write_rows(source, target, verdicts)           # the same format, without the rows not kept

Nothing is lost: a row that cannot be read (a broken line, a record with too many fields, a damaged
PDF) is a row without a text. It is reported, and written as it is.
"""
