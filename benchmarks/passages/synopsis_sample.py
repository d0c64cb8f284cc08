"""Fifty verses of Matthew, Mark and Luke: what a synopsis marks beside what a reader marks.

The verses are drawn at random from both editions, with a fixed seed. A person read each of them
beside its parallels, without the marks of the program, and wrote into synopsis_judgement.txt which
words agree in which texts: the same word, in the same role, in a parallel place.

    python -m benchmarks.passages.synopsis_sample --gospels FOLDER --show   # what a reader needs
    python -m benchmarks.passages.synopsis_sample --gospels FOLDER

FOLDER has kjv/ and lsg/, each with matthew.txt, mark.txt and luke.txt, one verse per line.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.statistics.gospels import king_james
from likewise.documents.document import Document
from likewise.passages.settings import DEFAULT_MIN_WORDS
from likewise.survey.synopsis.synopsis import Synopsis, make_synopsis
from likewise.text.words import words_of

EDITIONS = ("kjv", "lsg")
NAMES = ("matthew", "mark", "luke")
SHORT = ("Mt", "Mk", "Lk")
MIN_WORDS = (6, 8, 12, 20)
JUDGEMENT = Path(__file__).with_name("synopsis_judgement.txt")
_MARKED = re.compile(r"\[((?:Mt|Mk|Lk)(?: (?:Mt|Mk|Lk))*): ([^\]]*)\]")
_CANDIDATES = 4  # verses of each other text that are shown to the reader

RUNS = {"1": 1, "2": 2, "3 to 5": 5, "6 or more": math.inf}
"""Words in a row that agree, by their name and the most."""

Marks = list[frozenset[int]]
"""For each word of a verse, which other texts have it."""


@dataclass(frozen=True)
class Verse:
    edition: str
    text: int
    line: int

    @property
    def name(self) -> str:
        return f"{self.edition} {NAMES[self.text]} {self.line}"


class Edition:
    """The texts of one edition and their synopsis."""

    def __init__(self, texts: Sequence[str], min_words: int = DEFAULT_MIN_WORDS) -> None:
        self.verses = [text.rstrip("\n").split("\n") for text in texts]
        documents = [Document(text, id=name) for text, name in zip(texts, NAMES, strict=True)]
        self.synopsis: Synopsis = make_synopsis(documents, min_words=min_words)
        self.words = [one.words for one in self.synopsis.texts]
        self.texts = list(texts)

    def place(self, text: int, line: int) -> tuple[int, int]:
        """The first word of a verse, and the one after the last."""
        start = sum(len(verse) + 1 for verse in self.verses[text][: line - 1])
        end = start + len(self.verses[text][line - 1])
        begins = self.words[text].begins
        return int(begins.searchsorted(start)), int(begins.searchsorted(end))

    def marks(self, verse: Verse) -> Marks:
        first, stop = self.place(verse.text, verse.line)
        masks = self.synopsis.agreements.masks[verse.text][first:stop].tolist()
        return [
            frozenset(text for text in range(3) if text != verse.text and mask >> text & 1)
            for mask in masks
        ]

    def in_passages(self, verse: Verse) -> list[frozenset[int]]:
        """For each word, with which other texts it is in a passage."""
        first, stop = self.place(verse.text, verse.line)
        shared = self.synopsis.agreements.shared_masks[verse.text][first:stop].tolist()
        return [
            frozenset(text for text in range(3) if text != verse.text and mask >> text & 1)
            for mask in shared
        ]

    @cached_property
    def _partners(self) -> dict[tuple[int, int], dict[int, set[int]]]:
        """For each word that agrees the words of other texts that it agrees with."""
        partners: dict[tuple[int, int], dict[int, set[int]]] = {}
        for column in self.synopsis.columns:
            for member in column:
                own = partners.setdefault(member, {})
                for text, word in column:
                    own.setdefault(text, set()).add(word)
        return partners

    def runs(self, verse: Verse) -> list[dict[int, int]]:
        """For each word and text that has it, how many words in a row both have there."""
        return [
            {
                other: 1 + self._reach(verse.text, word, other, 1)
                + self._reach(verse.text, word, other, -1)
                for other in self._partners.get((verse.text, word), {})
                if other != verse.text
            }
            for word in range(*self.place(verse.text, verse.line))
        ]  # fmt: skip

    def _reach(self, text: int, word: int, other: int, step: int) -> int:
        """How many words after or before a word agree in the same order."""
        reach = 0
        places = self._partners[text, word][other]
        while True:
            following = self._partners.get((text, word + step), {}).get(other, set())
            places = {place + step for place in places} & following
            if not places:
                return reach
            reach, word = reach + 1, word + step

    @cached_property
    def _rarity(self) -> dict[str, float]:
        counts = Counter(word for own in self.verses for verse in own for word in set(plain(verse)))
        return {word: 1 / (1 + math.log(count)) ** 2 for word, count in counts.items()}

    def candidates(self, verse: Verse, text: int) -> list[tuple[int, str]]:
        """Verses of a text with the most rare words of this one and of those next to it."""
        own = Counter[str]()
        for offset, weight in ((0, 1.0), (-1, 0.3), (1, 0.3)):
            at = verse.line - 1 + offset
            if 0 <= at < len(self.verses[verse.text]):
                for word in set(plain(self.verses[verse.text][at])):
                    own[word] += weight * self._rarity[word]  # type: ignore[assignment]
        scores = [sum(own[word] for word in set(plain(one))) for one in self.verses[text]]
        around = [
            scores[at] + 0.4 * sum(scores[max(0, at - 1) : at + 2]) for at in range(len(scores))
        ]
        best = sorted(range(len(scores)), key=lambda at: -around[at])[:_CANDIDATES]
        return [(at + 1, self.verses[text][at]) for at in sorted(best)]


def plain(text: str) -> list[str]:
    words = words_of(text)
    places = zip(words.begins.tolist(), words.ends.tolist(), strict=True)
    return [text[begin:end].casefold() for begin, end in places]


def draw(editions: dict[str, Edition], count: int, seed: int) -> list[Verse]:
    every = [
        Verse(name, text, line)
        for name, edition in sorted(editions.items())
        for text in range(3)
        for line in range(1, len(edition.verses[text]) + 1)
    ]
    chosen = random.Random(seed).sample(every, count)
    return sorted(chosen, key=lambda verse: (verse.edition, verse.text, verse.line))


def judged(marked: str, text: str) -> Marks:
    """The marks of a reader; raises ValueError if the words are not those of the verse."""
    words: list[str] = []
    marks: Marks = []
    at = 0
    for found in [*_MARKED.finditer(marked), None]:
        before = plain(marked[at : found.start() if found else len(marked)])
        words += before
        marks += [frozenset()] * len(before)
        if found:
            inside = plain(found[2])
            words += inside
            marks += [frozenset(SHORT.index(name) for name in found[1].split())] * len(inside)
            at = found.end()
    if words != plain(text):
        wrong = next((pair for pair in zip(words, plain(text), strict=False) if pair[0] != pair[1]),
                     (len(words), len(plain(text))))  # fmt: skip
        raise ValueError(f"not the words of the verse: {wrong}")
    return marks


def read_judgement() -> dict[str, str]:
    rows = [line for line in JUDGEMENT.read_text("utf-8").splitlines() if line.strip()]
    return dict(row.split(": ", 1) for row in rows if not row.startswith("#"))


def shown(text: str, marks: Marks) -> str:
    """A verse with the words that agree in brackets, as a reader writes it."""
    words = words_of(text)
    parts, at = [], 0
    for number, own in enumerate(marks):
        begin = int(words.begins[number])
        if own and (number == 0 or marks[number - 1] != own):
            names = " ".join(SHORT[text] for text in sorted(own))
            parts.append(f"{text[at:begin]}[{names}: ")
            at = begin
        if own and (number + 1 == len(marks) or marks[number + 1] != own):
            end = int(words.ends[number])
            parts.append(f"{text[at:end]}]")
            at = end
    return "".join([*parts, text[at:]])


def show(editions: dict[str, Edition], verses: Sequence[Verse]) -> None:
    """What a reader needs, without the marks of the program."""
    for verse in verses:
        edition = editions[verse.edition]
        print(f"\n{verse.name}: {edition.verses[verse.text][verse.line - 1]}")
        for other in range(3):
            if other != verse.text:
                for line, text in edition.candidates(verse, other):
                    print(f"    {SHORT[other]} {line}: {text}")


@dataclass
class Counts:
    """Words and the texts they agree with, as the program and the reader see them."""

    right: int = 0
    wrong: int = 0
    missed_inside: int = 0
    missed_outside: int = 0
    same: int = 0
    words: int = 0

    def add(self, found: Marks, wanted: Marks, inside: Sequence[frozenset[int]]) -> None:
        self.words += len(found)
        for own, reader, passages in zip(found, wanted, inside, strict=True):
            self.same += own == reader
            self.right += len(own & reader)
            self.wrong += len(own - reader)
            self.missed_inside += len((reader - own) & passages)
            self.missed_outside += len(reader - own - passages)

    @property
    def missed(self) -> int:
        return self.missed_inside + self.missed_outside


def rows_of(
    editions: dict[str, Edition], verses: Sequence[Verse], judgement: dict[str, str]
) -> Iterator[tuple[Verse, Marks, Marks | None]]:
    for verse in verses:
        edition = editions[verse.edition]
        marked = judgement.get(verse.name)
        text = edition.verses[verse.text][verse.line - 1]
        try:
            wanted = None if marked is None else judged(marked, text)
        except ValueError as error:
            raise SystemExit(f"{verse.name}: {error}") from None
        yield verse, edition.marks(verse), wanted


def intervals(verses: Sequence[Counts]) -> str:
    """95 % intervals of precision and recall: verses drawn again, with replacement."""
    counts = np.array([[one.right, one.wrong, one.missed] for one in verses])
    drawn = np.random.default_rng(1).integers(len(verses), size=(10_000, len(verses)))
    right, wrong, missed = counts[drawn].sum(axis=1).T
    found = []
    for name, other in (("precision", wrong), ("recall", missed)):
        with np.errstate(invalid="ignore"):
            low, high = np.nanquantile(right / (right + other), [0.025, 0.975])
        found.append(f"{name} {100 * low:.0f} to {100 * high:.0f} %")
    return f"Other verses would differ: 95 % intervals over verses are {' and '.join(found)}."


def by_min_words(
    editions: dict[str, Edition], verses: Sequence[Verse], judgement: dict[str, str]
) -> str:
    """The same with shorter and longer passages."""
    rows = []
    for words in MIN_WORDS:
        again = {name: Edition(own.texts, words) for name, own in editions.items()}
        counts = Counts()
        for verse, found, wanted in rows_of(again, verses, judgement):
            if wanted is not None:
                counts.add(found, wanted, again[verse.edition].in_passages(verse))
        rows.append([
            str(words), f"{counts.right:,}", f"{counts.wrong:,}", f"{counts.missed:,}",
            _share(counts.right, counts.right + counts.wrong),
            _share(counts.right, counts.right + counts.missed),
        ])  # fmt: skip
    head = ["words of a run, at least", "marked rightly", "wrongly", "missed", "precision",
            "recall"]  # fmt: skip
    return markdown(head, rows)


def report(editions: dict[str, Edition], verses: Sequence[Verse], judgement: dict[str, str]) -> str:
    counts = {"all": Counts(), **{name: Counts() for name in sorted(editions)}}
    confusion: Counter[tuple[str, str]] = Counter()
    rows = []
    lengths: dict[str, list[int]] = {}
    by_verse: list[Counts] = []
    agreeing = 0
    for verse, found, wanted in rows_of(editions, verses, judgement):
        edition = editions[verse.edition]
        text = edition.verses[verse.text][verse.line - 1]
        own = Counts()
        if wanted is not None:
            inside = edition.in_passages(verse)
            for one in (own, counts["all"], counts[verse.edition]):
                one.add(found, wanted, inside)
            by_verse.append(own)
            agreeing += any(wanted)
            for mark, reader, runs in zip(found, wanted, edition.runs(verse), strict=True):
                for other in mark:
                    name = next(n for n, most in RUNS.items() if runs[other] <= most)
                    lengths.setdefault(name, [0, 0])[other not in reader] += 1
            for mark, reader in zip(found, wanted, strict=True):
                confusion[_all_pair_alone(reader), _all_pair_alone(mark)] += 1
        marked = "" if wanted is None else shown(text, wanted)
        numbers = [str(n) if marked else "" for n in (own.right, own.wrong, own.missed)]
        rows.append([verse.name, shown(text, found), marked, *numbers])
    head = ["", "verses' words", "same texts", "marked rightly", "wrongly", "missed",
            "of them in passages", "precision", "recall"]  # fmt: skip
    summary = markdown(head, [
        [name, f"{one.words:,}", f"{one.same:,} ({_share(one.same, one.words)})", f"{one.right:,}",
         f"{one.wrong:,}", f"{one.missed:,}", f"{one.missed_inside:,}",
         _share(one.right, one.right + one.wrong), _share(one.right, one.right + one.missed)]
        for name, one in counts.items()
    ])  # fmt: skip
    kinds = ("all three", "two", "alone")
    crossed = markdown(["reader \\ program", *kinds], [
        [reader, *(f"{confusion[reader, mark]:,}" for mark in kinds)] for reader in kinds
    ])  # fmt: skip
    by_run = markdown(["words in a row that agree", "marked rightly", "wrongly", "precision"], [
        [name, f"{right:,}", f"{wrong:,}", _share(right, right + wrong)]
        for name in RUNS
        for right, wrong in [lengths.get(name, [0, 0])]
    ])  # fmt: skip
    table = markdown(["verse", "program", "reader", "right", "wrong", "missed"], rows)
    return (
        f"{len(verses)} verses, {agreeing} of them with words that agree. Right, wrong and missed "
        "count a word once for each other text that has it.\n\n"
        f"{summary}\n\n{intervals(by_verse) if by_verse else ''}\n\n{crossed}\n\n{by_run}\n\n"
        f"{by_min_words(editions, verses, judgement)}\n\n## The verses\n\n{table}"
    )


def _all_pair_alone(marks: frozenset[int]) -> str:
    return ("alone", "two", "all three")[len(marks)]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--gospels", type=Path, help="a folder with kjv/ and lsg/")
    parser.add_argument("--verses", type=int, default=50)
    parser.add_argument("--show", action="store_true", help="print what a reader needs, and stop")
    given = parser.parse_args()
    if given.gospels:
        texts = {
            name: [(given.gospels / name / f"{own}.txt").read_text("utf-8") for own in NAMES]
            for name in EDITIONS
        }
    else:
        books, _ = king_james()
        texts = {"package": [books[name] for name in NAMES]}
    editions = {name: Edition(own) for name, own in texts.items()}
    verses = draw(editions, 5 if given.tiny else given.verses, given.seed)
    if given.show:
        show(editions, verses)
        return
    made = report(editions, verses, read_judgement())
    known = machine.facts()
    facts = {
        "machine": known,
        "seed": given.seed,
        "verses": [
            {
                "verse": verse.name,
                "program": [sorted(one) for one in found],
                "reader": None if wanted is None else [sorted(one) for one in wanted],
            }
            for verse, found, wanted in rows_of(editions, verses, read_judgement())
        ],
    }
    text = f"# A synopsis beside a reader\n\n{made}\n\n{machine.summary(known)}"
    settings.save(settings.results(given), "synopsis-sample", facts, text)


if __name__ == "__main__":
    main()
