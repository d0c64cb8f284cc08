"""TEI: the text of an edition, with the numbers of its divisions, verses and lines.

Read is what the editor prints: the main reading of an apparatus (`lem`, else the first `rdg`), what
corrects and normalises (`corr`, `reg`, `expan`); not what was deleted, headers of pages, and notes,
of which a note tells the number. Paragraphs, lines and headings are lines of text.

Chapters and verses, acts and lines come from divisions, `l`, `lb`, `ab`, `seg`, `p` and milestones;
in prose without such numbers, headings and paragraphs, or the numbers of printed pages.

Limitations: words that `join` or `next` connect are not put together, and apparatus that is apart
from the text (`listApp`) is not read.
"""

from __future__ import annotations

from collections import Counter

from likewise.documents.document import Document
from likewise.documents.formats.marked_text import MarkedText
from likewise.documents.formats.tei_numbering import Numbering
from likewise.documents.formats.xml_stream import Attributes
from likewise.documents.references import MAX_MARKS, Parts
from likewise.documents.unreadable import NO_TEXT, UnreadableError
from likewise.run import counted

_NOTES = frozenset(("note", "noteGrp", "witDetail"))
_SKIP = _NOTES | {
    *("fw", "figDesc", "facsimile", "sourceDoc", "standOff", "index", "del", "surplus", "listApp"),
    *("interp", "interpGrp", "spanGrp", "linkGrp", "certainty", "witList", "listWit", "metamark"),
}
# Of two forms of a word, those that are not read.
_OTHER_FORMS = frozenset(("sic", "orig", "abbr", "am"))
_DIVISIONS = frozenset(("div", *(f"div{level}" for level in range(8))))
_LINES = frozenset(
    (
        *("p", "ab", "l", "lg", "head", "sp", "speaker", "list", "item", "table", "row", "trailer"),
        *("castList", "castItem", "opener", "closer", "salute", "signed", "dateline", "byline"),
        *("epigraph", "titlePart", "docAuthor", "docImprint", "docDate", "argument", "figure"),
        *("text", "body", "front", "back", "group", "TEI", "lb", "titlePage", "postscript"),
        *("addrLine", "u", "docEdition", "imprimatur", "castGroup", "floatingText", "entry"),
        *("biblStruct", "biblFull", "listBibl", "caption"),
    )
)
# Lines of their own among these, and otherwise part of a line.
_MAYBE_LINES = frozenset(("stage", "quote", "cit", "q", "label", "said", "bibl"))
_CONTAINERS = frozenset(
    ("body", "front", "back", "sp", "text", "castList", "argument", "lg", "listBibl")
)
# Words at their edges are never parts of one word, even where the file has no blank.
_APART = frozenset(("s", "roleDesc", "gap", "space"))
_BREAKS = frozenset(("lb", "pb", "cb", "gb", "milestone"))
_QUOTED = frozenset(("q", "quote", "cit", "said"))
# Attributes of an apparatus that says where in the text it belongs, and is no part of it.
_PLACES = ("from", "to", "loc")
_WITHOUT_TEXT = ("app", "rdgGrp", "choice", "subst")
_MAX_HEADING = 400  # characters that are looked at


def tei_document(edition: Edition) -> Document:
    """The document of an edition that was read; raises `UnreadableError` if it has no text."""
    text = edition.words.text()
    if not text.strip():
        raise UnreadableError(NO_TEXT)
    return Document(
        text,
        edition.page_starts(),
        tuple(edition.notes()),
        references=edition.words.references(edition.numbering.scheme),
    )


class Edition:
    """Takes in the elements of an edition in order.

    Attributes:
        words: the text so far.
        numbering: where we are in it.
    """

    def __init__(self) -> None:
        self.words = MarkedText()
        self.numbering = Numbering()
        self._open: list[str] = []  # elements that are read
        self._read: list[str] = []  # one of their children: of several readings the first is read
        self._skipped = 0  # how deep we are in what is not read
        self._heading: list[str] | None = None
        self._heading_start = 0
        self._stanzas: list[str | None] = []
        self._page_names: list[str | None] = []
        self._left_out: Counter[str] = Counter()
        self._title: list[str] | None = None  # of a text in a corpus, from its header
        self._in_title = False

    def start(self, name: str, attributes: Attributes) -> None:
        """An element begins."""
        if self._skipped:
            self._skipped += 1
            self._in_title = name == "title" and self._title == []
            return
        parent = self._open[-1] if self._open else ""
        if self._is_left_out(name, parent, attributes):
            self._skipped = 1
            return
        self._open.append(name)
        self._read.append("")
        if self._is_line(name, parent) and attributes.get("break") != "no":
            self._end_line()
        elif name in _APART or parent == "cit":
            self.words.add(" ")
        self._begin(name, attributes)

    def end(self, name: str) -> None:
        """An element ends."""
        if self._skipped:
            self._skipped -= 1
            self._in_title = False
            return
        self._open.pop()
        self._read.pop()
        if name == "head" and self._heading is not None:
            self.numbering.heading("".join(self._heading)[:_MAX_HEADING])
            self._heading = None
            places = self.numbering.path(), self.numbering.titles()
            self.words.rename(*places, self._heading_start)
        if name == "cell":
            self.words.tab()
        elif self._is_line(name, self._open[-1] if self._open else "") and name != "lb":
            self._end_line()
        elif name in _APART:
            self.words.add(" ")
        if name in _DIVISIONS or name == "text":
            self.numbering.close()
            self.words.mark(self.numbering.path(), self.numbering.titles())
        elif name == "lg":
            self._stanzas.pop()
        elif name == "sp":
            self.words.stop_waiting()

    def text(self, text: str) -> None:
        """Characters between tags."""
        if self._skipped:
            if self._in_title and self._title is not None:
                self._title.append(text)
            return
        if self._open and self._open[-1] in _WITHOUT_TEXT:
            return  # blanks that lay out the file
        self.words.add(text)
        if self._heading is not None:
            self._heading.append(text)

    def page_starts(self) -> tuple[int, ...] | None:
        """Where pages begin, if they are counted as in the edition.

        The numbers of other pages are in the references of prose; they are not those that we count.
        """
        numbered = enumerate(self._page_names, 1)
        if any(name not in (None, str(number)) for number, name in numbered):
            return None
        return self.words.page_starts()

    def notes(self) -> list[str]:
        """What the user should hear of."""
        found = [
            counted(self._left_out[what], noun)
            for what, noun in (("note", "note"), ("reading", "other reading"))
            if self._left_out[what]
        ]
        notes = [f"{' and '.join(found)} excluded"] if found else []
        if self.words.full:
            notes.append(f"more than {MAX_MARKS:,} numbers; places after them have lines only")
        return notes

    def _end_line(self) -> None:
        self.words.end_line()
        if self._heading is not None:
            self._heading.append(" ")

    def _is_left_out(self, name: str, parent: str, attributes: Attributes) -> bool:
        if name == "teiHeader":
            self._title = []
            return True
        if name == "app" and any(place in attributes for place in _PLACES):
            self._left_out["reading"] += 1
            return True
        if name in _SKIP:
            self._left_out["note"] += name in _NOTES
            return True
        if parent in ("app", "rdgGrp") and name in ("lem", "rdg", "rdgGrp"):
            if self._read[-1]:
                self._left_out["reading"] += 1
                return True
            self._read[-1] = name
        elif parent == "choice":
            if name in _OTHER_FORMS or self._read[-1]:
                return True
            self._read[-1] = name
        return False

    def _is_line(self, name: str, parent: str) -> bool:
        if name in _MAYBE_LINES:
            return parent in _CONTAINERS or parent in _DIVISIONS
        return name in _LINES or name in _DIVISIONS

    def _begin(self, name: str, attributes: Attributes) -> None:
        number = " ".join(attributes["n"].split()) or None if "n" in attributes else None
        kind = attributes["type"].lower() if "type" in attributes else ""
        if name in _DIVISIONS and kind == "verse" and number:
            self.numbering.open("", None)
            self._mark(self.numbering.milestone(kind, number))
        elif name in _DIVISIONS:
            if kind in ("textpart", "textdivision", ""):
                kind = attributes.get("subtype", kind).lower()
            self.numbering.open(kind, number)
            self.words.mark(self.numbering.path(), self.numbering.titles())
        elif name == "text":
            self.numbering.open("text", number or self._title_of_text())
        elif name == "head" and self._heading is None and self._is_of_division():
            self._heading, self._heading_start = [], self.words.length
        elif name == "lg":
            self._stanzas.append(number)
            if number:
                self.numbering.begin_stanza()
        elif name == "l":
            stanza = self._stanzas[-1] if self._stanzas else None
            if number or not self._is_quoted():
                self._mark(self.numbering.line(number, attributes.get("part", ""), stanza))
        elif name == "sp":
            self.words.wait()
        else:
            self._begin_other(name, number, kind, attributes)

    def _begin_other(
        self, name: str, number: str | None, kind: str, attributes: Attributes
    ) -> None:
        if name in ("p", "ab"):
            self._mark(self.numbering.paragraph(number))
        elif name == "seg" and number and kind == "verse":
            self._mark(self.numbering.verse(number))
        elif name == "milestone":
            place = self.numbering.milestone(attributes.get("unit", "").lower(), number)
            if place is not None and attributes.get("break") != "no":
                self.words.add(" ")  # a chapter or verse does not begin in a word
            self._mark(place)
        elif name == "lb" and number and not any(self._page_names):
            self._mark(self.numbering.milestone("line", number))
        elif name == "pb":
            self._page_names.append(number)
            self.words.page()
            if number:
                self._mark(self.numbering.page(number))
        if name in _BREAKS and "break" in attributes:
            if attributes["break"] == "no":
                self.words.join()
            elif attributes["break"] == "yes" and name != "lb":
                self.words.add(" ")

    def _is_quoted(self) -> bool:
        """Whether a line of verse is in a paragraph, or quoted, and not in a poem that quotes."""
        around = iter(reversed(self._open[:-1]))
        inside = next((name for name in around if name != "lg"), "")
        if inside in _QUOTED:
            return "lg" not in around
        return inside == "p"

    def _title_of_text(self) -> str | None:
        """The title of one of several texts; of a single text it would only be in the way."""
        several = any(name in ("teiCorpus", "group") for name in self._open)
        return "".join(self._title or ()) if several else None

    def _is_of_division(self) -> bool:
        """Whether an element is a child of a division, and not of a list, or of the whole text."""
        parent = self._open[-2] if len(self._open) > 1 else ""
        return parent == "lg" or parent in _DIVISIONS

    def _mark(self, parts: Parts | None) -> None:
        if parts is not None:
            self.words.mark(parts)
