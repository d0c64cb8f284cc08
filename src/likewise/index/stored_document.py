"""`StoredDocument`: a row of an index; its text and metadata are decoded when they are needed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.index.packed_text import unpack

MAX_ID_BYTES = 2_000  # as in a unique index of PostgreSQL


@dataclass(frozen=True)
class StoredDocument:
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

    @cached_property
    def metadata(self) -> dict[str, Any] | None:
        return None if self.metadata_json is None else json.loads(self.metadata_json)

    @property
    def text(self) -> str | None:
        return self._unpacked[0]

    @property
    def page_starts(self) -> tuple[int, ...] | None:
        return self._unpacked[1]

    def to_document(self) -> Document:
        """To be shown; without a text if the index stores none."""
        return Document(self.text or "", self.page_starts, id=self.id, metadata=self.metadata)

    @property
    def values(self) -> NDArray[np.uint32]:
        """The signature as an array."""
        return np.frombuffer(self.signature, "<u4").astype(np.uint32, copy=False)

    @cached_property
    def _unpacked(self) -> tuple[str | None, tuple[int, ...] | None]:
        return (None, None) if self.packed_text is None else unpack(self.packed_text)


def signature_values(documents: Sequence[StoredDocument]) -> NDArray[np.uint32]:
    """The signatures of documents, one per row."""
    values = np.frombuffer(b"".join(document.signature for document in documents), "<u4")
    return values.reshape(len(documents), -1).astype(np.uint32, copy=False)


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
