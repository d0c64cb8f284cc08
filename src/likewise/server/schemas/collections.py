"""Collections: which there are, and new ones."""

from __future__ import annotations

from pydantic import BaseModel, Field

from likewise.server.collections import MOST_CHARACTERS
from likewise.server.schemas.common import Asked, Count, Share, Text


class NewCollection(Asked):
    """A collection to be made."""

    name: Text = Field(
        description="Letters, digits, spaces, and the signs . _ -; it begins and ends with a "
        "letter or a digit.",
        min_length=1,
        max_length=MOST_CHARACTERS,
        examples=["Essays 2018"],
    )


class MadeCollection(BaseModel):
    """A collection that is there now, with nothing in it."""

    name: str


class Collection(BaseModel):
    """One collection; what is not known is null."""

    name: str
    documents: Count | None
    keeps_text: bool | None
    min_words: Count | None
    threshold: Share | None
    profile: str | None
    error: str | None = Field(description="Why it cannot be asked now.")


class Limits(BaseModel):
    """What may be sent."""

    max_request: Count = Field(description="Bytes of a body.")
    max_documents: Count = Field(description="Documents in a request, or in an archive.")
    kinds: list[str] = Field(description="Endings of files that can be read.")


class Collections(BaseModel):
    """All collections of the server."""

    collections: list[Collection]
    default: str = Field(description="That which `/api/…` asks; others are `/c/NAME/api/…`.")
    can_make: bool = Field(description="Whether new ones can be made.")
    limits: Limits
    version: str
