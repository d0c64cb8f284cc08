"""Parts of a text for a terminal: on one line, shortened, with context, and wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from likewise.output.table import display_width, printable

MAX_SHOWN_WORDS = 40  # of a passage: half from its beginning, half from its end
_LETTERS = 40  # characters that a word may take, on average, before the rest is left out
_GAP = "…"


def one_line(text: str) -> str:
    """Text with single spaces, that can do nothing to a terminal."""
    return printable(" ".join(text.split()))


def shortened(text: str, most: int = MAX_SHOWN_WORDS) -> str:
    """One line; of more than `most` words (and some) only the first and the last."""
    from likewise.text.words import words_of

    if len(text) <= most:
        return one_line(text)
    words = words_of(text)
    half = most // 2
    if len(words) <= most + half:
        return _clipped(one_line(text), most + half)
    head = text[: int(words.ends[half - 1])]
    tail = text[int(words.begins[len(words) - half]) :]
    left_out = f"{_GAP} ({len(words) - 2 * half:,} words) {_GAP}"
    return " ".join((_clipped(one_line(head), half), left_out, _clipped(one_line(tail), half)))


def excerpt(text: str, start: int, end: int, context: int, most: int = MAX_SHOWN_WORDS) -> str:
    """A stretch in brackets, shortened, with `context` words on each side of it."""
    before, behind = _before(text, start, context), _behind(text, end, context)
    return f"{before}[{shortened(text[start:end], most)}]{behind}"


def wrapped(text: str, width: int, first: str, rest: str) -> Iterator[str]:
    """Lines of at most `width` columns; the first begins with `first`, the others with `rest`.

    Broken at spaces, and inside of what has none and is longer than a line.
    """
    line, free = first, width - display_width(first)
    fresh = True
    for word in re.findall(r"\S+", text):
        left = word
        while left:
            space = "" if fresh else " "
            if display_width(space + left) <= free:
                line, free, fresh = line + space + left, free - display_width(space + left), False
                break
            # Longer than a line: as much as fits here, and at least one character.
            if fresh or (display_width(left) > width - display_width(rest) and free > 2):
                piece = _fitting(left, free - len(space))
                line, left = line + space + piece, left[len(piece) :]
            yield line.rstrip()
            line, free, fresh = rest, width - display_width(rest), True
    if not fresh or line == first:
        yield line.rstrip()


def _fitting(text: str, columns: int) -> str:
    taken = 0
    for i, character in enumerate(text):
        taken += display_width(character)
        if taken > columns and i:
            return text[:i]
    return text


def _before(text: str, start: int, context: int) -> str:
    """The last words before a place, and a sign if there are more."""
    from likewise.text.words import words_of

    begin = max(0, start - _LETTERS * context)
    # The first word may be incomplete.
    begins = [at for at in words_of(text[begin:start]).begins.tolist() if at or not begin]
    if begin == 0 and len(begins) <= context:
        first = 0
    else:
        first = begin + begins[-min(context, len(begins))] if begins and context else start
    shown = text[first:start]
    apart = " " if shown and shown[-1].isspace() else ""
    return (f"{_GAP} " if first else "") + one_line(shown) + apart


def _behind(text: str, end: int, context: int) -> str:
    """The first words behind a place, and a sign if there are more."""
    from likewise.text.words import words_of

    stop = min(len(text), end + _LETTERS * context)
    ends = [
        at for at in words_of(text[end:stop]).ends.tolist() if end + at < stop or stop == len(text)
    ]
    if stop == len(text) and len(ends) <= context:
        last = stop
    else:
        last = end + ends[min(context, len(ends)) - 1] if ends and context else end
    shown = text[end:last]
    apart = " " if shown and shown[0].isspace() else ""
    return apart + one_line(shown) + (f" {_GAP}" if last < len(text) else "")


def _clipped(text: str, words: int) -> str:
    """Words that are no words, but thousands of letters, are cut off."""
    most = _LETTERS * words
    return text if len(text) <= most else text[: most - 1] + _GAP
