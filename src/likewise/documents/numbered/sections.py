"""Sections: headings as in Markdown ("## Methods", or underlined), "2.1 Methods", "§ 7", "Act 3".

Paragraphs, which blank lines part, are counted in each section. The text stays as it is.
"""

from __future__ import annotations

import re

from likewise.documents.formats.outline import Outline
from likewise.documents.numbered.headings import find_headings
from likewise.documents.references import References

_MARKDOWN = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_NUMBERED = re.compile(r"\s*(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s+([^\W\d_].{0,80})$")
_PARAGRAPH_SIGN = re.compile(r"\s*(§+\s?\d{1,5}[a-z]?)\b")
_SIGN_LEVEL = 7
_MAX_HEADING = 100  # characters of an underlined one


def read_sections(text: str) -> tuple[str, References | None]:
    """Return the text as it is, and the references."""
    outline = Outline()
    lines = text.split("\n")
    offset = 0
    in_paragraph = False
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if not line.strip():
            in_paragraph = False
        elif sign := _PARAGRAPH_SIGN.match(line):
            outline.heading(_SIGN_LEVEL, sign[1], offset)
            outline.paragraph(offset)
            in_paragraph = True
        elif not in_paragraph and (heading := _heading(line, following)):
            outline.heading(*heading, offset)
        elif not in_paragraph and not _UNDERLINE.fullmatch(line):
            outline.paragraph(offset)
            in_paragraph = True
        offset += len(line) + 1
    return text, outline.references()


def _heading(line: str, following: str) -> tuple[int, str] | None:
    """The level and the title of a heading; None for other lines."""
    if markdown := _MARKDOWN.match(line):
        return len(markdown[1]), markdown[2]
    if len(line) <= _MAX_HEADING and (underline := _UNDERLINE.fullmatch(following)):
        return (1 if underline[1][0] == "=" else 2), line
    if headings := find_headings(line):
        return headings[0].level, line
    alone = not following.strip()
    if alone and (numbered := _NUMBERED.fullmatch(line)) and not line.rstrip().endswith((".", ",")):
        return numbered[1].count(".") + 1, line
    return None
