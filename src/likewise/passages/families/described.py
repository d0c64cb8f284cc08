"""`DescribedFamilies`: aligned stretches as families, with what all their witnesses have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.documents.document import describe
from likewise.passages.families.columns import in_order
from likewise.passages.families.dates import date_of
from likewise.passages.families.family import Family, Side, Witness
from likewise.passages.passage import kind_of
from likewise.passages.ranges import word_range
from likewise.statistics.shared_runs import SMALLEST_P, is_unspaced, pair_run_chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.families.stretches import Stretch
    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.passage import Kind
    from likewise.text.cut_words import CutWords
    from likewise.types import Metadata

_CHANGES: tuple[Kind, ...] = ("verbatim", "edited", "reordered")


class DescribedFamilies:
    """What is known about the documents, to describe families."""

    def __init__(
        self,
        ids: Sequence[Any],
        first_count: int,
        metadata: Sequence[Metadata | None],
        words: CutWords,
        pairs: Mapping[tuple[int, int], PairPassages],
    ) -> None:
        self._ids, self._first_count, self._metadata = ids, first_count, metadata
        self._words, self._pairs = words, pairs

    def family(
        self, stretches: Sequence[Stretch], columns: NDArray[np.int32]
    ) -> Family[Any] | None:
        """The family of these stretches, without words at their ends that no other has.

        None if fewer than two documents have a word in common. The result does not depend on the
        order of the stretches, except where two have the same text.
        """
        kept = [int(i) for i in np.flatnonzero((columns >= 0).any(axis=0))]
        if len({stretches[i].number for i in kept}) < 2:
            return None
        kind = self._kind(columns[:, kept], [stretches[i].number for i in kept])
        kept.sort(key=lambda i: (stretches[i].number, stretches[i].first))
        columns = in_order(columns[:, kept])
        witnesses = tuple(
            self._witness(stretches[i].number, columns[:, place]) for place, i in enumerate(kept)
        )
        common = common_columns(witnesses, columns)
        run = len(longest_run(witnesses, identical_columns(witnesses, common, self._words)))
        return Family(
            witnesses=witnesses,
            common=len(common),
            run=run,
            kind=kind,
            p=self._chance([one.number for one in witnesses], run),
            earliest=_earliest([one.metadata.get("date") for one in witnesses]),
            columns=columns,
        )

    def _witness(self, number: int, own: NDArray[np.int32]) -> Witness[Any]:
        used = own[own >= 0]
        first, stop = int(used.min()), int(used.max()) + 1
        start, end = word_range(self._words[number], first, stop)
        known = describe(self._metadata[number])
        side: Side = "a" if number < self._first_count else "b"
        return Witness(
            self._ids[number], side, number, start, end, first, stop, len(used),
            {name: value for name, value in known.items() if value is not None},
        )  # fmt: skip

    def _kind(self, columns: NDArray[np.int32], numbers: Sequence[int]) -> Kind:
        """The greatest change between the witness with the most matched words and the others."""
        base = int((columns >= 0).sum(axis=0).argmax())
        kinds = set()
        for other in range(columns.shape[1]):
            if other == base:
                continue
            both = columns[(columns[:, base] >= 0) & (columns[:, other] >= 0)][:, [base, other]]
            if len(both):
                words, others = (
                    int(np.ptp(own[own >= 0])) + 1 for own in columns[:, [base, other]].T
                )
                of_a, of_b = self._words[numbers[base]], self._words[numbers[other]]
                same = both[of_a.hashes[both[:, 0]] == of_b.hashes[both[:, 1]]]
                kinds.add(kind_of(words, others, _runs(both), _runs(same)))
            else:
                kinds.add("edited")
        return max(kinds, key=_CHANGES.index)

    def _chance(self, numbers: Sequence[int], run: int) -> float | None:
        """For unrelated texts, all of them share a run no more often than any two of them do."""
        if not run:
            return None
        chances = []
        for a, b in combinations(sorted(set(numbers)), 2):
            shared = self._pairs.get((a, b)) or self._pairs.get((b, a))
            if shared is None:
                continue
            of_a, of_b = self._words[a], self._words[b]
            chances.append(
                pair_run_chance(
                    len(of_a), len(of_b), run, shared.short_runs, equal_share=shared.equal_share,
                    unspaced=is_unspaced(of_a.letters) or is_unspaced(of_b.letters),
                )
            )  # fmt: skip
        return max(SMALLEST_P, min(chances)) if chances else None


def _runs(pairs: NDArray[np.int32]) -> list[tuple[int, int, int]]:
    """Pairs of words as runs, by their place in the first text."""
    if not len(pairs):
        return []
    ordered = pairs[np.argsort(pairs[:, 0])]
    breaks = np.flatnonzero((np.diff(ordered, axis=0) != 1).any(axis=1)) + 1
    begins = np.concatenate([[0], breaks])
    lengths = np.diff(np.concatenate([begins, [len(ordered)]]))
    rows = np.column_stack([ordered[begins], lengths]).tolist()
    return [(int(a), int(b), int(words)) for a, b, words in rows]


def common_columns(
    witnesses: Sequence[Witness[Any]], columns: NDArray[np.int32]
) -> NDArray[np.int32]:
    """The columns that all documents have, each in at least one of its places."""
    return columns[_by_document(witnesses, columns >= 0).all(axis=1)]


def identical_columns(
    witnesses: Sequence[Witness[Any]], columns: NDArray[np.int32], words: CutWords
) -> NDArray[np.int32]:
    """The columns in which all words are identical, and not merely of similar spelling."""
    hashes = np.zeros(columns.shape, np.uint64)
    for at, one in enumerate(witnesses):
        has = columns[:, at] >= 0
        hashes[has, at] = words[one.number].hashes[columns[has, at]]
    first = hashes[np.arange(len(columns)), (columns >= 0).argmax(axis=1)]
    same: NDArray[np.int32] = columns[((hashes == first[:, None]) | (columns < 0)).all(axis=1)]
    return same


def longest_run(witnesses: Sequence[Witness[Any]], common: NDArray[np.int32]) -> NDArray[np.int32]:
    """The most columns in a row in which every document has its next word; `common` are the columns
    that all documents have."""
    ordered = common[np.lexsort(common.T[::-1])]
    follows = (np.diff(ordered, axis=0) == 1) & (ordered[:-1] >= 0)
    breaks = np.flatnonzero(~_by_document(witnesses, follows).all(axis=1)) + 1
    edges = np.concatenate([[0], breaks, [len(ordered)]])
    longest = int(np.diff(edges).argmax())
    return ordered[edges[longest] : edges[longest + 1]]


def _by_document(witnesses: Sequence[Witness[Any]], having: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """For each row and document whether any of its witnesses has it."""
    numbers = [one.number for one in witnesses]
    return np.column_stack(
        [
            having[:, [own == number for own in numbers]].any(axis=1)
            for number in sorted(set(numbers))
        ]
    )


def _earliest(dates: Sequence[str | None]) -> tuple[int, ...]:
    """The positions of the earliest of at least two dates."""
    known = {at: date for at, text in enumerate(dates) if (date := date_of(text)) is not None}
    if len(known) < 2:
        return ()
    first = min(known.values())
    return tuple(at for at, date in known.items() if date == first)
