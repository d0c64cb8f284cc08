"""DOCX: paragraphs and tables in order, footnotes and endnotes at the end.

Headers, footers and comments are left out, and so is text that was deleted or moved away with
changes tracked. DOCX has no pages: they come about when it is printed.

Text that is marked as hidden, white on no ground or of at most two points is excluded and reported.
What is white in a text box, in a table with shading of its own or on a page with a colour is seen:
it is not known which ground is under it.
"""

from __future__ import annotations

import io
import posixpath
from typing import TYPE_CHECKING

from likewise.documents.document import Document
from likewise.documents.formats.docx_headings import Levels, heading_level, heading_styles
from likewise.documents.formats.lines import Lines
from likewise.documents.formats.markup import attribute, local_name, parse_xml, walk
from likewise.documents.formats.outline import Outline
from likewise.documents.formats.text_style import PLAIN, Look, is_pale, resolve
from likewise.documents.hidden_text import Hiding, without_hidden, without_marks
from likewise.documents.unreadable import UnreadableError
from likewise.documents.zipped import Zipped

if TYPE_CHECKING:
    from lxml.etree import _Element

    Styles = dict[str, tuple[str | None, Look]]

# Properties, of which some are called like text ("tab" is also a tab stop); what was taken out; and
# the second copy of each text box, for older programs.
_SKIP = frozenset(
    ("pPr", "rPr", "tblPr", "trPr", "tcPr", "sectPr", "sdtPr", "del", "moveFrom", "Fallback")
)
_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")


def extract_docx(data: bytes) -> Document:
    """Return the text of a Word document; raise `UnreadableError` where there is none."""
    package = Zipped(io.BytesIO(data))
    name = _main_part(package)
    main = package.get(name)
    if main is None:
        raise UnreadableError("not a Word document: another kind of zip archive")
    folder = posixpath.dirname(name)
    parts = [main]
    parts += filter(None, (package.get(posixpath.join(folder, f"{notes}.xml")) for notes in _NOTES))
    styles = package.get(posixpath.join(folder, "styles.xml"))
    hiding = Hiding()
    reader = _PartReader(_read_styles(styles), heading_styles(styles), hiding)
    body = reader.read(parts[0])
    references = reader.outline.references(body.starts())
    notes = [reader.read(part).text() for part in parts[1:]]
    text = hiding.settle("".join((body.text(), *notes)))
    return hiding.document(text, references=hiding.moved(references))


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


class _PartReader:
    """Reads the body and the notes of a document; the outline is that of the body."""

    def __init__(self, styles: Styles, levels: Levels, hiding: Hiding) -> None:
        self._styles, self._levels, self._hiding = styles, levels, hiding
        self.outline = Outline()

    def read(self, data: bytes) -> Lines:
        lines = Lines()
        skipping = False  # inside the line that separates notes from the text
        looks = _Looks(self._styles)
        for event, name, element in walk(parse_xml(data), _SKIP):
            if event == "text":
                if not skipping and str(element.tag).endswith("}t"):
                    why = looks.why_unseen()
                    hidden = why and self._hiding.mark(without_marks(name), why)
                    lines.add(hidden or name)
            elif name in ("footnote", "endnote"):
                skipping = event == "open" and attribute(element, "type") in _SEPARATORS
            elif skipping:
                continue
            elif event == "open":
                looks.open(name, element)
                lines.open(name)
                lines.add(_SIGNS.get(name, ""))
            else:
                looks.close(name)
                count = lines.count
                lines.close(name)
                if lines.count > count:
                    self._outline_line(count, lines.line(count), name, element)
        self.outline.end(lines.count)
        return lines

    def _outline_line(self, number: int, line: str, name: str, element: _Element) -> None:
        words = without_hidden(line)
        level = heading_level(element, self._levels) if name == "p" else None
        if level is not None and words.strip():
            self.outline.heading(level, words, number)
        elif words.strip():
            self.outline.paragraph(number)


class _Looks:
    """How the text at the present place of a document looks."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._paragraphs: list[Look] = []
        self._run = PLAIN
        self._grounds = 0  # open elements with an unknown ground, and cells with a known one
        self._cells: list[int] = []

    def open(self, name: str, element: _Element) -> None:
        if name == "r":
            self._run = _look(_child(element, "rPr"), self._styles, "rStyle")
        elif name == "p":
            properties = _child(element, "pPr")
            self._paragraphs.append(_look(properties, self._styles, "pStyle"))
        elif name == "background":  # of all pages
            self._grounds += not is_pale(attribute(element, "color") or "FFFFFF")
        elif name in ("tc", "tbl", "txbxContent"):
            known = name == "txbxContent"
            if name == "tc":
                known = _look(_child(element, "tcPr"), {}, "").ground is True
            elif name == "tbl":
                properties = _child(element, "tblPr")
                style = None if properties is None else _value(properties, "tblStyle")
                known = resolve(style, self._styles).ground is True
            self._cells.append(int(known))
            self._grounds += known

    def close(self, name: str) -> None:
        if name == "p" and self._paragraphs:
            self._paragraphs.pop()
        elif name in ("tc", "tbl", "txbxContent") and self._cells:
            self._grounds -= self._cells.pop()
        elif name == "r":
            self._run = PLAIN

    def why_unseen(self) -> str | None:
        paragraph = self._paragraphs[-1] if self._paragraphs else PLAIN
        look = self._run.over(paragraph)
        return look._replace(ground=True).why_unseen() if self._grounds else look.why_unseen()


def _read_styles(data: bytes | None) -> Styles:
    """Return each style: what it is based on, and its own look."""
    styles: Styles = {}
    if data is None:
        return styles
    try:
        root = parse_xml(data)
    except UnreadableError:  # the text can be read without
        return styles
    for event, name, element in walk(root):
        if event == "open" and name == "style":
            parts = [_child(element, part) for part in ("rPr", "pPr", "tcPr", "tblPr")]
            look = PLAIN
            for part in parts:
                look = look.over(_look(part, {}, ""))
            if attribute(element, "type") == "table" and _shades(element):
                look = look._replace(ground=True)
            identity = attribute(element, "styleId")
            if identity is not None:
                styles[identity] = (_value(element, "basedOn"), look)
    return styles


def _shades(style: _Element) -> bool:
    """Tell whether a style of tables puts a ground under any of their parts."""
    return any(
        event == "open" and name == "shd" and _is_ground(element)
        for event, name, element in walk(style)
    )


def _look(properties: _Element | None, styles: Styles, style: str) -> Look:
    if properties is None:
        return PLAIN
    hidden = colour = points = ground = None
    base: str | None = None
    for child in properties:
        name = local_name(child)
        value = attribute(child, "val")
        if name == "vanish":
            hidden = value not in ("0", "false", "off")
        elif name == "color":
            colour = value
        elif name == "sz" and value is not None and value.isdecimal():
            points = int(value) / 2
        elif name == "shd":
            ground = _is_ground(child)
        elif name == "highlight" and value not in (None, "none", "white"):
            ground = True
        elif name == style:
            base = value
    return Look(hidden, colour, points, ground).over(resolve(base, styles))


def _is_ground(shading: _Element) -> bool:
    if attribute(shading, "val") not in (None, "clear", "nil"):
        return True  # a pattern
    fill = attribute(shading, "fill") or "auto"
    return fill != "auto" and not is_pale(fill)


def _child(element: _Element, name: str) -> _Element | None:
    return next((child for child in element if local_name(child) == name), None)


def _value(element: _Element, name: str) -> str | None:
    child = _child(element, name)
    return None if child is None else attribute(child, "val")
