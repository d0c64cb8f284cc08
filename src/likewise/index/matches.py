"""Answers of an index: documents that are similar to the one that was asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likewise.statistics.estimate import Estimate

FIELDS = ("title", "author", "date", "group")  # of the metadata that rows show
COLUMNS = (
    "id", "jaccard", "low", "high", "containment", "containment_of_document", "shared", "size",
    "size_of_document", *FIELDS,
)  # fmt: skip
KINDS = (str, *(float,) * 5, *(int,) * 3, *(str,) * len(FIELDS))


@dataclass(frozen=True, slots=True)
class Match:
    """A stored document that is similar, verified on the full sets of shingles.

    Attributes:
        id: of the document.
        jaccard: shared shingles over all shingles of both.
        containment: shared shingles over those of the text that was asked about.
        containment_of_document: shared shingles over those of the document.
        shared, size, size_of_document: how many shingles.
        metadata: what is known about the document.
    """

    id: str
    jaccard: float
    containment: float
    containment_of_document: float
    shared: int
    size: int
    size_of_document: int
    metadata: dict[str, Any] | None = None

    def row(self) -> tuple[Any, ...]:
        """The values of COLUMNS; what is exact has no interval."""
        return (
            self.id, self.jaccard, None, None, self.containment, self.containment_of_document,
            self.shared, self.size, self.size_of_document, *described(self.metadata),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class EstimatedMatch:
    """A stored document that may be similar, by its signature alone: no text is kept of it.

    Attributes:
        id: of the document.
        jaccard: the similarity, with its interval.
        containment, containment_of_document: what follows from it and the sizes.
        size, size_of_document: how many shingles.
        metadata: what is known about the document.
    """

    id: str
    jaccard: Estimate
    containment: Estimate
    containment_of_document: Estimate
    size: int
    size_of_document: int
    metadata: dict[str, Any] | None = None

    def row(self) -> tuple[Any, ...]:
        """The values of COLUMNS."""
        return (
            self.id, self.jaccard.value, self.jaccard.low, self.jaccard.high,
            self.containment.value, self.containment_of_document.value, None, self.size,
            self.size_of_document, *described(self.metadata),
        )  # fmt: skip


def described(metadata: dict[str, Any] | None) -> tuple[str | None, ...]:
    """The values of FIELDS."""
    values = ((metadata or {}).get(name) for name in FIELDS)
    return tuple(None if value is None else str(value) for value in values)
