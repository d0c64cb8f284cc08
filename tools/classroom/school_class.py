"""`SchoolClass`: this year's essays, last year's, a long source, and the copies planted in them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle

from tools.classroom import copying
from tools.classroom.assignment import QUESTIONS, SOURCE_SUBJECT, title_of, title_page
from tools.classroom.copying import KINDS
from tools.classroom.corpus import Corpus
from tools.classroom.essay import Essay, Format
from tools.classroom.sentence import Paragraph, Sentence, count, marked, own

MIN_WORDS, MEDIAN_WORDS, MAX_WORDS = 150, 550, 3000
PER_KIND = 40  # one copy of each kind for so many essays
THIS_YEAR, LAST_YEAR, SOURCES = "this-year", "last-year", "sources"
_FORMATS: tuple[Format, ...] = ("docx", "pdf", "txt")
_HEADERS = {
    THIS_YEAR: "Reading course, autumn term",
    LAST_YEAR: "Reading course, autumn term of last year",
    SOURCES: "A reader for the course",
}

Range = tuple[int, int]


@dataclass(frozen=True)
class Planted:
    """A planted copy, by words of both documents, title page included; ends are excluded."""

    number: int
    kind: str
    copy: Essay
    copy_range: Range
    source: Essay
    source_range: Range


@dataclass(frozen=True)
class SchoolClass:
    this_year: Sequence[Essay]
    last_year: Sequence[Essay]
    long: Essay
    planted: Sequence[Planted]

    @property
    def essays(self) -> list[Essay]:
        """All documents."""
        return [*self.this_year, *self.last_year, self.long]


def make_class(
    seed: int = 1, essays: int = 120, last_year: int = 80, long_words: int = 80_000
) -> SchoolClass:
    """A class; the same arguments give the same class.

    Raises `ValueError` where there are too few essays for one copy of each kind.
    """
    return _Maker(random.Random(seed)).make(essays, last_year, long_words)


@dataclass(eq=False)
class _Draft:
    """An essay that has no number and no file yet."""

    question: str
    body: list[Paragraph]
    disguised: bool = False

    @property
    def sentences(self) -> list[Sentence]:
        return [sentence for paragraph in self.body for sentence in paragraph]


@dataclass(frozen=True)
class _Plant:
    number: int
    kind: str
    copy: _Draft
    source: _Draft
    passage: Paragraph  # of the source


class _Maker:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.corpus = Corpus(rng)
        self.drafts: list[_Draft] = []
        self.plants: list[_Plant] = []
        self.questions = cycle(QUESTIONS)

    def make(self, essays: int, last_year: int, long_words: int) -> SchoolClass:
        per_kind = max(1, essays // PER_KIND)
        least = per_kind * (2 * len(KINDS) - 1)  # a source for each but two, and one copy more
        if essays < least or last_year < per_kind:
            raise ValueError(
                f"{essays} and {last_year} essays are too few for the copies; at least {least} and "
                f"{per_kind} are needed"
            )
        long = _Draft(SOURCE_SUBJECT, self._paragraphs(self.corpus.take("law", long_words)))
        old = [self._essay(copying.min_source("last year")) for _ in range(per_kind)]
        old += [self._essay() for _ in range(last_year - per_kind)]
        for i in range(per_kind):
            part = len(long.sentences) // per_kind
            for kind in KINDS:
                self._copy(kind, old[i], long.sentences[i * part : (i + 1) * part], long)
        while len(self.drafts) < essays:
            self.drafts.append(self._essay())
        self.rng.shuffle(self.drafts)
        self.rng.shuffle(old)
        made: dict[int, Essay] = {}
        for year, first, drafts in ((THIS_YEAR, 1, self.drafts), (LAST_YEAR, 201, old)):
            formats = self._formats(drafts)
            for number, (draft, form) in enumerate(zip(drafts, formats, strict=True), first):
                made[id(draft)] = self._finish(draft, year, number, form)
        made[id(long)] = Essay(
            SOURCES, "long.pdf", "Library", "", "A long source", "2020-01-01", "pdf",
            [(own("A long source"),)], long.body, _HEADERS[SOURCES],
        )  # fmt: skip
        return SchoolClass(
            [made[id(draft)] for draft in self.drafts],
            [made[id(draft)] for draft in old],
            made[id(long)],
            list(self._planted(made)),
        )

    def _size(self, least: int = MIN_WORDS) -> int:
        """Most essays are of middle length, few very long."""
        drawn = round(MEDIAN_WORDS * self.rng.lognormvariate(0, 0.6))
        return max(least, min(drawn, MAX_WORDS - 60))

    def _essay(self, least: int = MIN_WORDS) -> _Draft:
        question = next(self.questions)
        return _Draft(question, self._paragraphs(self.corpus.take(question, self._size(least))))

    def _paragraphs(self, sentences: Iterable[Sentence]) -> list[Paragraph]:
        paragraphs: list[Paragraph] = []
        open_: list[Sentence] = []
        size = self.rng.randint(60, 140)
        for sentence in sentences:
            open_.append(sentence)
            if count(open_) >= size:
                paragraphs.append(tuple(open_))
                open_, size = [], self.rng.randint(60, 140)
        if open_:
            paragraphs.append(tuple(open_))
        return paragraphs

    def _copy(self, kind: str, old: _Draft, of_long: Sequence[Sentence], long: _Draft) -> None:
        """Makes the source of a copy, where it is of this year, and the copy or the copies."""
        if kind == "last year":
            passage = copying.sentences_of(self.rng, old.sentences, kind)
            self._plant(kind, old, [passage], [passage])
            return
        if kind == "long PDF":
            first = self.rng.randrange(max(1, len(of_long) - 40))
            passage = copying.sentences_of(self.rng, of_long[first : first + 40], kind)
            self._plant(kind, long, [passage], [passage])
            return
        source = self._essay(copying.min_source(kind))
        self.drafts.append(source)
        body = source.sentences
        if kind == "whole essay":
            self._plant(kind, source, [tuple(body)], [tuple(body)])
            return
        if kind == "paragraph":
            passages = [self.rng.choice([p for p in source.body if count(p) >= 60])]
        elif kind == "side by side":
            passages = list(copying.side_by_side(self.rng, body))
        else:
            passages = [copying.sentences_of(self.rng, body, kind)]
        for _ in range(2 if kind == "three-way" else 1):
            changed = [self._changed(kind, passage, source.question) for passage in passages]
            self._plant(kind, source, passages, changed)
        if kind == "three-way":
            one, other = self.plants[-2:]
            self.plants.append(
                _Plant(len(self.plants) + 1, kind, other.copy, one.copy, one.passage)
            )

    def _changed(self, kind: str, passage: Paragraph, subject: str) -> Paragraph:
        if kind == "one word in 8":
            return copying.replace_words(self.rng, passage, self.corpus)
        if kind == "reordered":
            return copying.reorder(self.rng, passage)
        if kind == "look-alikes":
            return copying.disguise(self.rng, passage)
        if kind == "reworded":
            other = QUESTIONS[QUESTIONS.index(subject) - 1]
            return copying.reword(self.rng, passage, self.corpus, other)
        return copying.quote(passage) if kind == "quoted" else passage

    def _plant(
        self, kind: str, source: _Draft, passages: Sequence[Paragraph], copies: Sequence[Paragraph]
    ) -> None:
        """A new essay with the copies in it, next to each other."""
        question = source.question if source.question in QUESTIONS else next(self.questions)
        first = len(self.plants) + 1
        copied = [marked(copy, first + i) for i, copy in enumerate(copies)]
        draft = _Draft(question, self._around(kind, question, copied), kind == "look-alikes")
        self.drafts.append(draft)
        for i, passage in enumerate(passages):
            self.plants.append(_Plant(first + i, kind, draft, source, passage))

    def _around(self, kind: str, question: str, copied: list[Paragraph]) -> list[Paragraph]:
        together = [sentence for copy in copied for sentence in copy]
        if kind == "whole essay":
            return self._paragraphs(together)
        room = MAX_WORDS - 60 - count(together)
        text = self.corpus.take(question, min(self._size(), room))
        at = self.rng.randint(0, len(text))
        before, behind = text[:at], text[at:]
        if kind == "paragraph" or self.rng.random() < 0.3:
            return [
                *self._paragraphs(before), *self._paragraphs(together), *self._paragraphs(behind)
            ]  # fmt: skip
        return self._paragraphs([*before, *together, *behind])

    def _formats(self, drafts: Sequence[_Draft]) -> list[Format]:
        """A third each. The fonts of the PDFs have no letters of other scripts."""
        formats = [_FORMATS[i % 3] for i in range(len(drafts))]
        self.rng.shuffle(formats)
        others = (i for i, d in enumerate(drafts) if not d.disguised and formats[i] != "pdf")
        for i, draft in enumerate(drafts):
            if draft.disguised and formats[i] == "pdf":
                j = next(others)
                formats[i], formats[j] = formats[j], formats[i]
        return formats

    def _finish(self, draft: _Draft, year: str, number: int, form: Format) -> Essay:
        day = self.rng.randint(1, 28)
        written = 2025 if year == THIS_YEAR else 2024
        author = f"Student {number:03}"
        title = title_of(self.rng, draft.body, self.corpus)
        return Essay(
            folder=year,
            id=f"{draft.question}/{number:03}.{form}",
            author=author,
            group=f"Group {self.rng.randint(1, 6)}",
            title=title,
            date=f"{written}-10-{day:02}",
            format=form,
            title_page=title_page(author, f"{day} October {written}", title),
            body=draft.body,
            header=_HEADERS[year],
        )

    def _planted(self, made: dict[int, Essay]) -> Iterable[Planted]:
        for plant in self.plants:
            copy, source = made[id(plant.copy)], made[id(plant.source)]
            origins = [origin for sentence in plant.passage for origin in sentence.origins]
            own_range = (
                copy.planted_range(plant.number)
                if any(s.planted == plant.number for s in plant.copy.sentences)
                else copy.range_of(origins)
            )
            yield Planted(
                plant.number, plant.kind, copy, own_range, source, source.range_of(origins)
            )
