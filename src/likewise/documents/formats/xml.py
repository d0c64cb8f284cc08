"""XML editions: TEI and OSIS, told apart by their root element."""

from __future__ import annotations

from dataclasses import replace

from likewise.documents.document import Document
from likewise.documents.formats.osis import Bible, osis_document
from likewise.documents.formats.tei import Edition, tei_document
from likewise.documents.formats.xml_stream import Attributes, parse_stream
from likewise.documents.unreadable import UnreadableError

_TEI = ("TEI", "TEI.2", "teiCorpus", "teiCorpus.2")
_OSIS = ("osis", "osisText")


def extract_xml(data: bytes) -> Document:
    """Return the text of an edition; raise `UnreadableError` where there is none."""
    root = _Root()
    try:
        notes = parse_stream(data, root)
    except _HtmlError:
        from likewise.documents.formats.html import extract_html

        return extract_html(data)
    assert root.target is not None
    if isinstance(root.target, Bible):
        document = osis_document(root.target)
    else:
        document = tei_document(root.target)
    return replace(document, notes=(*document.notes, *notes))


class _HtmlError(Exception):
    """The root is that of a page in XHTML."""


class _Root:
    """Looks at the root element; the rest is for the reader that it calls for."""

    def __init__(self) -> None:
        self.target: Edition | Bible | None = None

    def start(self, name: str, attributes: Attributes) -> None:
        if self.target is None:
            self.target = _target(name)
        self.target.start(name, attributes)

    def end(self, name: str) -> None:
        assert self.target is not None
        self.target.end(name)

    def text(self, text: str) -> None:
        if self.target is not None:
            self.target.text(text)


def _target(root: str) -> Edition | Bible:
    if root in _TEI:
        return Edition()
    if root in _OSIS:
        return Bible()
    if root == "html":
        raise _HtmlError
    raise UnreadableError(
        f"XML that is neither TEI nor OSIS: its root is <{root[:40]}>",
        hint="convert it to TEI, or save its text as .txt",
    )
