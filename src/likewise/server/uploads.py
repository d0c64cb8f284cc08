"""`Upload`: a file, or an archive of many, on its way into a collection, document by document.

Each is read by a worker process, with its limits, and reported as soon as it is on disk; one that
cannot be read is reported with the reason, and does not affect the others. While some are stored,
the next ones are read.
"""

from __future__ import annotations

import asyncio
import io
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from likewise.documents.archive import Member, check_path, read_members
from likewise.documents.extraction.file_type import container_kind
from likewise.documents.formats import FORMATS
from likewise.documents.kinds import EXTENSIONS, is_advised, split_name, unsupported
from likewise.documents.origin import Origin
from likewise.documents.unreadable import EMPTY, UnreadableError
from likewise.documents.zipped import Limits, Zipped
from likewise.server.answer import as_json
from likewise.server.errors import ApiError, internal_error, reason_of
from likewise.server.index_client import Entry
from likewise.server.jobs.shared_pools import READER_THREADS
from likewise.server.schemas.common import check_id
from likewise.text.words import words_of

if TYPE_CHECKING:
    from likewise.server.jobs.executor import Work
    from likewise.server.jobs.job import IsCancelled
    from likewise.server.service import Service

T = TypeVar("T")

LIMITS = Limits(member=32 << 20, total=1 << 30)
MAX_WAITING = 100
MAX_CHARACTERS = 8_000_000
_RETRY_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class _File:
    """A document, or why there is none."""

    name: str
    content: bytes = b""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class _ReadFile:
    """A document that was read, or why it was not."""

    name: str
    entry: Entry | None = None
    words: int = 0
    notes: Sequence[str] = ()
    reason: str | None = None

    def to_dict(self, status: str) -> dict[str, Any]:
        made: dict[str, Any] = {"name": self.name, "status": status}
        if self.reason is not None:
            return made | {"reason": self.reason}
        return made | {"words": self.words} | ({"notes": list(self.notes)} if self.notes else {})


class Upload:
    """What one request sends.

    Args:
        service: of the collection that it is for.
        data: the file.
        name: what it is called, which becomes its id; documents of an archive have their path in it
            behind that, as with `likewise index add`.
        media_type, encoding: as they are declared.
    """

    def __init__(
        self, service: Service, data: bytes, name: str, media_type: str, encoding: str | None
    ) -> None:
        self._service = service
        self._data = data
        self._name = name
        self._media_type = media_type
        self._encoding = encoding

    async def lines(self) -> AsyncIterator[bytes]:
        """A line of JSON for each document, when it is on disk or given up; at last a sum."""
        counts = Counter[str]()
        try:
            async with aclosing(self._store_all()) as stored:
                async for outcome in stored:
                    counts[outcome["status"]] += 1
                    yield as_json(outcome) + b"\n"
        except ApiError as error:
            yield _error_line(error)
        except Exception as error:
            yield _error_line(internal_error(error))
        else:
            statuses = ("added", "replaced", "unchanged", "skipped")
            yield as_json({"done": True, **{one: counts[one] for one in statuses}}) + b"\n"

    async def _store_all(self) -> AsyncGenerator[dict[str, Any], None]:
        """What became of each document."""
        waiting: list[_ReadFile] = []
        storing: asyncio.Task[list[dict[str, Any]]] | None = None
        try:
            async with aclosing(self._read_all()) as documents:
                async for one in documents:
                    if one.entry is None:
                        yield one.to_dict("skipped")
                        continue
                    waiting.append(one)
                    if storing is not None and (storing.done() or _is_batch_full(waiting)):
                        for outcome in await storing:
                            yield outcome
                        storing = None
                    if storing is None:
                        storing = asyncio.ensure_future(self._add(waiting))
                        waiting = []
            if storing is not None:
                for outcome in await storing:
                    yield outcome
            if waiting:
                for outcome in await self._add(waiting):
                    yield outcome
        finally:
            if storing is not None:
                _discard(storing)

    async def _add(self, documents: Sequence[_ReadFile]) -> list[dict[str, Any]]:
        """Stores documents together; those that cannot be stored are skipped."""
        entries = [one.entry for one in documents if one.entry is not None]
        try:
            outcomes = await self._service.add(entries)
        except ApiError as error:
            if error.status_code != 422:
                raise
            if len(documents) > 1:
                return [outcome for one in documents for outcome in await self._add([one])]
            (one,) = documents
            return [_ReadFile(one.name, reason=error.message).to_dict("skipped")]
        return [one.to_dict(outcome) for one, outcome in zip(documents, outcomes, strict=True)]

    async def _read_all(self) -> AsyncGenerator[_ReadFile, None]:
        """All documents in order; as many are read at a time as there are threads for it."""
        found = self._find()
        under_way: deque[asyncio.Task[_ReadFile]] = deque()
        more = True
        try:
            while more or under_way:
                while more and len(under_way) < READER_THREADS:
                    one = await self._run_with_retry(lambda is_cancelled: next(found, None))
                    more = one is not None
                    if one is not None:
                        under_way.append(asyncio.ensure_future(self._read(one)))
                if under_way:
                    yield await under_way.popleft()
        finally:
            for task in under_way:
                _discard(task)

    def _find(self) -> Iterator[_File]:
        """The documents of the file, one after the other."""
        name = self._name
        extension, compression = split_name(name)
        kind = EXTENSIONS.get(extension, "text")
        if not self._data:
            yield _File(name, reason=EMPTY)
        elif compression is not None:
            yield _File(name, reason="packed; unpack it first")
        elif is_advised(extension):
            yield _File(name, reason=unsupported(extension))
        elif kind == "zip":
            yield from self._find_in_archive()
        elif kind == "text" or kind in FORMATS:
            yield _File(name, self._data)
        else:
            yield _File(name, reason="a table, of which `likewise index add` reads the rows")

    def _find_in_archive(self) -> Iterator[_File]:
        name, most = self._name, self._service.settings.max_documents
        origin = Origin(None, name, name, "zip", None, named=True, size=len(self._data))
        try:
            package = Zipped(io.BytesIO(self._data), LIMITS)
            if container_kind(package) != "zip":
                yield _File(name, self._data)
                return
        except UnreadableError as error:
            yield _File(name, reason=error.reason)
            return
        count = 0
        for count, member in enumerate(read_members(package, origin, whole=False), 1):
            if count > most:
                files = sum(not one.is_dir() for one in package.members)
                reason = (
                    f"it holds {files:,} files, and {most:,} are read from one archive; send the "
                    "others in another"
                )
                yield _File(name, reason=reason)
                return
            yield _found(member)
        if not count:
            yield _File(name, reason="it contains no documents")

    async def _read(self, found: _File) -> _ReadFile:
        name = found.name
        if found.reason is not None:
            return _ReadFile(name, reason=found.reason)
        try:
            check_id(name)
        except ValueError as error:
            return _ReadFile(name, reason=str(error).replace("an id", "a name"))
        whole = found.content is self._data
        type_, encoding = (self._media_type, self._encoding) if whole else ("", None)

        def work(is_cancelled: IsCancelled) -> _ReadFile:
            extracted, notes = self._service.pools.reader.read(found.content, name, type_, encoding)
            words = len(words_of(extracted.text))
            if not words:
                return _ReadFile(name, reason="it contains no words")
            entry = Entry(name, extracted.text, None, extracted.page_starts)
            return _ReadFile(name, entry, words, notes)

        try:
            return await self._run_with_retry(work)
        except ApiError as error:
            if error.status_code not in (422, 504):
                raise
            return _ReadFile(name, reason=reason_of(error))

    async def _run_with_retry(self, work: Work[T]) -> T:
        """Has work done by the threads that read; waits if too much is in line before it."""
        seconds = self._service.settings.timeout
        deadline = time.monotonic() + seconds
        while True:
            try:
                return await self._service.pools.reading.run(work, seconds)
            except ApiError as error:
                if error.status_code != 503 or time.monotonic() > deadline:
                    raise
            await asyncio.sleep(_RETRY_SECONDS)


def check_upload_name(name: str) -> None:
    """Raises `ApiError` for a name that is none of a file."""
    try:
        check_path(name)
    except UnreadableError as error:
        reason = error.reason.replace("archive", "folder").replace("its", "the", 1)
        raise ApiError(422, f"name: {reason}") from None


def _found(member: Member) -> _File:
    if isinstance(member.content, UnreadableError):
        return _File(member.document.name, reason=member.content.reason)
    return _File(member.document.id, member.content)


def _discard(task: asyncio.Task[Any]) -> None:
    """Nobody waits for it any more, nor for what may go wrong with it."""
    task.cancel()
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _is_batch_full(waiting: Sequence[_ReadFile]) -> bool:
    characters = sum(len(one.entry.text) for one in waiting if one.entry is not None)
    return len(waiting) >= MAX_WAITING or characters >= MAX_CHARACTERS


def _error_line(error: ApiError) -> bytes:
    return as_json({"error": {"message": error.message, "hint": error.hint}}) + b"\n"
