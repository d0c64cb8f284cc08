"""`Document`: a stored document as a user sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likewise.index.stores.protocol import StoredDocument
from likewise.index.texts import unpacked


@dataclass(frozen=True, slots=True)
class Document:
    """A stored document.

    Attributes:
        number: its place in the index; a document that is replaced gets a new one.
        id: what the user calls it.
        size: how many shingles it has.
        text: None where texts are not kept, or were not asked for.
        page_starts: where the pages of the text begin; None for a text without pages.
        metadata: what is known about it.
    """

    number: int
    id: str
    size: int
    text: str | None
    page_starts: tuple[int, ...] | None
    metadata: dict[str, Any] | None

    @classmethod
    def of(cls, stored: StoredDocument) -> Document:
        text, starts = (None, None) if stored.text is None else unpacked(stored.text)
        return cls(stored.number, stored.id, stored.size, text, starts, stored.known())
