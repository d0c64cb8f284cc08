"""`References`: where a text is in the numbering that scholars cite, such as chapter and verse.

A reference is a tuple of parts, from the largest to the smallest: ("Mt", "3", "7"), ("3", "1",
"56"), ("Methods", "Sampling", "¶ 2"). How parts are put together, and how a range is written, is
decided here and nowhere else.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

Scheme = Literal["verses", "lines", "sections"]
"""What is numbered: chapter and verse ("Mt 3,7"), act, scene and line ("3.1.56"), or headings and
paragraphs ("Methods › Sampling ¶ 2")."""

NUMBERS: Mapping[Scheme, str] = {"verses": ",", "lines": ".", "sections": "."}
"""What is between two numbers."""
NAMES = " › "
TO = "–"

MAX_MARKS = 500_000
"""Of one document: four times as many as all lines of Shakespeare."""
MAX_PART = 60  # characters
_MAX_PARTS = 16
_MAX_OFFSET = 2**32

_NUMBER = re.compile(r"\d{1,9}[A-Za-z]?(?:[-–]\d{1,9}[A-Za-z]?)?")
_COUNTED = re.compile(r"(¶|p\.|f\.) (.+)")

Parts = tuple[str, ...]


class Label(NamedTuple):
    """A reference as it is written, cut where a range that begins with it goes on.

    Attributes:
        name: "Mt " of "Mt 3,7".
        head: its numbers but the last, "3,".
        tail: the last one, "7".
    """

    name: str
    head: str
    tail: str

    def __str__(self) -> str:
        return f"{self.name}{self.head}{self.tail}"

    def to(self, last: Label) -> str:
        """The range from this reference to another, without what both begin with.

        >>> Label("Mt ", "3,", "7").to(Label("Mt ", "3,", "10"))
        'Mt 3,7–10'
        >>> Label("Mt ", "3,", "7").to(Label("Mt ", "4,", "2"))
        'Mt 3,7–4,2'
        >>> Label("Mt ", "28,", "20").to(Label("Mk ", "1,", "1"))
        'Mt 28,20 – Mk 1,1'
        """
        if self == last:
            return str(self)
        # An edition may give two verses one number, "7–8".
        first, end = self.tail.partition(TO)[0], last.tail.rpartition(TO)[2]
        if not first or not end or self.name != last.name:
            return f"{self} {TO} {last}"
        head = "" if self.head == last.head else last.head
        return f"{self.name}{self.head}{first}{TO}{head}{end}"


def label_of(parts: Parts, scheme: Scheme) -> Label:
    """Return how a reference is written.

    >>> str(label_of(("Mt", "3", "7"), "verses")), str(label_of(("3", "1", "56"), "lines"))
    ('Mt 3,7', '3.1.56')
    >>> str(label_of(("Methods", "Sampling", "¶ 2"), "sections"))
    'Methods › Sampling ¶ 2'
    """
    if parts and (counted := _COUNTED.fullmatch(parts[-1])):
        names = NAMES.join(parts[:-1])
        return Label(f"{names} {counted[1]} " if names else f"{counted[1]} ", "", counted[2])
    names_end = len(parts)
    while names_end and _NUMBER.fullmatch(parts[names_end - 1]):
        names_end -= 1
    name, numbers = NAMES.join(parts[:names_end]), parts[names_end:]
    if not numbers:
        return Label(name, "", "")
    head = "".join(number + NUMBERS[scheme] for number in numbers[:-1])
    return Label(f"{name} " if name else "", head, numbers[-1].replace("-", TO))


class Reference(NamedTuple):
    """One place in the numbering of a text; as a string, "Mt 3,7"."""

    parts: Parts
    scheme: Scheme

    def __str__(self) -> str:
        return str(label_of(self.parts, self.scheme))


@dataclass(frozen=True)
class References:
    """The references of a whole text, as marks.

    Attributes:
        scheme: what is numbered.
        offsets: where marks are, in code points, ascending.
        parts: the reference from each mark to the next; () where the text has none.
    """

    scheme: Scheme
    offsets: tuple[int, ...]
    parts: tuple[Parts, ...]

    def __post_init__(self) -> None:
        if len(self.offsets) != len(self.parts):
            raise ValueError(f"{len(self.offsets)} offsets of {len(self.parts)} references")

    @classmethod
    def of(cls, scheme: Scheme, marks: Iterable[tuple[int, Parts]]) -> References | None:
        """From marks in ascending order; None if none of them has a part.

        Of several marks at one offset the last one counts. After `MAX_MARKS` the text has no
        references.
        """
        kept: dict[int, Parts] = {}
        before: Parts | None = None
        for offset, parts in marks:
            if offset not in kept and parts == before:
                continue
            if len(kept) == MAX_MARKS and offset not in kept:
                kept[offset] = ()
                break
            kept[offset] = before = parts
        if not any(kept.values()):
            return None
        return cls(scheme, tuple(kept), tuple(kept.values()))

    def at(self, offset: int) -> Reference | None:
        """The reference of a character; None where there is none."""
        mark = bisect_right(self.offsets, offset) - 1
        parts = self.parts[mark] if mark >= 0 else ()
        return Reference(parts, self.scheme) if parts else None

    def between(self, start: int, end: int) -> str:
        """The range of references of a passage, "Mt 3,7–10"; "" where there are none."""
        last = max(bisect_left(self.offsets, end) - 1, bisect_right(self.offsets, start) - 1)
        first = max(0, bisect_right(self.offsets, start) - 1)
        while first < last and not self.parts[first]:
            first += 1
        while first < last and not self.parts[last]:
            last -= 1
        if last < 0 or not self.parts[first] or not self.parts[last]:
            return ""
        return self.label(first).to(self.label(last))

    def label(self, mark: int) -> Label:
        """How the reference of a mark is written."""
        return label_of(self.parts[mark], self.scheme)

    def moved(self, offsets: Sequence[int]) -> References | None:
        """The same references at other offsets, which ascend; one for each mark."""
        return References.of(self.scheme, zip(offsets, self.parts, strict=True))

    def fits(self, length: int) -> bool:
        """Whether all marks are in a text of so many characters, or at its end."""
        return not self.offsets or self.offsets[-1] <= length

    def to_dict(self) -> dict[str, Any]:
        """Plain values: the scheme, and [offset, part, …] of each mark."""
        marks = [[at, *parts] for at, parts in zip(self.offsets, self.parts, strict=True)]
        return {"scheme": self.scheme, "marks": marks}

    def to_json(self) -> str:
        """As text, for files."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> References:
        """From `to_json`; raises `ValueError` for anything else."""
        try:
            given = json.loads(text)
            scheme, marks = given["scheme"], given["marks"]
            offsets = tuple(mark[0] for mark in marks)
            parts = tuple(tuple(mark[1:]) for mark in marks)
        except (ValueError, TypeError, IndexError, KeyError, RecursionError) as error:
            raise ValueError("no references") from error
        found = cls(scheme, offsets, parts)
        found.check()
        return found

    def check(self) -> None:
        """Raise `ValueError` unless these are references: they may come from outside."""
        if self.scheme not in get_args(Scheme):
            raise ValueError(f"unknown scheme {self.scheme!r}")
        if len(self.offsets) > MAX_MARKS + 1:
            raise ValueError(f"more than {MAX_MARKS:,} marks")
        if not all(type(at) is int and 0 <= at < _MAX_OFFSET for at in self.offsets):
            raise ValueError("an offset is no offset in characters")
        if any(one >= other for one, other in zip(self.offsets, self.offsets[1:], strict=False)):
            raise ValueError("offsets do not ascend")
        for parts in self.parts:
            if len(parts) > _MAX_PARTS or not all(
                isinstance(part, str) and 0 < len(part) <= MAX_PART for part in parts
            ):
                raise ValueError("a part of a reference is not a short text")


def shortened_part(name: str) -> str:
    """Return a heading as a part of references: one line, cut at a word if it is long."""
    name = name if name.isalnum() else " ".join(name.split())
    if len(name) <= MAX_PART:
        return name
    words = name[: MAX_PART - 1].rpartition(" ")[0]
    return f"{words or name[: MAX_PART - 1]}…"
