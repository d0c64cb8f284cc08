"""Collections: listed and created."""

from __future__ import annotations

from pydantic import Field

from likewise.server.archives import MAX_COLLECTIONS as MAX_ARCHIVES
from likewise.server.collections import MAX_CHARACTERS
from likewise.server.schemas.common import ApiModel, Count, RequestModel, Share, Text


class NewCollection(RequestModel):
    """A collection to create."""

    name: Text = Field(min_length=1, max_length=MAX_CHARACTERS, examples=["Essays 2018"])
    """Letters, digits, spaces and . _ -; it must begin and end with a letter or a digit."""


class MadeCollection(ApiModel):
    """A collection that was created; it is empty."""

    name: str


class Collection(ApiModel):
    """One collection; unknown values are null."""

    name: str
    documents: Count | None
    keeps_text: bool | None
    min_words: Count | None
    threshold: Share | None
    profile: str | None
    shared: bool | None = Field(description="Whether readers see it.")
    error: str | None = Field(description="Reason why it is currently not available.")


class Limits(ApiModel):
    """Limits of requests."""

    max_request: Count = Field(description="Maximum bytes per request body.")
    max_documents: Count = Field(description="Maximum number of documents per request or archive.")
    kinds: list[str] = Field(description="Extensions of supported files.")
    tables: list[str] = Field(description="Extensions of tables that may describe documents.")
    unsupported: dict[str, str]
    """Extensions of common unsupported files, each with a suggested alternative."""


class Collections(ApiModel):
    """All collections of the server."""

    collections: list[Collection]
    default: str | None
    """The default collection, at `/api/…`; the others are at `/c/NAME/api/…`. Null for readers who
    do not see it."""
    can_make: bool = Field(description="Whether new collections can be created.")
    can_change: bool = Field(description="Whether this token may store, change and remove.")
    has_readers: bool = Field(description="Whether the server has a token for readers.")
    limits: Limits
    version: str


class ArchiveChoice(RequestModel):
    """The collections that the documents of a collection are compared with."""

    collections: list[Text] = Field(max_length=MAX_ARCHIVES, examples=[["Essays 2017"]])
    """Their names; none for no archive."""


class Archive(ApiModel):
    """The archive of a collection: other collections that its documents are compared with."""

    collections: list[str]
    available: list[str] = Field(description="All collections that can be chosen.")


class SharingChoice(RequestModel):
    """Whether readers see a collection."""

    readers: bool


class Sharing(ApiModel):
    """Whether readers see a collection."""

    readers: bool
    always: bool = Field(description="Whether the server was started so, and it cannot be changed.")
