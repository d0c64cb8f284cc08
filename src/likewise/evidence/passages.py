"""`Passages`: the copied passages of a collection, pair of documents by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from likewise.evidence.passage import Passage
from likewise.search.stats import Stats

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from likewise.evidence.matching_text import MatchingText

COLUMNS = (
    "a", "b", "a_start", "a_end", "b_start", "b_end", "words", "similarity", "kind", "evidence",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PassagePair:
    """Two documents and what they share.

    Attributes:
        a, b: their ids.
        passages: in the order of a.
        words: words of a that are in some passage.
        share_a, share_b: those words of each document, of all of its words.
    """

    a: str
    b: str
    passages: tuple[Passage, ...]
    words: int
    share_a: float
    share_b: float

    @property
    def longest(self) -> int:
        """Shared words of the longest passage."""
        return max(passage.words for passage in self.passages)


@dataclass(frozen=True, eq=False)
class Passages(Sequence[PassagePair]):
    """Pairs of documents that share passages, those that share most words first.

    Attributes:
        pairs: the pairs.
        stats: settings, counts, times and notes of the search.
        about: of documents in which something was put right or left out, what that was; those of
            a second collection as "against ID".
    """

    pairs: list[PassagePair]
    stats: Stats = field(default_factory=Stats)
    about: dict[str, MatchingText] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, at: int) -> PassagePair: ...
    @overload
    def __getitem__(self, at: slice) -> list[PassagePair]: ...
    def __getitem__(self, at: int | slice) -> PassagePair | list[PassagePair]:
        return self.pairs[at]

    def __iter__(self) -> Iterator[PassagePair]:
        return iter(self.pairs)

    @property
    def notes(self) -> list[str]:
        return self.stats.notes

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """One passage a row, with the values of COLUMNS."""
        for pair in self.pairs:
            for passage in pair.passages:
                yield (pair.a, pair.b, *passage.to_dict().values())

    def to_arrow(self) -> pa.Table:
        """One passage a row."""
        import pyarrow as pa

        kinds = [pa.string()] * 2 + [pa.int64()] * 5 + [pa.float64(), pa.string(), pa.float64()]
        columns = list(zip(*self.rows(), strict=True)) or [()] * len(COLUMNS)
        arrays = [pa.array(list(c), kind) for c, kind in zip(columns, kinds, strict=True)]
        return pa.table(dict(zip(COLUMNS, arrays, strict=True)))

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        return self.to_arrow().to_pandas()

    def __repr__(self) -> str:
        return f"<Passages: {sum(len(p.passages) for p in self.pairs):,} in {len(self):,} pairs>"
