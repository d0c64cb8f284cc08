"""Which columns of a DataFrame are read, checked before any work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql import functions as fn
from pyspark.sql.types import ArrayType, BinaryType, StringType, StructType

from likewise.dedup.order import can_order
from likewise.documents.tables.fields import JOINT
from likewise.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

# Beside columns of any name that a user may have.
ID, TEXT, ID_TEXT, TEXT_HASH, VALUE = (
    f"_likewise_{name}" for name in ("id", "text", "id_text", "text_hash", "value")
)
_KNOWN_ID, _KNOWN_HASH = "_likewise_known_id", "_likewise_known_hash"


@dataclass(frozen=True)
class Columns:
    """The columns of a DataFrame that hold the text and the id, and the type of the id."""

    text: str
    id: str
    id_type: DataType

    def rows(self, df: DataFrame, value: str | None = None) -> DataFrame:
        """All that the scan reads, under names of its own.

        A row is known by its id and, where ids come twice, by the hash of its text.
        """
        chosen = [
            column(self.id).alias(ID),
            fn.xxhash64(column(self.text)).alias(TEXT_HASH),
            column(self.text).alias(TEXT),
            self.id_text.alias(ID_TEXT),
        ]
        if value is not None:
            chosen.append(column(value).alias(VALUE))
        return df.select(*chosen)

    def joined(self, df: DataFrame, known: DataFrame, how: str) -> DataFrame:
        """The rows with what is known of them by `id` and `text_hash`.

        The other columns of `known` get the prefix `_likewise_`; the rows have a column TEXT_HASH.
        """
        rows = df.withColumn(TEXT_HASH, fn.xxhash64(column(self.text)))
        names: dict[str, Any] = {name: f"_likewise_{name}" for name in known.columns}
        names |= {"id": _KNOWN_ID, "text_hash": _KNOWN_HASH}
        same = column(self.id).eqNullSafe(fn.col(_KNOWN_ID)) & (
            fn.col(TEXT_HASH) == fn.col(_KNOWN_HASH)
        )
        joined = rows.join(known.withColumnsRenamed(names), same, how)
        return joined.drop(_KNOWN_ID, _KNOWN_HASH)

    def joined_by_id(self, df: DataFrame, known: DataFrame, how: str) -> DataFrame:
        """The same where an `id` is all that names a row, which is `_likewise_known_id`."""
        names: dict[str, Any] = {name: f"_likewise_{name}" for name in known.columns}
        known = known.withColumnsRenamed(names | {"id": _KNOWN_ID})
        return df.join(known, column(self.id).eqNullSafe(fn.col(_KNOWN_ID)), how)

    @property
    def id_text(self) -> Column:
        """The id as a string, by which documents are ordered."""
        id_ = column(self.id)
        return fn.hex(id_) if isinstance(self.id_type, BinaryType) else id_.cast("string")


def column(name: str) -> Column:
    """A column by its exact name, dots and all."""
    return fn.col(f"`{name.replace('`', '``')}`")


def find_type(schema: StructType, name: str) -> DataType | None:
    """The type of a column or of a field in structs, as an array where it is in one."""
    kind: Any = schema
    arrays = 0
    for key in [name] if name in schema.names else name.split("."):
        while isinstance(kind, ArrayType):
            kind, arrays = kind.elementType, arrays + 1
        if not isinstance(kind, StructType) or key not in kind.names:
            return None
        kind = kind[key].dataType
    while arrays:
        kind, arrays = ArrayType(kind), arrays - 1
    return cast("DataType", kind)


def nested(schema: StructType, name: str) -> Column:
    """A column by its name or by a path into structs; the strings of an array are joined."""
    first, *keys = [name] if name in schema.names else name.split(".")
    value, kind = column(first), schema[first].dataType
    for key in keys:
        value, kind = _flat(value, kind)
        inside: Any = kind.elementType if isinstance(kind, ArrayType) else kind
        value, inside = value.getField(key), inside[key].dataType
        kind = ArrayType(inside) if isinstance(kind, ArrayType) else inside
    value, kind = _flat(value, kind)
    if isinstance(kind, ArrayType) and isinstance(kind.elementType, StringType):
        return fn.array_join(fn.filter(value, lambda one: one != ""), JOINT)
    return value


def _flat(value: Column, kind: DataType) -> tuple[Column, DataType]:
    """An array of arrays as one array."""
    while isinstance(kind, ArrayType) and isinstance(kind.elementType, ArrayType):
        value = fn.flatten(fn.filter(value, lambda one: one.isNotNull()))
        kind = kind.elementType
    return value, kind


def check_columns(
    df: DataFrame, text: str, id: str, value: str | None = None, added: tuple[str, ...] = ()
) -> Columns:
    """The columns, or a `UsageError` that says what is wrong with them."""
    types = {field.name: field.dataType for field in df.schema.fields}
    for role, name in (("text", text), ("id", id), ("keep", value)):
        if name is None:
            continue
        if name not in types:
            raise UsageError(
                f"{role}: the DataFrame has no column {name!r}; it has {_listed(df.columns)}",
                hint=f"name one of these as {role}",
            )
        if df.columns.count(name) > 1:
            raise UsageError(
                f"{role}: {df.columns.count(name)} columns are called {name!r}",
                hint="rename one of them",
            )
    if not isinstance(types[text], StringType):
        raise UsageError(
            f"text: column {text!r} is of type {types[text].simpleString()}, not string"
        )
    if _arrow_type(types[id]) is None or types[id].simpleString().startswith("map"):
        raise UsageError(
            f"id: column {id!r} is of type {types[id].simpleString()}, which cannot be an id",
            hint="cast it to a string",
        )
    if value is not None:
        kind = _arrow_type(types[value])
        if kind is None or not can_order(kind):
            raise UsageError(
                f"keep: column {value!r} is of type {types[value].simpleString()}, "
                "which has no order",
                hint="name a column of numbers, times or strings",
            )
    for name in added:
        if name.lower() in (other.lower() for other in df.columns):
            raise UsageError(
                f"the DataFrame already has a column {name!r}, which would be added",
                hint="rename it first",
            )
    return Columns(text, id, types[id])


def check_ids(rows: DataFrame, name: str, *sides: str) -> None:
    """Raises unless the `id` of each row is all that names it, among those of its side."""
    if rows.where("id IS NULL").limit(1).count():
        raise UsageError(f"an id is null (column {name!r})", hint="give every row an id")
    repeated = rows.groupBy(*sides, "id").count().where("count > 1").select("id").first()
    if repeated is not None:
        raise UsageError(f"duplicate id {repeated[0]!r} in column {name!r}")


def _arrow_type(kind: DataType) -> pa.DataType | None:
    from pyspark.errors import PySparkException
    from pyspark.sql.pandas.types import to_arrow_type

    convert: Any = to_arrow_type
    try:
        made: pa.DataType = convert(kind, timezone="UTC")
    except (PySparkException, TypeError):
        return None
    return made


def _listed(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:20])) or "none"
    return shown + (f" and {len(names) - 20} more" if len(names) > 20 else "")
