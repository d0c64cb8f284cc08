"""Documents that are stored, fetched, listed, removed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from likewise.server.schemas.common import MAX_ITEMS, Asked, Count, Id, Metadata, Text


class NewDocument(Asked):
    """A document to be stored."""

    id: Id
    text: Text = Field(description="Its text.", examples=["the cat sat on the mat"])
    metadata: Metadata | None = None


class NewDocuments(Asked):
    """Documents to be stored: all of them, or none."""

    documents: list[NewDocument] = Field(min_length=1, max_length=MAX_ITEMS)


class Ids(Asked):
    """Ids of documents."""

    ids: list[Id] = Field(min_length=1, max_length=MAX_ITEMS)


class Stored(BaseModel):
    """What became of a document."""

    id: str
    status: Literal["added", "replaced", "unchanged"] = Field(
        description="`unchanged`: it is already stored with the same content."
    )


class StoredDocuments(BaseModel):
    """What became of documents; they are on disk."""

    added: Count
    replaced: Count
    unchanged: Count
    documents: list[Stored] = Field(description="In the order in which they were sent.")


class StoredFile(Stored):
    """What became of a document that was read from a file; it is on disk."""

    characters: Count = Field(description="Of its text.")
    pages: Count | None = Field(description="Number of pages; null for a format without pages.")
    notes: list[str] = Field(description="Notes on how the file was read.")


class Removed(BaseModel):
    """A document that is not there any more."""

    id: str


class RemovedDocuments(BaseModel):
    """Documents that are not there any more."""

    removed: list[str]
    missing: list[str] = Field(description="Ids that were not found.")


class Summary(BaseModel):
    """A stored document without its text."""

    id: str
    size: Count = Field(description="Number of shingles.")
    metadata: dict[str, Any] | None


class Page(BaseModel):
    """Some of the documents, in the order in which they were added."""

    documents: list[Summary]
    next: Count | None = Field(description="`after` of the next page; null on the last one.")


class StoredDocument(Summary):
    """A stored document."""

    text: str | None = Field(description="Null if texts are not stored.")
    page_starts: list[Count] | None = Field(
        description="Start of each page in the text, in code points; null without pages."
    )
