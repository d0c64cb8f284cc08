"""The items of benchmarks in files: a file per benchmark, or a column with its name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from likewise.documents.kinds import split_name
from likewise.documents.tables.source import RowSource, open_rows
from likewise.errors import SourceError

if TYPE_CHECKING:
    from likewise.documents.batch import RowBatch


@dataclass(slots=True)
class BenchmarkItems:
    """Texts of items, their ids, and the benchmark of each."""

    texts: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    benchmarks: list[str] = field(default_factory=list)


def open_benchmarks(
    sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    text: str | None,
    id: str | None,
    benchmark: str | None,
    encoding: str | None,
    cache: bool,
) -> RowSource:
    """The rows of the benchmarks."""
    return open_rows(
        sources, text=text, id=id, column=benchmark, encoding=encoding, cache=cache
    )  # fmt: skip


def read_benchmarks(source: RowSource) -> BenchmarkItems:
    """All items; of rows without text there are none. Raises `SourceError` if there are none."""
    items = BenchmarkItems()
    for batch in source.batches():
        names = _names(source, batch)
        ids = batch.ids.to_pylist() if batch.ids is not None else [None] * len(batch)
        for row, (text, id_, name) in enumerate(
            zip(batch.texts.to_pylist(), ids, names, strict=True), batch.first
        ):
            if text is not None and text.strip():
                items.texts.append(text)
                items.ids.append(_place(source, batch.file, row) if id_ is None else id_)
                items.benchmarks.append(name)
    if not items.texts:
        raise SourceError(
            f"{source.files[0].name}: there are no benchmark items",
            hint="name files that have a text in each row",
        )
    return items


def _place(source: RowSource, file: int, row: int) -> str:
    rows = source.files[file]
    return rows.origins[row].id if rows.kind == "documents" else str(row)


def _names(source: RowSource, batch: RowBatch) -> list[str]:
    """The benchmark of each row: by the column, or by the name of the file; of documents in a
    folder, that of the folder."""
    file = source.files[batch.file]
    values: list[Any] = [None] * len(batch) if batch.values is None else batch.values.to_pylist()
    if file.kind != "documents":
        default = _without_extension(os.path.basename(file.origin.id))
        return [default if value is None else _name(value) for value in values]
    return [
        os.path.basename(os.path.dirname(file.origins[row].path or "")) or file.origins[row].id
        for row in batch.rows
    ]


def _name(value: object) -> str:
    """A value of the column; numbers are read as floats."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _without_extension(name: str) -> str:
    """The name of a file without its extension and what it is packed with."""
    extension, compression = split_name(name)
    stem = os.path.splitext(name)[0] if compression else name
    return os.path.splitext(stem)[0] if extension else stem
