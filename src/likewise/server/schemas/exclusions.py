"""What the app excludes: phrases and templates of a collection, and passages."""

from __future__ import annotations

from pydantic import Field

from likewise.index.exclusion_texts import MAX_PHRASES
from likewise.server.schemas.common import MAX_ITEMS, ApiModel, Count, Id, RequestModel, Text

MAX_PASSAGES = 50


class Template(ApiModel):
    """A text that everyone was given."""

    name: str
    words: Count


class ExclusionTexts(ApiModel):
    """Phrases and templates of a collection, which its pages can exclude."""

    phrases: list[str]
    templates: list[Template]


class Phrases(RequestModel):
    """Phrases to exclude wherever they occur."""

    phrases: list[Text] = Field(max_length=MAX_PHRASES, examples=[["the anonymous reviewers"]])
    """In place of all that are stored; each of at most 300 characters."""


class TemplateName(RequestModel):
    """A template of the collection."""

    name: Id


class PassageWords(RequestModel):
    """A passage: words of a document, the first and that after the last, counted from 0."""

    id: Id
    first: int = Field(ge=0)
    last: int = Field(ge=1)


class WantedExclusions(RequestModel):
    """What to look for."""

    phrases: bool = Field(False, description="The phrases of the collection.")
    template: bool = Field(False, description="Its templates.")
    passages: list[PassageWords] = Field(default=[], max_length=MAX_PASSAGES)
    archive: list[Id] = Field(default=[], max_length=MAX_ITEMS)
    """Documents of the archive in which to look as well."""


class ExcludedWords(ApiModel):
    """Excluded words of documents."""

    documents: dict[str, dict[str, list[Count]]]
    """By id and reason (`phrase`, `template` or `passage`): the first word, the one after the last,
    and so on."""
    missing: Count = Field(description="Passages and documents that are no longer stored.")
