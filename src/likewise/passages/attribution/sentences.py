"""Where the sentence around a place of a text begins and ends.

A sentence ends at a full stop and the like, with closing marks and a footnote mark behind it, where
no small letter follows; not behind an abbreviation or an initial. A blank line ends it too, unless
a colon is before it. Citations are skipped: "(Smith et al. 2019, p. 12)" ends nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from likewise.passages.attribution.vocabulary import ABBREVIATIONS
from likewise.passages.ranges import Range

_MARKS = r"(?:\d{1,3}|[⁰¹²³⁴-⁹*†‡]{1,4}|\[\d[\d,–\- ]{0,12}\])?"
_END = re.compile(
    rf"[.!?…؟।]{{1,3}}[”\"»’“)\]]{{0,2}}{_MARKS}(?=\s|$)|[。！？]{{1,2}}[」』”’）]{{0,2}}{_MARKS}"
    r"|\n[ \t\r]{0,8}\n"
)
_BEFORE_STOP = re.compile(r"[^\W\d_]{1,30}$")
_NEXT = re.compile(r"\s{0,40}[“„«‘‹¿¡(\[\"'「『>\s]{0,40}([^\W\d_]?)")
_COLON = re.compile(r"[:：]\s*$")
_MAX_CHARACTERS = 1200  # that are searched


def sentence_start(text: str, place: int, floor: int, cited: Sequence[Range]) -> int:
    """Where the sentence begins that goes on at `place`; `floor` if it begins before that."""
    floor = max(floor, place - _MAX_CHARACTERS)
    start = floor
    for end in _END.finditer(text, floor, place):
        if end.end() <= place and _ends(text, end, cited):
            start = end.end()
    return start


def sentence_end(text: str, place: int, limit: int, cited: Sequence[Range]) -> int:
    """Where the sentence ends that goes on at `place`; `limit` if it ends behind that."""
    limit = min(limit, place + _MAX_CHARACTERS)
    # What is behind the full stop belongs to it, so the pattern has to see a little more.
    for end in _END.finditer(text, place, min(len(text), limit + 8)):
        if end.start() >= limit:
            break
        if _ends(text, end, cited):
            return end.end()
    return limit


def _ends(text: str, end: re.Match[str], cited: Sequence[Range]) -> bool:
    place = end.start()
    if any(one.start < place < one.end - 1 for one in cited):
        return False
    if text[place] == "\n":
        return not _COLON.search(text, max(0, place - 8), place)
    if text[place] in "。！？":
        return True
    following = _NEXT.match(text, end.end())
    if following and following[1] and following[1].islower():
        return False
    if text[place] == ".":
        word = _BEFORE_STOP.search(text, max(0, place - 30), place)
        if word and (
            (len(word[0]) == 1 and word[0].isalpha()) or word[0].casefold() in ABBREVIATIONS
        ):
            return "\n" in text[end.end() : end.end() + 2] and len(word[0]) > 1
    return True
