"""The items of benchmarks in files: a file per benchmark, or a column with its name."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from likewise.documents.kinds import split_name
from likewise.documents.tables.source import RowSource, open_rows
from likewise.errors import ColumnError, SourceError

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
    try:
        return open_rows(
            sources, text=text, id=id, column=benchmark, encoding=encoding, cache=cache
        )
    except ColumnError as error:
        hint = "name the columns of the benchmarks with `item_text`, `item_id` and `benchmark`"
        raise ColumnError(str(error), hint=hint) from error


def read_benchmarks(source: RowSource) -> BenchmarkItems:
    """All items; of rows without text there are none. Raises `SourceError` if there are none."""
    items = BenchmarkItems()
    files = _file_names(source)
    for batch in source.batches():
        names = _names(source, files, batch)
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


def _file_names(source: RowSource) -> list[str]:
    """What each file is called: its name without extensions; with its path where two are equal."""
    names = [os.path.basename(file.origin.id) for file in source.files]
    count = Counter(names)
    return [
        _without_extension(file.origin.id if count[name] > 1 else name)
        for name, file in zip(names, source.files, strict=True)
    ]


def _names(source: RowSource, files: Sequence[str], batch: RowBatch) -> list[str]:
    """The benchmark of each row: by the column, or by the name of the file; of documents in a
    folder, that of the folder."""
    file = source.files[batch.file]
    if file.kind == "documents":
        return [
            os.path.basename(os.path.dirname(file.origins[row].path or "")) or "benchmark"
            for row in batch.rows
        ]
    values: list[Any] = [None] * len(batch) if batch.values is None else batch.values.to_pylist()
    return [files[batch.file] if value is None else _name(value) for value in values]


def _name(value: object) -> str:
    """A value of the column; numbers are read as floats."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _without_extension(name: str) -> str:
    """The name of a file without its extension and what it is packed with."""
    extension, compression = split_name(name)
    stem = os.path.splitext(name)[0] if compression else name
    return os.path.splitext(stem)[0] if extension else stem
