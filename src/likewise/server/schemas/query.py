"""Questions for similar documents, and their answers."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from likewise.server.schemas.common import (
    DEFAULT_TOP,
    AskedTexts,
    Count,
    Share,
    Top,
    described,
)

Threshold = Annotated[
    float,
    Field(
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="Minimum similarity; by default that of the index. A lower one requires "
        "`scan`.",
    ),
]
Scan = Annotated[
    bool,
    Field(
        description="Compare with every document: slow, but also finds matches below the threshold."
    ),
]
Level = Annotated[
    float,
    Field(
        gt=0,
        lt=1,
        allow_inf_nan=False,
        description="Confidence level of the intervals, if no texts are stored.",
    ),
]


class Query(AskedTexts):
    """Texts, each of which is asked about by itself."""

    model_config = described({"text": "the cat sat on the mat and looked at the sea", "top": 10})

    threshold: Threshold | None = None
    top: Top = DEFAULT_TOP
    scan: Scan = False
    level: Level = 0.95


class Interval(BaseModel):
    """Bounds of a number that is not exact."""

    low: Share
    high: Share


class Intervals(BaseModel):
    """Where the numbers of a match may lie."""

    level: float = Field(description="Minimum share of such intervals that contain the true value.")
    jaccard: Interval
    containment: Interval
    containment_of_document: Interval


class Match(BaseModel):
    """A stored document that is similar to a text."""

    id: str
    verified: bool = Field(
        description="Counted on the full sets of shingles; else estimated, with `intervals`."
    )
    jaccard: Share = Field(description="Shared shingles / all different shingles of both.")
    containment: Share = Field(description="Shared shingles / shingles of the query text.")
    containment_of_document: Share = Field(
        description="Shared shingles / shingles of the document."
    )
    shared: Count | None = Field(description="Shingles in common; null if estimated.")
    size: Count = Field(description="Shingles of the query text.")
    size_of_document: Count = Field(description="Shingles of the document.")
    intervals: Intervals | None = Field(description="Null if verified.")
    metadata: dict[str, Any] | None


class Promise(BaseModel):
    """What was looked for, and what of it is found."""

    profile: str = Field(description="How texts become shingles.", examples=["word:3"])
    threshold: Share
    top: Count
    recall: Share = Field(
        description="The chance that a document just at the threshold is found; a more similar one "
        "has a higher. 1 for `scan`."
    )
    scan: bool


class Answer(BaseModel):
    """The documents similar to one text, the most similar first."""

    matches: list[Match]


class Answers(BaseModel):
    """One answer for each text, in the order in which they were asked."""

    answers: list[Answer]
    search: Promise


class FileAnswer(Answers):
    """The answer for a document that was read from a file."""

    characters: Count = Field(description="Of its text.")
    notes: list[str] = Field(description="Notes on how the file was read.")
