"""`SharedPools`: metrics and threads that all collections of a process share."""

from __future__ import annotations

import threading
import time

from likewise.documents.document import Document
from likewise.server.jobs.executor import BoundedExecutor
from likewise.server.metrics import Metrics
from likewise.server.reading import DocumentReader
from likewise.server.settings import ServerSettings

READER_THREADS = 2
LOOKUP_THREADS = 4
MAX_LONG_JOBS = 16


class SharedPools:
    """Threads that belong to no single index, so that many indexes do not need many of them.

    Attributes:
        reading: reads documents.
        lookups: looks at indexes that may not be open, and need not exist.
        survey_lock: held while the survey of any collection is made.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.metrics = Metrics()
        self.reader = DocumentReader(settings.timeout)
        self.survey_lock = threading.Lock()
        self.reading = BoundedExecutor("reading", READER_THREADS, MAX_LONG_JOBS)
        self.lookups = BoundedExecutor("lookups", LOOKUP_THREADS, settings.at_once)
        self._seconds = settings.timeout

    def stop(self, deadline: float) -> bool:
        """Let running jobs end; whether they have, by then."""
        ended = [
            pool.stop(max(0.1, deadline - time.monotonic()))
            for pool in (self.reading, self.lookups)
        ]
        self.reader.close()
        return all(ended)

    async def read(
        self, data: bytes, name: str, media_type: str, encoding: str | None
    ) -> tuple[Document, list[str]]:
        """The text of a document of any type, and notes about it."""
        return await self.reading.run(
            lambda is_cancelled: self.reader.read(data, name, media_type, encoding), self._seconds
        )
