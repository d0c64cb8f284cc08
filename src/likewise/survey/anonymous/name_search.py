"""`NameSearch`: which words of a text are names.

Two names of one person side by side, in any order and with initials, are a name wherever they are.
A single one is a name too, unless it is an ordinary word of these texts: one that is also written
in lower case, that more than two texts by others have, or that one of them has more than three
times, such as "White" in an essay on the White House. Ordinary words are names only where an author
puts the own name: in the first and last words of the author's own text, and on its short lines,
such as a running header.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from likewise.arrays import Bools, Ints
from likewise.survey.anonymous.people import People
from likewise.text.words import NUMERAL, Words, words_of

MAX_OTHERS = 2
"""Texts by others that may have a single name, if it is not an ordinary word."""
MAX_MENTIONS = 3
"""Times that one of them may have it."""
FIRST_WORDS = 100
LAST_WORDS = 50
SHORT_LINE = 8
_MIN_LETTERS = 3  # of a single name that is looked for everywhere
_NO_PEOPLE: frozenset[int] = frozenset()
_GAP = re.compile(r"[\s.,_'\u2019\u2013·&+/()-]{0,3}")
_EMAIL = re.compile(r"([\w.+'-]+)@[\w-]+(?:\.[\w-]+)+")


class CutText(NamedTuple):
    """A text as displayed, and its words."""

    text: str
    words: Words

    def surface(self, at: int) -> str:
        return self.text[int(self.words.begins[at]) : int(self.words.ends[at])]

    def gap(self, at: int) -> str:
        """What is between a word and the next one."""
        return self.text[int(self.words.ends[at]) : int(self.words.begins[at + 1])]

    def is_lower(self, at: int) -> bool:
        return self.surface(at)[:1].islower()


class NameSearch:
    """Finds names, after it has learned from all texts which of them are ordinary words.

    Attributes:
        ordinary: hashes of name words that are ordinary words of these texts.
    """

    def __init__(self, people: People) -> None:
        self._people = people
        self._others: Counter[int] = Counter()
        self.ordinary: dict[int, str] = {}

    def learn(self, number: int, text: CutText) -> None:
        """Notes which names are ordinary words by a text, that of a document."""
        own, own_people = Counter[int](), self._people.of[number]
        in_emails = _email_words(text)
        for at in self._hits(text):
            hash_ = int(text.words.hashes[at])
            people = self._owners(hash_)
            if not people or in_emails[at] or self._neighbours(text, at):
                continue
            if text.is_lower(at):
                self.ordinary.setdefault(hash_, text.surface(at))
            elif not people & own_people:
                own[hash_] += 1
                if own[hash_] > MAX_MENTIONS:
                    self.ordinary.setdefault(hash_, text.surface(at))
        self._others.update(own.keys())
        for hash_ in own:
            if self._others[hash_] > MAX_OTHERS:
                self.ordinary.setdefault(hash_, _surface_of(text, hash_))

    def find(self, number: int | None, text: CutText) -> Bools:
        """Which words are names; `number` is that of the document, None for a text of ours."""
        found = np.zeros(len(text.words), bool)
        own = None if number is None else _Zone(text, self._people.of[number])
        for at in self._hits(text):
            self._mark_literals(text, at, found)
            self._mark_compounds(text, at, found, own)
            people = self._owners(int(text.words.hashes[at]))
            if people:
                self._mark_names(text, at, people, found)
                if not found[at] and self._is_single_name(text, at, people, own):
                    found[at] = True
        return found | _email_words(text)

    def without_names(self, text: str, placeholder: str) -> str:
        """A short text without any name of anybody."""
        cut = CutText(text, words_of(text))
        found = self.find(None, cut)
        parts, end = [], 0
        for at in np.flatnonzero(found).tolist():
            parts += [text[end : int(cut.words.begins[at])], placeholder]
            end = int(cut.words.ends[at])
        return "".join([*parts, text[end:]])

    def _hits(self, text: CutText) -> Iterator[int]:
        known: list[int] = np.flatnonzero(np.isin(text.words.hashes, self._people.hashes)).tolist()
        return iter(known)

    def _owners(self, hash_: int) -> frozenset[int]:
        return self._people.owners.get(hash_, _NO_PEOPLE)

    def _neighbours(self, text: CutText, at: int) -> list[int]:
        """Words beside one that are other names of the same person."""
        hashes = text.words.hashes
        people = self._owners(int(hashes[at]))
        return [
            other
            for other, gap in ((at - 1, at - 1), (at + 1, at))
            if 0 <= other < len(hashes)
            and hashes[other] != hashes[at]
            and people & self._owners(int(hashes[other]))
            and _GAP.fullmatch(text.gap(gap))
        ]

    def _mark_names(self, text: CutText, at: int, people: frozenset[int], found: Bools) -> None:
        hashes = text.words.hashes
        for other in self._neighbours(text, at):
            if self._is_written_as_names(text, at, other):
                found[[at, other]] = True
        for step in (-1, 1):
            initial, beyond = at + step, at + 2 * step
            if not self._is_initial(text, at, initial):
                continue
            if people & self._people.initials.get(int(hashes[initial]), _NO_PEOPLE):
                found[[at, initial]] = True
            elif (
                0 <= beyond < len(hashes)
                and hashes[beyond] != hashes[at]
                and people & self._owners(int(hashes[beyond]))
                and self._is_initial(text, beyond, initial)
            ):  # a middle name that is not in the metadata
                found[[at, initial, beyond]] = True

    def _is_written_as_names(self, text: CutText, at: int, other: int) -> bool:
        gap = text.gap(min(at, other))
        ordinary = all(int(text.words.hashes[one]) in self.ordinary for one in (at, other))
        lower = text.is_lower(at) or text.is_lower(other)
        return not (ordinary and lower and re.search(r"\s", gap))

    def _is_initial(self, text: CutText, at: int, initial: int) -> bool:
        """Whether a word is a single capital letter beside a name, as an initial is."""
        words = text.words
        if not 0 <= initial < len(words) or words.letters[initial] != 1 or text.is_lower(initial):
            return False
        gap = text.gap(min(at, initial))
        # "I hope" is no name of Ian Hope, "I. Hope" is.
        is_certain = "." in gap or "," in gap or int(words.hashes[at]) not in self.ordinary
        return bool(_GAP.fullmatch(gap)) and is_certain and not text.is_lower(at)

    def _is_single_name(
        self, text: CutText, at: int, people: frozenset[int], own: _Zone | None
    ) -> bool:
        letters, hash_ = int(text.words.letters[at]), int(text.words.hashes[at])
        if letters == NUMERAL:
            return False
        if letters >= _MIN_LETTERS and hash_ not in self.ordinary:
            return True
        in_zone = own is None or (bool(people & own.people) and own.has(at))
        return in_zone and letters > 1 and not text.is_lower(at)

    def _mark_compounds(self, text: CutText, at: int, found: Bools, own: _Zone | None) -> None:
        """Names in scripts without spaces; a single letter only where the author's own name is."""
        compounds = self._people.compounds.get(int(text.words.hashes[at]), {})
        for hashes, people in compounds.items():
            end = at + len(hashes)
            if tuple(text.words.hashes[at:end].tolist()) != hashes:
                continue
            in_zone = own is None or (bool(people & own.people) and own.is_short_line(at))
            if len(hashes) > 1 or in_zone:
                found[at:end] = True

    def _mark_literals(self, text: CutText, at: int, found: Bools) -> None:
        begin = int(text.words.begins[at])
        for literal in self._people.literals.get(int(text.words.hashes[at]), ()):
            end = begin + len(literal)
            if text.text[begin:end].casefold() != literal:
                continue
            last = int(np.searchsorted(text.words.begins, end))
            if int(text.words.ends[last - 1]) == end:  # not a part of a longer word
                found[at:last] = True


class _Zone:
    """Where the author of a text puts the own name."""

    def __init__(self, text: CutText, people: frozenset[int]) -> None:
        self.people = people
        self._count = len(text.words)
        line_ends = np.array([found.start() for found in re.finditer("\n", text.text)], np.int64)
        self._line: Ints = np.searchsorted(line_ends, text.words.begins) if people else line_ends
        self._words_of_line = np.bincount(self._line) if people else line_ends

    def has(self, at: int) -> bool:
        is_edge = at < FIRST_WORDS or at >= self._count - LAST_WORDS
        return is_edge or self.is_short_line(at)

    def is_short_line(self, at: int) -> bool:
        return bool(self._words_of_line[self._line[at]] <= SHORT_LINE)


def _email_words(text: CutText) -> Bools:
    """The words before the sign of an e-mail address."""
    found = np.zeros(len(text.words), bool)
    if "@" in text.text:
        for email in _EMAIL.finditer(text.text):
            first, last = np.searchsorted(text.words.begins, email.span(1)).tolist()
            found[first:last] = True
    return found


def _surface_of(text: CutText, hash_: int) -> str:
    return text.surface(int(np.flatnonzero(text.words.hashes == np.uint64(hash_))[0]))
