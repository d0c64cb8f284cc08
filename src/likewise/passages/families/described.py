"""`described_family`: aligned stretches as a family, with what all its witnesses have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from likewise.passages.families.columns import in_order
from likewise.passages.families.dates import date_of
from likewise.passages.families.family import Family, Side, Witness
from likewise.passages.passage import kind_of
from likewise.statistics.shared_runs import SMALLEST_P, pair_run_chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.arrays import U64
    from likewise.passages.families.stretches import Stretch
    from likewise.passages.passage import Kind

_CHANGES: tuple[Kind, ...] = ("verbatim", "edited", "reordered")


class PairFacts(Protocol):
    """What is known about two documents, as `PairPassages` has it."""

    @property
    def short_runs(self) -> int | None: ...
    @property
    def equal_share(self) -> float: ...


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What is known about a document.

    Attributes:
        id, side: as of its witnesses.
        digest: of its text.
        words: how many it has.
        unspaced: whether it is in a script without spaces.
        metadata: title, author, date and group, as far as they are known.
        range: where words `first` up to, not including, `stop` are, in code points.
        hashes: of its words, where matched words may differ in their spelling.
    """

    id: Any
    side: Side
    digest: str
    words: int
    unspaced: bool
    metadata: dict[str, Any]
    range: Callable[[int, int], tuple[int, int]]
    hashes: U64 | None = None


def described_family(
    stretches: Sequence[Stretch],
    columns: NDArray[np.int32],
    documents: Mapping[int, DocumentFacts],
    pairs: Mapping[tuple[int, int], PairFacts],
) -> Family[Any] | None:
    """The family of these stretches, without words at their ends that no other has; `pairs` are
    those that passages link in it.

    None if fewer than two documents have a word in common. The result does not depend on the order
    of the stretches, except where two have the same text.
    """
    kept = [int(i) for i in np.flatnonzero((columns >= 0).any(axis=0))]
    if len({stretches[i].number for i in kept}) < 2:
        return None
    kind = _kind(columns[:, kept], [documents[stretches[i].number] for i in kept])
    kept.sort(key=lambda i: (stretches[i].number, stretches[i].first))
    columns = in_order(columns[:, kept])
    witnesses = tuple(
        _witness(stretches[i].number, documents[stretches[i].number], columns[:, place])
        for place, i in enumerate(kept)
    )
    common = common_columns(witnesses, columns)
    hashes = [documents[one.number].hashes for one in witnesses]
    _, words = longest_run(witnesses, identical_columns(common, hashes))
    run = len(words)
    return Family(
        witnesses=witnesses,
        common=len(common),
        run=run,
        kind=kind,
        p=_chance({one.number for one in witnesses}, run, documents, pairs),
        earliest=_earliest([one.metadata.get("date") for one in witnesses]),
        columns=columns,
    )


def _witness(number: int, document: DocumentFacts, own: NDArray[np.int32]) -> Witness[Any]:
    used = own[own >= 0]
    first, stop = int(used.min()), int(used.max()) + 1
    start, end = document.range(first, stop)
    return Witness(
        document.id, document.side, number, start, end, first, stop, len(used), document.metadata
    )


def _kind(columns: NDArray[np.int32], documents: Sequence[DocumentFacts]) -> Kind:
    """The greatest change between the witness with the most matched words and the others."""
    base = int((columns >= 0).sum(axis=0).argmax())
    kinds = set()
    for other in range(columns.shape[1]):
        if other == base:
            continue
        both = columns[(columns[:, base] >= 0) & (columns[:, other] >= 0)][:, [base, other]]
        if len(both):
            words, others = (int(np.ptp(own[own >= 0])) + 1 for own in columns[:, [base, other]].T)
            same = identical_columns(both, [documents[i].hashes for i in (base, other)])
            kinds.add(kind_of(words, others, _runs(both), _runs(same)))
        else:
            kinds.add("edited")
    return max(kinds, key=_CHANGES.index)


def _chance(
    numbers: Set[int],
    run: int,
    documents: Mapping[int, DocumentFacts],
    pairs: Mapping[tuple[int, int], PairFacts],
) -> float | None:
    """For unrelated texts, all of them share a run no more often than any two of them do.

    `pairs` are those that passages link in the family.
    """
    if not run:
        return None
    chances = [
        pair_run_chance(
            documents[a].words, documents[b].words, run, shared.short_runs,
            equal_share=shared.equal_share, unspaced=documents[a].unspaced or documents[b].unspaced,
        )
        for (a, b), shared in pairs.items()
        if a in numbers and b in numbers
    ]  # fmt: skip
    return max(SMALLEST_P, min(chances)) if chances else None


def _runs(pairs: NDArray[np.int32]) -> list[tuple[int, int, int]]:
    """Pairs of words as runs, by their place in the first text."""
    if not len(pairs):
        return []
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
    columns: NDArray[np.int32], hashes: Sequence[U64 | None]
) -> NDArray[np.int32]:
    """The columns in which all words are identical, and not merely of similar spelling.

    `hashes` are those of the words of each witness; None where all matched words are identical.
    """
    words = np.zeros(columns.shape, np.uint64)
    for at, own in enumerate(hashes):
        if own is None:
            return columns
        has = columns[:, at] >= 0
        words[has, at] = own[columns[has, at]]
    first = words[np.arange(len(columns)), (columns >= 0).argmax(axis=1)]
    same: NDArray[np.int32] = columns[((words == first[:, None]) | (columns < 0)).all(axis=1)]
    return same


def longest_run(
    witnesses: Sequence[Witness[Any]], common: NDArray[np.int32]
) -> tuple[int, NDArray[np.int32]]:
    """The position of a witness, and the most of its words in a row that every document has in a
    row in one of its places; `common` are the columns that all documents have.

    Such a run is in one of the places of any document, so those of the document with the fewest of
    them are looked at.
    """
    places: dict[int, list[int]] = defaultdict(list)
    for position, one in enumerate(witnesses):
        places[one.number].append(position)
    best = places[witnesses[0].number][0], common[:0, 0]
    for position in min(places.values(), key=len):
        own = common[common[:, position] >= 0]
        own = own[np.argsort(own[:, position])]
        if not len(own):
            continue
        lengths = _lengths_ahead(own)
        runs = np.min([lengths[:, ends].max(axis=1) for ends in places.values()], axis=0)
        first = int(runs.argmax())
        if runs[first] > len(best[1]):
            best = position, own[first : first + runs[first], position]
    return best


def _lengths_ahead(columns: NDArray[np.int32]) -> NDArray[np.int64]:
    """For each column and witness how many columns from there on have its words in a row."""
    at = np.arange(len(columns))[:, None]
    follows = np.zeros(columns.shape, bool)
    follows[:-1] = (np.diff(columns, axis=0) == 1) & (columns[:-1] >= 0)
    ends = np.minimum.accumulate(np.where(follows, len(columns), at)[::-1])[::-1]
    return np.where(columns >= 0, ends - at + 1, 0)


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
