"""Quotations: between quotation marks, behind ">", and in blocks that are set in.

A mark opens where a word begins and closes where one ends, in the same paragraph; what is opened
again before it is closed begins anew. Apostrophes are no marks.

Limitations: a quotation over several paragraphs is found only if each of them is closed; one of
more than 3,000 characters is taken for two unrelated marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from likewise.passages.ranges import Range, merge

MIN_WORDS = 3
_MAX_LENGTH = 3000
_MAX_SINGLE = 500  # between typewriter's apostrophes
_MAX_TERM = 100  # the same without a mark of punctuation before the second
_MAX_LINE = 2000  # of a block behind ">"; a longer one is no line

# What opens, and what may close it.
_CLOSING: dict[str, tuple[str, ...]] = {
    "“": ("”",), "„": ("“", "”"), "”": ("”",), "‘": ("’",), "‚": ("‘", "’"), "«": ("»",),
    "»": ("«", "»"), "‹": ("›",), "›": ("‹", "›"), "「": ("」",), "『": ("』",), '"': ('"',),
    "＂": ("＂",), "'": ("'",), "``": ("''", "”"),
}  # fmt: skip
_CORNERS = "「『"  # in scripts without spaces, where anything may be before and after
_MARKS = re.compile("``|''|[“„”«»‹›‘’‚「」『』\"＂']")
_BEFORE = frozenset("([{—–-/¿¡")
# English words that begin with an apostrophe; a year without its century.
_CLIPPED = re.compile(
    r"(?:tis|twas|twere|twill|em|cause|til|till|bout|round|un|n|s|t|d|ll|re|ve|m|\d\ds?)\b", re.I
)
_CLOSING_LATER = {mark: re.compile(rf"[^\W\d_s]{mark}(?!\w)|[.,!?…]{mark}") for mark in "’'"}
_ELIDED = re.compile(
    r"(?:\W|^)[cdjlmnst]$", re.I
)  # French words without their vowel: raison d’être
_PARAGRAPHS = re.compile(r"(?:[^\n]|\n(?![ \t\r]*\n))+")
_WORDS = re.compile(r"[^\W\d_]+")
_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")  # no space comes between
_UNSPACED = re.compile("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")

_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_INDENT = re.compile(r"[ \t\u3000]*")
_LIST_ITEM = re.compile(r"[-*•–+]\s|\(?\w{1,3}[.)]\s")
_MIN_INDENT = 4
_MIN_BLOCK_WORDS = 8
_MAX_INDENTED = 0.3  # of the lines; if there are more, that is the layout of the text


def quotations(text: str) -> list[Range]:
    """Return the quotations of at least three words, with their marks.

    >>> quotations("He wrote “all is well that ends well” and went.")
    [Range(start=9, end=38)]
    """
    found = list(_marked(text)) if _MARKS.search(text) else []
    return merge(found + list(_blocks(text)))


def _marked(text: str) -> Iterator[Range]:
    for paragraph in _PARAGRAPHS.finditer(text):
        end = paragraph.end()
        opened = -1
        closing: tuple[str, ...] = ()
        for mark in _MARKS.finditer(text, paragraph.start(), end):
            sign = mark[0]
            if opened >= 0 and sign in closing and _closes(text, mark, end):
                if _is_quotation(text, opened, mark.end()):
                    yield Range(opened, mark.end())
                opened = -1
                continue
            # Marks of another kind inside a quotation are a quotation inside it.
            inside = opened >= 0 and sign not in text[opened : opened + 2]
            if inside and mark.end() - opened <= _MAX_LENGTH:
                continue
            if sign in _CLOSING and _opens(text, mark):
                opened, closing = mark.start(), _CLOSING[sign]


def _is_quotation(text: str, start: int, end: int) -> bool:
    if text[start] == "'":
        spoken = text[end - 2] in ".,!?;:…)"
        if end - start > (_MAX_SINGLE if spoken else _MAX_TERM):
            return False
    if text[start] == '"' and text[end - 2].isdigit() and end - start > _MAX_TERM:
        return False  # inches
    return end - start <= _MAX_LENGTH and _has_words(text, start, end)


def _opens(text: str, mark: re.Match[str]) -> bool:
    before = text[mark.start() - 1 : mark.start()] if mark.start() else ""
    behind = text[mark.end() : mark.end() + 1]
    if mark[0] in _CORNERS:
        return True
    if mark[0] in "'‘" and _CLIPPED.match(text, mark.end()):
        return False
    begins = not before or before.isspace() or before in _BEFORE or bool(_MARKS.match(before))
    if mark[0] in "“‘" and _WIDE.match(before):
        return True
    if mark[0] == "«":  # in French a space is behind it
        return begins
    return begins and bool(behind) and not behind.isspace()


def _closes(text: str, mark: re.Match[str], end: int) -> bool:
    before = text[mark.start() - 1]
    behind = text[mark.end() : mark.end() + 1]
    if mark[0] in "」』":
        return True
    if behind.isalpha() and not _UNSPACED.match(behind):
        return False
    if behind.isdecimal() and mark[0] in "'\"":  # inches; behind other marks it is a note's number
        return False
    if mark[0] == "»":
        return True
    if mark[0] in "’'" and _ELIDED.search(text, max(0, mark.start() - 3), mark.start()):
        return False
    if mark[0] in "’'" and before in "sS" and behind == " ":
        # "the students’ books": closes only if nothing behind does.
        limit = min(end, mark.end() + _MAX_LENGTH)
        again = text.find("‘" if mark[0] == "’" else " '", mark.end(), limit)
        return not _CLOSING_LATER[mark[0]].search(text, mark.end(), limit if again < 0 else again)
    return not before.isspace()


def _has_words(text: str, start: int, end: int) -> bool:
    return _count_words(text[start:end]) >= MIN_WORDS


def _count_words(part: str) -> int:
    unspaced = len(_UNSPACED.findall(part))
    return unspaced // 2 + len(_WORDS.findall(_UNSPACED.sub(" ", part)))


def _blocks(text: str) -> Iterator[Range]:
    """Yield blocks of lines that begin with ">", and those that are set in."""
    block: list[re.Match[str]] = []
    kind = ""
    set_in: list[Range] = []
    filled = lines_set_in = 0
    free = True  # nothing but a blank line is before the block
    for line in (*_LINES.finditer(text), None):
        now = "end" if line is None else _kind(line[0])
        if now == kind and line is not None:
            block.append(line)
        else:
            if kind == ">" and _is_block(text, block):
                yield Range(block[0].start(), block[-1].end())
            elif kind == "set in":
                lines_set_in += len(block)
                if free and now in ("blank", "end") and _is_prose(block):
                    set_in.append(Range(block[0].start(), block[-1].end()))
            free = kind in ("", "blank")
            kind, block = now, [] if line is None else [line]
        filled += now not in ("blank", "end")
    if lines_set_in <= _MAX_INDENTED * filled:
        yield from set_in


def _is_block(text: str, block: list[re.Match[str]]) -> bool:
    """Tell a quotation from the path to a page, written with ">" as well."""
    start = block[0].start()
    before = text[max(0, start - 200) : start].rstrip(" \t\r")
    apart = not before.strip() or before.endswith(("\n\n", "\n\r\n", ":\n"))
    if not apart or any(len(line[0]) > _MAX_LINE for line in block):
        return False
    return _has_words(text, start, block[-1].end())


def _kind(line: str) -> str:
    if not line.strip():
        return "blank"
    if line.lstrip(" ").startswith(">"):
        return ">"
    indent = _INDENT.match(line)
    width = len(indent[0].expandtabs(8).replace("\u3000", "  ")) if indent else 0
    return "set in" if width >= _MIN_INDENT else "plain"


def _is_prose(block: list[re.Match[str]]) -> bool:
    """Tell sentences from code, tables and lists."""
    if len(block) < 2 or any(_LIST_ITEM.match(line[0].strip()) for line in block):
        return False
    part = "".join(line[0] for line in block)
    signs = [c for c in part if not c.isspace()]
    wide = re.search(r"\S(?:\t| {3,})\S", part)  # columns
    words = _count_words(part)
    letters = sum(c.isalpha() for c in signs)
    return not wide and words >= _MIN_BLOCK_WORDS and letters >= 0.75 * len(signs)
