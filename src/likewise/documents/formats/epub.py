"""EPUB: the parts of the book in the order of its spine; each part is a page.

Limitations: what books call a page differs with the screen, so a part (mostly a chapter) stands in
for it. Parts that are pictures have no text.
"""

from __future__ import annotations

import io
import posixpath
from urllib.parse import unquote

from likewise.documents.document import Document, join_pages
from likewise.documents.formats.html import decode_html, html_text
from likewise.documents.formats.markup import attribute, parse_xml, walk
from likewise.documents.formats.outline import Outline
from likewise.documents.unreadable import DAMAGED, ENCRYPTED, NO_TEXT, UnreadableError
from likewise.documents.zipped import Zipped


def extract_epub(data: bytes) -> Document:
    """Return the text of a book; raise `UnreadableError` where there is none."""
    book = Zipped(io.BytesIO(data))
    container = book.get("META-INF/container.xml")
    if container is None:
        raise UnreadableError("not an EPUB: another kind of zip archive")
    parts = _spine(book, _attributes(container, "rootfile", "full-path"))
    # Fonts are often scrambled, and do no harm; parts that are cannot be read.
    locked = book.get("META-INF/encryption.xml")
    if locked and set(parts) & {
        unquote(at) for at in _attributes(locked, "CipherReference", "URI")
    }:
        raise UnreadableError(ENCRYPTED)
    pages: list[str] = []
    missing = start = 0
    outline = Outline()
    for name in parts:
        part = book.get(name)
        missing += part is None
        page = "" if part is None else html_text(decode_html(part)[0], outline, start, xml=True)
        pages.append(page)
        start += len(page)
    text, starts = join_pages(pages)
    if not text.strip():
        raise UnreadableError(NO_TEXT)
    verb = "is" if missing == 1 else "are"
    notes = (f"{missing} of its {len(parts)} parts {verb} missing",) if missing else ()
    return Document(text, starts, notes, references=outline.references())


def _attributes(data: bytes, element: str, name: str) -> list[str]:
    return [
        attribute(found, name) or ""
        for event, tag, found in walk(parse_xml(data))
        if event == "open" and tag == element
    ]


def _spine(book: Zipped, packages: list[str]) -> list[str]:
    """Return the names of the book's parts, in order."""
    package = book.get(packages[0]) if packages else None
    if package is None:
        raise UnreadableError(DAMAGED)
    files: dict[str, str] = {}
    order: list[str] = []
    for event, name, element in walk(parse_xml(package)):
        if event == "open" and name == "item":
            href = unquote((attribute(element, "href") or "").partition("#")[0])
            path = posixpath.join(posixpath.dirname(packages[0]), href)
            files[attribute(element, "id") or ""] = posixpath.normpath(path)
        elif event == "open" and name == "itemref":
            order.append(attribute(element, "idref") or "")
    return [files[part] for part in order if part in files]
