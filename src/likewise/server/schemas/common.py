"""Types that several requests and answers share: ids, texts and metadata with their limits."""

from __future__ import annotations

import json
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from likewise.server.text_limits import check_growth

MAX_ID_BYTES = 1024  # which PostgreSQL can index
MAX_METADATA_BYTES = 16_384
MAX_DEPTH = 16
MAX_FIELDS = 16
MAX_ITEMS = 10_000  # documents, texts or ids; `max_documents` of a server may be lower
DEFAULT_TOP = 100
MAX_TOP = 1_000
WITHOUT_NUL = r"^[^\x00]*$"  # for the OpenAPI description; `check_text` checks it faster


def check_text(text: str) -> str:
    """The text; raises `ValueError` for lone surrogates, for NUL, at which databases cut, and for
    what `check_growth` refuses."""
    if "\0" in text:
        raise ValueError("has a NUL character")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ValueError("has a lone surrogate, which is not a character") from error
    return check_growth(text)


def check_id(id_: str) -> str:
    """The id; raises `ValueError` if it is invalid."""
    if len(check_text(id_).encode()) > MAX_ID_BYTES:
        raise ValueError(f"an id must have at most {MAX_ID_BYTES:,} bytes in UTF-8")
    return id_


def _check_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    if _is_deeper(metadata, MAX_DEPTH):
        raise ValueError(f"is nested more than {MAX_DEPTH} deep")
    try:
        encoded = json.dumps(metadata, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise ValueError("contains a number that JSON cannot represent") from error
    if len(check_text(encoded).encode()) > MAX_METADATA_BYTES:
        raise ValueError(f"has more than {MAX_METADATA_BYTES:,} bytes as JSON")
    if "\\u0000" in encoded:
        raise ValueError("has a NUL character")
    return metadata


def _is_deeper(value: object, most: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    if most == 0:
        return True
    inside = value.values() if isinstance(value, dict) else value
    return any(_is_deeper(one, most - 1) for one in inside)


Text = Annotated[str, AfterValidator(check_text), Field(json_schema_extra={"pattern": WITHOUT_NUL})]
Id = Annotated[
    str,
    AfterValidator(check_id),
    Field(
        description=f"Id of the document: any text of up to {MAX_ID_BYTES:,} bytes in "
        "UTF-8, without NUL.",
        max_length=MAX_ID_BYTES,
        examples=["2018/essay 17.txt"],
        json_schema_extra={"pattern": WITHOUT_NUL},
    ),
]
Metadata = Annotated[
    dict[str, Any],
    AfterValidator(_check_metadata),
    Field(
        description=f"Metadata of the document, at most {MAX_METADATA_BYTES:,} bytes as JSON.",
        examples=[{"author": "A. Reader", "year": 2018}],
    ),
]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class ApiModel(BaseModel):
    """Long descriptions of fields are docstrings after them."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class RequestModel(ApiModel):
    """A request: unknown fields and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _limit_fields(cls, data: Any) -> Any:
        """Each unknown field would be reported separately, and there may be millions."""
        if isinstance(data, dict) and len(data) > MAX_FIELDS:
            raise ValueError(f"has more than {MAX_FIELDS} fields")
        return data


class RequestTexts(RequestModel):
    """One or more texts, each checked separately."""

    text: Text | SkipJsonSchema[None] = Field(None, description="One text.")
    texts: (
        Annotated[list[Text], Field(min_length=1, max_length=MAX_ITEMS)] | SkipJsonSchema[None]
    ) = None
    """Several texts."""

    @model_validator(mode="after")
    def _has_texts(self) -> Self:
        given = self.model_fields_set & {"text", "texts"}
        if len(given) != 1 or (self.text is None and self.texts is None):
            raise ValueError('give either "text" or "texts"')
        return self

    def all_texts(self) -> list[str]:
        return self.texts if self.texts is not None else [self.text or ""]


def texts_config(example: dict[str, Any]) -> ConfigDict:
    """The OpenAPI description of a subclass of `RequestTexts`."""
    either: list[Any] = [{"required": ["text"]}, {"required": ["texts"]}]
    return ConfigDict(json_schema_extra={"examples": [example], "oneOf": either})


class FileFacts(ApiModel):
    """How a file was read."""

    characters: Count = Field(description="Number of characters of its text.")
    notes: list[str] = Field(description="Notes on how the file was read.")


class ErrorDetail(ApiModel):
    """The problem and how to solve it."""

    message: str = Field(description="The problem and the expected value.")
    hint: str | None = Field(description="A suggested fix.")


class Error(ApiModel):
    """Every error has this form."""

    error: ErrorDetail
