"""Lines of a printed page, joined into paragraphs for reading on a screen.

The text keeps its length: the end of a line becomes a blank, so every offset stays what it was. A
line's end stays where the line is clearly shorter than its neighbours, before lists and headings,
at blank lines and at the ends of pages.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

_MIN_WIDTH, _MAX_WIDTH = 30, 160  # characters in a line of print
_MIN_LINES = 5
_FULL = 0.7  # of the width; a line that is shorter ends a paragraph
_NEARLY_FULL = 0.85  # so does this one, if a sentence ends with it
_MIN_FULL_LINES = 0.5  # of all lines, in text that was set in lines

_BULLET = re.compile(r"\s*(?:[•▪◦‣●○■□*]\s|\(?[a-z]\)\s|\(\d{1,3}\)\s|\[\d{1,3}\]\s)")
_MAYBE_ITEM = re.compile(r"\s*(?:[-–—]\s|\d{1,3}[.)]\s|\d{1,2}(?:\.\d{1,2})+\.?\s)")
_SENTENCE_END = re.compile(r"[.!?:;…][\"'”’»)\]]*\s*$")


def join_lines(text: str, page_starts: Sequence[int]) -> str:
    """Return the text of a document with pages, with its lines joined into paragraphs.

    A text that was not set in lines (a book in EPUB, slides) comes back as it is.
    """
    lines = text.split("\n")
    width = _width(lines)
    if width is None:
        return text
    pages = set(page_starts)
    parts: list[str] = []
    at = 0
    for line, following in itertools.pairwise(lines):
        at += len(line) + 1
        parts.append(line)
        parts.append("\n" if at in pages or _is_end(line, following, width) else " ")
    return "".join((*parts, lines[-1]))


def _width(lines: Sequence[str]) -> int | None:
    """Return how long full lines are; None where lines are not those of a page."""
    lengths = sorted(len(line) for line in lines if line.strip())
    if len(lengths) < _MIN_LINES:
        return None
    width = lengths[len(lengths) * 9 // 10]
    full = sum(length >= _FULL * width for length in lengths)
    fits = _MIN_WIDTH <= width <= _MAX_WIDTH and full >= _MIN_FULL_LINES * len(lengths)
    return width if fits else None


def _is_end(line: str, following: str, width: int) -> bool:
    """Whether a paragraph ends with a line."""
    if not line.strip() or not following.strip() or len(line) < _FULL * width:
        return True
    if _BULLET.match(following):
        return True
    if not _SENTENCE_END.search(line):
        return False
    if _MAYBE_ITEM.match(following):
        return True
    begins = following.lstrip("\"'“‘«([ ")[:1]
    if not (begins.isupper() or begins.isdigit()):
        return False
    is_heading = len(following) < _FULL * width and not _SENTENCE_END.search(following)
    return len(line) < _NEARLY_FULL * width or is_heading
