"""`Service`: what the routes ask for, done on few threads.

Several pools, so that slow jobs delay only their like: short queries for similar documents; those
for passages, which compare texts word by word and take a hundred times as long; long ones of both
kinds, which look at every document or at much text; writes; documents to be fetched or listed;
files that must be read first; and the operator's requests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from likewise.documents.document import Document
from likewise.index.stores.postgres import is_address
from likewise.server.errors import ApiError
from likewise.server.index_client import Entry, IndexClient, Outcome, PassageSearch, Search
from likewise.server.jobs.executor import BoundedExecutor
from likewise.server.jobs.job import IsCancelled
from likewise.server.jobs.query_batcher import Query, QueryBatcher, answers
from likewise.server.jobs.shared_pools import MAX_LONG_JOBS, SharedPools
from likewise.server.jobs.surveys import Surveys
from likewise.server.jobs.writer import Writer
from likewise.server.log import ThrottledLog
from likewise.server.passages import passages_answer
from likewise.server.settings import ServerSettings

T = TypeVar("T")

FILE_QUERIES = {"threads": 1, "max_texts": 32}
DATABASE_QUERIES = {"threads": 4, "max_texts": 4}
# Most of a question for passages is work of the core, which other threads need not wait for.
FILE_PASSAGES = 2
DATABASE_PASSAGES = 4
SHORT_CHARACTERS = 100_000
SHORT_PASSAGES = 30_000  # characters; an essay takes some tenths of a second
SHORT_TEXTS = 16
SHORT_VIEW = 1_000_000  # characters; two documents of a hundred pages take some tenths of a second
STOP_SECONDS = 2.0
CHECK_SECONDS = 5.0
CHECK_AGE = 1.0


class Service:
    """One collection of a server, and the threads that work on it.

    Args:
        name: of the collection.
        address: where its index lies.
        pools: what it shares with others.
    """

    def __init__(
        self, settings: ServerSettings, name: str, address: str, pools: SharedPools
    ) -> None:
        self.settings = settings
        self.pools = pools
        self.index = IndexClient(address, ThrottledLog().write)
        self._writer = Writer(
            self.index, settings.at_once, on_transaction=pools.metrics.transactions.inc
        )
        database = is_address(address)
        queries = DATABASE_QUERIES if database else FILE_QUERIES
        self._queries = QueryBatcher(self.index, **queries, max_waiting=settings.at_once)
        self._passages = BoundedExecutor(
            "passages", DATABASE_PASSAGES if database else FILE_PASSAGES, settings.at_once
        )
        self._fetching = BoundedExecutor("fetching", 1, settings.at_once)
        self._long = BoundedExecutor("long", 1, MAX_LONG_JOBS)
        self._operator = BoundedExecutor("operator", 1, MAX_LONG_JOBS)
        self.surveys = Surveys(self.index, name, pools.survey_lock)
        self._parts = (
            self._writer, self._queries, self._passages, self._fetching, self._long, self._operator,
            self.surveys,
        )  # fmt: skip
        self._checked = -CHECK_AGE

    def stop(self, deadline: float) -> bool:
        """Ends the work and closes the index; False if some of it goes on nevertheless."""
        # Requests have had their time; what goes on now is work that nobody waits for.
        ended = [part.stop(max(0.1, deadline - time.monotonic())) for part in self._parts]
        if all(ended):
            self.index.close()
        return all(ended)

    @property
    def is_busy(self) -> bool:
        """Whether there is work that no request waits for."""
        return self.surveys.is_running

    async def fetch(self, question: Callable[[], T]) -> T:
        """What is stored, and what is known about it."""
        return await self._fetching.run(lambda is_cancelled: question(), self.settings.timeout)

    async def query(self, texts: Sequence[str], search: Search) -> list[bytes]:
        """For each text the documents that are similar to it, as JSON."""
        seconds = self.settings.timeout
        short = len(texts) <= SHORT_TEXTS and sum(map(len, texts)) <= SHORT_CHARACTERS
        if short and not search.scan:
            return await self._queries.run(Query(texts, search), seconds)

        def work(is_cancelled: IsCancelled) -> list[bytes]:
            made: list[bytes] = []
            few = 1 if search.scan else SHORT_TEXTS
            for begin in range(0, len(texts), few):
                if is_cancelled():
                    break
                made += answers(self.index, texts[begin : begin + few], search)
            return made

        return await self._long.run(work, seconds)

    async def passages(self, texts: Sequence[Document], search: PassageSearch) -> list[bytes]:
        """For each text the passages that it shares with stored documents, as JSON."""

        def work(is_cancelled: IsCancelled) -> list[bytes]:
            return [passages_answer(self.index, text, search, is_cancelled) for text in texts]

        # Phrases and templates are looked for in every document that may share something.
        exclude = search.exclude
        sent = [*(text.text for text in texts), *exclude.phrases, *exclude.templates]
        short = len(texts) <= SHORT_TEXTS and sum(map(len, sent)) <= SHORT_PASSAGES
        pool = self._passages if short else self._long
        return await pool.run(work, self.settings.timeout)

    async def view(self, make: Callable[[IsCancelled], T], characters: int) -> T:
        """What people look at: texts of so many characters held against others."""
        pool = self._passages if characters <= SHORT_VIEW else self._long
        return await pool.run(make, self.settings.timeout)

    async def read(
        self, data: bytes, name: str, media_type: str, encoding: str | None
    ) -> tuple[Document, list[str]]:
        """The text of a document of any kind, and what is to be told about it."""
        return await self.pools.read(data, name, media_type, encoding)

    async def add(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Stores documents, all or none."""
        return await self._writer.add(entries, self.settings.timeout)

    async def remove(self, ids: Sequence[str]) -> list[str]:
        """Removes documents; those that were there."""
        return await self._writer.remove(ids, self.settings.timeout)

    async def check(self) -> None:
        """Raises if the index cannot be read; looks at most once a second."""
        if time.monotonic() - self._checked > CHECK_AGE:
            await self._operator.run(lambda is_cancelled: self.index.check(), CHECK_SECONDS)
            self._checked = time.monotonic()

    async def count(self) -> int | None:
        """How many documents there are; None if that cannot be had."""
        try:
            return await self._operator.run(lambda is_cancelled: self.index.count(), CHECK_SECONDS)
        except ApiError:
            return None
