"""The rows of files as one DataFrame, and back in the formats that they came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from pyspark.sql import functions as fn
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DateType,
    DoubleType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from likewise.documents.tables.columns import ID_NAME, TEXT_NAMES
from likewise.documents.tables.table import not_replaceable
from likewise.errors import ColumnError, UsageError
from likewise.spark import filesystem, json_rows, python_rows
from likewise.spark.columns import column, find_type, nested

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType

    from likewise.spark.file_groups import FileGroup, Layout, Wanted

ID, TEXT, VALUE = "id", "text", "value"
_BLANKS = {"ignoreLeadingWhiteSpace": False, "ignoreTrailingWhiteSpace": False}


@dataclass(frozen=True)
class _Part:
    """The rows of one group.

    Attributes:
        rows: `row` is a struct of all that is written back; ID, TEXT and VALUE (if it is wanted)
            are compared.
    """

    group: FileGroup
    rows: DataFrame


class FileRows:
    """The rows of all groups.

    Attributes:
        df: columns ID, TEXT, VALUE (if `keep` is wanted), and for each group a struct with its own
            columns, null in the rows of other groups.
    """

    def __init__(self, spark: SparkSession, groups: Sequence[FileGroup], wanted: Wanted) -> None:
        self._spark = spark
        self._parts = [_read(spark, group, wanted) for group in groups]
        self.df = self._join()

    def _join(self) -> DataFrame:
        frames = [part.rows for part in self._parts]
        names = [name for name in (ID, TEXT, VALUE) if name in frames[0].columns]
        types = {
            name: _common(name, [frame.schema[name].dataType for frame in frames]) for name in names
        }
        joined: DataFrame | None = None
        for at, frame in enumerate(frames):
            shared = [_as(name, types[name], frame) for name in names]
            own = [
                (
                    fn.col("row") if at == other else fn.lit(None).cast(some.schema["row"].dataType)
                ).alias(f"row{other}")
                for other, some in enumerate(frames)
            ]
            chosen = frame.select(*shared, *own)
            joined = chosen if joined is None else joined.unionByName(chosen)
        assert joined is not None
        return joined

    def check_replaceable(self) -> None:
        """Raise `UsageError` if parts of texts cannot be removed, as they are joined from lists."""
        for part in self._parts:
            if part.group.layout.joined:
                raise not_replaceable(part.group.paths[0], part.group.layout.text or "")

    def write(
        self,
        rows: DataFrame,
        added: Sequence[str],
        output: str,
        overwrite: bool,
        *,
        edited: bool = False,
    ) -> None:
        """Write rows of `df`, with the columns `added`, to a folder; the texts of TEXT in place of
        their own, if they were edited.

        Of several groups each has a folder of its own in it. The output appears under its name
        complete, where the file system can do that.
        """
        if not filesystem.can_rename(self._spark, output):
            if overwrite:
                filesystem.delete(self._spark, output)
            self._write_parts(rows, added, output, edited)
            return
        aside = f"{output.rstrip('/')}.likewise-{uuid4().hex}"
        old = f"{aside}-old"
        try:
            self._write_parts(rows, added, aside, edited)
            replaced = overwrite and filesystem.exists(self._spark, output)
            if replaced:
                filesystem.rename(self._spark, output, old)
            try:
                filesystem.rename(self._spark, aside, output)
            except BaseException:
                if replaced:  # what was there is not lost with what could not be put there
                    filesystem.rename(self._spark, old, output)
                raise
            if replaced:
                filesystem.delete(self._spark, old)
        finally:
            filesystem.delete(self._spark, aside)

    def _write_parts(
        self, rows: DataFrame, added: Sequence[str], folder: str, edited: bool
    ) -> None:
        if len(self._parts) == 1:
            self._write_part(0, rows, added, folder, edited)
            return
        names: list[str] = []
        for at, part in enumerate(self._parts):
            layout = part.group.layout
            form = "parquet" if layout.format == "arrow" else layout.format
            names.append("tsv" if layout.delimiter == "\t" else form)
            count = names.count(names[-1])
            name = names[-1] if count == 1 else f"{names[-1]}-{count}"
            self._write_part(at, rows, added, f"{folder}/{name}", edited)

    def _write_part(
        self, at: int, rows: DataFrame, added: Sequence[str], folder: str, edited: bool
    ) -> None:
        group = self._parts[at].group
        layout, keys = group.layout, group.layout.keys
        own = rows.where(fn.col(f"row{at}").isNotNull())
        if edited:
            own = _with_texts(own, f"row{at}", layout)
        own = own.select(f"row{at}.*", *added)
        if layout.format == "json":
            if added:
                own = json_rows.annotate(own, added, keys)
            own = own.select(
                fn.col(json_rows.LINE).cast("string").alias("value"), *map(column, keys)
            )
        if layout.format == "csv":  # which has no lists
            lists = [name for name in added if isinstance(own.schema[name].dataType, ArrayType)]
            own = own.withColumns({name: fn.col(name).cast("string") for name in lists})
        written = {"json": "text", "arrow": "parquet"}.get(layout.format, layout.format)
        writer = own.write.format(written)
        writer = writer.options(**_options(group)).partitionBy(*keys)
        if group.compression is not None and layout.format in ("json", "csv"):
            writer = writer.option("compression", group.compression)
        writer.save(folder)
        if layout.format == "json":
            filesystem.rename_parts(self._spark, folder, "txt", "jsonl")


def _with_texts(rows: DataFrame, row: str, layout: Layout) -> DataFrame:
    """Rows whose struct `row` has the text of TEXT."""
    assert layout.text is not None
    if layout.format != "json":
        fields = cast("StructType", rows.schema[row].dataType).names
        keys = [layout.text] if layout.text in fields else layout.text.split(".")
        path = ".".join(f"`{key.replace('`', '``')}`" for key in keys)
        return rows.withColumn(row, fn.col(row).withField(path, column(TEXT)))
    lines = rows.select(f"{row}.*", column(TEXT).alias(json_rows.TEXT))
    edited = json_rows.with_texts(lines, layout.text, layout.keys)
    return edited.select(fn.struct("*").alias(row))


def _options(group: FileGroup) -> dict[str, Any]:
    if group.layout.format == "json":
        return {"lineSep": "\n"}
    if group.layout.format == "csv":
        delimiter = group.layout.delimiter
        extension = "tsv" if delimiter == "\t" else "csv"
        # Spark keeps the blanks around a field when it reads, but not when it writes.
        return {"header": True, "sep": delimiter, "escape": '"', "extension": extension, **_BLANKS}
    return {}


def _read(spark: SparkSession, group: FileGroup, wanted: Wanted) -> _Part:
    group = _with_columns(spark, group, wanted)
    layout = group.layout
    assert layout.text is not None
    assert layout.id is not None
    by_python = layout.format == "arrow" or layout.is_array
    path = fn.col(python_rows.PATH if by_python else "_metadata.file_path")
    keys = [_key(key, path).alias(key) for key in layout.keys]
    reader = _reader(spark, group)
    if layout.format == "json":
        if layout.is_array:
            lines = python_rows.array_lines(spark, group.paths)
        else:
            lines = reader.format("text").load(group.paths)
            lines = lines.withColumn(json_rows.LINE, fn.col("value").cast("binary"))
        lines = lines.select(json_rows.LINE, *keys)
        parsed = json_rows.parse(
            lines, layout.text, layout.id, wanted.keep, layout.numbers, layout.keys
        )
        row = fn.struct(column(json_rows.LINE), *map(column, layout.keys))
        others = [column(name) for name in (ID, TEXT, VALUE) if name in parsed.columns]
        return _Part(group, parsed.select(row.alias("row"), *others))
    if layout.format == "arrow":
        rows = python_rows.arrow_rows(spark, group.paths)
    else:
        rows = reader.format(layout.format).load(group.paths)
    own = [column(name) for name in rows.columns if name != python_rows.PATH]
    id_, text = nested(rows.schema, layout.id), nested(rows.schema, layout.text)
    chosen = [fn.struct(*own, *keys).alias("row"), id_.alias(ID), text.alias(TEXT)]
    value = None if wanted.keep is None else nested(rows.schema, wanted.keep)
    if layout.format == "csv":
        chosen[1] = fn.nullif(id_, fn.lit("")).alias(ID)
        if value is not None and layout.numbers:
            value = fn.nullif(fn.trim(value), fn.lit("")).cast("double")
    if value is not None:
        chosen.append(value.alias(VALUE))
    return _Part(group, rows.select(*chosen))


def _reader(spark: SparkSession, group: FileGroup) -> Any:
    layout = group.layout
    # The files are listed already: a name with brackets is a name. Without the recursive look-up,
    # Spark reads the others in the list twice where one has a name like that.
    reader = spark.read.options(**_options(group)).option("__globPaths__", False)
    reader = reader.option("recursiveFileLookup", True)
    if layout.format == "csv":
        # A row with too many fields is an error: Spark would drop those.
        reader = reader.option("multiLine", True).option("mode", "FAILFAST")
        reader = reader.option("columnPruning", False)
        if layout.names:
            return reader.schema(
                StructType([StructField(name, StringType()) for name in layout.names])
            )
        return reader.option("enforceSchema", False)
    if layout.format in ("parquet", "orc") and not layout.names:
        return reader.option("mergeSchema", True)
    return reader


def _key(key: str, path: Column) -> Column:
    """The value of a folder key=value that a file is in, as Hive and Spark write it."""
    value = fn.regexp_extract(_decoded(path), f"^.*/\\Q{key}\\E=([^/]*)/", 1)
    null = fn.lit("__HIVE_DEFAULT_PARTITION__")
    return fn.nullif(fn.coalesce(_decoded(value), value), null)


def _decoded(value: Column) -> Column:
    return fn.try_url_decode(fn.replace(value, fn.lit("+"), fn.lit("%2B")))


def _with_columns(spark: SparkSession, group: FileGroup, wanted: Wanted) -> FileGroup:
    """The group with its columns, found by Spark where the local engine has not."""
    if group.layout.text is not None:
        return group
    reader = _reader(spark, group).option("inferSchema", True)
    schema = reader.format(group.layout.format).load(group.paths).schema
    names = [field.name for field in schema.fields]
    for name in wanted.added:
        if name in names:
            raise UsageError(
                f"{group.paths[0]}: already has a column {name!r}, which would be added",
                hint="rename or drop that column first",
            )
    kind = schema[wanted.keep].dataType if wanted.keep in names else None
    layout = replace(
        group.layout,
        text=wanted.text or _text_column(group, schema),
        id=wanted.id or _id_column(group, names),
        numbers=not isinstance(kind, StringType),
        keys=tuple(key for key in group.layout.keys if key not in names),
    )
    for needed in (layout.text, layout.id, wanted.keep):
        if needed is not None and find_type(schema, needed) is None:
            raise ColumnError(
                f"{group.paths[0]}: no column {needed!r}; it has {', '.join(names[:20])}",
                hint="name one of these",
            )
    joined = isinstance(find_type(schema, layout.text or ""), ArrayType)
    return replace(group, layout=replace(layout, joined=joined))


def _text_column(group: FileGroup, schema: StructType) -> str:
    strings = [field.name for field in schema.fields if isinstance(field.dataType, StringType)]
    for name in TEXT_NAMES:
        if name in strings:
            return name
    left = [name for name in strings if name != ID_NAME]
    if len(left) == 1:
        return left[0]
    raise ColumnError(
        f"{group.paths[0]}: no column of strings called {', '.join(TEXT_NAMES)}; it has "
        f"{', '.join(schema.names)}",
        hint="name the column that contains the text with --text",
    )


def _id_column(group: FileGroup, names: Sequence[str]) -> str:
    if ID_NAME not in names:
        raise ColumnError(
            f"{group.paths[0]}: no column {ID_NAME!r}; it has {', '.join(names)}",
            hint="rows have no position in Spark, so they need an id: name its column with --id",
        )
    return ID_NAME


def _common(name: str, types: Sequence[DataType]) -> DataType:
    """The type of all, or one in which they can be compared."""
    if all(kind == types[0] for kind in types):
        return types[0]
    if name != VALUE:
        return StringType()
    times = any(isinstance(kind, DateType | TimestampType | TimestampNTZType) for kind in types)
    return TimestampType() if times else DoubleType()


def _as(name: str, kind: DataType, frame: DataFrame) -> Column:
    values = column(name)
    if isinstance(frame.schema[name].dataType, BinaryType) and isinstance(kind, StringType):
        values = fn.lower(fn.hex(values))  # as the local engine writes bytes
    return values.cast(kind).alias(name)
