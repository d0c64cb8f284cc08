"""`Service`: what the routes ask for, done on few threads.

Several lanes, so that what is slow holds up only its like: short questions for similar documents;
those for passages, which compare texts word by word and take a hundred times as long; long ones of
both kinds, which look at every document or at much text; what is stored; documents to be fetched or
listed; files that must be read first; and what the operator asks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from likewise.documents.extracted import Extracted
from likewise.index.postgres import is_address
from likewise.server.asker import Asker, answers
from likewise.server.errors import ApiError
from likewise.server.lanes import LONG_IN_LINE, Lanes
from likewise.server.library import Entry, Library, Outcome, PassageSearch, Search
from likewise.server.log import Trouble
from likewise.server.passages import passages_answer
from likewise.server.settings import ServerSettings
from likewise.server.surveys import Surveys
from likewise.server.threads import Threads, Wanted
from likewise.server.writer import Writer

T = TypeVar("T")

FILE_ASKERS = {"threads": 1, "together": 32}
DATABASE_ASKERS = {"threads": 4, "together": 4}
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
        lanes: what it shares with others.
    """

    def __init__(self, settings: ServerSettings, name: str, address: str, lanes: Lanes) -> None:
        self.settings = settings
        self.lanes = lanes
        self.library = Library(address, Trouble().say)
        self._writer = Writer(
            self.library, settings.at_once, on_transaction=lanes.metrics.transactions.inc
        )
        database = is_address(address)
        askers = DATABASE_ASKERS if database else FILE_ASKERS
        self._asker = Asker(self.library, **askers, most=settings.at_once)
        self._passages = Threads(
            "passages", DATABASE_PASSAGES if database else FILE_PASSAGES, settings.at_once
        )
        self._fetching = Threads("fetching", 1, settings.at_once)
        self._long = Threads("long", 1, LONG_IN_LINE)
        self._aside = Threads("aside", 1, LONG_IN_LINE)
        self.surveys = Surveys(self.library, name, lanes.surveying)
        self._parts = (
            self._writer, self._asker, self._passages, self._fetching, self._long, self._aside,
            self.surveys,
        )  # fmt: skip
        self._checked = -CHECK_AGE

    def start(self) -> None:
        """Starts the threads; an index that cannot be opened now may be later."""
        for part in self._parts:
            part.start()

    def stop(self, deadline: float) -> bool:
        """Ends the work and closes the index; False if some of it goes on nevertheless."""
        # Requests have had their time; what goes on now is work that nobody waits for.
        ended = [part.stop(max(0.1, deadline - time.monotonic())) for part in self._parts]
        if all(ended):
            self.library.close()
        return all(ended)

    @property
    def is_busy(self) -> bool:
        """Whether there is work that no request waits for."""
        return self.surveys.is_running

    async def fetch(self, question: Callable[[], T]) -> T:
        """What is stored, and what is known about it."""
        return await self._fetching.run(lambda wanted: question(), self.settings.timeout)

    async def query(self, texts: Sequence[str], search: Search) -> list[bytes]:
        """For each text the documents that are similar to it, as JSON."""
        seconds = self.settings.timeout
        short = len(texts) <= SHORT_TEXTS and sum(map(len, texts)) <= SHORT_CHARACTERS
        if short and not search.scan:
            return await self._asker.ask(texts, search, seconds)

        def work(wanted: Wanted) -> list[bytes]:
            made: list[bytes] = []
            few = 1 if search.scan else SHORT_TEXTS
            for begin in range(0, len(texts), few):
                if not wanted():
                    break
                made += answers(self.library, texts[begin : begin + few], search)
            return made

        return await self._long.run(work, seconds)

    async def passages(self, texts: Sequence[Extracted], search: PassageSearch) -> list[bytes]:
        """For each text the passages that it shares with stored documents, as JSON."""

        def work(wanted: Wanted) -> list[bytes]:
            return [passages_answer(self.library, text, search, wanted) for text in texts]

        # Phrases and templates are looked for in every document that may share something.
        exclude = search.exclude
        sent = [*(text.text for text in texts), *exclude.phrases, *exclude.templates]
        short = len(texts) <= SHORT_TEXTS and sum(map(len, sent)) <= SHORT_PASSAGES
        lane = self._passages if short else self._long
        return await lane.run(work, self.settings.timeout)

    async def view(self, make: Callable[[Wanted], T], characters: int) -> T:
        """What people look at: texts of so many characters held against others."""
        lane = self._passages if characters <= SHORT_VIEW else self._long
        return await lane.run(make, self.settings.timeout)

    async def read(
        self, data: bytes, name: str, media_type: str, encoding: str | None
    ) -> tuple[Extracted, list[str]]:
        """The text of a document of any kind, and what is to be told about it."""
        return await self.lanes.read(data, name, media_type, encoding)

    async def add(self, entries: Sequence[Entry]) -> list[Outcome]:
        """Stores documents, all or none."""
        return await self._writer.add(entries, self.settings.timeout)

    async def remove(self, ids: Sequence[str]) -> list[str]:
        """Removes documents; those that were there."""
        return await self._writer.remove(ids, self.settings.timeout)

    async def check(self) -> None:
        """Raises if the index cannot be read; looks at most once a second."""
        if time.monotonic() - self._checked > CHECK_AGE:
            await self._aside.run(lambda wanted: self.library.check(), CHECK_SECONDS)
            self._checked = time.monotonic()

    async def count(self) -> int | None:
        """How many documents there are; None if that cannot be had."""
        try:
            return await self._aside.run(lambda wanted: self.library.count(), CHECK_SECONDS)
        except ApiError:
            return None
