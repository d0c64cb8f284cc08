"""OSIS Bibles: verses as elements, or from one milestone (`sID`) to another (`eID`).

Titles are lines of their own; notes, cross-references and titles that only list parallels are left
out. The names of books are those of the edition, "Matt".
"""

from __future__ import annotations

from collections import Counter

from likewise.documents.document import Document
from likewise.documents.formats.marked_text import MarkedText
from likewise.documents.formats.xml_stream import Attributes
from likewise.documents.references import MAX_MARKS, Parts, shortened_part
from likewise.documents.unreadable import NO_TEXT, UnreadableError
from likewise.run import counted

_SKIP = frozenset(("header", "note", "figure", "index", "rdg"))
_SKIPPED_TITLES = ("parallel", "scope", "x-parallel")
_LINES = frozenset(
    ("div", "title", "p", "lg", "l", "lb", "chapter", "list", "item", "table", "row", "head")
)
_MAX_DEPTH = 6  # of parts of an id


def osis_document(bible: Bible) -> Document:
    """The document of a Bible that was read; raises `UnreadableError` if it has no text."""
    text = bible.words.text()
    if not text.strip():
        raise UnreadableError(NO_TEXT)
    return Document(text, None, tuple(bible.notes()), references=bible.words.references("verses"))


class Bible:
    """Takes in the elements of a Bible in order.

    Attributes:
        words: the text so far.
    """

    def __init__(self) -> None:
        self.words = MarkedText()
        self._skipped = 0
        self._open: list[Parts | None] = []  # elements, and the reference that ends with each
        self._book: Parts = ()
        self._chapter: Parts = ()
        self._left_out: Counter[str] = Counter()

    def start(self, name: str, attributes: Attributes) -> None:
        """An element begins."""
        if self._skipped:
            self._skipped += 1
            return
        kind = attributes.get("type", "")
        if name in _SKIP or (name == "title" and kind in _SKIPPED_TITLES):
            self._left_out[name] += 1
            self._skipped = 1
            return
        behind: Parts | None = None
        if name in _LINES:
            self.words.end_line()
        if name == "div" and kind == "book":
            behind, self._book = (), _parts(attributes)
            self._go_to(self._book)
        elif name in ("chapter", "verse"):
            behind = self._number(name, attributes)
        self._open.append(behind)

    def end(self, name: str) -> None:
        """An element ends."""
        if self._skipped:
            self._skipped -= 1
            return
        behind = self._open.pop()
        if name in _LINES:
            self.words.end_line()
        elif name == "cell":
            self.words.tab()
        if behind is not None:
            self._go_to(behind)

    def text(self, text: str) -> None:
        """Characters between tags."""
        if not self._skipped:
            self.words.add(text)

    def notes(self) -> list[str]:
        """What the user should hear of."""
        notes = []
        if count := self._left_out["note"]:
            notes.append(f"{counted(count, 'note')} excluded")
        if self.words.full:
            notes.append(f"more than {MAX_MARKS:,} verses; places after them have lines only")
        return notes

    def _number(self, name: str, attributes: Attributes) -> Parts | None:
        """A chapter or verse begins or ends; what ends with its element, if anything does."""
        around = self._book if name == "chapter" else self._chapter
        if "eID" in attributes:
            self._go_to(around)
            return None
        parts = _parts(attributes)
        if not parts and (number := attributes.get("n", "").strip()):
            parts = (*around, shortened_part(number))
        if not parts:
            return None
        if name == "chapter":
            self._chapter = parts
        else:
            self.words.add(" ")
        self._go_to(parts)
        return None if "sID" in attributes else around

    def _go_to(self, parts: Parts) -> None:
        if len(parts) == 1:
            self._chapter = parts
        self.words.mark(parts)


def _parts(attributes: Attributes) -> Parts:
    """The reference of an element: of "Matt.3.7 Matt.3.8", ("Matt", "3", "7-8")."""
    ids = (attributes.get("osisID") or attributes.get("sID") or "").split()
    every = [_id_parts(one) for one in ids]
    if not every:
        return ()
    first, last = every[0], every[-1]
    if len(every) > 1 and first[:-1] == last[:-1] and first != last:
        return (*first[:-1], f"{first[-1]}-{last[-1]}")
    return first


def _id_parts(id_: str) -> Parts:
    """Of "Bible.KJV:Matt.3.7!a", the book, the chapter and the verse."""
    plain = id_.rpartition(":")[2].partition("!")[0]
    return tuple(shortened_part(part) for part in plain.split(".") if part)[:_MAX_DEPTH]
