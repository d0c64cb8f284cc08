"""`Batch`: the documents that travel together from reading to sketching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likewise.documents.texts import text_offsets

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Batch:
    """Some consecutive documents of a collection: their ids and their texts, of equal length.

    `ids` may be a lazy sequence (row numbers are not stored as strings); `texts` has no nulls and
    holds valid UTF-8 only.
    """

    ids: Sequence[str]
    texts: pa.LargeStringArray

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.texts):
            raise ValueError(f"{len(self.ids)} ids for {len(self.texts)} texts")

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def text_bytes(self) -> int:
        """The size of the texts in UTF-8."""
        offsets = text_offsets(self.texts)
        return int(offsets[-1] - offsets[0])
