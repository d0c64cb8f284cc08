"""Rows of files that Spark itself does not read: JSON arrays and Arrow, by the local engine's code.

Each file is read by one task, which must see it under its path, as it must files that Spark reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from likewise.documents.kinds import split_name
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.tables.arrow import Arrow
from likewise.documents.tables.json_array import JsonArray
from likewise.documents.tables.json_values import BadRowError
from likewise.errors import SourceError
from likewise.spark.arrow import map_arrow
from likewise.spark.json_rows import LINE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

PATH = "_likewise_path"
_STRINGS_AND_ENDS = re.compile(r'"(?:[^"\\]|\\.)*+"|\s*[\r\n]\s*', re.DOTALL)
_ROWS = 1024
_WIDER: dict[pa.DataType, pa.DataType] = {
    pa.uint8(): pa.int16(),
    pa.uint16(): pa.int32(),
    pa.uint32(): pa.int64(),
    pa.uint64(): pa.decimal128(20, 0),
    pa.float16(): pa.float32(),
    pa.date64(): pa.date32(),
    pa.large_string(): pa.string(),
    pa.string_view(): pa.string(),
    pa.large_binary(): pa.binary(),
    pa.binary_view(): pa.binary(),
}


def array_lines(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """Each element of JSON arrays as a line of JSON, and the path of its file."""
    return map_arrow(_paths(spark, paths), _array_lines, f"{LINE} binary, {PATH} string")


def arrow_rows(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    """The rows of Arrow files with equal schemas, and the path of each row's file.

    Types that Spark has not become wider ones, and dictionaries and views plain columns. Raises
    `SourceError` for a column that it has no type for at all.
    """
    schema = _open(Arrow, paths[0], "arrow").schema()
    plain = pa.schema([(field.name, _plain(field.type)) for field in schema])
    types = _spark_types(plain, paths[0])
    return map_arrow(_paths(spark, paths), _ArrowRows(plain), types.add(PATH, "string"))


def _paths(spark: SparkSession, paths: Sequence[str]) -> DataFrame:
    made = spark.createDataFrame([(path,) for path in paths], "path string")
    return made.repartition(len(paths), "path")


def _open(kind: Any, path: str, name: str) -> Any:
    local = path.removeprefix("file://")
    origin = Origin(local, local, local, name, split_name(local)[1], named=True, size=0)
    return kind([origin], Reading())


def _array_lines(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for path in _each_path(batches):
        table, number = _open(JsonArray, path, "json"), 0
        for rows in table.row_blocks():
            for start in range(0, len(rows), _ROWS):
                lines = []
                for row in rows[start : start + _ROWS]:
                    lines.append(_as_line(table, row, number))
                    number += 1
                columns: Any = {LINE: pa.array(lines, pa.binary()), PATH: [path] * len(lines)}
                yield pa.record_batch(columns)


def _each_path(batches: Iterator[pa.RecordBatch]) -> Iterator[str]:
    for batch in batches:
        yield from (str(path) for path in batch.column(0).to_pylist())


def _as_line(table: JsonArray, row: str, number: int) -> bytes:
    """An element on one line; a string as an object. Raises `SourceError` if it is not valid."""
    try:
        table.parse_row(row)
    except BadRowError as error:
        table.reason(number, error)
    if "\n" in row or "\r" in row:
        row = _STRINGS_AND_ENDS.sub(_without_ends, row)
    return (f'{{"text": {row}}}' if row.startswith('"') else row).encode()


def _without_ends(found: re.Match[str]) -> str:
    """Line ends between values are nothing; in strings, where they are not allowed, escaped."""
    part = found[0]
    return part.replace("\n", "\\n").replace("\r", "\\r") if part.startswith('"') else ""


@dataclass(frozen=True)
class _ArrowRows:
    schema: pa.Schema

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for path in _each_path(batches):
            for batch in _open(Arrow, path, "arrow").all_batches():
                columns = [
                    _cast(column, field.type)
                    for column, field in zip(batch.columns, self.schema, strict=True)
                ]
                yield pa.record_batch(
                    [*columns, pa.array([path] * len(batch), pa.string())],
                    names=[*self.schema.names, PATH],
                )


def _cast(column: Any, type_: pa.DataType) -> Any:
    return (column.storage if isinstance(column, pa.ExtensionArray) else column).cast(type_)


def _plain(type_: Any) -> Any:
    if isinstance(type_, pa.BaseExtensionType):
        return _plain(type_.storage_type)
    if pa.types.is_dictionary(type_):
        return _plain(type_.value_type)
    if pa.types.is_fixed_size_binary(type_):
        return pa.binary()
    if pa.types.is_timestamp(type_):
        return pa.timestamp("us", type_.tz)
    if pa.types.is_nested(type_) and not (pa.types.is_struct(type_) or pa.types.is_map(type_)):
        return pa.list_(_plain(type_.value_type)) if hasattr(type_, "value_type") else type_
    if pa.types.is_struct(type_):
        return pa.struct([(field.name, _plain(field.type)) for field in type_])
    return _WIDER.get(type_, type_)


def _spark_types(schema: pa.Schema, path: str) -> StructType:
    from pyspark.errors import PySparkException
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructType

    convert: Any = from_arrow_type
    types = StructType()
    for field in schema:
        try:
            types = types.add(field.name, convert(field.type))
        except PySparkException:
            raise SourceError(
                f"{path}: column {field.name!r} is of type {field.type}, which Spark has not",
                hint="use --engine local",
            ) from None
    return types
