"""Review marks: what people decided about a pair of documents or about a passage of it.

They are facts of an index, one each, so that of two people who mark the same passage the last one
wins, and nothing else is lost. A mark says which texts it is about by their digests: it does not
apply to a text that has taken the place of one of them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from dataclasses import astuple, dataclass
from typing import Literal, Self, get_args

from likewise.errors import UsageError
from likewise.index.damage import DamageError
from likewise.index.stored_document import is_storable
from likewise.index.stores.transaction import Snapshot, Transaction

Status = Literal["important", "reviewed", "cleared"]
STATUSES: tuple[Status, ...] = get_args(Status)
MAX_MARKS = 10_000
MAX_NOTE = 2_000  # characters
MAX_DIGEST = 64
TIME_PATTERN = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$"
_PREFIX = "review:"
_REVISION = "reviews"
_KEY_BYTES = 16


@dataclass(frozen=True, slots=True)
class ReviewMark:
    """A mark of the pair of documents a and b, a before b, or of one of its passages.

    Attributes:
        a, b: ids.
        status: what was decided.
        note: up to `MAX_NOTE` characters.
        time: when, as in 2026-05-04T09:30:00Z.
        digest_a, digest_b: of the texts that were looked at (`text_digest`), where they are stored.
        passage: start and end in a and start and end in b, in code points; None for the pair.
    """

    a: str
    b: str
    status: Status
    note: str = ""
    time: str = ""
    digest_a: str | None = None
    digest_b: str | None = None
    passage: tuple[int, int, int, int] | None = None

    def __post_init__(self) -> None:
        """Raises `UsageError` for what cannot be stored."""
        if problem := self._problem():
            raise UsageError(f"a review mark {problem}")

    def _problem(self) -> str | None:
        digests = [digest for digest in (self.digest_a, self.digest_b) if digest is not None]
        if not (is_storable(self.a) and is_storable(self.b)):
            return "names a document that cannot be stored"
        if not self.a < self.b:
            return "needs two documents, in order"
        if self.status not in STATUSES:
            return f"is one of {', '.join(STATUSES)}"
        if len(self.note) > MAX_NOTE:
            return f"has a note of more than {MAX_NOTE:,} characters"
        if "\0" in self.note or not _is_encodable(self.note):
            return "has a note with characters that cannot be stored"
        if any(len(digest) > MAX_DIGEST or not digest.isascii() for digest in digests):
            return "has a digest that is none"
        if self.time and not re.match(TIME_PATTERN, self.time):
            return "has a time that is none, such as 2026-05-04T09:30:00Z"
        if self.passage is not None and not _is_passage(self.passage):
            return "has an impossible passage"
        return None

    @classmethod
    def of(
        cls,
        documents: tuple[str, str],
        status: Status,
        *,
        digests: tuple[str | None, str | None] = (None, None),
        passage: tuple[int, int, int, int] | None = None,
        note: str = "",
        time: str = "",
    ) -> Self:
        """A mark of two documents in any order."""
        (a, b), (digest_a, digest_b) = documents, digests
        if a > b:
            a, b, digest_a, digest_b = b, a, digest_b, digest_a
            passage = passage and (*passage[2:], *passage[:2])
        return cls(a, b, status, note, time, digest_a, digest_b, passage)

    @property
    def key(self) -> str:
        """The same for all marks of the same pair or passage."""
        place = json.dumps([self.a, self.b, self.passage]).encode()
        return hashlib.blake2b(place, digest_size=_KEY_BYTES).hexdigest()

    @classmethod
    def _stored(cls, value: str) -> Self:
        a, b, status, note, time, digest_a, digest_b, passage = json.loads(value)
        passage = None if passage is None else tuple(passage)
        return cls(a, b, status, note, time, digest_a, digest_b, passage)


def read_marks(snapshot: Snapshot) -> list[ReviewMark]:
    """All marks, ordered by their documents and places. Raises `DamageError`."""
    if not review_revision(snapshot):
        return []
    try:
        marks = [ReviewMark._stored(value) for value in snapshot.facts_that_begin(_PREFIX)]
    except (ValueError, TypeError, AttributeError, RecursionError, UsageError) as error:
        raise DamageError("a review mark is not as it was written") from error
    return sorted(marks, key=lambda mark: (mark.a, mark.b, mark.passage or ()))


def review_revision(snapshot: Snapshot) -> int:
    """Grows with every change of marks."""
    return snapshot.int_fact(_REVISION)


def write_marks(transaction: Transaction, marks: Iterable[ReviewMark]) -> None:
    """Stores marks, each in place of one of the same pair or passage. Raises `UsageError`."""
    for mark in marks:
        transaction.set_fact(_PREFIX + mark.key, json.dumps(astuple(mark)))
    _count_change(transaction)
    if len(read_marks(transaction)) > MAX_MARKS:
        raise UsageError(
            f"an index can have at most {MAX_MARKS:,} review marks", hint="remove some of them"
        )


def delete_marks(transaction: Transaction, keys: Collection[str]) -> int:
    """Removes marks by their keys; how many there were."""
    found = {mark.key for mark in read_marks(transaction)} & set(keys)
    if found:
        transaction.delete_facts([_PREFIX + key for key in found])
        _count_change(transaction)
    return len(found)


def delete_marks_of(transaction: Transaction, ids: Collection[str]) -> None:
    """Removes all marks of documents: what was written about them goes with them."""
    gone = set(ids)
    delete_marks(
        transaction,
        [mark.key for mark in read_marks(transaction) if not gone.isdisjoint((mark.a, mark.b))],
    )


def _count_change(transaction: Transaction) -> None:
    transaction.set_fact(_REVISION, review_revision(transaction) + 1)


def _is_passage(passage: object) -> bool:
    return (
        isinstance(passage, tuple)
        and len(passage) == 4
        and all(type(place) is int and 0 <= place < 2**32 for place in passage)
        and passage[0] < passage[1]
        and passage[2] < passage[3]
    )


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
