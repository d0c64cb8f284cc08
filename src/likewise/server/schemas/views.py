"""What the pages of the app show. Fields may be added; those that are told of stay."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from likewise.server.schemas.common import (
    MAX_ID_BYTES,
    WITHOUT_NUL,
    Asked,
    Count,
    Share,
    Text,
    check_id,
)

Name = Annotated[
    str,
    AfterValidator(check_id),
    Field(
        min_length=1,
        max_length=MAX_ID_BYTES,
        json_schema_extra={"pattern": WITHOUT_NUL},
    ),
]
Place = Annotated[int, Field(ge=0)]
Range = Annotated[list[Place], Field(min_length=2, max_length=2)]


class CheckedText(Asked):
    """A text that is held against the index."""

    text: Text = Field(description="The text.", examples=["bees dance to tell where flowers are"])
    name: Name | None = Field(None, description="Name of the text.")


class Told(BaseModel):
    """What is answered, and what may be added to it."""

    model_config = ConfigDict(extra="allow")


class DocumentText(Told):
    """A text as it is shown; places are in code points."""

    id: str
    title: str | None
    author: str | None
    date: str | None
    group: str | None
    words: Count | None = Field(description="Null if texts are not stored.")
    text: str | None = Field(description="Null if texts are not stored.")
    unspaced: bool = Field(description="Whether its script has no spaces between words.")
    page_starts: list[Place] | None
    marks: list[list[Any]] = Field(
        description="[start, end, reason, first word, behind the last] of quotations, the "
        "bibliography and excluded text."
    )
    left_out: list[str] = Field(
        description="Reasons for which parts were excluded from the search."
    )
    flags: list[list[Any]] = Field(
        description="[start, end, kind, shown] of places that are other than they look."
    )


class Measures(Told):
    """How similar two documents are; `low` and `high` where `jaccard` is an estimate.

    What is not known is null: of documents whose texts are not kept, all about passages.
    """

    jaccard: Share
    low: float | None
    high: float | None
    level: float | None
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
    run_p: float | None = Field(
        description="The probability that unrelated texts of these lengths share a run as long as "
        "that of the best passage."
    )
    chance_run: Count | None
    chance: float | None
    p: float | None
    q: float | None


class ShownPassage(Told):
    """A passage that two documents share; `first` and `last` count words."""

    start: Place
    end: Place
    first: Place
    last: Place
    other_start: Place
    other_end: Place
    other_first: Place
    other_last: Place
    words: Count
    run: Count
    similarity: float
    kind: str
    p: float | None
    matched: list[Range] = Field(description="Matched words, as ranges of words.")
    changed: list[Range] = Field(description="Where its other words are, in characters.")
    other_matched: list[Range]
    other_changed: list[Range]


class ShownSource(Told):
    """A document that shares passages."""

    id: str
    title: str | None
    author: str | None
    date: str | None
    group: str | None
    words: Count
    pair: Measures
    passages: list[ShownPassage]
    reworded: list[ShownPassage]


class ShownMatch(Told):
    """A document that is similar as a whole."""

    id: str
    title: str | None
    jaccard: Share
    low: float | None
    high: float | None
    level: float | None
    containment_a: Share
    containment_b: Share


class DocumentView(Told):
    """A document, and what others share with it."""

    document: DocumentText
    sources: list[ShownSource] = Field(description="Ordered by the number of shared words.")
    matches: list[ShownMatch] = Field(description="The most similar first.")
    min_words: Count = Field(description="Minimum words in a run of the search for passages.")
    searched: bool = Field(
        description="Whether passages were searched for; if not, there are no sources."
    )
    notes: list[str]


class PairView(Told):
    """Two documents side by side."""

    a: DocumentText
    b: DocumentText
    measures: Measures
    passages: list[ShownPassage]
    reworded: list[ShownPassage]
    notes: list[str]


class SurveyAnswer(Told):
    """The whole collection, or how far the work on it is."""

    state: Literal["ready", "running", "empty"]
    survey: dict[str, Any] | None = Field(None, description="Where `state` is `ready`.")
    changed: bool | None = Field(
        None, description="Documents were added or removed since; a new survey is being made."
    )
    stage: str | None = Field(None, description="Where `state` is `running`: what is being done.")
    done: Count | None = None
    total: Count | None = None
