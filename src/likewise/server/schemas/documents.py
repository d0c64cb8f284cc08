"""Documents that are stored, fetched, listed, removed."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from likewise.server.schemas.common import MOST_THINGS, Asked, Count, Id, Metadata, Text


class NewDocument(Asked):
    """A document to be stored."""

    id: Id
    text: Text = Field(description="Its text.", examples=["the cat sat on the mat"])
    metadata: Metadata | None = None


class NewDocuments(Asked):
    """Documents to be stored: all of them, or none."""

    documents: list[NewDocument] = Field(min_length=1, max_length=MOST_THINGS)


class Ids(Asked):
    """Ids of documents."""

    ids: list[Id] = Field(min_length=1, max_length=MOST_THINGS)


class Stored(BaseModel):
    """What became of a document."""

    id: str
    status: Literal["added", "replaced", "unchanged"] = Field(
        description="`unchanged`: it is there with the same content already."
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
    pages: Count | None = Field(description="How many; null for a kind without pages.")
    notes: list[str] = Field(description="What should be known about how it was read.")


class Removed(BaseModel):
    """A document that is not there any more."""

    id: str


class RemovedDocuments(BaseModel):
    """Documents that are not there any more."""

    removed: list[str]
    missing: list[str] = Field(description="Those that were not there.")


class Summary(BaseModel):
    """A stored document without its text."""

    id: str
    size: Count = Field(description="How many shingles it has.")
    metadata: dict[str, Any] | None


class Page(BaseModel):
    """Some of the documents, in the order in which they were added."""

    documents: list[Summary]
    next: Count | None = Field(description="`after` of the next page; null on the last one.")


class StoredDocument(Summary):
    """A stored document."""

    text: str | None = Field(description="Null where texts are not kept.")
    page_starts: list[Count] | None = Field(
        description="Where pages begin in the text, in code points; null for one without pages."
    )
