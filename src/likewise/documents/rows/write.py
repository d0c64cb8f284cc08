"""Rows written back in the format that they came in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likewise.documents.rows.source import RowSource
    from likewise.documents.rows.target import Target
    from likewise.documents.rows.verdicts import Verdicts


@dataclass
class Written:
    """What was written: files (documents count as files), rows, rows left out, bytes on disk."""

    files: int = 0
    rows: int = 0
    removed: int = 0
    bytes: int = 0


def write_rows(
    source: RowSource,
    target: Target,
    verdicts: Verdicts,
    *,
    group_bytes: int = 128 << 20,
    progress: Callable[[int], None] | None = None,
) -> Written:
    """Write the rows that are kept; or all rows with their annotations, if the target has some.

    Parquet: all columns, their types, metadata and codecs; row groups as in the source, but cut
    where the rows of one take more than `group_bytes`. Other tables: the kept rows byte for byte.
    Documents: the kept files, with their times; annotations are a file `annotations.jsonl`.

    Raises `SourceError` where a file is damaged or has changed since it was read, `LikewiseError`
    where the disk is full; nothing is then left.
    """
    raise NotImplementedError
