"""Review marks of pairs and passages."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from likewise.index.review_marks import MAX_DIGEST, MAX_NOTE, TIME_PATTERN, Status
from likewise.server.schemas.common import ApiModel, Count, Id, RequestModel, Text

MAX_MARKS_AT_ONCE = 200  # their texts are read to compare digests
Digest = Annotated[Text, Field(max_length=MAX_DIGEST)]
Place = Annotated[int, Field(ge=0, lt=2**32)]


class NewMark(RequestModel):
    """A mark of the pair of documents a and b, or of a passage that they share."""

    a: Id
    b: Id
    status: Status
    note: Text = Field("", max_length=MAX_NOTE)
    passage: Annotated[list[Place], Field(min_length=4, max_length=4)] | None = None
    """Start and end in a, start and end in b, in characters; null for a mark of the pair."""
    digest_a: Digest | None = None
    """`digest` of the text of a, as the view of it has; if the text is another one by now, the mark
    is refused with 409."""
    digest_b: Digest | None = None
    time: str | None = Field(None, pattern=TIME_PATTERN)
    """When it was made, of marks that were made elsewhere; otherwise now."""


class NewMarks(RequestModel):
    """Marks to store, each in place of one of the same pair or passage."""

    marks: list[NewMark] = Field(
        min_length=1,
        max_length=MAX_MARKS_AT_ONCE,
        examples=[[{"a": "essay 1.txt", "b": "essay 2.txt", "status": "cleared"}]],
    )


class MarkKeys(RequestModel):
    """Keys of marks to remove."""

    keys: list[Annotated[Text, Field(max_length=MAX_DIGEST)]] = Field(
        min_length=1, max_length=10_000
    )


class Mark(ApiModel):
    """A mark; a is before b in the order of characters."""

    key: str
    a: str
    b: str
    status: Status
    note: str
    time: str
    digest_a: str | None
    """Digest of the text that was looked at. If the view of the document has another one, the text
    has changed since, and the mark is not about it."""
    digest_b: str | None
    passage: list[Count] | None = Field(description="Null for a mark of the pair.")


class Marks(ApiModel):
    """The review marks of a collection."""

    revision: Count = Field(description="Grows with every change.")
    marks: list[Mark] | None
    """Null if the revision is the one that the request names."""
    can_change: bool = Field(description="Whether this token may change them.")
