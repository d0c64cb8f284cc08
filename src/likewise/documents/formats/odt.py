"""ODT: paragraphs, headings and tables in order, footnotes and endnotes at the end.

Headers, footers, comments and tracked changes are left out. ODT has no pages: they come about when
it is printed.
"""

from __future__ import annotations

import io
import re

from likewise.documents.extracted import Extracted
from likewise.documents.formats.lines import Lines
from likewise.documents.formats.markup import attribute, parse_xml, walk
from likewise.documents.unreadable import ENCRYPTED, NO_TEXT, UnreadableError
from likewise.documents.zipped import Zipped

_SKIP = frozenset(
    ("tracked-changes", "annotation", "note-citation", "forms", "ruby-text", "desc", "title")
)
_BLANKS = re.compile(r"[ \t\r\n]+")
_MOST_BLANKS = 80  # a file may ask for a billion of them in one element


def extract_odt(data: bytes) -> Extracted:
    """Return the text of an OpenDocument text; raise `UnreadableError` where there is none."""
    package = Zipped(io.BytesIO(data))
    manifest = package.get("META-INF/manifest.xml")
    if manifest is not None and b"encryption-data" in manifest:
        raise UnreadableError(ENCRYPTED)
    content = package.get("content.xml")
    if content is None:
        raise UnreadableError("not an OpenDocument text: a zip archive of something else")
    text = _read_content(content)
    if not text.strip():
        raise UnreadableError(NO_TEXT)
    return Extracted(text)


def _read_content(data: bytes) -> str:
    body, notes = Lines(), Lines()
    lines = body
    for event, name, element in walk(parse_xml(data), _SKIP):
        if event == "text":
            lines.add(_BLANKS.sub(" ", name))
        elif name == "note-body":
            lines = notes if event == "open" else body
        elif event == "open":
            _open(lines, name, attribute(element, "c"))
        else:
            _close(lines, name)
    return body.text() + notes.text()


def _open(lines: Lines, name: str, count: str | None) -> None:
    if name in ("p", "h"):
        lines.open_paragraph()
    elif name == "table-row":
        lines.open_row()
    elif name == "table-cell":
        lines.open_cell()
    elif name == "s":
        lines.add(" " * _blanks(count))
    elif name in ("tab", "line-break"):
        lines.add("\t" if name == "tab" else "\n")


def _blanks(count: str | None) -> int:
    return min(int(count), _MOST_BLANKS) if count and count.isdecimal() else 1


def _close(lines: Lines, name: str) -> None:
    if name in ("p", "h"):
        lines.close_paragraph()
    elif name == "table-row":
        lines.close_row()
    elif name == "table-cell":
        lines.close_cell()
