"""`Match`: a stored document that is similar to the text of a query."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

from likewise.documents.document import FIELDS, describe
from likewise.statistics.estimate import Estimate
from likewise.types import Measure

COLUMNS = (
    "id", "jaccard", "low", "high", "containment", "containment_of_document", "shared", "size",
    "size_of_document", *FIELDS,
)  # fmt: skip
KINDS = (str, *(float,) * 5, *(int,) * 3, *(str,) * len(FIELDS))


class Intervals(NamedTuple):
    """The measures of a match as estimates by signatures."""

    jaccard: Estimate
    containment: Estimate
    containment_of_document: Estimate


@dataclass(frozen=True, slots=True)
class Match:
    """A similar document.

    Attributes:
        jaccard: the similarity, verified on the full sets of shingles, or an estimate.
        containment: the share of the query's shingles that the document has.
        containment_of_document: the share of the document's shingles that the query has.
        shared: how many shingles both have; None if that is not known.
        size, size_of_document: how many shingles the query and the document have.
        intervals: where no texts are compared: the three measures are estimates by signatures, with
            these intervals. None for a verified match.
    """

    id: str
    jaccard: float
    containment: float
    containment_of_document: float
    shared: int | None
    size: int
    size_of_document: int
    metadata: dict[str, Any] | None = None
    intervals: Intervals | None = None

    @classmethod
    def estimated(cls, intervals: Intervals, **known: Any) -> Match:
        """A match that is known by its signature alone."""
        measures = {name: one.value for name, one in intervals._asdict().items()}
        return cls(shared=None, intervals=intervals, **measures, **known)

    @property
    def estimate(self) -> Estimate | None:
        """The similarity with its interval, where it is an estimate."""
        return None if self.intervals is None else self.intervals.jaccard

    @property
    def similarity(self) -> float:
        """The former name of `jaccard`."""
        warnings.warn("Match.similarity is now jaccard", DeprecationWarning, stacklevel=2)
        return self.jaccard

    @property
    def containment_of_shorter(self) -> float:
        """The share of the shorter text's shingles that the longer one has."""
        return max(self.containment, self.containment_of_document)

    def row(self, measure: Measure = "jaccard") -> tuple[Any, ...]:
        """The values of COLUMNS; exact values have no interval, others that of the measure."""
        estimate = self.estimate
        if self.intervals is not None and measure == "containment":
            estimate = max(self.intervals[1:], key=lambda one: one.value)
        bounds = (None, None) if estimate is None else (estimate.low, estimate.high)
        measures = self.jaccard, *bounds, self.containment, self.containment_of_document
        sizes = self.shared, self.size, self.size_of_document
        return self.id, *measures, *sizes, *describe(self.metadata).values()
