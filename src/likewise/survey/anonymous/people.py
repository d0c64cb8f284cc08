"""`People`: whose names are looked for, as words, and other marks of a person such as a number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from likewise.arrays import Hashes
from likewise.documents.document import Document
from likewise.documents.submission_names import submission_of
from likewise.text.words import Words, words_of

_CONNECTORS = frozenset(("and", "und", "et", "y", "e", "en", "og", "och"))
_MIN_DIGITS = 5  # of a number in the name of a file; fewer may be a year or a chapter
_NUMBER = re.compile(rf"(?<!\d)\d{{{_MIN_DIGITS},}}(?!\d)")
# In a stem that is hardly a word or a title: digits and signs.
_DISTINCTIVE = re.compile(r"[^\w '\u2019,.:;!?]|[\d_]|.{40}", re.DOTALL)
_SIGNS = re.compile(r"[^\w .,'\u2019\u2013&-]")  # which no name has
_MAX_NAMES = 16  # words of an author; what is longer is not a name


class People:
    """Names as hashes of their words.

    Attributes:
        owners: the people whose names have a word.
        compounds: names, or parts of them, in scripts without spaces: the words and their people,
            by the first word.
        initials: the people one of whose names begins with a letter.
        literals: what is looked for letter by letter, in lower case, by the hash of its first word.
        of: the people of each document, by number.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        authors: Iterable[str] = (),
        identifiers: Iterable[str] = (),
    ) -> None:
        """`authors` are people besides those of the documents; `identifiers` are numbers and
        addresses."""
        self._numbers: dict[str, int] = {}
        self._owners: dict[int, set[int]] = defaultdict(set)
        self._initials: dict[int, set[int]] = defaultdict(set)
        self.compounds: dict[int, dict[tuple[int, ...], set[int]]] = defaultdict(dict)
        self.literals: dict[int, set[str]] = defaultdict(set)
        self.of = [self._people_of(document) for document in documents]
        for author in authors:
            self._add_person(author)
        for value in identifiers:
            self._add_literal(value)
        self.owners = {hash_: frozenset(people) for hash_, people in self._owners.items()}
        self.initials = {hash_: frozenset(people) for hash_, people in self._initials.items()}
        known = {*self.owners, *self.compounds, *self.literals}
        self.hashes: Hashes = np.array(sorted(known), np.uint64)

    def __len__(self) -> int:
        return len(self._numbers)

    def _people_of(self, document: Document) -> frozenset[int]:
        own: set[int] = set()
        id_ = document.id.partition(": ")[2] or document.id  # "archive: essay.txt"
        if author := document.known.get("author"):
            own.add(self._add_person(author))
        for path in {id_, document.id}:
            if (submission := submission_of(path)) is not None:
                own.add(self._add_person(submission.author))
                if len(submission.number) >= _MIN_DIGITS:
                    self._add_literal(submission.number)
            self._add_file(path)
        return frozenset(own)

    def _add_file(self, path: str) -> None:
        """The name of a file, and its stem if that is hardly a title."""
        name = path.rpartition("/")[2]
        stem, dot, extension = name.rpartition(".")
        if dot and stem and extension.isalnum():
            self._add_literal(name)
        else:
            stem = name
        if _DISTINCTIVE.search(stem) and not stem.isdecimal():
            self._add_literal(stem)
        if name != path:
            self._add_literal(path)
        for number in _NUMBER.findall(path):
            self._add_literal(number)

    def _add_literal(self, value: str) -> None:
        words = words_of(value)
        if len(words):
            begin, end = int(words.begins[0]), int(words.ends[-1])
            self.literals[int(words.hashes[0])].add(value[begin:end].casefold())

    def _add_person(self, author: str) -> int:
        known = self._numbers.get(author)
        if known is not None:
            return known
        person = self._numbers[author] = len(self._numbers)
        words = words_of(author)
        if _SIGNS.search(author):
            self._add_literal(author)
        for part in _parts(author, words)[:_MAX_NAMES]:
            name = _surface(author, words, part[0])
            if name.casefold() in _CONNECTORS:
                continue
            hashes = tuple(words.hashes[list(part)].tolist())
            if words.letters[part[0]] == 0:
                self.compounds[hashes[0]].setdefault(hashes, set()).add(person)
                continue
            self._owners[hashes[0]].add(person)
            letter = _letter_hash(name[0])
            if letter is not None:
                self._initials[letter].add(person)
        return person


def _parts(author: str, words: Words) -> list[list[int]]:
    """The words of a name; of letters without spaces, those that are written together are one."""
    parts: list[list[int]] = []
    for at in range(len(words)):
        joined = (
            parts
            and words.letters[at] == 0
            and words.letters[at - 1] == 0
            and words.begins[at] == words.ends[at - 1]
        )
        if joined:
            parts[-1].append(at)
        else:
            parts.append([at])
    return parts


def _surface(text: str, words: Words, at: int) -> str:
    return text[int(words.begins[at]) : int(words.ends[at])]


@cache
def _letter_hash(letter: str) -> int | None:
    words = words_of(letter)
    return int(words.hashes[0]) if len(words) == 1 else None
