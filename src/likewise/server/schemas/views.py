"""Pages of the app. Fields may be added; the documented ones stay."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from likewise.passages.passage import Attribution
from likewise.server.schemas.common import (
    MAX_ITEMS,
    ApiModel,
    Count,
    Id,
    RequestModel,
    Share,
    Text,
)

MAX_STRETCHES = 100

Range = Annotated[list[Count], Field(min_length=2, max_length=2)]


class CheckedText(RequestModel):
    """A text to compare with the collection."""

    text: Text = Field(description="The text.", examples=["bees dance to tell where flowers are"])
    name: Id | None = Field(None, description="Name of the text.")


class ViewModel(ApiModel):
    """An answer that may have more fields."""

    model_config = ConfigDict(extra="allow")


class DescribedDocument(ViewModel):
    """A document and its metadata."""

    id: str
    archive: str | None = Field(None, description="The archive that it is in, if any.")
    title: str | None
    author: str | None
    date: str | None
    group: str | None


class DocumentText(DescribedDocument):
    """A text as it is displayed; offsets are in code points."""

    words: Count | None = Field(description="Null if texts are not stored.")
    digest: str | None = Field(description="Of the text, for review marks; null without texts.")
    text: str | None = Field(description="Null if texts are not stored.")
    unspaced: bool = Field(description="Whether its script has no spaces between words.")
    page_starts: list[Count] | None
    references: dict[str, Any] | None = None
    """Chapter and verse, act and line, or section and paragraph: `scheme`, `heads` ([names, numbers
    but the last]) and `marks` ([offset, head, last number]; a head of -1 has no reference)."""
    marks: list[list[Any]]
    """[start, end, reason, first word, end word (exclusive)] of quotations, the bibliography and
    excluded text."""
    left_out: list[str]
    """Reasons why parts were excluded from the search."""
    flags: list[list[Any]]
    """[start, end, kind, shown, count] of places with hidden or look-alike characters: the number
    of words or places in this stretch."""
    flag_notes: list[str] = Field(description="What they are, in words.")
    lookalikes: list[Any]
    """[offsets, letters]: where letters look like others, and those others."""


class Similarity(ViewModel):
    """How similar two documents are; `low` and `high` if `jaccard` is an estimate."""

    jaccard: Share
    low: float | None
    high: float | None
    level: float | None


class Measures(Similarity):
    """All measures of two documents.

    Unknown values are null: if texts are not stored, everything about passages.
    """

    containment_a: Share | None
    containment_b: Share | None
    shared: Count | None
    size_a: Count | None
    size_b: Count | None
    words: Count | None = Field(description="Words of a that are matched in at least one passage.")
    words_b: Count | None = Field(description="The same for b.")
    share_a: Share | None
    share_b: Share | None
    passages: Count | None
    reworded: Count | None = Field(description="Possibly reworded passages, counted nowhere else.")
    run: Count | None
    run_p: float | None
    """The probability that unrelated texts of these lengths share a run as long as that of the best
    passage."""
    chance_run: Count | None
    chance: float | None
    p: float | None
    q: float | None


class ShownPassage(ViewModel):
    """A passage that two documents share; `first` and `last` count words."""

    start: Count
    end: Count
    first: Count
    last: Count
    other_start: Count
    other_end: Count
    other_first: Count
    other_last: Count
    words: Count
    run: Count
    similarity: float
    kind: str
    p: float | None
    attribution: Attribution = Field(description="Whether the text quotes and cites there.")
    other_attribution: Attribution = Field(description="The same for the other text.")
    matches: list[list[Count]]
    """Runs of matched words: [word of a, word of b, words, start and end in a, start and end in
    b]. No run crosses the beginning or the end of a mark."""
    matched: list[Range] = Field(description="Matched words, as ranges of words.")
    changed: list[Range] = Field(description="Its other words, as ranges of characters.")
    other_matched: list[Range]
    other_changed: list[Range]


class ShownPassages(ViewModel):
    """Passages that two documents share."""

    passages: list[ShownPassage]
    reworded: list[ShownPassage]


class ShownSource(ShownPassages, DescribedDocument):
    """A document that shares passages."""

    words: Count
    digest: str
    unspaced: bool
    marks: list[list[Any]]
    pair: Measures


class ShownMatch(Similarity):
    """A document that is similar as a whole."""

    id: str
    title: str | None
    author: str | None
    date: str | None
    group: str | None
    containment_a: Share
    containment_b: Share


class DocumentView(ViewModel):
    """A document, and what others share with it."""

    document: DocumentText
    sources: list[ShownSource] = Field(description="Ordered by the number of shared words.")
    matches: list[ShownMatch] = Field(description="The most similar first.")
    min_words: Count = Field(description="Minimum words in a run of the search for passages.")
    searched: bool
    """Whether passages were searched for; if not, there are no sources."""
    notes: list[str]


class PairView(ShownPassages):
    """Two documents side by side."""

    a: DocumentText
    b: DocumentText
    measures: Measures
    notes: list[str]


class Stretch(RequestModel):
    """Words of a document: the first and that after the last, counted from 0."""

    id: Id
    first: int = Field(ge=0)
    last: int = Field(ge=1)


class Stretches(RequestModel):
    """Places of stored documents."""

    places: list[Stretch] = Field(min_length=1, max_length=MAX_STRETCHES)


class StretchText(ApiModel):
    """The text of a place."""

    text: str = Field(description="As displayed, from the first word to the last.")
    place: str = Field(
        description="Chapter and verse, or page and line of the first word.",
        examples=["page 3, line 5"],
    )


class StretchTexts(ApiModel):
    """The texts of some places, in the order of the request."""

    stretches: list[StretchText | None]
    """Null for words or documents that are no longer stored."""


class UnreadFile(RequestModel):
    """A file that could not be read."""

    name: Id
    reason: Text = Field(max_length=1000)


class UnreadFiles(RequestModel):
    """Files that could not be read."""

    files: list[UnreadFile] = Field(min_length=1, max_length=MAX_ITEMS)


class UnreadNames(RequestModel):
    """Names of files that could not be read; all, if none are given."""

    names: list[Id] | None = Field(None, max_length=MAX_ITEMS)


class KnownUnread(ViewModel):
    """Files of a collection that could not be read, and are not in it."""

    files: list[UnreadFile] = Field(description="The latest last, at most 1,000.")
    unlisted: Count = Field(description="Number of those beyond that.")


class SurveyAnswer(ViewModel):
    """The whole collection, or the progress of the survey."""

    state: Literal["ready", "running", "empty"]
    survey: dict[str, Any] | None = Field(None, description="Present if `state` is `ready`.")
    changed: bool | None = None
    """Documents were added or removed since; a new survey is being computed."""
    unread: KnownUnread | None = Field(None, description="Unless `state` is `running`.")
    stage: str | None = Field(None, description="The current step, if `state` is `running`.")
    done: Count | None = None
    total: Count | None = None
