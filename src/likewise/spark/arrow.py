"""Python functions over Arrow batches inside Spark, and rows that belong together in them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from likewise.spark.session import use_this_python

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

Batches = Iterator[pa.RecordBatch]

_compute: Any = pc
_MAX_TEXTS = 500  # that are prepared together
_MAX_CHARACTERS = 8_000_000


def map_arrow(
    df: DataFrame, function: Callable[[Batches], Batches], schema: str | StructType
) -> DataFrame:
    """`df.mapInArrow`, without what PySpark says of the version of a pandas that is not used.

    On this machine, the function runs in the Python that calls it.
    """
    use_this_python(df.sparkSession)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        return df.mapInArrow(function, schema)


def parts_of(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The rows of a batch, in parts whose texts are not too long together."""
    texts = batch.column("text")
    lengths = np.asarray(_compute.fill_null(_compute.binary_length(texts), 0))
    begin = characters = 0
    for end, length in enumerate(lengths.tolist()):
        if end > begin and (end - begin == _MAX_TEXTS or characters + length > _MAX_CHARACTERS):
            yield batch.slice(begin, end - begin)
            begin, characters = end, 0
        characters += length
    if begin < batch.num_rows:
        yield batch.slice(begin)


def list_column(offsets: Any, values: Any) -> pa.Array[Any]:
    """Values as lists: where each begins, and where the last one ends."""
    make: Any = pa.ListArray.from_arrays
    return cast("pa.Array[Any]", make(pa.array(np.asarray(offsets, np.int32)), values))


def flat_lists(column: Any) -> tuple[NDArray[np.uint32], list[NDArray[np.uint32]]]:
    """Of a column of lists of structs of numbers: the row of each struct, and the fields."""
    rows = np.asarray(_compute.list_parent_indices(column)).astype(np.uint32)
    structs = column.flatten()
    fields = [np.asarray(structs.field(at)) for at in range(structs.type.num_fields)]
    return rows, [field.astype(np.uint32) for field in fields]


def whole_groups(batches: Batches, key: str) -> Iterator[pa.Table]:
    """Rows that are sorted by a key, in tables that never cut a group in two."""
    pending: list[pa.RecordBatch] = []
    for batch in batches:
        if batch.num_rows == 0:
            continue
        last = batch.column(key)[batch.num_rows - 1]
        begin = _first_of_last(batch.column(key), last)
        if pending and (begin > 0 or pending[-1].column(key)[pending[-1].num_rows - 1] != last):
            yield _table([*pending, batch.slice(0, begin)])
            pending = [batch.slice(begin)]
        elif begin > 0:
            yield _table([batch.slice(0, begin)])
            pending = [batch.slice(begin)]
        else:
            pending.append(batch)
    if pending:
        yield _table(pending)


def _first_of_last(column: Any, last: Any) -> int:
    """Where the last group of a batch begins."""
    equal = np.asarray(pa.compute.equal(column, last))
    different = np.flatnonzero(~equal)
    return int(different[-1]) + 1 if len(different) else 0


def _table(batches: list[pa.RecordBatch]) -> pa.Table:
    return pa.Table.from_batches([batch for batch in batches if batch.num_rows]).combine_chunks()
