"""DOCX: paragraphs and tables in order, footnotes and endnotes at the end.

Headers, footers and comments are left out, and so is text that was deleted or moved away with
changes tracked. DOCX has no pages: they come about when it is printed.
"""

from __future__ import annotations

import io
import posixpath

from likewise.documents.extracted import Extracted
from likewise.documents.formats.lines import Lines
from likewise.documents.formats.markup import attribute, parse_xml, walk
from likewise.documents.unreadable import NO_TEXT, UnreadableError
from likewise.documents.zipped import Zipped

# Properties, of which some are called like text ("tab" is also a tab stop); what was taken out; and
# the second copy of each text box, for older programs.
_SKIP = frozenset(
    ("pPr", "rPr", "tblPr", "trPr", "tcPr", "sectPr", "sdtPr", "del", "moveFrom", "Fallback")
)
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")


def extract_docx(data: bytes) -> Extracted:
    """Return the text of a Word document; raise `UnreadableError` where there is none."""
    package = Zipped(io.BytesIO(data))
    name = _main_part(package)
    main = package.get(name)
    if main is None:
        raise UnreadableError("not a Word document: a zip archive of something else")
    folder = posixpath.dirname(name)
    parts = [main]
    parts += filter(None, (package.get(posixpath.join(folder, f"{notes}.xml")) for notes in _NOTES))
    text = "".join(map(_read_part, parts))
    if not text.strip():
        raise UnreadableError(NO_TEXT)
    return Extracted(text)


_NOTES = ("footnotes", "endnotes")


def _main_part(package: Zipped) -> str:
    """Return the name of the part with the text, nearly always "word/document.xml"."""
    relations = package.get("_rels/.rels")
    if relations is not None:
        for _, name, element in walk(parse_xml(relations)):
            kind = attribute(element, "Type") or ""
            if name == "Relationship" and kind.endswith("/officeDocument"):
                return (attribute(element, "Target") or "").lstrip("/")
    return "word/document.xml"


def _read_part(data: bytes) -> str:
    lines = Lines()
    skipping = False  # inside the line that separates notes from the text
    for event, name, element in walk(parse_xml(data), _SKIP):
        if event == "text":
            if not skipping and str(element.tag).endswith("}t"):
                lines.add(name)
        elif name in ("footnote", "endnote"):
            skipping = event == "open" and attribute(element, "type") in _SEPARATORS
        elif skipping:
            continue
        elif event == "open":
            _open(lines, name)
        else:
            _close(lines, name)
    return lines.text()


def _open(lines: Lines, name: str) -> None:
    if name == "p":
        lines.open_paragraph()
    elif name == "tr":
        lines.open_row()
    elif name == "tc":
        lines.open_cell()
    elif name in _SIGNS:
        lines.add(_SIGNS[name])


def _close(lines: Lines, name: str) -> None:
    if name == "p":
        lines.close_paragraph()
    elif name == "tr":
        lines.close_row()
    elif name == "tc":
        lines.close_cell()
