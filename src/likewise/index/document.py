"""`Document`: a stored document; its text and metadata are decoded when they are needed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import UsageError
from likewise.index.damage import DamageError
from likewise.index.packed_text import unpack

MAX_ID_BYTES = 2_000  # as in a unique index of PostgreSQL
MAX_DOCUMENT = 2**32 - 1  # the highest number


@dataclass(frozen=True)
class Document:
    """A stored document. The first seven attributes are the columns of a store.

    Attributes:
        number: its position in the index; a document that is replaced gets a new number.
        id: the id given by the user.
        content: a hash of the text, its pages and the metadata.
        size: the number of shingles; a document without shingles is in no pair.
        signature: `<u4` values as bytes.
        metadata_json: None if there is no metadata.
        packed_text: None if the index stores no texts, or the text was not requested.
        text, page_starts, metadata: decoded; `page_starts` is None for a text without pages.
    """

    number: int
    id: str
    content: bytes = field(repr=False)
    size: int
    signature: bytes = field(repr=False)
    metadata_json: str | None
    packed_text: bytes | None = field(repr=False)

    @classmethod
    def of(cls, row: tuple[Any, ...]) -> Document:
        """From a row of a store, whose types were checked. Raises `DamageError`."""
        if not 1 <= row[0] <= MAX_DOCUMENT or row[3] < 0:
            raise DamageError(f"document {row[1]!r} has an impossible number or size")
        return cls(*row)

    @cached_property
    def metadata(self) -> dict[str, Any] | None:
        if self.metadata_json is None:
            return None
        try:
            metadata = json.loads(self.metadata_json)
        except (ValueError, RecursionError):
            metadata = None
        if not isinstance(metadata, dict):
            raise DamageError(f"the metadata of {self.id!r} are not a JSON object")
        return metadata

    @property
    def text(self) -> str | None:
        return self._unpacked[0]

    @property
    def page_starts(self) -> tuple[int, ...] | None:
        return self._unpacked[1]

    @property
    def stored_text(self) -> str:
        """The text, where every document has one. Raises `DamageError`."""
        if self.text is None:
            raise DamageError(f"the text of {self.id!r} is missing")
        return self.text

    @cached_property
    def _unpacked(self) -> tuple[str | None, tuple[int, ...] | None]:
        if self.packed_text is None:
            return None, None
        try:
            return unpack(self.packed_text)
        except ValueError as error:
            raise DamageError(f"the text of {self.id!r}: {error}") from error


def signature_values(documents: Sequence[Document], values: int) -> NDArray[np.uint32]:
    """The signatures of documents, one per row. Raises `DamageError`."""
    for document in documents:
        if len(document.signature) != 4 * values:
            raise DamageError(f"the signature of {document.id!r} does not have {values} values")
    rows = np.frombuffer(b"".join(document.signature for document in documents), "<u4")
    return rows.reshape(len(documents), values).astype(np.uint32, copy=False)


def is_storable(id_: str) -> bool:
    """Whether a store can have a document with this id."""
    try:
        check_id(id_)
    except UsageError:
        return False
    return True


def check_id(id_: str) -> None:
    """Raises for an id that some store cannot keep."""
    try:
        size = len(id_.encode())
    except UnicodeEncodeError:
        raise UsageError(f"the id {id_!r} has a lone surrogate, which cannot be stored") from None
    if size > MAX_ID_BYTES or "\0" in id_:
        raise UsageError(
            f"the id {id_[:40]!r}… has more than {MAX_ID_BYTES:,} bytes"
            if size > MAX_ID_BYTES
            else f"the id {id_!r} has a NUL",
            hint="give the document another id",
        )
