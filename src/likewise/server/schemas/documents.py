"""Documents: stored, fetched, listed, removed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from likewise.server.schemas.common import (
    MAX_ITEMS,
    ApiModel,
    Count,
    FileFacts,
    Id,
    Metadata,
    RequestModel,
    Text,
)


class NewDocument(RequestModel):
    """A document to store."""

    id: Id
    text: Text = Field(description="Its text.", examples=["the cat sat on the mat"])
    metadata: Metadata | None = None


class NewDocuments(RequestModel):
    """Documents to store: all of them, or none."""

    documents: list[NewDocument] = Field(min_length=1, max_length=MAX_ITEMS)


class Ids(RequestModel):
    """Ids of documents."""

    ids: list[Id] = Field(min_length=1, max_length=MAX_ITEMS)


class Stored(ApiModel):
    """The result of storing a document."""

    id: str
    status: Literal["added", "replaced", "unchanged"]
    """`unchanged`: it is already stored with the same content."""


class StoredDocuments(ApiModel):
    """The result of storing documents; they are on disk."""

    added: Count
    replaced: Count
    unchanged: Count
    documents: list[Stored] = Field(description="In the order in which they were sent.")


class StoredFile(Stored, FileFacts):
    """The result of storing a file; it is on disk."""

    pages: Count | None = Field(description="Number of pages; null for a format without pages.")


class Described(ApiModel):
    """What a table says about the documents of a collection; it is on disk."""

    name: str
    documents: Count = Field(description="Number of documents in the collection.")
    described: Count = Field(description="Documents that have a row.")
    changed: Count = Field(description="Documents whose metadata changed.")
    unmatched: list[str] = Field(description="Rows that match no document, at most 100.")
    summary: str = Field(description="What was matched, and which column was taken for what.")


class Removed(ApiModel):
    """A removed document."""

    id: str


class RemovedDocuments(ApiModel):
    """Removed documents."""

    removed: list[str]
    missing: list[str] = Field(description="Ids that were not found.")


class Summary(ApiModel):
    """A stored document without its text."""

    id: str
    size: Count = Field(description="Number of shingles.")
    metadata: dict[str, Any] | None


class Page(ApiModel):
    """One page of the list of documents, in the order in which they were added."""

    documents: list[Summary]
    next: Count | None = Field(description="`after` of the next page; null on the last one.")


class References(ApiModel):
    """Where the numbering of a text begins that scholars cite."""

    scheme: Literal["verses", "lines", "sections"] = Field(description="What is numbered.")
    marks: list[list[Any]]
    """[offset, part, …]: from this code point on, the reference has these parts, such as "Mt", "3"
    and "7"."""


class StoredDocument(Summary):
    """A stored document."""

    text: str | None = Field(description="Null if texts are not stored.")
    page_starts: list[Count] | None
    """Start of each page in the text, in code points; null without pages."""
    references: References | None
    """Chapter and verse, act and line, or section and paragraph; null for a text without them."""
