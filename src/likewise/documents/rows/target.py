"""`Target`: where the rows go. It appears under its name complete, or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.documents.rows.source import RowSource


class Target:
    """A file, where the source is one file that the user named; else a folder.

    Args:
        source: what will be written.
        out: the name of the file or the folder.
        overwrite: replace what is there.
        annotations: the schema of what is added to every row; None to leave rows out instead.

    Raises `UsageError` where the output exists, lies inside the source or holds it, or cannot be
    written, and `ColumnError` where a column to be added is there already.
    """

    def __init__(
        self,
        source: RowSource,
        out: str | os.PathLike[str],
        *,
        overwrite: bool = False,
        annotations: pa.Schema | None = None,
    ) -> None:
        raise NotImplementedError
