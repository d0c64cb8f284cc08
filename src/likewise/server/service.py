"""`Service`: the requests of one collection, on a few threads.

There are several pools, so that slow jobs delay only jobs of their own kind: short queries for
similar documents; queries for passages, which compare texts word by word and take a hundred times
as long; long queries of both kinds; writes; documents to fetch or list; files to read; and requests
of the operator.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from likewise.documents.document import Document
from likewise.documents.metadata import MetadataTable
from likewise.errors import LikewiseError
from likewise.index.index import Index
from likewise.index.review_marks import ReviewMark
from likewise.index.stores.registry import is_address
from likewise.server.archives import Archives
from likewise.server.collections import Collections
from likewise.server.errors import ApiError
from likewise.server.index_client import Entry, IndexClient, Outcome, PassageSearch
from likewise.server.jobs.executor import BoundedExecutor, Work
from likewise.server.jobs.job import IsCancelled
from likewise.server.jobs.query_batcher import Query, QueryBatcher
from likewise.server.jobs.reports import Reports
from likewise.server.jobs.shared_pools import MAX_LONG_JOBS, SharedPools
from likewise.server.jobs.surveys import Surveys
from likewise.server.jobs.writer import Writer
from likewise.server.json_response import join_answers
from likewise.server.log import ThrottledLog
from likewise.server.match_answers import match_answers, match_search
from likewise.server.passage_answers import passage_answer, passage_search
from likewise.server.schemas.query import SearchOptions
from likewise.server.settings import ServerSettings
from likewise.server.sharing import Sharing

T = TypeVar("T")

FILE_QUERIES = {"threads": 1, "max_texts": 32}
DATABASE_QUERIES = {"threads": 4, "max_texts": 4}
# Most of a search for passages is work of the core, which releases Python's lock.
FILE_PASSAGE_THREADS = 2
DATABASE_PASSAGE_THREADS = 4
MAX_SHORT_TEXTS = 16
MAX_SHORT_CHARACTERS = 100_000
MAX_SHORT_PASSAGE_CHARACTERS = 30_000  # an essay takes some tenths of a second
MAX_SHORT_VIEW_CHARACTERS = 1_000_000  # two documents of 100 pages take some tenths of a second
STOP_SECONDS = 2.0
CHECK_SECONDS = 5.0
CHECK_AGE_SECONDS = 1.0


class Service:
    """The collection `name`, its index at `address`, and the threads that work on it.

    `collections` are those that can be its archive.
    """

    def __init__(
        self,
        settings: ServerSettings,
        name: str,
        address: str,
        pools: SharedPools,
        collections: Collections,
    ) -> None:
        self.settings = settings
        self.pools = pools
        self.index = IndexClient(address, ThrottledLog().write)
        self.archives = Archives(self.index, name, collections)
        self._writer = Writer(
            self.index, settings.at_once, on_transaction=pools.metrics.transactions.inc
        )
        database = is_address(address)
        queries = DATABASE_QUERIES if database else FILE_QUERIES
        self._queries = QueryBatcher(self.index, **queries, max_waiting=settings.at_once)
        threads = DATABASE_PASSAGE_THREADS if database else FILE_PASSAGE_THREADS
        self._passages = BoundedExecutor("passages", threads, settings.at_once)
        self._fetching = BoundedExecutor("fetching", 1, settings.at_once)
        self._long = BoundedExecutor("long", 1, MAX_LONG_JOBS)
        self._operator = BoundedExecutor("operator", 1, MAX_LONG_JOBS)
        self.surveys = Surveys(self.index, self.archives, name, pools.survey_lock)
        self.reports = Reports(self.index, self.archives, name, pools.survey_lock)
        self.sharing = Sharing(self.index, always=name in settings.shared)
        self._checked = -CHECK_AGE_SECONDS
        self.requests = 0  # in progress
        self.for_readers = self._for_readers(name, collections)
        self._parts = (
            self._writer, self._queries, self._passages, self._fetching, self._long, self._operator,
            self.surveys, self.for_readers.surveys, self.reports, self.for_readers.reports,
        )  # fmt: skip

    def _for_readers(self, name: str, collections: Collections) -> Service:
        """The same service with the archive that readers see, and so with a survey of their own."""
        own = copy.copy(self)
        own.archives = Archives(self.index, name, collections, only_shared=True)
        lock = self.pools.survey_lock
        own.surveys = Surveys(self.index, own.archives, name, lock, instead=self.surveys)
        own.reports = Reports(self.index, own.archives, name, lock, instead=self.reports)
        return own

    def stop(self, deadline: float) -> bool:
        """Stop all threads and close the index; whether all have ended by the deadline."""
        ended = [part.stop(max(0.1, deadline - time.monotonic())) for part in self._parts]
        if all(ended):
            self.index.close()
            self.archives.close()
            self.for_readers.archives.close()
        return all(ended)

    @property
    def is_busy(self) -> bool:
        """Whether there are requests in progress, or work in the background."""
        services = self, self.for_readers
        background = [work for one in services for work in (one.surveys, one.reports)]
        return self.requests > 0 or any(work.is_running for work in background)

    async def fetch(self, read: Callable[[IndexClient], T]) -> T:
        """What a function reads from the index."""
        return await self._fetching.run(
            lambda is_cancelled: read(self.index), self.settings.timeout
        )

    async def query(
        self, texts: Sequence[str], search: SearchOptions, facts: dict[str, Any] | None = None
    ) -> bytes:
        """The similar documents of each text, and `facts` about the file, as JSON."""
        short = len(texts) <= MAX_SHORT_TEXTS and sum(map(len, texts)) <= MAX_SHORT_CHARACTERS
        if short and not search.scan:
            answers = await self._queries.run(Query(texts, search), self.settings.timeout)
        else:
            work = partial(self._query_in_parts, texts, search)
            answers = await self._long.run(work, self.settings.timeout)
        return join_answers(answers, match_search(self.index, search), facts)

    def _query_in_parts(
        self, texts: Sequence[str], search: SearchOptions, is_cancelled: IsCancelled
    ) -> list[bytes]:
        answers: list[bytes] = []
        step = 1 if search.scan else MAX_SHORT_TEXTS
        for start in range(0, len(texts), step):
            if is_cancelled():
                break
            answers += match_answers(self.index, texts[start : start + step], search)
        return answers

    async def passages(
        self,
        texts: Sequence[Document],
        search: PassageSearch,
        facts: dict[str, Any] | None = None,
    ) -> bytes:
        """The passages that each text shares with stored documents, as JSON."""

        def work(is_cancelled: IsCancelled) -> list[bytes]:
            return [passage_answer(self.index, text, search, is_cancelled) for text in texts]

        # Phrases and templates are searched for in every candidate document.
        exclude = search.exclude
        sent = [*(text.text for text in texts), *exclude.phrases, *exclude.templates]
        characters = sum(map(len, sent))
        short = len(texts) <= MAX_SHORT_TEXTS and characters <= MAX_SHORT_PASSAGE_CHARACTERS
        pool = self._passages if short else self._long
        answers = await pool.run(work, self.settings.timeout)
        return join_answers(answers, passage_search(self.index, search), facts)

    async def view(self, make: Work[T], characters: int) -> T:
        """A page that compares texts of this many characters with others."""
        pool = self._passages if characters <= MAX_SHORT_VIEW_CHARACTERS else self._long
        return await pool.run(make, self.settings.timeout)

    async def view_collection(self, make: Work[T]) -> T:
        """A page that reads all documents."""
        return await self._long.run(make, self.settings.timeout)

    async def add(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Store documents, all or none."""
        return await self._writer.add(entries, self.settings.timeout)

    async def describe(self, name: str, data: bytes) -> dict[str, Any]:
        """Describe documents by a table, whose name tells its kind; what was matched."""

        def work(is_cancelled: IsCancelled) -> dict[str, Any]:
            try:
                return self.index.describe(MetadataTable.parse(data, name))
            except LikewiseError as error:
                message = str(error).removeprefix(f"{name}: ")
                hint = None if "--" in (error.hint or "") else error.hint  # a command's
                raise ApiError(422, message, hint=hint) from error

        return await self._long.run(work, self.settings.timeout)

    async def remove(self, ids: Sequence[str]) -> list[str]:
        """Remove documents; the ids of those that were stored."""
        return await self._writer.remove(ids, self.settings.timeout)

    async def set_review_marks(self, marks: Sequence[ReviewMark]) -> None:
        """Store review marks, each in place of one of the same pair or passage."""
        await self._writer.change(
            lambda index: index.set_review_marks(marks), self.settings.timeout
        )

    async def remove_review_marks(self, keys: Sequence[str]) -> None:
        """Remove review marks by their keys."""

        def remove(index: Index) -> None:
            index.remove_review_marks(keys)

        await self._writer.change(remove, self.settings.timeout)

    async def note_unread(self, reasons: Mapping[str, str]) -> None:
        """Note files that could not be read."""
        await self._writer.change(lambda index: index.note_unread(reasons), self.settings.timeout)

    async def forget_unread(self, names: Sequence[str] | None) -> None:
        """Remove files, or all, from those that could not be read."""
        await self._writer.change(lambda index: index.forget_unread(names), self.settings.timeout)

    async def check(self) -> None:
        """Raises if the index cannot be read; checked at most once per second."""
        if time.monotonic() - self._checked > CHECK_AGE_SECONDS:
            await self._operator.run(lambda is_cancelled: self.index.check(), CHECK_SECONDS)
            self._checked = time.monotonic()

    async def count(self) -> int | None:
        """The number of documents; None if the index cannot be read."""
        try:
            return await self._operator.run(lambda is_cancelled: self.index.count(), CHECK_SECONDS)
        except ApiError:
            return None
