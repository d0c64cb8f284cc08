"""`Packer`: rows in batches of any size → batches of nearly the wanted size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from likewise.documents.batch import Batch
from likewise.documents.ids import join_ids
from likewise.documents.texts import text_offsets

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.documents.batch import HiddenTexts, PageStarts, ReferenceLists, RowBatch

Value = TypeVar("Value")

# What Arrow keeps for a text besides its characters; without it, blank lines would fill no batch.
_OFFSET_BYTES = 8


class Packer:
    """Fills batches to at most `batch_bytes`; a larger document is a batch of its own.

    How the documents were cut before does not show in the batches.
    """

    def __init__(self, batch_bytes: int) -> None:
        self._batch_bytes = batch_bytes
        self._ids: list[Sequence[str]] = []
        self._texts: list[pa.LargeStringArray] = []
        self._page_starts: list[PageStarts | None] = []
        self._hidden: list[HiddenTexts | None] = []
        self._references: list[ReferenceLists | None] = []
        self._values: list[Sequence[Any] | None] = []
        self._bytes = 0

    def add(self, ids: Sequence[str], rows: RowBatch) -> Iterator[Batch]:
        """Take documents in; yield each batch that is full."""
        import numpy as np

        texts = rows.texts
        values = None if rows.values is None else rows.values.to_pylist()
        offsets = text_offsets(texts)
        ends = offsets + np.arange(len(offsets)) * _OFFSET_BYTES
        start = 0
        while start < len(texts):
            room = self._batch_bytes - self._bytes
            stop = int(np.searchsorted(ends, ends[start] + room, side="right")) - 1
            if stop <= start:
                if self._ids:
                    yield self._pack()
                    continue
                stop = start + 1
            self._ids.append(ids[start:stop])
            self._texts.append(texts.slice(start, stop - start))
            self._page_starts.append(_part(rows.page_starts, start, stop))
            self._hidden.append(_part(rows.hidden, start, stop))
            self._references.append(_part(rows.references, start, stop))
            self._values.append(_part(values, start, stop))
            self._bytes += int(ends[stop] - ends[start])
            start = stop

    def finish(self) -> Iterator[Batch]:
        """Yield what is left."""
        if self._ids:
            yield self._pack()

    def _pack(self) -> Batch:
        import pyarrow as pa

        texts = self._texts[0] if len(self._texts) == 1 else pa.concat_arrays(self._texts)
        batch = Batch(
            join_ids(self._ids),
            texts,
            self._join(self._page_starts, None),
            hidden=self._join(self._hidden, ()),
            references=self._join(self._references, None),
            values=self._join(self._values, None),
        )
        self._ids, self._texts, self._bytes = [], [], 0
        self._page_starts, self._hidden, self._references, self._values = [], [], [], []
        return batch

    def _join(
        self, parts: Sequence[Sequence[Value] | None], missing: Value
    ) -> Sequence[Value] | None:
        """Return one list for the batch; None where no document has a value."""
        if not any(parts):
            return None
        joined: list[Value] = []
        for ids, values in zip(self._ids, parts, strict=True):
            joined.extend([missing] * len(ids) if values is None else values)
        return joined


def _part(values: Sequence[Value] | None, start: int, stop: int) -> Sequence[Value] | None:
    return None if values is None else values[start:stop]
