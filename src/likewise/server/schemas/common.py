"""What requests have in common: ids, texts and metadata, each with its limits; and errors."""

from __future__ import annotations

import json
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

MAX_ID_BYTES = 1024  # what PostgreSQL can look up, and more than a URL should have
MAX_METADATA_BYTES = 16_384
MAX_DEPTH = 16
MAX_FIELDS = 16
MAX_ITEMS = 10_000  # documents, texts or ids, whatever a server allows
DEFAULT_TOP = 100
MAX_TOP = 1_000
WITHOUT_NUL = r"^[^\x00]*$"  # for clients; checked by `check_text`, which is quicker


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
    if len(check_text(id_).encode()) > MAX_ID_BYTES:
        raise ValueError(f"an id has at most {MAX_ID_BYTES:,} bytes in UTF-8")
    return id_


def _check_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    if _is_deeper(metadata, MAX_DEPTH):
        raise ValueError(f"is nested more than {MAX_DEPTH} deep")
    try:
        said = json.dumps(metadata, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise ValueError("contains a number that JSON cannot represent") from error
    if len(check_text(said).encode()) > MAX_METADATA_BYTES:
        raise ValueError(f"has more than {MAX_METADATA_BYTES:,} bytes as JSON")
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
        description=f"Id of the document: any text of 1 to {MAX_ID_BYTES:,} bytes in "
        "UTF-8, without NUL.",
        min_length=1,
        max_length=MAX_ID_BYTES,
        examples=["2018/essay 17.txt"],
        json_schema_extra={"pattern": WITHOUT_NUL},
    ),
]
Text = Annotated[str, AfterValidator(check_text), Field(json_schema_extra={"pattern": WITHOUT_NUL})]
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
Top = Annotated[int, Field(ge=1, le=MAX_TOP, description="Maximum number of documents per text.")]


class Asked(BaseModel):
    """A request: no field that is not known, no number for a text."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _has_few_fields(cls, data: Any) -> Any:
        """Each field too many would be told of by itself, and there may be millions."""
        if isinstance(data, dict) and len(data) > MAX_FIELDS:
            raise ValueError(f"has more than {MAX_FIELDS} fields")
        return data


class AskedTexts(Asked):
    """One text or several, each of which is asked about by itself."""

    text: Text | SkipJsonSchema[None] = Field(None, description="One text.")
    texts: (
        Annotated[list[Text], Field(min_length=1, max_length=MAX_ITEMS)] | SkipJsonSchema[None]
    ) = Field(None, description="Or several.")

    @model_validator(mode="after")
    def _has_texts(self) -> Self:
        given = self.model_fields_set & {"text", "texts"}
        if len(given) != 1 or (self.text is None and self.texts is None):
            raise ValueError('give either "text" or "texts"')
        return self

    def all_texts(self) -> list[str]:
        return self.texts if self.texts is not None else [self.text or ""]


def described(example: dict[str, Any]) -> ConfigDict:
    """What the description of `AskedTexts` says besides its fields."""
    either: list[Any] = [{"required": ["text"]}, {"required": ["texts"]}]
    return ConfigDict(json_schema_extra={"examples": [example], "oneOf": either})


class ErrorDetail(BaseModel):
    """What went wrong."""

    message: str = Field(description="The problem and the expected value.")
    hint: str | None = Field(description="A suggested fix.")


class Error(BaseModel):
    """Every answer that is not the one asked for."""

    error: ErrorDetail
