"""`Labels`: a further column whose values are only compared for equality, such as a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from likewise.documents.tables.values import Values, can_be_id, id_strings, json_id
from likewise.documents.texts import null_if_empty, sound_array, text_array_with_nulls
from likewise.errors import ColumnError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from likewise.documents.origin import Origin

    Family = Literal["numbers", "true or false", "strings", "times"]


class Labels(Values):
    """Values of any type as strings, as ids are: 2020 is the same in CSV, JSON and Parquet."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.family = "strings"

    def settle(self, origin: Origin, family: Family, *, exact: bool = False) -> None:
        """Every type will do."""

    def settle_type(self, origin: Origin, type_: pa.DataType) -> None:
        if not can_be_id(type_):
            raise ColumnError(
                f"{origin.name}: column {self.name!r} is of type {type_}; it must contain single "
                "values",
                hint="name another column",
            )

    def from_column(self, column: pa.Array[Any]) -> pa.Array[Any]:
        return null_if_empty(id_strings(column))

    def from_strings(
        self, column: pa.Array[Any], origin: Origin, rows: Sequence[int]
    ) -> pa.Array[Any]:
        return null_if_empty(sound_array(column)[0])

    def from_json(
        self, column: Sequence[object], origin: Origin, rows: Sequence[int]
    ) -> pa.Array[Any]:
        return null_if_empty(text_array_with_nulls([json_id(value) for value in column]))
