"""`WordStretches`: parts of a document by the numbers of its words, as they are shown.

A page of a report finds them itself, by the same rules (`pages/static/data/stretch_texts.js`).
"""

from __future__ import annotations

from likewise.documents.document import Document
from likewise.passages.ranges import word_range
from likewise.text.obfuscation import find_tricks
from likewise.text.words import words_of


class WordStretches:
    """The words of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._displayed = find_tricks(document.text).mended
        self._words = words_of(self._displayed)

    def view(self, first: int, last: int) -> dict[str, str] | None:
        """The text from one word up to that before another, and its place; None if there is none.

        `first` and `last` count words from 0.
        """
        if not 0 <= first < last <= len(self._words):
            return None
        start, end = word_range(self._words, first, last)
        return {"text": self._displayed[start:end], "place": self._place(start, end)}

    def _place(self, start: int, end: int) -> str:
        """Chapter and verse, or page and line where it begins."""
        place, reference = self._document.place(start), self._document.reference(start, end)
        if not reference:
            return str(place)
        return reference if place.page is None else f"{reference}, page {place.page}"
