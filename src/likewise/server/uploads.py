"""`Upload`: stores a file, or the files of an archive, document by document.

Each document is read by a worker process, with its limits, and reported as soon as it is on disk;
one that cannot be read is reported with the reason. While some are stored, the next ones are read.
"""

from __future__ import annotations

import asyncio
import io
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from likewise.documents.archive import check_path, read_members
from likewise.documents.extraction.file_type import container_kind
from likewise.documents.formats import FORMATS
from likewise.documents.kinds import EXTENSIONS, is_advised, split_name, unsupported
from likewise.documents.origin import Origin
from likewise.documents.submission_names import submission_of
from likewise.documents.unreadable import EMPTY, UnreadableError
from likewise.documents.zipped import Limits, Zipped
from likewise.server.errors import ApiError, internal_error, reason_of
from likewise.server.index_client import Entry
from likewise.server.jobs.executor import Work
from likewise.server.jobs.job import IsCancelled
from likewise.server.jobs.shared_pools import READER_THREADS
from likewise.server.json_response import as_json
from likewise.server.schemas.common import check_id
from likewise.server.service import Service
from likewise.text.words import words_of

T = TypeVar("T")

LIMITS = Limits(member=32 << 20, total=1 << 30)
MAX_BATCH_DOCUMENTS = 100
MAX_BATCH_CHARACTERS = 8_000_000
_RETRY_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class _File:
    """A file; once it was read with its document, or with the reason why there is none."""

    name: str
    content: bytes = b""
    reason: str | None = None
    entry: Entry | None = None
    words: int = 0
    notes: Sequence[str] = ()

    def to_dict(self, status: str) -> dict[str, Any]:
        line: dict[str, Any] = {"name": self.name, "status": status}
        if self.reason is not None:
            return line | {"reason": self.reason}
        return line | {"words": self.words} | ({"notes": list(self.notes)} if self.notes else {})


@dataclass(frozen=True, eq=False)
class Upload:
    """A file to store, with its media type and encoding as declared.

    Its name becomes its id; documents of an archive have it before their path, as with
    `likewise index add`.
    """

    service: Service
    data: bytes
    name: str
    media_type: str
    encoding: str | None

    async def lines(self) -> AsyncIterator[bytes]:
        """A line of JSON for each document when it is stored or skipped; last, the counts."""
        counts = Counter[str]()
        unread: dict[str, str] = {}
        try:
            async with aclosing(self._store_all()) as stored:
                async for outcome in stored:
                    counts[outcome["status"]] += 1
                    if outcome["status"] == "skipped":
                        unread[outcome["name"]] = outcome["reason"]
                    yield as_json(outcome) + b"\n"
            if unread:
                with suppress(ApiError):  # the log has it; what was stored is stored
                    await self.service.note_unread(unread)
        except Exception as error:
            known = error if isinstance(error, ApiError) else internal_error(error)
            yield as_json(known.to_dict()) + b"\n"
        else:
            statuses = ("added", "replaced", "unchanged", "skipped")
            yield as_json({"done": True, **{one: counts[one] for one in statuses}}) + b"\n"

    async def _store_all(self) -> AsyncGenerator[dict[str, Any], None]:
        """The outcome of each document; a batch is stored while the next one is read."""
        batch: list[_File] = []
        storing: asyncio.Task[list[dict[str, Any]]] | None = None
        try:
            async with aclosing(self._read_all()) as files:
                async for file in files:
                    if file.entry is None:
                        yield file.to_dict("skipped")
                        continue
                    batch.append(file)
                    if storing is not None and (storing.done() or _is_full(batch)):
                        for outcome in await storing:
                            yield outcome
                        storing = None
                    if storing is None:
                        storing = asyncio.ensure_future(self._add(batch))
                        batch = []
            for outcome in await storing if storing is not None else ():
                yield outcome
            for outcome in await self._add(batch) if batch else ():
                yield outcome
        finally:
            if storing is not None:
                _discard(storing)

    async def _add(self, files: Sequence[_File]) -> list[dict[str, Any]]:
        """Store documents together; those that cannot be stored are skipped."""
        try:
            outcomes = await self.service.add([one.entry for one in files if one.entry])
        except ApiError as error:
            if error.status_code != 422:
                raise
            if len(files) > 1:
                return [outcome for one in files for outcome in await self._add([one])]
            return [replace(files[0], reason=error.message).to_dict("skipped")]
        return [one.to_dict(outcome) for one, outcome in zip(files, outcomes, strict=True)]

    async def _read_all(self) -> AsyncGenerator[_File, None]:
        """All files in order; as many are read at a time as there are threads for it."""
        files = self._find()
        reading: deque[asyncio.Task[_File]] = deque()
        more = True
        try:
            while more or reading:
                while more and len(reading) < READER_THREADS:
                    file = await self._run_with_retry(lambda is_cancelled: next(files, None))
                    more = file is not None
                    if file is not None:
                        reading.append(asyncio.ensure_future(self._read(file)))
                if reading:
                    yield await reading.popleft()
        finally:
            for task in reading:
                _discard(task)

    def _find(self) -> Iterator[_File]:
        """The files to read, one after the other."""
        extension, compression = split_name(self.name)
        kind = EXTENSIONS.get(extension, "text")
        reason = None
        if not self.data:
            reason = EMPTY
        elif compression is not None:
            reason = "compressed; decompress it first"
        elif is_advised(extension):
            reason = unsupported(extension)
        elif kind == "zip":
            yield from self._find_in_archive()
            return
        elif kind != "text" and kind not in FORMATS:
            reason = "a table; `likewise index add` reads its rows"
        yield _File(self.name, self.data, reason)

    def _find_in_archive(self) -> Iterator[_File]:
        name, limit = self.name, self.service.settings.max_documents
        origin = Origin(None, name, name, "zip", None, named=True, size=len(self.data))
        try:
            package = Zipped(io.BytesIO(self.data), LIMITS)
            if container_kind(package) != "zip":
                yield _File(name, self.data)
                return
        except UnreadableError as error:
            yield _File(name, reason=error.reason)
            return
        count = 0
        for count, member in enumerate(read_members(package, origin, whole=False), 1):
            if count > limit:
                reason = (
                    f"the archive has {package.files:,} files, but only {limit:,} are read from "
                    "one; send the others in another archive"
                )
                yield _File(name, reason=reason)
                return
            if isinstance(member.content, UnreadableError):
                yield _File(member.document.name, reason=member.content.reason)
            else:
                yield _File(member.document.id, member.content)
        if not count:
            yield _File(name, reason="it contains no documents")

    async def _read(self, file: _File) -> _File:
        if file.reason is not None:
            return file
        try:
            check_id(file.name)
        except ValueError as error:
            return replace(file, reason=str(error).replace("an id", "a name"))
        whole = file.content is self.data
        declared = (self.media_type, self.encoding) if whole else ("", None)

        def work(is_cancelled: IsCancelled) -> _File:
            extracted, notes = self.service.pools.reader.read(file.content, file.name, *declared)
            words = len(words_of(extracted.text))
            if not words:
                return _File(file.name, reason="it contains no words")
            submission = submission_of(file.name)
            known = None if submission is None else {"author": submission.author}
            entry = Entry(
                file.name,
                extracted.text,
                known,
                extracted.page_starts,
                keep_metadata=True,
                references=extracted.references,
            )
            return _File(file.name, entry=entry, words=words, notes=notes)

        try:
            return await self._run_with_retry(work)
        except ApiError as error:
            if error.status_code not in (422, 504):
                raise
            return _File(file.name, reason=reason_of(error))

    async def _run_with_retry(self, work: Work[T]) -> T:
        """Run on the threads that read files; waits if too many jobs are queued."""
        seconds = self.service.settings.timeout
        deadline = time.monotonic() + seconds
        while True:
            try:
                return await self.service.pools.reading.run(work, seconds)
            except ApiError as error:
                if error.status_code != 503 or time.monotonic() > deadline:
                    raise
            await asyncio.sleep(_RETRY_SECONDS)


def check_upload_name(name: str) -> None:
    """Raises `ApiError` for a name that is not a relative path."""
    if not name:
        raise ApiError(422, "name: it is empty")
    try:
        check_path(name)
    except UnreadableError as error:
        reason = error.reason.replace("archive", "folder").replace("its", "the", 1)
        raise ApiError(422, f"name: {reason}") from None


def _discard(task: asyncio.Task[Any]) -> None:
    """Cancel a task, and ignore its error."""
    task.cancel()
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _is_full(batch: Sequence[_File]) -> bool:
    characters = sum(len(one.entry.text) for one in batch if one.entry is not None)
    return len(batch) >= MAX_BATCH_DOCUMENTS or characters >= MAX_BATCH_CHARACTERS
