"""`IndexClient`: the index of a collection; reconnects after the database was restarted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, TypeVar

from likewise.documents.metadata import MetadataTable
from likewise.documents.references import References
from likewise.errors import LikewiseError
from likewise.index.index import Index
from likewise.index.matches import Match
from likewise.index.passage_results import IndexPassages
from likewise.index.settings import IndexSettings
from likewise.index.stored_document import StoredDocument
from likewise.passages.settings import NOTHING, Exclusions
from likewise.server.errors import is_lost_connection, no_document, to_api_error
from likewise.server.jobs.job import IsCancelled
from likewise.server.schemas.passages import PassageOptions
from likewise.server.schemas.query import SearchOptions

T = TypeVar("T")
MAX_UNMATCHED = 100  # rows of a table that are listed
Outcome = Literal["added", "replaced", "unchanged"]
THE_TEXT = "the text"
"""What notes call a text that is not stored."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document to store.

    With `keep_metadata`, what is known of a stored document with this id stays known of it.
    """

    id: str
    text: str
    metadata: dict[str, Any] | None = None
    page_starts: tuple[int, ...] | None = None
    keep_metadata: bool = False
    references: References | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PassageSearch:
    """A search for passages; `metadata` is that of each text."""

    options: PassageOptions = field(default_factory=PassageOptions)
    exclude: Exclusions = NOTHING
    metadata: dict[str, Any] | None = None


class AbandonedError(Exception):
    """The request has ended."""


class IndexClient:
    """One index. Used by many threads; raises `ApiError`.

    Args:
        address: a file, or the address of a database.
        on_store_error: called with messages about the store, for the operator.
    """

    def __init__(self, address: str, on_store_error: Callable[[str], object]) -> None:
        self._address = address
        self._on_store_error = on_store_error
        self._index: Index | None = None
        self._opening = threading.Lock()

    def close(self) -> None:
        with self._opening:
            if self._index is not None:
                self._index.close()
            self._index = None

    def query(self, texts: Sequence[str], search: SearchOptions) -> list[list[Match]]:
        """As `Index.query`, on the calling thread."""
        options = search.model_dump()
        return self.run(lambda index: index.query(texts, **options, threads=1))

    def passages(
        self,
        text: str,
        search: PassageSearch,
        is_cancelled: IsCancelled,
        id_: str = THE_TEXT,
        threads: int = 1,
    ) -> IndexPassages:
        """As `Index.passages` for one text; raises `AbandonedError` after the request has ended."""

        def check(stage: str, done: int, total: int | None) -> None:
            if is_cancelled():
                raise AbandonedError

        options = search.options
        return self.run(
            lambda index: index.passages(
                [text], ids=[id_], min_words=options.min_words, edited=options.edited,
                exclude=search.exclude, metadata=[search.metadata], threads=threads, progress=check,
            )
        )  # fmt: skip

    def document(self, id_: str) -> StoredDocument:
        """A stored document."""
        document = self.run(lambda index: index.get(id_))
        if document is None:
            raise no_document(id_)
        return document

    def newest(self, limit: int) -> Iterator[StoredDocument]:
        """The documents that were added last, the newest first."""
        documents = self.run(lambda index: index.newest(limit))
        while (document := self.run(lambda index: next(documents, None), tries=1)) is not None:
            yield document

    def page(
        self, after: int, limit: int, contains: str | None = None
    ) -> tuple[list[StoredDocument], int | None]:
        """Documents without their texts, in the order of adding, and the start of the next page."""
        part = self.run(
            lambda index: list(
                islice(index.documents(text=False, after=after, contains=contains), limit + 1)
            )
        )
        more = len(part) > limit
        return part[:limit], part[limit - 1].number if more else None

    def count(self) -> int:
        return self.run(len)

    @property
    def settings(self) -> IndexSettings:
        return self.run(lambda index: index.settings)

    def state(self) -> tuple[object, ...]:
        """As `Index.state`."""
        return self.run(lambda index: index.state())

    def info(self) -> dict[str, Any]:
        """Settings and counts, without the address of the index."""
        return {k: v for k, v in self.run(lambda index: index.info()).items() if k != "index"}

    def check(self) -> None:
        """Raises if the index cannot be read."""
        self.run(lambda index: "" in index)

    def add(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Store all or none in one transaction; the outcome of each."""
        ids = [entry.id for entry in entries]

        def put(index: Index) -> list[Outcome]:
            before = index.numbers(ids)
            kept = index.metadata([entry.id for entry in entries if entry.keep_metadata])
            index.add(
                [entry.text for entry in entries], ids,
                metadata=[
                    {**(entry.metadata or {}), **kept.get(entry.id, {})} or None
                    for entry in entries
                ],
                page_starts=[entry.page_starts for entry in entries],
                references=[entry.references for entry in entries], threads=1,
            )  # fmt: skip
            after = index.numbers(ids)
            return [
                "added" if id_ not in before
                else "unchanged" if before[id_] == after.get(id_) else "replaced"
                for id_ in ids
            ]  # fmt: skip

        # Documents that are already stored stay as they are, so this can be tried again.
        return self.run(put)

    def describe(self, table: MetadataTable) -> dict[str, Any]:
        """Add what a table says to the metadata of all documents; what was matched.

        Raises `SourceError` where the table does not fit.
        """
        stored = self.run(
            lambda index: {one.id: one.metadata or {} for one in index.documents(text=False)}
        )
        table.expect(stored)
        found = {id_: table.find(id_) for id_ in stored}
        changes = {id_: {**stored[id_], **known} for id_, known in found.items() if known}
        return {
            "name": table.name,
            "documents": len(stored),
            "described": sum(known is not None for known in found.values()),
            "changed": self.run(lambda index: index.describe(changes)),
            "unmatched": table.unmatched_rows[:MAX_UNMATCHED],
            "summary": table.summary,
        }

    def remove(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; the ids of those that were stored."""
        # Not tried again: documents that the first try removed would be reported as missing.
        self.check()
        return self.run(lambda index: index.remove(ids), tries=1)

    def unread(self) -> dict[str, Any]:
        """Files that could not be read, the latest last, and how many more there are."""
        known = self.run(lambda index: index.unread())
        files = [{"name": name, "reason": reason} for name, reason in known.files.items()]
        return {"files": files, "unlisted": known.unlisted}

    def run(self, work: Callable[[Index], T], tries: int = 2) -> T:
        """The result of work on the index; tried again if the connection was lost."""
        try:
            return work(self._open())
        except LikewiseError as error:
            if tries > 1 and is_lost_connection(error):
                return self.run(work, tries - 1)
            name = self._address if self._index is None else self._index.name
            api_error = to_api_error(error, name)
            if api_error.status_code >= 500:
                self._on_store_error(str(error))
            raise api_error from error

    def _open(self) -> Index:
        with self._opening:
            if self._index is None:
                self._index = Index(self._address)
            return self._index
