"""Step 1, sources → documents: read files of several kinds into batches of texts with ids.

::

    sources ─ sources.py ─→ origins ─ ahead.py ─→ pieces ─ packer.py ─→ batches
              which files,            in order             ids.py: each
              with which ids                               id once

    tables, lines    kinds.py says which of lines.py, jsonl.py, delimited.py, parquet.py reads them
    documents        signature.py says what they are; extraction.py has their text from cache.py, or
                     from pool.py, whose worker processes run the parsers in formats/
    zip archives     archive.py, member by member

`Reader` ties these together. `read_text` reads a single file, and loads no heavy library.
"""

from likewise.documents.batch import Batch
from likewise.documents.document import Document, Hidden, Place, Places
from likewise.documents.notice import Note, Skipped
from likewise.documents.reader import Reader
from likewise.documents.single_file import read_document, read_text

Extracted = Document  # its name before 0.8

__all__ = [
    "Batch",
    "Document",
    "Extracted",
    "Hidden",
    "Note",
    "Place",
    "Places",
    "Reader",
    "Skipped",
    "read_document",
    "read_text",
]
