"""`Writer`: one thread that stores; changes that wait together go into one transaction.

Every transaction waits for the disk, however much is in it. Each request is answered when its
documents are on disk; one whose documents are refused does not affect the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from likewise.index.index import Index
from likewise.server.index_client import Entry, IndexClient, Outcome
from likewise.server.jobs.batcher import Batcher

MAX_DOCUMENTS = 2_000  # in a transaction of several requests
MAX_CHARACTERS = 64_000_000


class _Change(NamedTuple):
    """Documents to add, ids to remove, or another change, which can be repeated."""

    entries: Sequence[Entry] = ()
    ids: Sequence[str] = ()
    other: Callable[[Index], None] | None = None


class Writer(Batcher[_Change, list[Any]]):
    """Stores and removes documents; `on_transaction` is called after each transaction."""

    def __init__(
        self, client: IndexClient, max_waiting: int, on_transaction: Callable[[], object]
    ) -> None:
        super().__init__("writer", threads=1, max_waiting=max_waiting)
        self._client = client
        self._on_transaction = on_transaction

    async def add(self, entries: Sequence[Entry], seconds: float) -> list[Outcome]:
        """Store documents, all or none; the outcome of each."""
        return await self.run(_Change(entries=entries), seconds)

    async def remove(self, ids: Sequence[str], seconds: float) -> list[str]:
        """Remove documents; the ids of those that were stored."""
        return await self.run(_Change(ids=ids), seconds)

    async def change(self, other: Callable[[Index], None], seconds: float) -> None:
        """Change something else than documents."""
        await self.run(_Change(other=other), seconds)

    def batch_size(self, payloads: Sequence[_Change]) -> int:
        """One other change, or all additions before it that can be stored together."""
        ids: set[str] = set()
        characters = 0
        for count, change in enumerate(payloads):
            if not change.entries:
                return max(1, count)
            own = {entry.id for entry in change.entries}
            characters += sum(len(entry.text) for entry in change.entries)
            fits = characters <= MAX_CHARACTERS and len(ids) + len(own) <= MAX_DOCUMENTS
            # The later of two documents with one id replaces the earlier: in a later transaction.
            if count and not (fits and ids.isdisjoint(own)):
                return count
            ids |= own
        return len(payloads)

    def run_batch(self, payloads: Sequence[_Change]) -> list[list[Any]]:
        results: list[list[Any]]
        if other := payloads[0].other:
            self._client.run(other)
            results = [[]]
        elif ids := payloads[0].ids:
            results = [self._client.remove(ids)]
        else:
            entries = [entry for change in payloads for entry in change.entries]
            outcomes = iter(self._client.add(entries))
            results = [list(islice(outcomes, len(change.entries))) for change in payloads]
        self._on_transaction()
        return results
