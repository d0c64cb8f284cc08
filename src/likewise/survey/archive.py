"""`Archive`: documents that those under review are compared with, but not with each other."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.search.order import id_key

NAME = "archive"
"""What an archive is called that has no name of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Archive:
    """Earlier documents, in one or more collections.

    Attributes:
        collections: documents by the name of their collection.
        count: the number of documents in the archive, where `collections` has only those that were
            found in an index.
        prefix_all: whether every id is preceded by the name of its collection, so that it can be
            found again there.
        notes: what the user should know.
    """

    collections: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    count: int | None = None
    prefix_all: bool = False
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        """The number of documents in the archive."""
        return sum(map(len, self.collections.values())) if self.count is None else self.count

    def joined(self, other: Archive) -> Archive:
        """Both, the other one first."""
        if not other.collections:
            return self
        collections = dict(other.collections)
        for name, documents in self.collections.items():
            collections[f"index {name}" if name in collections else name] = documents
        return Archive(
            collections, len(self) + len(other), self.prefix_all, [*other.notes, *self.notes]
        )

    def named(self, under_review: Iterable[Document]) -> Iterator[tuple[str, Document]]:
        """Its documents, each with the name of its collection, ordered by their ids.

        Ids stay as they are if no document under review and none of an earlier collection has the
        same one. The others are preceded by the name of their collection: `archive: essay.txt`.
        """
        own = {document.id for document in under_review}
        taken = set(own)
        every = taken.union(*({one.id for one in part} for part in self.collections.values()))
        for name, documents in self.collections.items():
            ordered = sorted(documents, key=lambda document: id_key(document.id))
            check_unique(ordered)
            for document in ordered:
                id_ = document.id
                if self.prefix_all:
                    id_ = prefixed(name, id_, own)
                elif id_ in taken:
                    id_ = prefixed(name, id_, every)
                yield name, replace(document, id=id_)
            taken.update(document.id for document in ordered)


def prefixed(name: str, id_: str, taken: Container[str] = ()) -> str:
    """An id after the name of its collection, with more than one colon if that is taken."""
    colons = ":"
    while f"{name}{colons} {id_}" in taken:
        colons += ":"
    return f"{name}{colons} {id_}"


def without_prefix(name: str, id_: str) -> str | None:
    """The id that `prefixed` was given with this name; None if it was given another one."""
    rest = id_.removeprefix(name)
    sign, _, original = rest.partition(" ")
    return original if rest != id_ and sign and not sign.strip(":") else None


def check_unique(ordered: Sequence[Document]) -> None:
    """Raises `UsageError` if two documents, which are ordered by their ids, have the same one."""
    for before, document in pairwise(ordered):
        if before.id == document.id:
            raise UsageError(f"duplicate id {document.id!r}")
