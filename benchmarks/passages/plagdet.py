"""plagdet, the measure of the PAN competitions on text alignment, from its definition.

Potthast, Stein, Barrón-Cedeño and Rosso: An evaluation framework for plagiarism detection, 2010.
A case and a detection are each a stretch of a suspicious text and a stretch of a source; a
detection finds a case if they share characters on both sides. Precision is the mean, over
detections, of the part of their characters that the cases they find hold; recall the same for
cases; granularity the mean number of detections of a case that is found; and plagdet is
F1 / log2(1 + granularity).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Stretches(NamedTuple):
    """A stretch of a suspicious text and one of a source; `pair` says of which."""

    pair: Hashable
    a_start: int
    a_end: int
    b_start: int
    b_end: int

    @property
    def size(self) -> int:
        return (self.a_end - self.a_start) + (self.b_end - self.b_start)

    def shared(self, other: Stretches) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """What both hold on each side, if they share characters on both."""
        a = max(self.a_start, other.a_start), min(self.a_end, other.a_end)
        b = max(self.b_start, other.b_start), min(self.b_end, other.b_end)
        return (a, b) if a[0] < a[1] and b[0] < b[1] else None


@dataclass(frozen=True)
class Score:
    """plagdet and what it is made of; all from 0 to 1 but granularity, which is 1 or more."""

    precision: float
    recall: float
    granularity: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def plagdet(self) -> float:
        return self.f1 / math.log2(1 + self.granularity)


def score(cases: Sequence[Stretches], detections: Sequence[Stretches]) -> Score:
    """How well the detections find the cases."""
    cases_of, detections_of = _by_pair(cases), _by_pair(detections)
    found = [_held(case, detections_of[case.pair]) for case in cases]
    right = [_held(detection, cases_of[detection.pair]) for detection in detections]
    times = [times for _, times in found if times]
    return Score(
        precision=_mean([share for share, _ in right]),
        recall=_mean([share for share, _ in found]),
        granularity=_mean(times) if times else 1.0,
    )


def _by_pair(stretches: Iterable[Stretches]) -> defaultdict[Hashable, list[Stretches]]:
    grouped: defaultdict[Hashable, list[Stretches]] = defaultdict(list)
    for one in stretches:
        grouped[one.pair].append(one)
    return grouped


def _held(one: Stretches, others: Iterable[Stretches]) -> tuple[float, int]:
    """The part of `one` that the others hold which meet it, and how many do."""
    meetings = [shared for other in others if (shared := one.shared(other))]
    covered = _union([a for a, _ in meetings]) + _union([b for _, b in meetings])
    return covered / one.size, len(meetings)


def _union(ranges: Iterable[tuple[int, int]]) -> int:
    total, end = 0, 0
    for start, stop in sorted(ranges):
        total += max(0, stop - max(start, end))
        end = max(end, stop)
    return total


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
