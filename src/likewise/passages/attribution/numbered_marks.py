"""Citations by number: [12], [3, 5–7], (12), ¹², and footnote marks.

A number in brackets may also be an interval, a list item or a year, so it counts only where the
text numbers its works or uses several such marks, and not beyond the last work. Numbers in round
brackets and plain digits behind a word need a list that has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from likewise.passages.attribution import vocabulary
from likewise.passages.attribution.works_listed import WorksListed
from likewise.passages.ranges import Range

_DIGITS = str.maketrans("０１２３４５６７８９⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789" * 2)
_NUMBERS = re.compile(
    r"\s?(?:(?:см|vgl|see|cf|siehe|s)\.?\s)?"
    r"([1-9]\d{0,2}(?:\s{0,12}[,，;、–—‑-]\s{0,12}[1-9]\d{0,2}){0,20})"
    rf"(?:\s?[,:，]\s?{vocabulary.PAGES}\.?\s?\d[\d–—-]{{0,8}}\s?f{{0,2}}\.?|:\s?\d{{1,4}})?\s?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_INTERVAL_BEFORE = re.compile(rf"(?:^|[^\w]){vocabulary.INTERVALS}\s*$|[∈=×+≤≥]\s*$", re.IGNORECASE)
_THING_BEFORE = re.compile(rf"(?<![^\W_]){vocabulary.NUMBERED_THINGS}\s*$", re.IGNORECASE)
_MIN_MARKS = 3  # with as many different numbers, where the text lists no works
_LOOK_BACK = 24
_ROUND = "(（"

_RAISED = re.compile(r"[⁰¹²³⁴-⁹]{1,3}(?:[,⁻⁺–]?[⁰¹²³⁴-⁹]{1,3}){0,4}")
# A raised number behind these is an exponent.
_POWERS = re.compile(
    r"(?:(?<![^\W\d_])(?:[^\W\d_]|[kcdmnµμ]m|mi|ft|yd|in|sin|cos|tan|log|ln|sec|кв|км|см|мм|дм|χ|df"
    r"|pm|hm|ha|cos)|\d|[)\]}])$",
    re.IGNORECASE,
)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")

# Plain digits or a sign right behind a word or its punctuation.
_NOTE_MARK = re.compile(
    r"[1-9*†‡](?:\d{0,2}|[*†‡]{0,2})(?=[\s.,;:)”\"»。，、]|$|(?<=[。」』，]\d)[\u3040-\u9fff])"
)
_LETTERS = re.compile(r"[^\W\d_]{3}$")
_BEFORE_MARK = re.compile(r"([^\W\d_]{1,30})[.,;:!?…]$")
_BEHIND = '.,;:!?…”’"»«“)]。」』，、؟،'
_CLOSERS = '”’"»«“)]。」』，、؟،'


def bracketed_marks(text: str, brackets: Iterable[Range], listed: WorksListed) -> Iterator[Range]:
    """Those of the brackets, which have digits in them, that cite by number."""
    square: list[tuple[Range, list[int]]] = []
    rounds: list[tuple[Range, list[int]]] = []
    for place in brackets:
        inner = text[place.start + 1 : place.end - 1].translate(_DIGITS)
        found = _NUMBERS.fullmatch(inner)
        if found is None or _is_something_else(text, place):
            continue
        numbers = [int(one) for one in _NUMBER.findall(found[1])]
        (rounds if text[place.start] in _ROUND else square).append((place, numbers))
    different = {number for _, numbers in square for number in numbers}
    works = listed.entries or listed.square
    if works or (len(square) >= _MIN_MARKS and len(different) >= _MIN_MARKS):
        last = max(works or different)
        for place, numbers in square:
            if max(numbers) <= last and not _begins_entry(text, place, listed):
                yield place
    if listed.entries and not listed.square:
        last = max(listed.entries)
        for place, numbers in rounds:
            if max(numbers) <= last and _may_be_round_mark(text, place):
                yield place


def _is_something_else(text: str, place: Range) -> bool:
    """An index, a call, an interval, the number of an equation."""
    before = text[max(0, place.start - _LOOK_BACK) : place.start]
    if not before:
        return True
    if before[-1].isdigit() or before[-1] == "_":
        return True
    if before[-1].isalpha() and not _WIDE.match(before[-1]):
        word = re.search(r"[^\W_]+$", before)
        if text[place.start] in _ROUND or (word and len(word[0]) < 3):
            return True
    return bool(_INTERVAL_BEFORE.search(before) or _THING_BEFORE.search(before))


def _begins_entry(text: str, place: Range, listed: WorksListed) -> bool:
    """Whether a line of a list begins with it."""
    line = text.rfind("\n", max(0, place.start - 9), place.start) + 1
    at_start = (line or place.start < 9) and not text[line : place.start].strip()
    return bool(listed.square) and bool(at_start)


def _may_be_round_mark(text: str, place: Range) -> bool:
    """A number in round brackets between a word and punctuation, or behind a name."""
    before = text[max(0, place.start - _LOOK_BACK) : place.start]
    if not before[-1:].isspace() and not _WIDE.match(before[-1:]):
        return False
    last = before.split()[-1:]
    if not last or (not last[0][-1].isalnum() and last[0][-1] not in '.”»’)"'):
        return False
    behind = text[place.end : place.end + 2]
    if not behind.strip() or behind[0] in ".,;:。，；)":
        return True
    names = before.split()
    begins = len(names) < 2 or names[-2][-1] in ".!?"
    return (last[0][0].isupper() and not begins) or last[0] == "al."


def raised_marks(text: str) -> Iterator[Range]:
    """Superscript digits that are no exponents and do not begin a line."""
    for found in _RAISED.finditer(text):
        before = text[max(0, found.start() - 12) : found.start()]
        if not before or before[-1] in "\n\t " or _POWERS.search(before):
            continue
        if "⁻" in found[0] or "⁺" in found[0]:
            continue
        yield Range(*found.span())


def note_marks(text: str, listed: WorksListed) -> Iterator[Range]:
    """Plain digits and signs behind a word, for which a line begins with the same one."""
    if not listed.notes:
        return
    for found in _NOTE_MARK.finditer(text):
        if found[0] not in listed.notes:
            continue
        before = text[max(0, found.start() - 32) : found.start()]
        if not before or not (before[-1] in _BEHIND or _LETTERS.search(before)):
            continue
        if before[-1] in _CLOSERS or before[-1].isalpha():
            yield Range(*found.span())
            continue
        word = _BEFORE_MARK.search(before)
        if word is None:  # behind a closing mark and a full stop
            if before[-2:-1] and (before[-2] in _CLOSERS or before[-2].isdigit()):
                yield Range(*found.span())
        elif _WIDE.match(word[1][-1]) or (
            len(word[1]) >= 3 and word[1].casefold() not in vocabulary.ABBREVIATIONS
        ):
            yield Range(*found.span())
