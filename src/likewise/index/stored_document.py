"""`StoredDocument`: a row of an index; its text and metadata are decoded when they are needed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likewise.documents.document import Document
from likewise.documents.references import References
from likewise.documents.texts import scrub
from likewise.errors import UsageError
from likewise.index.damage import DamageError
from likewise.index.packed_text import Unpacked, text_bytes, unpack

MAX_ID_BYTES = 2_000  # as in a unique index of PostgreSQL
MAX_DOCUMENT = 2**32 - 1  # the highest number
_MAX_BYTES_AT_ONCE = 64 << 20  # of texts that are unpacked and compared together


@dataclass(frozen=True)
class StoredDocument:
    """A stored document. The first seven attributes are the columns of a store.

    Attributes:
        number: its position in the index; a document that is replaced gets a new number.
        id: the id given by the user.
        content: a hash of the text, its pages and references, and the metadata.
        size: the number of shingles; a document without shingles is in no pair.
        signature: `<u4` values as bytes.
        metadata_json: None if there is no metadata.
        packed_text: None if the index stores no texts, or the text was not requested.
        index: the name of the index in messages.
        text, page_starts, references, metadata: decoded; `page_starts` is None for a text without
            pages, `references` for one without such numbers.
    """

    number: int
    id: str
    content: bytes = field(repr=False)
    size: int
    signature: bytes = field(repr=False)
    metadata_json: str | None
    packed_text: bytes | None = field(repr=False)
    index: str | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, row: tuple[Any, ...], index: str) -> Self:
        """From a row of a store, whose types were checked. Raises `DamageError`."""
        if not 1 <= row[0] <= MAX_DOCUMENT or row[3] < 0:
            raise DamageError(f"document {row[1]!r} has an impossible number or size")
        return cls(*(*row, index))

    @cached_property
    def metadata(self) -> dict[str, Any] | None:
        if self.metadata_json is None:
            return None
        try:
            metadata = json.loads(self.metadata_json)
            if "\\ud" in self.metadata_json.lower():  # a surrogate, perhaps a lone one
                metadata = json.loads(scrub(json.dumps(metadata, ensure_ascii=False)))
        except (ValueError, RecursionError):
            metadata = None
        if not isinstance(metadata, dict):
            raise DamageError(f"the metadata of {self.id!r} are not a JSON object", self.index)
        return metadata

    @property
    def text(self) -> str | None:
        return None if self._unpacked is None else self._unpacked.text

    @property
    def page_starts(self) -> tuple[int, ...] | None:
        return None if self._unpacked is None else self._unpacked.page_starts

    @property
    def references(self) -> References | None:
        return None if self._unpacked is None else self._unpacked.references

    @property
    def stored_text(self) -> str:
        """The text, where every document has one. Raises `DamageError`."""
        if self.text is None:
            raise DamageError(f"the text of {self.id!r} is missing", self.index)
        return self.text

    def to_document(self) -> Document:
        """To be shown; without a text if the index stores none."""
        return Document(
            self.text or "",
            self.page_starts,
            id=self.id,
            metadata=self.metadata,
            references=self.references,
        )

    @cached_property
    def _unpacked(self) -> Unpacked | None:
        if self.packed_text is None:
            return None
        try:
            return unpack(self.packed_text)
        except ValueError as error:
            raise DamageError(f"the text of {self.id!r}: {error}", self.index) from error


def signature_values(documents: Sequence[StoredDocument], values: int) -> NDArray[np.uint32]:
    """The signatures of documents, one per row. Raises `DamageError`."""
    for document in documents:
        if len(document.signature) != 4 * values:
            raise DamageError(f"the signature of {document.id!r} does not have {values} values")
    rows = np.frombuffer(b"".join(document.signature for document in documents), "<u4")
    return rows.reshape(len(documents), values).astype(np.uint32, copy=False)


def split_by_size(documents: Iterable[StoredDocument]) -> Iterator[list[StoredDocument]]:
    """Documents in lists whose texts have together at most `_MAX_BYTES_AT_ONCE`, or one each."""
    part: list[StoredDocument] = []
    size = 0
    for document in documents:
        own = text_bytes(document.packed_text or b"")
        if part and size + own > _MAX_BYTES_AT_ONCE:
            yield part
            part, size = [], 0
        part.append(document)
        size += own
    if part:
        yield part


def is_storable(id_: str) -> bool:
    """Whether a store can have a document with this id."""
    return _problem(id_) is None


def check_id(id_: str) -> None:
    """Raises `UsageError` for an id that a document cannot have."""
    if problem := _problem(id_):
        raise UsageError(problem, hint="give the document another id")


def _problem(id_: str) -> str | None:
    try:
        size = len(id_.encode())
    except UnicodeEncodeError:
        return f"the id {id_!r} has a lone surrogate, which cannot be stored"
    if size > MAX_ID_BYTES:
        return f"the id {id_[:40]!r}… has more than {MAX_ID_BYTES:,} bytes"
    return f"the id {id_!r} has a NUL" if "\0" in id_ else None
