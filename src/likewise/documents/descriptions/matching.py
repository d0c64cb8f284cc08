"""Which row of a table is about which document, by the values of one column.

A value names a document by its id, by its path or by the file name alone; upper and lower case are
ignored if nothing else fits, and so is an extension that only one of the two has. A submission that
was downloaded from Moodle or Canvas is also found by the participant's number or name, which are in
its path, and any other file by a name of two or more words, or a number of four or more digits,
whose words are all in its path. A column that has the names of files is matched by these only.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from likewise.documents.descriptions.columns import plain
from likewise.documents.kinds import EXTENSIONS
from likewise.documents.submission_names import submission_of
from likewise.documents.texts import scrub

MIN_DIGITS = 4  # of a number that is looked for in file names
MAX_WORDS = 8  # of a name
# What a match counts when columns are compared: a path is worth more than a name in it.
_BY_PATH, _BY_SUBMISSION, _BY_WORDS = 1.0, 0.8, 0.5
_AMBIGUOUS = -1


class Matched(NamedTuple):
    """A row that is about a document.

    `alone`: it may be about no other document, since it names a file.
    """

    row: int
    weight: float
    alone: bool


class KeyColumn:
    """The values of a column, by all that can be looked up."""

    def __init__(self, values: Sequence[str | None]) -> None:
        self.keys = [None if value is None else as_path(value) for value in values]
        self.repeated = _first_repeated(self.keys)
        present = [(row, key) for row, key in enumerate(self.keys) if key is not None]
        self._exact = {key: row for row, key in present}
        self._folded = _unique((key.casefold(), row) for row, key in present)
        self._stems = _unique((_stem(key), row) for row, key in present if _has_extension(key))
        self._present = present

    @cached_property
    def _words(self) -> list[tuple[int, tuple[str, ...]]]:
        return [(row, tuple(plain(key).split())) for row, key in self._present]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        digits = [(row, re.findall(r"[0-9]+", key)) for row, key in self._present]
        return _unique((numbers[0], row) for row, numbers in digits if len(numbers) == 1)

    @cached_property
    def _names(self) -> dict[str, int]:
        return _unique((" ".join(sorted(words)), row) for row, words in self._words if words)

    @cached_property
    def _squeezed(self) -> dict[str, int]:
        return _unique(
            ("".join(words[at:] + words[:at]), row)
            for row, words in self._words
            for at in range(min(len(words), MAX_WORDS))
        )

    @cached_property
    def _by_rarest(self) -> dict[str, list[tuple[int, frozenset[str]]]]:
        return _by_rarest([one for one in self._words if _is_telling(one[1])])

    def find(self, id_: str, *, by_path: bool = False) -> Matched | None:
        """The row of a document; with `by_path`, only one that names its file."""
        row = self._find_path(id_)
        if row is not None:
            return Matched(row, _BY_PATH, alone=True)
        if by_path:
            return None
        row = self._find_submission(id_)
        if row is not None:
            return Matched(row, _BY_SUBMISSION, alone=False)
        row = self._find_words(id_)
        return None if row is None else Matched(row, _BY_WORDS, alone=False)

    def _find_path(self, id_: str) -> int | None:
        names = (id_, id_.rpartition("/")[2])
        folded = [name.casefold() for name in names]
        found = [self._exact.get(name) for name in names]
        found += [self._folded.get(name) for name in folded]
        # An extension that both have must be the same one.
        if _has_extension(id_):
            found += [self._folded.get(_stem(name)) for name in names]
        else:
            found += [self._stems.get(name) for name in folded]
        return _certain(*found)

    def _find_submission(self, id_: str) -> int | None:
        submission = submission_of(id_)
        if submission is None:
            return None
        words = plain(submission.author).split()
        return _certain(
            self._numbers.get(submission.number),
            self._names.get(" ".join(sorted(words))),
            self._squeezed.get("".join(words)),
        )

    def _find_words(self, id_: str) -> int | None:
        if not self._by_rarest:
            return None
        own = set(plain(id_).split())
        fitting = [
            (len(words), row)
            for word in own
            for row, words in self._by_rarest.get(word, ())
            if words <= own
        ]
        most = max(fitting, default=(0, 0))[0]
        rows = {row for count, row in fitting if count == most}
        return rows.pop() if len(rows) == 1 else None


def as_path(key: str) -> str:
    """A path as ids have it, whatever system it was written on."""
    return scrub(key.strip().replace("\\", "/").removeprefix("./"))


def _certain(*found: int | None) -> int | None:
    return next((row for row in found if row is not None and row != _AMBIGUOUS), None)


def _unique(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The row of each key; `_AMBIGUOUS` if several rows have it."""
    rows: dict[str, int] = {}
    for key, row in pairs:
        rows[key] = row if rows.get(key, row) == row else _AMBIGUOUS
    return rows


def _first_repeated(keys: Sequence[str | None]) -> tuple[str, int, int] | None:
    """A key that two rows have, and these rows."""
    rows: dict[str, int] = {}
    for row, key in enumerate(keys):
        if key is not None and rows.setdefault(key, row) != row:
            return key, rows[key], row
    return None


def _extension(name: str) -> str:
    return os.path.splitext(name)[1].lower()


def _has_extension(name: str) -> bool:
    extension = _extension(name)
    return bool(extension) and (extension in EXTENSIONS or extension == ".doc")


def _stem(name: str) -> str:
    return os.path.splitext(name)[0].casefold()


def _is_telling(words: Sequence[str]) -> bool:
    """Whether a value may be looked for in file names."""
    if len(words) == 1:
        return words[0].isdecimal() and len(words[0]) >= MIN_DIGITS
    return 2 <= len(words) <= MAX_WORDS


def _by_rarest(
    rows: Sequence[tuple[int, tuple[str, ...]]],
) -> dict[str, list[tuple[int, frozenset[str]]]]:
    """Rows by that of their words which the fewest rows have: few have to be compared."""
    counts = Counter(word for _, words in rows for word in set(words))
    found: dict[str, list[tuple[int, frozenset[str]]]] = {}
    for row, words in rows:
        rarest = min(words, key=lambda word: (counts[word], word))
        found.setdefault(rarest, []).append((row, frozenset(words)))
    return found
