"""`Batch`: the documents that travel together from reading to sketching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likewise.documents.document import Places
from likewise.documents.texts import text_offsets

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from likewise.documents.document import Hidden
    from likewise.documents.metadata import Metadata


@dataclass(frozen=True, eq=False)
class Batch:
    """Some consecutive documents of a collection: their ids and their texts, of equal length.

    `ids` may be a lazy sequence (row numbers are not stored as strings); `texts` has no nulls and
    holds valid UTF-8 only. `page_starts` has, for each document, the offsets in code points at
    which its pages begin, or None where it has no pages; it is None itself where none has.
    `metadata` has what a table says of each, or None where there is no row. `hidden` has what in
    each is not seen and was left out of its text; it is None where nothing is hidden in any.
    """

    ids: Sequence[str]
    texts: pa.LargeStringArray
    page_starts: Sequence[tuple[int, ...] | None] | None = None
    metadata: Sequence[Metadata | None] | None = None
    hidden: Sequence[tuple[Hidden, ...]] | None = None

    def __post_init__(self) -> None:
        if len(self.ids) != len(self.texts):
            raise ValueError(f"{len(self.ids)} ids for {len(self.texts)} texts")
        if self.page_starts is not None and len(self.page_starts) != len(self.ids):
            raise ValueError(f"{len(self.ids)} ids for {len(self.page_starts)} lists of pages")
        if self.hidden is not None and len(self.hidden) != len(self.ids):
            raise ValueError(f"{len(self.ids)} ids for {len(self.hidden)} lists of hidden text")

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def text_bytes(self) -> int:
        """The size of the texts in UTF-8."""
        offsets = text_offsets(self.texts)
        return int(offsets[-1] - offsets[0])

    def places(self, at: int) -> Places:
        """Return what tells page and line of each character in the document at `at`."""
        starts = None if self.page_starts is None else self.page_starts[at]
        return Places(self.texts[at].as_py(), starts)
