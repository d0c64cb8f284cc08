"""`ViewedDocument`: a document to be shown, wherever it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from likewise.documents.document import Place, Places
from likewise.documents.metadata import FIELDS

if TYPE_CHECKING:
    from likewise.documents.batch import Batch
    from likewise.documents.document import Hidden
    from likewise.index.document import Document


@dataclass(frozen=True, eq=False)
class ViewedDocument:
    """One document.

    Attributes:
        id: what the user calls it.
        text: as it was read.
        page_starts: where its pages begin; None for a text without pages.
        metadata: title, author, date and group are shown.
        hidden: text in its file that readers do not see.
    """

    id: str
    text: str
    page_starts: Sequence[int] | None = None
    metadata: Mapping[str, Any] | None = None
    hidden: Sequence[Hidden] = ()

    @classmethod
    def of_index(cls, document: Document) -> ViewedDocument:
        """A stored document; without a text if the index stores none."""
        return cls(document.id, document.text or "", document.page_starts, document.metadata)

    @cached_property
    def known(self) -> dict[str, str]:
        """Those of title, author, date and group that are known."""
        values = {name: (self.metadata or {}).get(name) for name in FIELDS}
        return {name: str(value) for name, value in values.items() if value is not None}

    def described(self) -> dict[str, str | None]:
        """Its id, and title, author, date and group, each None if it is not known."""
        return {"id": self.id} | {name: self.known.get(name) for name in FIELDS}

    @cached_property
    def _places(self) -> Places:
        return Places(self.text, self.page_starts)

    def place(self, offset: int) -> Place:
        """Page and line of a character."""
        return self._places.at(offset)


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
