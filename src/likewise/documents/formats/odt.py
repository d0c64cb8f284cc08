"""ODT: paragraphs, headings and tables in order, footnotes and endnotes at the end.

Headers, footers, comments and tracked changes are left out. ODT has no pages: they come about when
it is printed.

Text whose style hides it, makes it white on no ground or at most two points large is left out and
reported. White text in tables and frames is seen: it is not known which ground is under it.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from likewise.documents.document import Document
from likewise.documents.formats.lines import Lines
from likewise.documents.formats.markup import attribute, local_name, parse_xml, walk
from likewise.documents.formats.outline import Outline
from likewise.documents.formats.text_style import PLAIN, Look, is_pale, resolve
from likewise.documents.hidden_text import Hiding, without_hidden, without_marks
from likewise.documents.references import References
from likewise.documents.unreadable import ENCRYPTED, UnreadableError
from likewise.documents.zipped import Zipped

if TYPE_CHECKING:
    from lxml.etree import _Element

    Styles = dict[str, tuple[str | None, Look]]

_SKIP = frozenset(
    ("tracked-changes", "annotation", "note-citation", "forms", "ruby-text", "desc", "title")
)
_BLANKS = re.compile(r"[ \t\r\n]+")
_POINTS = re.compile(r"(\d{1,4}(?:\.\d{1,6})?)pt")
_LEVELS = tuple("123456789")
_MAX_BLANKS = 80  # a file may ask for a billion of them in one element


def extract_odt(data: bytes) -> Document:
    """Return the text of an OpenDocument text; raise `UnreadableError` where there is none."""
    package = Zipped(io.BytesIO(data))
    manifest = package.get("META-INF/manifest.xml")
    if manifest is not None and b"encryption-data" in manifest:
        raise UnreadableError(ENCRYPTED)
    content = package.get("content.xml")
    if content is None:
        raise UnreadableError("not an OpenDocument text: another kind of zip archive")
    styles: Styles = {}
    for part in (package.get("styles.xml"), content):
        if part is not None:
            _read_styles(part, styles)
    hiding = Hiding()
    text, references = _read_content(content, styles, hiding)
    text = hiding.settle(text)
    return hiding.document(text, references=hiding.moved(references))


def _read_content(data: bytes, styles: Styles, hiding: Hiding) -> tuple[str, References | None]:
    body, notes = Lines(), Lines()
    outline = Outline()
    lines = body
    looks = [PLAIN]
    for event, name, element in walk(parse_xml(data), _SKIP):
        if event == "text":
            text = _BLANKS.sub(" ", name)
            why = looks[-1].why_unseen()
            lines.add(text if why is None else hiding.mark(without_marks(text), why))
            continue
        if name == "note-body":
            lines = notes if event == "open" else body
        if event == "open":
            looks.append(_look_of(name, element, styles).over(looks[-1]))
            lines.open(name)
            lines.add(_sign(element, name))
        else:
            looks.pop()
            count = body.count
            lines.close(name)
            if body.count > count and (line := without_hidden(body.line(count))).strip():
                if name == "h":
                    level = attribute(element, "outline-level") or ""
                    outline.heading(int(level) if level in _LEVELS else 1, line, count)
                else:
                    outline.paragraph(count)
    outline.end(body.count)
    return body.text() + notes.text(), outline.references(body.starts())


def _look_of(name: str, element: _Element, styles: Styles) -> Look:
    if name in ("table", "text-box"):
        return Look(ground=True)
    if name in ("p", "h", "span"):
        look = resolve(attribute(element, "style-name"), styles)
        return look if look.ground else look._replace(ground=None)
    return PLAIN


def _read_styles(data: bytes, styles: Styles) -> None:
    """Take in the styles of a part: what each is based on, and its own look."""
    try:
        root = parse_xml(data)
    except UnreadableError:  # of the styles alone; the content is parsed again
        return
    for element in root.iter("{*}style"):
        name = attribute(element, "name")
        if name is None:
            continue
        look = PLAIN
        for child in element:
            if isinstance(child.tag, str) and local_name(child).endswith("-properties"):
                look = look.over(_look(child))
        styles[name] = (attribute(element, "parent-style-name"), look)


def _look(properties: _Element) -> Look:
    colour = attribute(properties, "color")
    ground = attribute(properties, "background-color")
    return Look(
        attribute(properties, "display") == "none" or None,
        None if colour is None else colour.lstrip("#"),
        _points(attribute(properties, "font-size")),
        None if ground in (None, "transparent") else not is_pale((ground or "").lstrip("#")),
    )


def _points(size: str | None) -> float | None:
    found = None if size is None else _POINTS.fullmatch(size)
    return None if found is None else float(found[1])


def _sign(element: _Element, name: str) -> str:
    """Return the text that an element without text stands for."""
    if name == "s":
        count = attribute(element, "c") or ""
        return " " * (min(int(count), _MAX_BLANKS) if count.isdecimal() else 1)
    return {"tab": "\t", "line-break": "\n"}.get(name, "")
