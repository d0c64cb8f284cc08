"""What requests and answers look like; the OpenAPI document is made from it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

MOST_ID_BYTES = 1024  # what PostgreSQL can look up, and more than a URL should have
MOST_METADATA_BYTES = 16_384
MOST_DEPTH = 16
MOST_FIELDS = 16
MOST_THINGS = 10_000  # documents, texts or ids, whatever a server is told to allow
DEFAULT_TOP = 100
MOST_TOP = 1_000
WITHOUT_NUL = r"^[^\x00]*$"  # told; checked by `check_text`, which is quicker


def check_text(text: str) -> str:
    """A text, if it is one: no half characters, and no NUL, which databases cut at."""
    if "\0" in text:
        raise ValueError("has a NUL character")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError("has half a character (a lone surrogate)") from error
    return text


def check_id(id_: str) -> str:
    """An id, if it is one."""
    if not id_:
        raise ValueError("an id has at least one character")
    if len(check_text(id_).encode()) > MOST_ID_BYTES:
        raise ValueError(f"an id has at most {MOST_ID_BYTES:,} bytes in UTF-8")
    return id_


def _check_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    if _is_deeper(metadata, MOST_DEPTH):
        raise ValueError(f"is nested more than {MOST_DEPTH} deep")
    try:
        said = json.dumps(metadata, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise ValueError("holds a number that JSON has no word for") from error
    if len(check_text(said).encode()) > MOST_METADATA_BYTES:
        raise ValueError(f"has more than {MOST_METADATA_BYTES:,} bytes as JSON")
    if "\\u0000" in said:
        raise ValueError("has a NUL character")
    return metadata


def _is_deeper(value: object, most: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    if most == 0:
        return True
    inside = value.values() if isinstance(value, dict) else value
    return any(_is_deeper(one, most - 1) for one in inside)


Id = Annotated[
    str,
    AfterValidator(check_id),
    Field(
        description=f"What a document is known by: any text of 1 to {MOST_ID_BYTES:,} bytes in "
        "UTF-8, without NUL.",
        min_length=1,
        max_length=MOST_ID_BYTES,
        examples=["2018/essay 17.txt"],
        json_schema_extra={"pattern": WITHOUT_NUL},
    ),
]
Text = Annotated[str, AfterValidator(check_text), Field(json_schema_extra={"pattern": WITHOUT_NUL})]
Metadata = Annotated[
    dict[str, Any],
    AfterValidator(_check_metadata),
    Field(
        description=f"What is known about it, at most {MOST_METADATA_BYTES:,} bytes as JSON.",
        examples=[{"author": "A. Reader", "year": 2018}],
    ),
]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Threshold = Annotated[
    float,
    Field(
        gt=0,
        le=1,
        allow_inf_nan=False,
        description="The least similarity; that of the index, if not given. A lower one needs "
        "`scan`.",
    ),
]
Top = Annotated[
    int, Field(ge=1, le=MOST_TOP, description="At most so many documents for each text.")
]
Scan = Annotated[
    bool,
    Field(description="Look at every document: slow, and finds what is below the threshold."),
]
Level = Annotated[
    float,
    Field(gt=0, lt=1, allow_inf_nan=False, description="Of the intervals, if no texts are kept."),
]


class _Asked(BaseModel):
    """A request: no field that is not known, no number for a text."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _has_few_fields(cls, data: Any) -> Any:
        """Each field too many would be told of by itself, and there may be millions."""
        if isinstance(data, dict) and len(data) > MOST_FIELDS:
            raise ValueError(f"has more than {MOST_FIELDS} fields")
        return data


class NewDocument(_Asked):
    """A document to be stored."""

    id: Id
    text: Text = Field(description="Its text.", examples=["the cat sat on the mat"])
    metadata: Metadata | None = None


class NewDocuments(_Asked):
    """Documents to be stored: all of them, or none."""

    documents: list[NewDocument] = Field(min_length=1, max_length=MOST_THINGS)


class Query(_Asked):
    """Texts, each of which is asked about by itself."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"text": "the cat sat on the mat and looked at the sea", "top": 10}],
            "oneOf": [{"required": ["text"]}, {"required": ["texts"]}],
        }
    )

    text: Text | SkipJsonSchema[None] = Field(None, description="One text.")
    texts: (
        Annotated[list[Text], Field(min_length=1, max_length=MOST_THINGS)] | SkipJsonSchema[None]
    ) = Field(None, description="Or several.")
    threshold: Threshold | None = None
    top: Top = DEFAULT_TOP
    scan: Scan = False
    level: Level = 0.95

    @model_validator(mode="after")
    def _has_texts(self) -> Query:
        given = self.model_fields_set & {"text", "texts"}
        if len(given) != 1 or (self.text is None and self.texts is None):
            raise ValueError('give either "text" or "texts"')
        return self

    def asked(self) -> list[str]:
        return self.texts if self.texts is not None else [self.text or ""]


class Ids(_Asked):
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


class Interval(BaseModel):
    """Bounds of a number that is not exact."""

    low: Share
    high: Share


class Intervals(BaseModel):
    """Where the numbers of a match may lie."""

    level: float = Field(description="How often, at least, such intervals hold the true value.")
    jaccard: Interval
    containment: Interval
    containment_of_document: Interval


class Match(BaseModel):
    """A stored document that is similar to a text."""

    id: str
    verified: bool = Field(
        description="Counted on the full sets of shingles; else estimated, with `intervals`."
    )
    jaccard: Share = Field(description="Shared shingles / all different shingles of both.")
    containment: Share = Field(description="Shared shingles / those of the text asked about.")
    containment_of_document: Share = Field(description="Shared shingles / those of the document.")
    shared: Count | None = Field(description="Shingles in common; null if estimated.")
    size: Count = Field(description="Shingles of the text asked about.")
    size_of_document: Count = Field(description="Shingles of the document.")
    intervals: Intervals | None = Field(description="Null if verified.")
    metadata: dict[str, Any] | None


class Promise(BaseModel):
    """What was looked for, and what of it is found."""

    profile: str = Field(description="How texts become shingles.", examples=["word:3"])
    threshold: Share
    top: Count
    recall: Share = Field(
        description="The chance that a document just at the threshold is found; a more similar one "
        "has a higher. 1 for `scan`."
    )
    scan: bool


class Answer(BaseModel):
    """The documents similar to one text, the most similar first."""

    matches: list[Match]


class Answers(BaseModel):
    """One answer for each text, in the order in which they were asked."""

    answers: list[Answer]
    search: Promise


class FileAnswer(Answers):
    """The answer for a document that was read from a file."""

    characters: Count = Field(description="Of its text.")
    notes: list[str] = Field(description="What should be known about how it was read.")


class IndexInfo(BaseModel):
    """What the index was made for, and what it holds."""

    model_config = ConfigDict(extra="allow")

    profile: str
    threshold: Share
    recall: Share
    values: Count
    bands: Count
    rows: Count
    keeps_text: bool
    documents: Count
    bytes: Count = Field(description="On disk.")


class Health(BaseModel):
    """The server runs, and the index can be read."""

    status: Literal["ok"]


class ErrorDetail(BaseModel):
    """What went wrong."""

    message: str = Field(description="What was wrong, and what was expected.")
    hint: str | None = Field(description="What to do.")


class Error(BaseModel):
    """Every answer that is not the one asked for."""

    error: ErrorDetail
