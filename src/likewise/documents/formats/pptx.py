"""PPTX: the slides in order, each a page: its text and tables, then the speaker's notes.

Numbers, dates and footers of slides are left out, and so are comments. Text in shapes that are
hidden, or of at most two points, is excluded and reported. The colour of text says little here: the
ground under it is a picture or another shape more often than not.

Limitations: the text of charts and of SmartArt is not read.
"""

from __future__ import annotations

import io
import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from likewise.documents.document import Document, join_pages
from likewise.documents.formats.lines import Lines
from likewise.documents.formats.markup import attribute, local_name, parse_xml, walk
from likewise.documents.hidden_text import INVISIBLE, TINY, Hiding, without_marks
from likewise.documents.unreadable import DAMAGED, UnreadableError
from likewise.documents.zipped import Zipped

if TYPE_CHECKING:
    from lxml.etree import _Element

MAIN = "ppt/presentation.xml"
_SKIP = frozenset(("pPr", "endParaRPr", "Fallback", "extLst", "timing", "transition"))
_NOT_TEXT = frozenset(("sldNum", "dt", "ftr", "hdr", "sldImg"))  # kinds of placeholders
_SHAPES = frozenset(("sp", "graphicFrame", "grpSp", "pic", "cxnSp"))
_MAX_TINY = 200  # hundredths of a point
_MAX_SLIDES = 10_000


def extract_pptx(data: bytes) -> Document:
    """Return the text of a presentation; raise `UnreadableError` where there is none."""
    package = Zipped(io.BytesIO(data))
    main = package.get(MAIN)
    if main is None:
        raise UnreadableError("not a PowerPoint presentation: another kind of zip archive")
    names = list(_slides(package, main))
    hiding = Hiding()
    pages: list[str] = []
    start = missing = 0
    for name in names:
        part = package.get(name)
        missing += part is None
        page = "" if part is None else _read_slide(package, name, part, hiding)
        pages.append(hiding.settle(page, start))
        start += len(join_pages(pages[-1:])[0])
    text, starts = join_pages(pages)
    notes = []
    if missing:
        verb = "is" if missing == 1 else "are"
        notes.append(f"{missing} of its {len(names)} slides {verb} missing")
    return hiding.document(text, starts, notes)


def _slides(package: Zipped, main: bytes) -> Iterator[str]:
    """Yield the parts of the slides in the order of the presentation, each once."""
    targets = {id_: target for id_, _, target in _relations(package, MAIN)}
    seen: set[str] = set()
    for event, name, element in walk(parse_xml(main)):
        if event == "open" and name == "sldId":
            # Its own number is called "id" as well, without a namespace.
            ids = [value for key, value in element.attrib.items() if str(key).endswith("}id")]
            target = targets.get(str(ids[0])) if ids else None
            if target is None:
                raise UnreadableError(DAMAGED)
            if target not in seen:
                seen.add(target)
                yield target
        if len(seen) > _MAX_SLIDES:
            raise UnreadableError(f"more than {_MAX_SLIDES:,} slides")


def _relations(package: Zipped, part: str) -> Iterator[tuple[str, str, str]]:
    """Yield the id, the kind and the target of what a part refers to."""
    folder, name = posixpath.split(part)
    data = package.get(f"{folder}/_rels/{name}.rels")
    if data is None:
        return
    for event, tag, element in walk(parse_xml(data)):
        if event == "open" and tag == "Relationship":
            target = attribute(element, "Target") or ""
            path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
            kind = (attribute(element, "Type") or "").rpartition("/")[2]
            yield attribute(element, "Id") or "", kind, posixpath.normpath(path)


def _read_slide(package: Zipped, name: str, data: bytes, hiding: Hiding) -> str:
    text = _read_part(data, hiding)
    for _, kind, target in _relations(package, name):
        if kind == "notesSlide" and (notes := package.get(target)) is not None:
            text += _read_part(notes, hiding)
            break
    return text


def _read_part(data: bytes, hiding: Hiding) -> str:
    lines = Lines()
    shapes: list[str | None] = []  # why each shape that is open is not seen; "" if not read at all
    tiny = numbered = False
    for event, name, element in walk(parse_xml(data), _SKIP):
        if event == "text":
            why = next((why for why in shapes if why is not None), TINY if tiny else None)
            if str(element.tag).endswith("}t") and why != "" and not numbered:
                lines.add(name if why is None else hiding.mark(without_marks(name), why))
        elif event == "open":
            if name in _SHAPES:
                shapes.append(_why_unread(element))
            elif name == "r":
                tiny = _is_tiny(element)
            elif name == "fld":
                numbered = (attribute(element, "type") or "").startswith(("slidenum", "datetime"))
            elif name == "br":
                lines.add("\n")
            else:
                lines.open(name)
        else:
            if name in _SHAPES and shapes:
                shapes.pop()
            elif name == "r":
                tiny = False
            elif name == "fld":
                numbered = False
            else:
                lines.close(name)
    return "".join(line for line in lines.text().splitlines(keepends=True) if line.strip())


def _why_unread(shape: _Element) -> str | None:
    """Return "" for a slide's number and the like, why a shape is not seen, or None."""
    for properties in shape:
        if not local_name(properties).startswith("nv"):
            continue
        for element in properties.iter():
            name = local_name(element)
            if name == "ph" and attribute(element, "type") in _NOT_TEXT:
                return ""
            if name == "cNvPr" and attribute(element, "hidden") in ("1", "true"):
                return INVISIBLE
    return None


def _is_tiny(run: _Element) -> bool:
    for child in run:
        if local_name(child) == "rPr":
            size = attribute(child, "sz") or ""
            return size.isdecimal() and int(size[:9]) <= _MAX_TINY
    return False
