"""Collections: which there are, and new ones."""

from __future__ import annotations

from pydantic import BaseModel, Field

from likewise.server.collections import MAX_CHARACTERS
from likewise.server.schemas.common import Asked, Count, Share, Text


class NewCollection(Asked):
    """A collection to be made."""

    name: Text = Field(
        description="Letters, digits, spaces, and the signs . _ -; it begins and ends with a "
        "letter or a digit.",
        min_length=1,
        max_length=MAX_CHARACTERS,
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
    error: str | None = Field(description="Reason why it is currently not available.")


class Limits(BaseModel):
    """What may be sent."""

    max_request: Count = Field(description="Maximum bytes per request body.")
    max_documents: Count = Field(description="Maximum number of documents per request or archive.")
    kinds: list[str] = Field(description="Extensions of supported files.")
    unsupported: dict[str, str] = Field(
        description="Extensions of common unsupported files, each with a suggested alternative."
    )


class Collections(BaseModel):
    """All collections of the server."""

    collections: list[Collection]
    default: str = Field(
        description="The collection behind `/api/…`; the others are at `/c/NAME/api/…`."
    )
    can_make: bool = Field(description="Whether new collections can be created.")
    limits: Limits
    version: str
