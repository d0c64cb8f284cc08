"""`Lanes`: what all collections of a process share: numbers, and threads that read documents."""

from __future__ import annotations

import threading
import time
from typing import TypeVar

from likewise.documents.extracted import Extracted
from likewise.server.metrics import Metrics
from likewise.server.reading import DocumentReader
from likewise.server.settings import ServerSettings
from likewise.server.threads import Threads, Work

T = TypeVar("T")

READING_THREADS = 2
LOOKING_THREADS = 4
LONG_IN_LINE = 16


class Lanes:
    """Threads for what is not of one index, so that many indexes do not need many of them."""

    def __init__(self, settings: ServerSettings) -> None:
        self.metrics = Metrics()
        self._seconds = settings.timeout
        self.reader = DocumentReader(settings.timeout)
        self.surveying = threading.Lock()
        self._reading = Threads("reading", READING_THREADS, LONG_IN_LINE)
        self._looking = Threads("looking", LOOKING_THREADS, settings.at_once)

    def start(self) -> None:
        self._reading.start()
        self._looking.start()

    def stop(self, deadline: float) -> bool:
        """Lets work under way end; whether it has, by then."""
        ended = [
            part.stop(max(0.1, deadline - time.monotonic()))
            for part in (self._reading, self._looking)
        ]
        self.reader.close()
        return all(ended)

    async def read(
        self, data: bytes, name: str, media_type: str, encoding: str | None
    ) -> tuple[Extracted, list[str]]:
        """The text of a document of any kind, and what is to be told about it."""
        return await self.reading(lambda wanted: self.reader.read(data, name, media_type, encoding))

    async def reading(self, work: Work[T]) -> T:
        """Work on the threads that read."""
        return await self._reading.run(work, self._seconds)

    async def looking(self, work: Work[T], seconds: float) -> T:
        """A look at an index that may not be open, and need not be there."""
        return await self._looking.run(work, seconds)
