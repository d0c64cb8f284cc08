"""Page numbers: lines that count up with the pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

MIN_PAGES = 3
MIN_SHARE = 0.6
"""Of all pages, or of all left or right ones."""

_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"\W*([ivxl]{1,8})\W*")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}


def min_pages(pages: int) -> int:
    """How many pages of a document must agree: three, or both of two."""
    return max(2, min(MIN_PAGES, pages))


def find_page_numbers(
    pages: Sequence[Sequence[str]], edges: Sequence[tuple[list[int], list[int]]]
) -> list[set[int]]:
    """Return the lines of each page that hold nothing but its number.

    Args:
        pages: their lines.
        edges: for each page, the lines at its beginning and at its end that may be numbers.
    """
    bare: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    counting: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, (page, edge) in enumerate(zip(pages, edges, strict=True)):
        for at in {*edge[0], *edge[1]}:
            for kind, value in _bare_numbers(page[at]):
                bare[kind, value - number].append((number, at))
                counting[kind, value - number].add(number)
            # The first page of a chapter may have the number alone, and others a header with it.
            for value in _outer_numbers(page[at]):
                counting["arabic", value - number].add(number)
    found: list[set[int]] = [set() for _ in pages]
    for offset, places in bare.items():
        on = sorted(counting[offset])
        if len(on) >= min_pages(len(pages)) and is_dense(on, MIN_SHARE):
            for number, at in places:
                found[number].add(at)
    return found


def _outer_numbers(line: str) -> Iterator[int]:
    words = line.split()
    if len(words) > 1:
        yield from (
            int(word) for word in (words[0], words[-1]) if re.fullmatch(r"[0-9]{1,5}", word)
        )


def _bare_numbers(line: str) -> Iterator[tuple[str, int]]:
    """Yield the numbers of a line without words: "12", "- 12 -", "12/30", "xii"."""
    if not any(map(str.isalpha, line)):
        if len(line) <= 20:
            for digits in _DIGITS.findall(line):
                if len(digits) <= 5:
                    yield "arabic", int(digits)
    elif roman := _ROMAN.fullmatch(line.strip().lower()):
        values = [_ROMAN_VALUES[letter] for letter in roman[1]]
        yield (
            "roman",
            sum(-value if value < max(values[at:]) else value for at, value in enumerate(values)),
        )


def is_dense(on: Sequence[int], share: float) -> bool:
    """Whether most pages from the first to the last are there, or most left or right ones."""
    span = on[-1] - on[0] + 1
    if len({number % 2 for number in on}) == 1:
        span = span // 2 + 1
    return len(on) >= share * span
