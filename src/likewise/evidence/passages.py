"""`Passages`: the copied passages of a collection, pair of documents by pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from likewise.errors import UsageError
from likewise.evidence.passage import Passage
from likewise.evidence.scores import DocumentScore, Scored, score_documents
from likewise.evidence.searched import FIRST, SECOND
from likewise.search.stats import Stats

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from likewise.evidence.matching_text import MatchingText
    from likewise.evidence.searched import Searched

COLUMNS = (
    "a", "b", "a_start", "a_end", "b_start", "b_end", "words", "run", "similarity", "kind",
    "evidence",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PassagePair:
    """Two documents and what they share.

    Attributes:
        a, b: their ids.
        passages: in the order of a.
        words: words of a that are in some passage.
        share_a, share_b: those words of each document, of all of its words.
        chance_run: the run of equal words that chance alone would reach between texts as long as
            these, in one pair of twenty; None where it is not known.
    """

    a: str
    b: str
    passages: tuple[Passage, ...]
    words: int
    share_a: float
    share_b: float
    chance_run: int | None = None

    @property
    def longest_run(self) -> int:
        """Words of the longest run of equal ones."""
        return max(passage.run for passage in self.passages)


@dataclass(frozen=True, eq=False)
class Passages(Sequence[PassagePair]):
    """Pairs of documents that share passages, those that share most words first.

    Attributes:
        pairs: the pairs.
        stats: settings, counts, times and notes of the search.
        about: of documents in which something was put right or left out, what that was; those of
            a second collection as "against ID".
        searched: the documents, as they were matched.
    """

    pairs: list[PassagePair]
    stats: Stats = field(default_factory=Stats)
    about: dict[str, MatchingText] = field(default_factory=dict)
    searched: Searched | None = field(default=None, repr=False)

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

    def scores(self) -> dict[str, DocumentScore]:
        """How much of each document is shared, and with which; those with the highest share first.

        Of documents that share passages; between two collections, of those of the first.
        """
        return self._scored(FIRST)

    def source_scores(self) -> dict[str, DocumentScore]:
        """The same, between two collections, of the documents of the second."""
        return self._scored(SECOND)

    def _scored(self, side: int) -> dict[str, DocumentScore]:
        if self.searched is None:
            raise UsageError("scores are made of what find_passages has found")
        if self.searched.sides is None and side == SECOND:
            raise UsageError("there is one collection only", hint="scores() has all its documents")
        both = self.searched.sides is None
        of: Scored = "both" if both else "a" if side == FIRST else "b"
        return score_documents(self.pairs, self.searched.by_id(side), of=of)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """One passage a row, with the values of COLUMNS."""
        for pair in self.pairs:
            for passage in pair.passages:
                yield (pair.a, pair.b, *passage.to_dict().values())

    def to_arrow(self) -> pa.Table:
        """One passage a row."""
        import pyarrow as pa

        kinds = [pa.string()] * 2 + [pa.int64()] * 6 + [pa.float64(), pa.string(), pa.float64()]
        columns = list(zip(*self.rows(), strict=True)) or [()] * len(COLUMNS)
        arrays = [pa.array(list(c), kind) for c, kind in zip(columns, kinds, strict=True)]
        return pa.table(dict(zip(COLUMNS, arrays, strict=True)))

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        return self.to_arrow().to_pandas()

    def __repr__(self) -> str:
        return f"<Passages: {sum(len(p.passages) for p in self.pairs):,} in {len(self):,} pairs>"
