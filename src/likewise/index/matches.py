"""`Match` and `EstimatedMatch`: stored documents that are similar to the text of a query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from likewise.documents.document import FIELDS, describe
from likewise.statistics.estimate import Estimate

COLUMNS = (
    "id", "jaccard", "low", "high", "containment", "containment_of_document", "shared", "size",
    "size_of_document", *FIELDS,
)  # fmt: skip
KINDS = (str, *(float,) * 5, *(int,) * 3, *(str,) * len(FIELDS))


@dataclass(frozen=True, slots=True)
class Match:
    """A similar document, verified on the full sets of shingles.

    `containment` is the share of the query's shingles that the document has, and
    `containment_of_document` the share of the document's shingles that the query has.
    """

    id: str
    jaccard: float
    containment: float
    containment_of_document: float
    shared: int
    size: int
    size_of_document: int
    metadata: dict[str, Any] | None = None

    @property
    def similarity(self) -> float:
        return self.jaccard

    def row(self) -> tuple[Any, ...]:
        """The values of COLUMNS; exact values have no interval."""
        measures = self.jaccard, None, None, self.containment, self.containment_of_document
        sizes = self.shared, self.size, self.size_of_document
        return self.id, *measures, *sizes, *describe(self.metadata).values()


@dataclass(frozen=True, slots=True)
class EstimatedMatch:
    """A document that may be similar, by its signature alone; see `Match`.

    The containments follow from the similarity and the sizes.
    """

    id: str
    jaccard: Estimate
    containment: Estimate
    containment_of_document: Estimate
    size: int
    size_of_document: int
    metadata: dict[str, Any] | None = None

    @property
    def similarity(self) -> float:
        return self.jaccard.value

    def row(self) -> tuple[Any, ...]:
        """The values of COLUMNS."""
        interval = self.jaccard.value, self.jaccard.low, self.jaccard.high
        containments = self.containment.value, self.containment_of_document.value
        sizes = None, self.size, self.size_of_document
        return self.id, *interval, *containments, *sizes, *describe(self.metadata).values()
