"""`SharedPools`: metrics and threads that all collections of a process share."""

from __future__ import annotations

import threading
import time

from likewise.documents.document import Document
from likewise.server.file_reader import FileReader
from likewise.server.jobs.executor import BoundedExecutor
from likewise.server.metrics import Metrics
from likewise.server.settings import ServerSettings

READER_THREADS = 2
LOOKUP_THREADS = 4
MAX_LONG_JOBS = 16


class SharedPools:
    """Threads that belong to no single index, so that many indexes do not need many of them.

    Attributes:
        reading: reads files.
        lookups: opens indexes for a moment, which may not exist.
        survey_lock: one survey at a time is made in the process.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self.metrics = Metrics()
        self.reader = FileReader(settings.timeout, settings.max_request)
        self.survey_lock = threading.Lock()
        self.reading = BoundedExecutor("reading", READER_THREADS, MAX_LONG_JOBS)
        self.lookups = BoundedExecutor("lookups", LOOKUP_THREADS, settings.at_once)
        self._seconds = settings.timeout

    def stop(self, deadline: float) -> bool:
        """Let running jobs end; whether they have ended by the deadline."""
        ended = [
            pool.stop(max(0.1, deadline - time.monotonic()))
            for pool in (self.reading, self.lookups)
        ]
        self.reader.close()
        return all(ended)

    async def read(
        self, data: bytes, name: str, media_type: str, encoding: str | None
    ) -> tuple[Document, list[str]]:
        """As `FileReader.read`."""
        return await self.reading.run(
            lambda is_cancelled: self.reader.read(data, name, media_type, encoding), self._seconds
        )
