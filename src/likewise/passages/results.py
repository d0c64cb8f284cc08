"""`Passages`: the shared passages of a collection, pair of documents by pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Generic, overload

from likewise.errors import UsageError
from likewise.frames import Frames
from likewise.passages.document_set import FIRST, SECOND
from likewise.passages.pair_passages import PairPassages
from likewise.passages.scores import DocumentScore, Scored, score_documents
from likewise.run import Stats
from likewise.text.inputs import id_array
from likewise.types import K

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.passages.document_set import DocumentSet
    from likewise.passages.matching_text import MatchingText
    from likewise.passages.passage import Passage

COLUMN_TYPES: dict[str, type] = {
    "a": str, "b": str, "a_start": int, "a_end": int, "b_start": int, "b_end": int, "words": int,
    "run": int, "similarity": float, "kind": str, "evidence": float, "a_words": int,
    "b_words": int, "score": int, "p": float,
    "a_attribution": str, "b_attribution": str,
}  # fmt: skip
COLUMNS = tuple(COLUMN_TYPES)
SIMILAR = "similar"
"""One more column, where words of similar spelling count as shared."""


@dataclass(frozen=True, kw_only=True)
class PassagePair(PairPassages, Generic[K]):
    """Two documents and what they share.

    Attributes:
        a, b: their ids, as they were given; row numbers, if none were.
    """

    a: K
    b: K

    @classmethod
    def of(cls, shared: PairPassages, a: K, b: K) -> PassagePair[K]:
        """What two texts share, with their ids."""
        return cls(a=a, b=b, **{one.name: getattr(shared, one.name) for one in fields(shared)})

    def turned(self) -> PassagePair[K]:
        """The same with a and b exchanged."""

        def turn(passages: Iterable[Passage]) -> tuple[Passage, ...]:
            return tuple(sorted((p.turned() for p in passages), key=lambda p: p.a_start))

        return replace(
            self,
            a=self.b,
            b=self.a,
            passages=turn(self.passages),
            reworded=turn(self.reworded),
            size_a=self.size_b,
            size_b=self.size_a,
            words_a=self.words_b,
            words_b=self.words_a,
            similar_a=self.similar_b,
            similar_b=self.similar_a,
        )


@dataclass(frozen=True, eq=False)
class Passages(Frames, Sequence[PassagePair[K]], Generic[K]):
    """Pairs of documents that share passages, those that share most words first.

    Attributes:
        pairs: the pairs; some have nothing but possibly reworded passages.
        stats: settings, counts, times and notes of the search.
        about: documents in which look-alike letters were undone or text was excluded, and what;
            those of a second collection as "against ID".
        searched: the documents, as they were aligned.
        common_text: sentences on text that many documents have, excluded or not.
    """

    pairs: list[PassagePair[K]]
    stats: Stats = field(default_factory=Stats)
    about: dict[K | str, MatchingText] = field(default_factory=dict)
    searched: DocumentSet | None = field(default=None, repr=False)
    common_text: list[str] = field(default_factory=list, repr=False)

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, at: int) -> PassagePair[K]: ...
    @overload
    def __getitem__(self, at: slice) -> list[PassagePair[K]]: ...
    def __getitem__(self, at: int | slice) -> PassagePair[K] | list[PassagePair[K]]:
        return self.pairs[at]

    def __iter__(self) -> Iterator[PassagePair[K]]:
        return iter(self.pairs)

    @property
    def notes(self) -> list[str]:
        return self.stats.notes

    def scores(self) -> dict[K, DocumentScore]:
        """How much of each document is shared, and with which; those with the highest share first.

        Of documents that share passages; between two collections, of those of the first.
        """
        return self._scored(FIRST)

    def source_scores(self) -> dict[K, DocumentScore]:
        """The same, between two collections, of the documents of the second."""
        return self._scored(SECOND)

    def _scored(self, side: int) -> dict[K, DocumentScore]:
        if self.searched is None:
            raise UsageError("scores are available only for results of find_passages")
        if self.searched.sides is None and side == SECOND:
            raise UsageError("there is only one collection", hint="use scores()")
        both = self.searched.sides is None
        of: Scored = "both" if both else "a" if side == FIRST else "b"
        return score_documents(self.pairs, self.searched.by_id(side), of=of)

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of `rows`."""
        similar = self.stats.settings.get("spelling") == "similar"
        return (*COLUMNS, SIMILAR) if similar else COLUMNS

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """One passage per row, with the values of `columns`; reworded ones last in each pair."""
        for pair in self.pairs:
            for passage in pair.every:
                yield (pair.a, pair.b, *passage.to_dict().values())

    def to_arrow(self) -> pa.Table:
        """One passage per row."""
        import pyarrow as pa

        kinds: dict[type, pa.DataType] = {str: pa.string(), int: pa.int64(), float: pa.float64()}
        a, b, *columns = list(zip(*self.rows(), strict=True)) or [()] * len(self.columns)
        ids: Sequence[Any] = self.searched.ids if self.searched else ()
        types = COLUMN_TYPES | {SIMILAR: int}
        typed = zip((types[name] for name in self.columns[2:]), columns, strict=True)
        numbers = [pa.array(column, kinds[kind]) for kind, column in typed]
        both = [id_array(list(column), ids) for column in (a, b)]
        return pa.table([*both, *numbers], list(self.columns))

    def __repr__(self) -> str:
        count = sum(len(pair.passages) for pair in self.pairs)
        return f"<Passages: {count:,} in {len(self):,} pairs>"
