"""Small batches put together into larger ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from likewise.documents.rows.batch import RowBatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from likewise.documents.rows.values import Values

_MOST_ROWS = 1 << 20


def pack_batches(
    batches: Iterable[RowBatch], size: int, values: Values | None
) -> Iterator[RowBatch]:
    """Yield the rows of one file in batches of at least `size` bytes of text, but for the last."""
    waiting: list[RowBatch] = []
    held = rows = 0
    for batch in batches:
        if not len(batch):
            continue
        waiting.append(batch)
        held += batch.texts.nbytes
        rows += len(batch)
        if held >= size or rows >= _MOST_ROWS:
            yield _join(waiting, values)
            waiting, held, rows = [], 0, 0
    if waiting:
        yield _join(waiting, values)


def _join(batches: Sequence[RowBatch], values: Values | None) -> RowBatch:
    first = batches[0]
    texts = cast("pa.LargeStringArray", _concat([batch.texts for batch in batches]))
    ids = None
    if first.ids is not None:
        ids = cast(
            "pa.LargeStringArray",
            _concat([batch.ids for batch in batches if batch.ids is not None]),
        )
    more = None
    if values is not None:
        more = _concat(
            [
                values.nulls(len(batch)) if batch.values is None else batch.values
                for batch in batches
            ]
        )
    return RowBatch(first.file, first.first, texts, ids, more)


def _concat(arrays: Sequence[pa.Array[Any]]) -> pa.Array[Any]:
    import pyarrow as pa

    return arrays[0] if len(arrays) == 1 else pa.concat_arrays(list(arrays))
