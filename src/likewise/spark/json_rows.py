"""Lines of JSON inside Spark, as the local engine reads and annotates them, kept byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from likewise.documents.tables.jsonl import annotate_line, line_values, sound_line, with_text
from likewise.documents.tables.text_table import json_fields
from likewise.documents.tables.values import json_family
from likewise.documents.texts import text_array_with_nulls
from likewise.errors import SourceError
from likewise.spark.arrow import map_arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LINE = "line"
TEXT = "_likewise_text"
_BOM = b"\xef\xbb\xbf"


def parse(
    lines: DataFrame, text: str, id: str, value: str | None, numbers: bool, kept: Sequence[str]
) -> DataFrame:
    """Each line with its id and its text as strings, null where it is not valid, and a value.

    `lines` has the lines as bytes, and further columns (`kept`) that stay.
    """
    further = "".join(f", `{name.replace('`', '``')}` string" for name in kept)
    wanted = "" if value is None else f", value {'double' if numbers else 'string'}"
    schema = f"{LINE} binary{further}, id string, text string{wanted}"
    return map_arrow(lines, _Parse(text, id, value, numbers), schema)


def annotate(rows: DataFrame, names: Sequence[str], kept: Sequence[str]) -> DataFrame:
    """The lines with annotations as further keys, and the columns that stay."""
    further = "".join(f", `{name.replace('`', '``')}` string" for name in kept)
    return map_arrow(rows, _Annotate(tuple(names)), f"{LINE} binary{further}")


def with_texts(rows: DataFrame, name: str, kept: Sequence[str]) -> DataFrame:
    """The lines with the texts of a column TEXT where these are others, and the columns that
    stay."""
    further = "".join(f", `{name.replace('`', '``')}` string" for name in kept)
    return map_arrow(rows, _Edit(name), f"{LINE} binary{further}")


@dataclass(frozen=True)
class _Edit:
    name: str

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(self._edit, batches)

    def _edit(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        lines = _lines(batch)
        texts: Any = batch.column(TEXT).to_pylist()
        # As they were read.
        before = text_array_with_nulls(
            [line_values(line, self.name, self.name, None)[1] for line in lines]
        ).to_pylist()
        edited = [
            line
            if text is None or text == old
            else with_text(sound_line(line), self.name, text, "a line of JSON")
            for line, text, old in zip(lines, texts, before, strict=True)
        ]
        others = [name for name in batch.schema.names if name not in (LINE, TEXT)]
        columns = {LINE: pa.array(edited, pa.binary())}
        return pa.record_batch(columns | {name: batch.column(name) for name in others})


@dataclass(frozen=True)
class _Parse:
    text: str
    id: str
    value: str | None
    numbers: bool

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(self._parse, batches)

    def _parse(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        lines = [line.removeprefix(_BOM) for line in _lines(batch)]
        rows = [line_values(line, self.text, self.id, self.value) for line in lines]
        columns: dict[str, Any] = dict(zip(batch.schema.names, batch.columns, strict=True))
        columns[LINE] = pa.array(lines, pa.binary())
        columns["id"] = text_array_with_nulls([row[0] for row in rows]).cast(pa.string())
        columns["text"] = text_array_with_nulls([row[1] for row in rows]).cast(pa.string())
        if self.value is not None:
            columns["value"] = self._values([row[2] for row in rows])
        return pa.record_batch(columns)

    def _values(self, values: list[Any]) -> pa.Array[Any]:
        family = "numbers" if self.numbers else "strings"
        wrong = next((v for v in values if v is not None and (json_family(v) == "strings")
                      is self.numbers), None)  # fmt: skip
        if wrong is not None:
            raise SourceError(f"{self.value!r} is {wrong!r}, but other rows have {family}")
        if not self.numbers:
            return text_array_with_nulls(values).cast(pa.string())
        return pa.array([None if v is None else float(v) for v in values], pa.float64())


@dataclass(frozen=True)
class _Annotate:
    names: tuple[str, ...]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(self._annotate, batches)

    def _annotate(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        added = json_fields(batch.select(list(self.names)))
        lines = [
            annotate_line(sound_line(line), fields, self.names, "a line of JSON")
            for line, fields in zip(_lines(batch), added, strict=True)
        ]
        others = [name for name in batch.schema.names if name not in (LINE, *self.names)]
        columns = {LINE: pa.array(lines, pa.binary())}
        return pa.record_batch(columns | {name: batch.column(name) for name in others})


def _lines(batch: pa.RecordBatch) -> list[bytes]:
    return cast("list[bytes]", batch.column(LINE).to_pylist())
