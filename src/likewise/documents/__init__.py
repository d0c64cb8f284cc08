"""Step 1, sources → documents: read files of several kinds into batches of texts with ids.

::

    sources ─ sources.py ─→ origins ─ prefetch.py ─→ row batches ─ packer.py ─→ batches
              which files,            in order                     ids.py: each
              with which ids                                       id once

    tables, lines    tables/, one class per format
    documents        file_type.py says what they are; extraction.py has their text from cache.py, or
                     from pool.py, whose worker processes run the parsers in formats/
    zip archives     archive.py, member by member

`Reader` ties these together. `read_text` reads a single file, and loads no heavy library.
"""

from likewise.documents.batch import Batch
from likewise.documents.document import Document, Hidden, Place, Places
from likewise.documents.notice import Note, Skipped
from likewise.documents.reader import Reader
from likewise.documents.references import Reference, References
from likewise.documents.single_file import read_document, read_text

Extracted = Document  # its name before 0.7

__all__ = [
    "Batch",
    "Document",
    "Extracted",
    "Hidden",
    "Note",
    "Place",
    "Places",
    "Reader",
    "Reference",
    "References",
    "Skipped",
    "read_document",
    "read_text",
]
