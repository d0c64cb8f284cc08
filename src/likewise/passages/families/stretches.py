"""`find_stretches`: which parts of documents belong together, between the cuts of each document."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from likewise.passages.families.cuts import Cuts
from likewise.passages.families.runs import PassageRuns

MAX_GAP = 40  # words between two parts of one stretch


class Segment(NamedTuple):
    """What lies between two cuts of a document; the first one precedes all cuts."""

    number: int
    at: int


class Stretch(NamedTuple):
    """The words of a document from `first` up to, not including, `stop`."""

    number: int
    first: int
    stop: int


def find_stretches(
    passages: Sequence[PassageRuns], cuts: Cuts, sizes: Mapping[int, int], min_words: int
) -> list[list[Stretch]]:
    """The stretches of each family, in order; `sizes` has the number of words of each document.

    Stretches include a few words around the cuts that no other family has: a passage may begin or
    end there between some of the documents.
    """
    families = _joined(_connected(_linked(passages, cuts, min_words)))
    ranges = _Ranges(cuts, sizes, min_words, {one for family in families for one in family})
    return sorted(sorted(ranges.of(family)) for family in families)


def _linked(
    passages: Iterable[PassageRuns], cuts: Cuts, min_words: int
) -> Iterator[tuple[Segment, Segment]]:
    """Segments that share enough words: those of one place, not the edges of two places."""
    shared: Counter[tuple[Segment, Segment]] = Counter()
    for passage in passages:
        a, b = passage.a, passage.b
        for in_a, in_b, piece in passage.pieces(cuts[a], cuts[b]):
            shared[Segment(a, in_a), Segment(b, in_b)] += piece.length
    for (one, other), words in shared.items():
        shortest = min(_length(one, cuts), _length(other, cuts))
        if words >= min_words or 2 * words >= shortest:
            yield one, other


def _length(segment: Segment, cuts: Cuts) -> float:
    """The words between two cuts; the first and the last segment have no end."""
    own = cuts[segment.number]
    if 0 < segment.at < len(own):
        return own[segment.at] - own[segment.at - 1]
    return float("inf")


def _connected(links: Iterable[tuple[Segment, Segment]]) -> list[list[Segment]]:
    """Connected components, each in order."""
    parent: dict[Segment, Segment] = {}

    def root(one: Segment) -> Segment:
        parent.setdefault(one, one)
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for one, other in links:
        first, second = sorted((root(one), root(other)))
        parent[second] = first
    found: dict[Segment, list[Segment]] = defaultdict(list)
    for one in sorted(parent):
        found[root(one)].append(one)
    return list(found.values())


def _joined(families: Sequence[list[Segment]]) -> list[list[Segment]]:
    """Families whose stretches follow each other in all of their documents as one."""
    begins: dict[frozenset[Segment], int] = {}
    ends: list[frozenset[Segment]] = []
    for number, family in enumerate(families):
        members = set(family)
        starts = (one for one in family if Segment(one.number, one.at - 1) not in members)
        begins[frozenset(starts)] = number
        followers = (Segment(one.number, one.at + 1) for one in family)
        ends.append(frozenset(follower for follower in followers if follower not in members))
    follows = {number: begins[end] for number, end in enumerate(ends) if end in begins}
    later = set(follows.values())
    joined = []
    for number, family in enumerate(families):
        if number in later:
            continue
        whole, at = list(family), number
        while (at := follows.get(at, -1)) >= 0:
            whole += families[at]
        joined.append(sorted(whole))
    return joined


class _Ranges:
    """Segments as ranges of words."""

    def __init__(
        self, cuts: Cuts, sizes: Mapping[int, int], min_words: int, taken: set[Segment]
    ) -> None:
        self._cuts, self._sizes, self._min_words, self._taken = cuts, sizes, min_words, taken

    def of(self, family: Sequence[Segment]) -> Iterator[Stretch]:
        """The stretches of a family: segments with little between them are one."""
        parts: list[tuple[int, int, int]] = []  # document, first and last segment
        for number, at in family:
            if parts and parts[-1][0] == number and self._is_free(number, parts[-1][2] + 1, at):
                parts[-1] = number, parts[-1][1], at
            else:
                parts.append((number, at, at))
        for number, at, last in parts:
            first, stop = self._range(number, at)[0], self._range(number, last)[1]
            yield Stretch(
                number, first - self._spare(number, at, -1), stop + self._spare(number, last, 1)
            )

    def _is_free(self, number: int, begin: int, end: int) -> bool:
        """Whether segments from `begin` up to, not including, `end` are short and in no family."""
        if begin == end:
            return True
        words = self._range(number, end - 1)[1] - self._range(number, begin)[0]
        return words <= MAX_GAP and not any(
            Segment(number, at) in self._taken for at in range(begin, end)
        )

    def _range(self, number: int, at: int) -> tuple[int, int]:
        own = self._cuts[number]
        first = own[at - 1] if at else 0
        return first, own[at] if at < len(own) else self._sizes[number]

    def _spare(self, number: int, at: int, step: int) -> int:
        """How many words next to a segment, in one direction, can belong to it as well."""
        beside = at + step
        if not 0 <= beside <= len(self._cuts[number]) or Segment(number, beside) in self._taken:
            return 0
        first, stop = self._range(number, beside)
        between = Segment(number, beside + step) in self._taken
        free = (stop - first) // 2 if between else stop - first
        return min(free, self._min_words - 1)
