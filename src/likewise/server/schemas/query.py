"""Searches for similar documents, and their answers."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field

from likewise.server.schemas.common import (
    DEFAULT_TOP,
    MAX_TOP,
    ApiModel,
    Count,
    FileFacts,
    RequestTexts,
    Share,
    texts_config,
)


class SearchOptions(ApiModel):
    """See `Index.query`."""

    model_config = ConfigDict(frozen=True)

    threshold: float | None = Field(default=None, gt=0, le=1, allow_inf_nan=False)
    """Minimum similarity; by default that of the index. A lower one requires `scan`."""
    top: int = Field(default=DEFAULT_TOP, ge=1, le=MAX_TOP)
    """Maximum number of documents per text."""
    scan: bool = False
    """Compare with every document: slow, but also finds matches below the threshold."""
    level: float = Field(default=0.95, gt=0, lt=1, allow_inf_nan=False)
    """Confidence level of the intervals, if no texts are stored."""


class Query(SearchOptions, RequestTexts):
    """One or more texts, each checked separately."""

    model_config = texts_config({"text": "the cat sat on the mat and looked at the sea", "top": 10})

    def options(self) -> SearchOptions:
        return SearchOptions(**{name: getattr(self, name) for name in SearchOptions.model_fields})


class Interval(ApiModel):
    """Bounds of an estimate."""

    low: Share
    high: Share


class Intervals(ApiModel):
    """Intervals of the estimates of a match."""

    level: float = Field(description="Minimum share of such intervals that contain the true value.")
    jaccard: Interval
    containment: Interval
    containment_of_document: Interval


class Match(ApiModel):
    """A stored document that is similar to a text."""

    id: str
    verified: bool
    """Computed from the full sets of shingles; otherwise estimated, with `intervals`."""
    jaccard: Share = Field(description="Shared shingles / all different shingles of both.")
    containment: Share = Field(description="Shared shingles / shingles of the query text.")
    containment_of_document: Share
    """Shared shingles / shingles of the document."""
    shared: Count | None = Field(description="Shingles in common; null if estimated.")
    size: Count = Field(description="Shingles of the query text.")
    size_of_document: Count = Field(description="Shingles of the document.")
    intervals: Intervals | None = Field(description="Null if verified.")
    metadata: dict[str, Any] | None


class Promise(ApiModel):
    """Settings and recall of the search."""

    profile: str = Field(description="How texts become shingles.", examples=["word:3"])
    threshold: Share
    top: Count
    recall: Share
    """The probability that a document just at the threshold is found; it is higher for more similar
    ones, and 1 for `scan`."""
    scan: bool


class Answer(ApiModel):
    """The documents similar to one text, the most similar first."""

    matches: list[Match]


class Answers(ApiModel):
    """One answer per text, in the order of the request."""

    answers: list[Answer]
    search: Promise


class FileAnswer(Answers, FileFacts):
    """The answer for a document that was read from a file."""
