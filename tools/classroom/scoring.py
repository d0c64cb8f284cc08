"""`score`: what likewise finds in a class, compared with the truth."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from likewise.passages.find import find_passages
from likewise.passages.passage import Passage
from likewise.passages.results import PassagePair, Passages
from likewise.passages.settings import Exclusions
from tools.classroom.assignment import assignment_text
from tools.classroom.essay import Essay
from tools.classroom.reading_back import ReadEssay, read_back
from tools.classroom.school_class import LAST_YEAR, SOURCES, THIS_YEAR, Planted, SchoolClass
from tools.classroom.sentence import OWN, TEMPLATE
from tools.classroom.truth import Truth

POINTS = 3.0
"""A percentage may be so many points from the truth."""

REWORDED = "reworded"
_REWORDED_KINDS = (REWORDED, "summary")


@dataclass(frozen=True)
class Detection:
    """What was found of a planted copy.

    Attributes:
        planted: the copy.
        found: whether one passage has at least half of it, on both sides.
        covered: the words of its range in the copy that are in passages of this pair, as a share.
        passages: how many passages touch it on both sides.
        reworded: whether one that is listed as reworded does.
    """

    planted: Planted
    found: bool
    covered: float
    passages: int
    reworded: bool


@dataclass(frozen=True)
class Figure:
    """A percentage as reported and as it should be, in points of 0 to 100."""

    of: str
    reported: float
    true: float

    @property
    def error(self) -> float:
        return abs(self.reported - self.true)


@dataclass(frozen=True)
class FalsePassage:
    """A passage in which the two documents share no word by copying."""

    a: str
    b: str
    kind: str
    a_text: str
    b_text: str


@dataclass
class Score:
    """One search.

    Attributes:
        name: which documents were searched.
        template: whether the assignment was excluded.
        pairs: shares of both documents, for all pairs that share words or are reported to.
        pair_count: all pairs.
        documents: the share of each document that others have.
    """

    name: str
    template: bool
    seconds: float
    pair_count: int
    detections: list[Detection] = field(default_factory=list)
    pairs: list[Figure] = field(default_factory=list)
    documents: list[Figure] = field(default_factory=list)
    false_passages: list[FalsePassage] = field(default_factory=list)


class ReadClass:
    """A class that was written to a folder and read again."""

    def __init__(self, school_class: SchoolClass, folder: Path) -> None:
        others = [*school_class.last_year, school_class.long]
        start = time.perf_counter()
        self.first = read_back(school_class.this_year, folder, [THIS_YEAR])
        self.second = read_back(others, folder, [LAST_YEAR, SOURCES])
        self.seconds = time.perf_counter() - start
        self.planted = school_class.planted

    def score(self, *, against: bool, template: bool) -> Score:
        """Searches as `likewise passages` does.

        Args:
            against: with last year's essays and the long source; otherwise this year's among
                themselves.
            template: exclude the assignment.
        """
        second = self.second if against else None
        start = time.perf_counter()
        passages = find_passages(
            [one.text for one in self.first.values()],
            ids=list(self.first),
            against=None if second is None else [one.text for one in second.values()],
            against_ids=None if second is None else list(second),
            exclude=_exclusions(template),
        )
        seconds = time.perf_counter() - start
        truth = self._truth(second, template=template)
        name = "with last year and the long PDF" if against else "among themselves"
        score = Score(name, template, seconds, len(truth.pairs))
        self._compare({(pair.a, pair.b): pair for pair in passages}, truth, second, score)
        score.documents.extend(_document_figures(passages, self.first, truth))
        return score

    def score_alone(self, unrelated: int, seed: int) -> Score:
        """Searches pairs of two documents without any others, with the assignment excluded.

        Those are all pairs with planted copies, this year's essays with the long source, and
        `unrelated` others, half of them with last year's essays.
        """
        rng = random.Random(seed)
        score = Score("each pair alone", True, 0.0, 0)
        planted = {frozenset((one.copy.id, one.source.id)) for one in self.planted}
        for second in (None, self.second):
            truth = self._truth(second, template=True)
            chosen = [
                (a, b)
                for a, b in truth.pairs
                if b.folder == SOURCES or frozenset((a.id, b.id)) in planted
            ]
            rest = [pair for pair in truth.pairs if pair not in set(chosen)]
            chosen += rng.sample(rest, min(unrelated // 2, len(rest)))
            found: dict[tuple[str, str], PassagePair] = {}
            start = time.perf_counter()
            for a, b in chosen:
                for pair in find_passages(
                    [self.first[a.id].text],
                    ids=[a.id],
                    against=[(second or self.first)[b.id].text],
                    against_ids=[b.id],
                    exclude=_exclusions(True),
                ):
                    found[pair.a, pair.b] = pair
            score.seconds += time.perf_counter() - start
            score.pair_count += len(chosen)
            self._compare(found, truth, second, score)
        return score

    def _truth(self, second: Mapping[str, ReadEssay] | None, *, template: bool) -> Truth:
        return Truth(
            [one.essay for one in self.first.values()],
            None if second is None else [one.essay for one in second.values()],
            template=not template,
        )

    def _compare(
        self,
        found: Mapping[tuple[str, str], PassagePair],
        truth: Truth,
        second: Mapping[str, ReadEssay] | None,
        score: Score,
    ) -> None:
        score.pairs.extend(_pair_figures(found, truth))
        score.detections.extend(self._detections(found, second))
        excluded = TEMPLATE if score.template else None
        score.false_passages.extend(self._false(found.values(), second or self.first, excluded))

    def _detections(
        self, found: Mapping[tuple[str, str], PassagePair], second: Mapping[str, ReadEssay] | None
    ) -> Iterable[Detection]:
        sources = self.first if second is None else second
        for planted in self.planted:
            if planted.source.id not in sources:
                continue
            ids = planted.copy.id, planted.source.id
            plain, reworded = _passages(found, *ids)
            copy, source = self.first[ids[0]], sources[ids[1]]
            yield _detection(planted, plain, reworded, copy, source)

    def _false(
        self,
        pairs: Iterable[PassagePair],
        second: Mapping[str, ReadEssay],
        excluded: int | None,
    ) -> Iterable[FalsePassage]:
        reworded = {
            frozenset((one.copy.id, one.source.id)) for one in self.planted if one.kind == REWORDED
        }
        for pair in pairs:
            if frozenset((pair.a, pair.b)) in reworded:
                continue
            a, b = self.first[pair.a], second[pair.b]
            for passage in (*pair.passages, *getattr(pair, "reworded", ())):
                if not _shares_words(passage, a, b, excluded):
                    yield FalsePassage(
                        a.essay.path,
                        b.essay.path,
                        passage.kind,
                        a.text[passage.a_start : passage.a_end],
                        b.text[passage.b_start : passage.b_end],
                    )


def _exclusions(template: bool) -> Exclusions:
    return Exclusions(templates=(assignment_text(),) if template else ())


def _passages(
    found: Mapping[tuple[str, str], PassagePair], a: str, b: str
) -> tuple[list[Passage], list[Passage]]:
    """Passages of a pair as a sees them, and those that are listed as reworded."""
    pair = found.get((a, b)) or found.get((b, a))
    if pair is None:
        return [], []
    every = [*pair.passages, *getattr(pair, "reworded", ())]
    if pair.a != a:
        every = [passage.turned() for passage in every]
    reworded = [passage for passage in every if passage.kind in _REWORDED_KINDS]
    return [passage for passage in every if passage not in reworded], reworded


def _detection(
    planted: Planted,
    plain: Sequence[Passage],
    reworded: Sequence[Passage],
    copy: ReadEssay,
    source: ReadEssay,
) -> Detection:
    def overlaps(passage: Passage) -> tuple[range, range]:
        return (
            _common(copy.words_in(passage.a_start, passage.a_end), planted.copy_range),
            _common(source.words_in(passage.b_start, passage.b_end), planted.source_range),
        )

    size = planted.copy_range[1] - planted.copy_range[0]
    source_size = planted.source_range[1] - planted.source_range[0]
    touching = [both for both in map(overlaps, plain) if all(both)]
    return Detection(
        planted,
        found=any(2 * len(a) >= size and 2 * len(b) >= source_size for a, b in touching),
        covered=len({word for a, _ in touching for word in a}) / size,
        passages=len(touching),
        reworded=any(all(overlaps(passage)) for passage in reworded),
    )


def _common(one: tuple[int, int], other: tuple[int, int]) -> range:
    return range(max(one[0], other[0]), min(one[1], other[1]))


def _pair_figures(found: Mapping[tuple[str, str], PassagePair], truth: Truth) -> Iterable[Figure]:
    for a, b in truth.pairs:
        words = truth.words(a, b)
        pair = found.get((a.id, b.id)) or found.get((b.id, a.id))
        if pair is None and not words:
            continue
        for one, other in ((a, b), (b, a)):
            reported = 0.0 if pair is None else pair.share_a if pair.a == one.id else pair.share_b
            yield Figure(
                f"{one.path} in {other.path}", 100 * reported, 100 * truth.share(words, one)
            )


def _document_figures(
    passages: Passages, essays: Mapping[str, ReadEssay], truth: Truth
) -> Iterable[Figure]:
    scores = passages.scores()
    for id_, one in essays.items():
        essay: Essay = one.essay
        reported = scores[id_].share if id_ in scores else 0.0
        true = truth.share(truth.of_document(essay), essay)
        yield Figure(essay.path, 100 * reported, 100 * true)


def _shares_words(passage: Passage, a: ReadEssay, b: ReadEssay, excluded: int | None) -> bool:
    """Whether both sides have a word of the same origin; not one of those from `excluded` on."""
    first, last = a.words_in(passage.a_start, passage.a_end)
    in_a = {o for o in a.essay.origins[first:last].tolist() if excluded is None or o < excluded}
    first, last = b.words_in(passage.b_start, passage.b_end)
    return not (in_a - {OWN}).isdisjoint(b.essay.origins[first:last].tolist())
