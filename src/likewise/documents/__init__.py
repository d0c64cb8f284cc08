"""Step 1, sources → documents: read files of several kinds into batches of texts with ids.

::

    sources ─ sources.py ─→ origins ─ kinds.py ─→ pieces ─ packer.py ─→ batches
              which files,            lines.py, whole.py,  ids.py: each
              with which ids          jsonl.py, …          id once

`Reader` ties these together. `read_text` reads a single file, and loads no heavy library.
"""

from likewise.documents.batch import Batch
from likewise.documents.notice import Note, Skipped
from likewise.documents.reader import Reader
from likewise.documents.whole import read_text

__all__ = ["Batch", "Note", "Reader", "Skipped", "read_text"]
