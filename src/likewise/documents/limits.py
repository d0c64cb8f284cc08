"""The size of a document: one limit, whatever its format."""

from __future__ import annotations

MAX_DOCUMENT_BYTES = 256 << 20
"""Of a file that is one document, of a row of a table, and of the text of either. A larger one is
skipped and listed: it is in memory as a whole, several times over."""


def max_size() -> str:
    """Return the limit in words."""
    return size_in_words(MAX_DOCUMENT_BYTES)


def size_in_words(size: int) -> str:
    """Return a limit as "256 MiB"."""
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024 or size % 1024:
            return f"{size:,} {unit}"
        size //= 1024
    return f"{size:,} GiB"
