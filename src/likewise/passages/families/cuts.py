"""`find_cuts`: where the set of documents that share the wording of a document changes.

Passages begin and end at such words. Between two documents a passage may begin a few words earlier
than between two others, by chance or by an edited word, so boundaries that are closer together than
a passage can be long are one: the one with the most others around it. What cuts one document also
cuts those that it shares that place with.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from likewise.passages.families.runs import PassageRuns

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
                if not is_near(cuts[side.b], at, min_words):
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


def projected(side: PassageRuns, cut: int) -> int:
    """The word of b that corresponds to a cut of a: by the run around it, or by the nearest one."""
    at = bisect_right(side.runs, cut, key=lambda run: run.a) - 1
    run = side.runs[max(at, 0)]
    past = cut - (run.a + run.length)
    if past <= 0:
        return run.b + cut - run.a
    following = side.runs[at + 1] if at + 1 < len(side.runs) else None
    if following is not None and following.a - cut < past:
        return following.b
    return run.b + run.length
