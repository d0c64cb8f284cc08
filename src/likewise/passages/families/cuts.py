"""`find_cuts`: where the set of documents that share the wording of a document changes.

Passages begin and end at such words. Between two documents a passage may begin a few words earlier
than between two others, by chance or by an edited word, so boundaries that are closer together than
a passage can be long are one: the one with the most others around it. What cuts one document also
cuts those that it shares that place with.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from likewise.passages.families.runs import PassageRuns, Run

DIVIDED = 0.85
"""Share of the matched words of a reordered passage that a cut must divide in both documents."""

Cuts = dict[int, list[int]]
"""Word numbers in ascending order, by document."""


def find_cuts(passages: Iterable[PassageRuns], min_words: int) -> Cuts:
    """The cuts of all documents, at least `min_words` apart; the same in any order of passages."""
    sides = [side for passage in passages for side in (passage, passage.turned())]
    boundaries: dict[int, Counter[int]] = defaultdict(Counter)
    for side in sides:
        boundaries[side.a].update(side.stretch)
    cuts: Cuts = {}
    added = {number: choose(found, (), min_words) for number, found in boundaries.items()}
    while added:
        for number, new in added.items():
            cuts[number] = sorted([*cuts.get(number, ()), *new])
        boundaries = defaultdict(Counter)
        for side in sides:
            for cut in inner(added.get(side.a, ()), side.stretch, min_words):
                at = projected(side, cut)
                if at is not None and not is_near(cuts[side.b], at, min_words):
                    boundaries[side.b][at] += 1
        added = {
            number: choose(found, cuts[number], min_words) for number, found in boundaries.items()
        }
    return cuts


def choose(boundaries: Mapping[int, int], known: Sequence[int], min_words: int) -> list[int]:
    """Those with the most boundaries around them, none of them near another or a known cut.

    `boundaries` has the number of passages that begin or end at each word.
    """
    places = sorted(boundaries)

    def support(place: int) -> int:
        first = bisect_right(places, place - min_words)
        last = bisect_left(places, place + min_words)
        return sum(
            boundaries[other] * (min_words - abs(other - place)) for other in places[first:last]
        )

    kept = list(known)
    chosen = []
    for place in sorted(places, key=lambda place: (-support(place), place)):
        if not is_near(kept, place, min_words):
            insort(kept, place)
            chosen.append(place)
    return chosen


def inner(cuts: Sequence[int], stretch: tuple[int, int], min_words: int) -> Iterable[int]:
    """The cuts inside a stretch, and not near its ends; in any order."""
    start, end = stretch
    return (cut for cut in cuts if start + min_words <= cut <= end - min_words)


def is_near(cuts: Sequence[int], place: int, min_words: int) -> bool:
    """Whether one of the cuts, in ascending order, is less than `min_words` away."""
    at = bisect_left(cuts, place)
    return (at < len(cuts) and cuts[at] - place < min_words) or (
        at > 0 and place - cuts[at - 1] < min_words
    )


def projected(side: PassageRuns, cut: int) -> int | None:
    """The word of b that corresponds to a cut of a; None if there is none.

    That is the one by the run around the cut, or by the nearest one. If the passage is reordered,
    it is the word that best divides what a matches before the cut from what it matches after it.
    """
    if not side.in_order:
        return _dividing(side, cut)
    at = bisect_right(side.runs, cut, key=lambda run: run.a) - 1
    run = side.runs[max(at, 0)]
    past = cut - (run.a + run.length)
    if past <= 0:
        return run.b + cut - run.a
    following = side.runs[at + 1] if at + 1 < len(side.runs) else None
    if following is not None and following.a - cut < past:
        return following.b
    return run.b + run.length


def _dividing(side: PassageRuns, cut: int) -> int | None:
    """The word of b with the most matched words on the side of the cut to which they belong: those
    before the cut on one side of it, and those after it on the other. None if that is true of too
    few of them."""
    pieces = sorted((run.b, run.length, before) for before, run in _cut_runs(side, cut))
    total = sum(length for _, length, _ in pieces)
    balance = sum(length for _, length, before in pieces if not before)
    best, place = max(balance, total - balance), pieces[0][0]
    for (_, length, before), (following, _, _) in pairwise(pieces):
        # matched words in place, if those before the cut come first
        balance += length if before else -length
        if max(balance, total - balance) > best:
            best, place = max(balance, total - balance), following
    return place if best >= DIVIDED * total else None


def _cut_runs(side: PassageRuns, cut: int) -> Iterator[tuple[bool, Run]]:
    """The runs, divided at the cut, and whether they precede it."""
    for a, b, length in side.runs:
        own = min(max(cut - a, 0), length)
        if own:
            yield True, Run(a, b, own)
        if own < length:
            yield False, Run(a + own, b + own, length - own)
