"""The kinds of file that can be read: one line for each extension, one for each way to read.

A new kind of table needs a function `read_…(origin, reading)` in a module of its own, and a line in
both tables; a new kind of document a module in `formats`, and a line for its extension.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from likewise.documents.delimited import read_csv, read_tsv
from likewise.documents.document import read_whole
from likewise.documents.jsonl import read_jsonl
from likewise.documents.lines import read_lines
from likewise.documents.origin import PACKED, Compression
from likewise.documents.parquet import read_parquet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likewise.documents.reading import ReadKind

READERS: Mapping[str, ReadKind] = {
    "text": read_whole,
    "lines": read_lines,
    "jsonl": read_jsonl,
    "csv": read_csv,
    "tsv": read_tsv,
    "parquet": read_parquet,
}

# A name without an extension is common in corpora, and in README and LICENSE; if such a file is
# binary after all, its content gives it away.
EXTENSIONS: Mapping[str, str] = {
    **dict.fromkeys(("", ".txt", ".text", ".md", ".markdown", ".rst", ".tex", ".org"), "text"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    ".csv": "csv",
    **dict.fromkeys((".tsv", ".tab"), "tsv"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    ".pdf": "pdf",
    ".docx": "docx",
    ".odt": "odt",
    ".epub": "epub",
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    ".zip": "zip",
}

TABLES = frozenset(READERS) - {"text", "lines"}


def split_name(path: str) -> tuple[str, Compression | None]:
    """Return a file's extension in lower case, without .gz or .zst, and what these stand for.

    >>> split_name("a/Essays.TXT.gz")
    ('.txt', 'gzip')
    """
    stem, extension = os.path.splitext(os.path.basename(path))
    compression = PACKED.get(extension.lower())
    if compression is not None:
        extension = os.path.splitext(stem)[1]
    return extension.lower(), compression
