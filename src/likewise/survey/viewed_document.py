"""`ViewedDocument`: a document that is to be looked at, wherever it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likewise.documents.batch import Batch
    from likewise.documents.document import Hidden
    from likewise.index.document import Document

FIELDS = ("title", "author", "date", "group")


@dataclass(frozen=True, slots=True, eq=False)
class ViewedDocument:
    """One document.

    Attributes:
        id: what the user calls it.
        text: as it was read.
        page_starts: where its pages begin; None for a text without pages.
        metadata: what is known of it; title, author, date and group are shown.
        hidden: what its file holds and nobody sees, where the reader told.
    """

    id: str
    text: str
    page_starts: Sequence[int] | None = None
    metadata: Mapping[str, Any] | None = None
    hidden: Sequence[Hidden] = ()

    @classmethod
    def of_index(cls, document: Document) -> ViewedDocument:
        """A stored document; without a text, where the index keeps none."""
        return cls(document.id, document.text or "", document.page_starts, document.metadata)

    def described(self) -> dict[str, str | None]:
        """Its id, and title, author, date and group, each None where it is not known."""
        known = self.metadata or {}
        values = {name: known.get(name) for name in FIELDS}
        return {"id": self.id} | {
            name: None if value is None else str(value) for name, value in values.items()
        }


def documents_of(batch: Batch) -> list[ViewedDocument]:
    """The documents of a batch that was read."""
    nothing: Sequence[None] = [None] * len(batch)
    return [
        ViewedDocument(id_, text, pages, None if known is None else known.known(), hidden or ())
        for id_, text, pages, known, hidden in zip(
            batch.ids,
            map(str, batch.texts.to_pylist()),
            batch.page_starts or nothing,
            batch.metadata or nothing,
            batch.hidden or nothing,
            strict=True,
        )
    ]
