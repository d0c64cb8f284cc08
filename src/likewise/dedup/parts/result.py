"""`DeduplicatedParts`: texts without repeated paragraphs, lines or passages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from likewise.dedup.kept_texts import KeptTexts
from likewise.dedup.parts.cuts import without
from likewise.types import K

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.parts.cuts import Cuts
    from likewise.run import Stats
    from likewise.text.inputs import GivenIds


@dataclass(frozen=True, slots=True)
class Template(Generic[K]):
    """A paragraph or line that was removed several times.

    Attributes:
        removed: how often.
        document: the id of the text in which it is kept; its row number, if there were no ids.
        start, end: where it is there, in characters.
        text: as it is there.
    """

    removed: int
    document: K
    start: int
    end: int
    text: str


class DeduplicatedParts(KeptTexts[K]):
    """What was removed from each text.

    Attributes:
        kept: a mask of the texts, in the order in which they were given; False if nothing is left.
        templates: the paragraphs or lines that were removed most often; none for passages.
        stats: settings, counts, seconds and notes.
    """

    def __init__(
        self,
        texts: Any,
        ids: GivenIds[K],
        cuts: Cuts,
        kept: NDArray[np.bool_],
        templates: list[Template[K]],
        stats: Stats,
    ) -> None:
        super().__init__(kept, ids, stats)
        self.templates = templates
        self._texts = texts
        self._cuts = cuts.by_document()

    def removed(self, row: int) -> list[tuple[int, int]]:
        """What is removed from a text: where each range begins and ends, in characters."""
        return [(begin, end) for begin, end in self._cuts.get(row, [])]

    def text(self, row: int) -> str | None:
        """What is left of a text; None if it was null."""
        text: str | None = self._texts[row].as_py()
        return text if text is None or row not in self._cuts else without(text, self._cuts[row])

    def texts(self) -> list[str | None]:
        """What is left of the texts that are kept."""
        return [self.text(row) for row in self]

    def to_arrow(self) -> pa.Table:
        """A row for each text: kept, removed (a list of [start, end]) and text, what is left."""
        import pyarrow as pa

        rows = range(len(self.kept))
        columns: dict[str, Any] = {
            "kept": pa.array(self.kept),
            "removed": pa.array(
                [[list(cut) for cut in self.removed(row)] for row in rows], ranges_type()
            ),
            "text": pa.array(
                [self.text(row) if self.kept[row] else None for row in rows], pa.large_string()
            ),
        }
        return pa.table(columns)

    def __repr__(self) -> str:
        words, removed = self.stats.counts["words"], self.stats.counts["removed_words"]
        return f"<DeduplicatedParts: {removed:,} of {words:,} words removed>"


def ranges_type() -> pa.DataType:
    """The type of a column of ranges: lists of [start, end]."""
    import pyarrow as pa

    return pa.list_(pa.list_(pa.int64()))
