"""HTML: what a browser would show, line by line.

Scripts, styles, the head and navigation are left out. Elements that a browser sets apart begin and
end lines; blanks run together except in `pre`.

The encoding is, in this order: the one the user gave; a byte order mark; what the page declares
about itself, if its bytes allow that; a guess. HTML has no pages.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from likewise.documents.document import Document
from likewise.documents.encoding import is_text_encoding, marked_encoding
from likewise.documents.formats.markup import check_memory, parse_xml, walk
from likewise.documents.formats.outline import Outline
from likewise.documents.formats.plain_text import extract_plain_text
from likewise.documents.unreadable import NO_TEXT, UnreadableError

if TYPE_CHECKING:
    from lxml.etree import _Element

_SKIP = frozenset(
    ("head", "script", "style", "nav", "template", "noscript", "iframe", "svg", "object")
)
_BLOCKS = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "center",
            "dd",
            "details",
        ),
        *("dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li", "main"),
        *("menu", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "tfoot"),
        *("thead", "title", "tr", "ul"),
    )
)
_CELLS = ("td", "th")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_DECLARED = re.compile(
    rb"""<meta[^>]+?charset\s*=\s*["']?\s*([\w.:+-]+)|^<\?xml[^>]+?encoding\s*=\s*["']([\w.:+-]+)""",
    re.IGNORECASE,
)
_DECLARED_WITHIN = 4096
# As browsers do: what pages call Latin-1 is cp1252, and other names mean their larger sets too. A
# declaration that could be read byte by byte is not in UTF-16, whatever it says.
_MEANT = {
    **dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "ascii", "us-ascii"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "gb_2312-80"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "x-sjis", "sjis"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987"), "cp949"),
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16be"), "utf-8"),
}


def extract_html(data: bytes, encoding: str | None = None) -> Document:
    """Return the text of an HTML page; raise `UnreadableError` where there is none."""
    source, note = decode_html(data, encoding)
    outline = Outline()
    text = html_text(source, outline)
    if not text.strip():
        raise UnreadableError(NO_TEXT)
    notes = (note,) if note else ()
    return Document(text, notes=notes, references=outline.references())


def decode_html(data: bytes, encoding: str | None = None) -> tuple[str, str | None]:
    """Return the source of a page, and what to tell about its encoding."""
    declared = _declared_encoding(data) if encoding is None else None
    if declared is not None:
        try:
            return data.decode(declared), None
        except UnicodeError:
            pass  # it is not what it says it is
    plain = extract_plain_text(data, encoding)
    return plain.text, plain.notes[0] if plain.notes else None


def _declared_encoding(data: bytes) -> str | None:
    if marked_encoding(data):
        return None
    found = _DECLARED.search(data[:_DECLARED_WITHIN])
    if found is None:
        return None
    name = (found[1] or found[2]).decode("ascii", "ignore").lower()
    meant = _MEANT.get(name, name)
    return meant if is_text_encoding(meant) else None


def html_text(source: str, outline: Outline, start: int = 0, *, xml: bool = False) -> str:
    """Return the text of a page from its source; `xml` if it should be XHTML.

    The outline takes in its headings and paragraphs; the text begins at offset `start` of its
    document.
    """
    root = _parse(source.removeprefix("\ufeff").lstrip(), xml)
    if root is None:
        return ""
    flow = _Flow(outline, start)
    for event, name, _ in walk(root, _SKIP):
        if event == "text":
            flow.add(name)
        elif name in _BLOCKS:
            flow.end_line()
            flow.begin_block(_HEADINGS.get(name) if event == "open" else None)
            if name == "pre":
                flow.keep_blanks(event == "open")
        elif name == "br":
            if event == "open":
                flow.end_line(empty=True)
        elif name in _CELLS and event == "close":
            flow.end_cell()
    flow.end_line()
    return flow.text()


def _parse(source: str, xml: bool) -> _Element | None:
    from lxml import etree

    data = source.encode("utf-8", "replace")
    if xml or source.startswith("<?xml"):
        try:
            # An empty <title/> is closed in XML; in HTML all that follows would be the title. The
            # encoding that is declared is no longer the one we have.
            return parse_xml(re.sub(rb"^<\?xml[^>]*\?>", b"", data))
        except UnreadableError:
            pass  # as browsers do: what is no XML after all is HTML
    # A page may be long and deep: 2,048 elements instead of 256, by huge_tree. HTML has no entities
    # that could grow.
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, recover=True, huge_tree=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.LxmlError as error:
        check_memory(error)
        raise UnreadableError(f"cannot be parsed as HTML: {error}") from error
    if any("depth" in entry.message for entry in parser.error_log):
        raise UnreadableError("elements are nested too deeply")
    return root


class _Flow:
    """Puts text into lines as a browser does."""

    def __init__(self, outline: Outline, start: int) -> None:
        self._outline = outline
        self._at = start  # offset of the line that is open
        self._level: int | None = None  # of the heading that is open
        self._title: list[str] = []
        self._title_at = start
        self._begins = True  # a paragraph, with the next line that has words
        self._lines: list[str] = []
        self._line: list[str] = []
        self._kept = 0  # how many `pre` we are in

    def begin_block(self, level: int | None) -> None:
        """What comes is a block of its own: a heading of this level, or a paragraph."""
        if self._level is not None and self._title:
            self._outline.heading(self._level, " ".join(self._title), self._title_at)
        self._level, self._title, self._begins = level, [], True

    def keep_blanks(self, on: bool) -> None:
        self._kept = max(0, self._kept + (1 if on else -1))

    def add(self, text: str) -> None:
        if not self._kept:
            self._line.append(_BLANKS.sub(" ", text))
            return
        first, *rest = re.sub("\r\n?", "\n", text).split("\n")
        self._line.append(first)
        for line in rest:
            self.end_line(empty=True)
            self._line.append(line)

    def end_cell(self) -> None:
        self._line.append("\t")

    def end_line(self, *, empty: bool = False) -> None:
        line = "".join(self._line)
        if not self._kept:
            # Pieces that ended and began with a blank had one between them.
            line = re.sub(" {2,}", " ", line).strip(" \t")
        if line.strip():
            self._note(line)
        if line.strip() or empty:
            self._lines.append(line)
            self._at += len(line) + 1
        self._line = []

    def _note(self, line: str) -> None:
        """Tell the outline of a line that has words."""
        if self._level is not None:
            self._title_at = self._at if not self._title else self._title_at
            self._title.append(line)
        elif self._begins:
            self._outline.paragraph(self._at)
        self._begins = False

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)
