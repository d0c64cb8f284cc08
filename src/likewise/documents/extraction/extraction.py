"""`Extraction`: text from the cache where it is there, else from worker processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.documents.extraction.cache_entry import decode_outcome
from likewise.documents.formats import FORMATS
from likewise.documents.unreadable import UnreadableError

if TYPE_CHECKING:
    from types import TracebackType

    from likewise.documents.document import Document
    from likewise.documents.extraction.cache import Cache
    from likewise.documents.extraction.cache_entry import Outcome
    from likewise.documents.extraction.pool import Pool, Task

_AHEAD = 4


class Ticket:
    """A document that was handed in."""

    def __init__(
        self, outcome: Outcome | None = None, task: Task | None = None, key: str | None = None
    ) -> None:
        self.outcome = outcome
        self.task = task
        self.key = key


class Extraction:
    """Takes documents in, and returns their texts later.

    Args:
        cache: whether to use the user's cache.
        pool: for tests; else one is made when the first document needs it.

    Used in a `with` statement, which ends the workers in every case.
    """

    def __init__(self, *, cache: bool = True, pool: Pool | None = None) -> None:
        self._use_cache = cache
        self._cache: Cache | None = None
        self._pool = pool

    def __enter__(self) -> Extraction:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.close()
        if self._cache is not None and kind is None:
            self._cache.close()

    @property
    def ahead(self) -> int:
        """How many documents are worth handing in before the first is waited for."""
        return _AHEAD * (self._pool.max_workers if self._pool else 1)

    def submit(
        self, kind: str, data: bytes, encoding: str | None = None, seen: str | None = None
    ) -> Ticket:
        """Hand in a document of a kind in `formats.FORMATS`, or plain text, which is not cached.

        `seen` is a name under which to note whose content this is, for `recall`.
        """
        key = None
        if kind in FORMATS and (cache := self._open_cache()) is not None:
            from likewise.documents.extraction.cache import content_digest

            digest = content_digest(data)
            key = _key(digest, kind, encoding)
            if seen is not None:
                cache.put(seen, f"{kind} {digest}".encode())
            if (outcome := self._look_up(cache, key)) is not None:
                return Ticket(outcome)
        return Ticket(task=self._open_pool().submit(kind, data, encoding), key=key)

    def recall(self, seen: str, encoding: str | None = None) -> tuple[str, Ticket] | None:
        """Return the kind and the text of a file that was seen before, if both are known."""
        if (cache := self._open_cache()) is None or (noted := cache.get(seen)) is None:
            return None
        kind, _, digest = noted.decode("ascii", "replace").partition(" ")
        if kind not in FORMATS or not digest.isalnum():
            return None  # damaged
        outcome = self._look_up(cache, _key(digest, kind, encoding))
        return None if outcome is None else (kind, Ticket(outcome))

    def result(self, ticket: Ticket) -> Document:
        """Return the text of a document; raise `UnreadableError` where there is none."""
        if ticket.outcome is None:
            assert ticket.task is not None
            ticket.outcome = self._open_pool().wait(ticket.task)
            self._keep(ticket.key, ticket.outcome, ticket.task.entry)
        if isinstance(ticket.outcome, UnreadableError):
            raise ticket.outcome
        return ticket.outcome

    def _look_up(self, cache: Cache, key: str) -> Outcome | None:
        entry = cache.get(key)
        if entry is None:
            return None
        try:
            return decode_outcome(entry)
        except ValueError:
            return None  # damaged: it will be written again

    def _keep(self, key: str | None, outcome: Outcome, entry: bytes | None) -> None:
        if self._cache is None or key is None or entry is None:
            return
        if isinstance(outcome, UnreadableError) and not outcome.lasting:
            return
        self._cache.put(key, entry)

    def _open_cache(self) -> Cache | None:
        if self._use_cache and self._cache is None:
            from likewise.documents.extraction.cache import Cache, cache_folder

            folder = cache_folder()
            self._use_cache = folder is not None
            self._cache = None if folder is None else Cache(folder)
        return self._cache

    def _open_pool(self) -> Pool:
        if self._pool is None:
            from likewise.documents.extraction.pool import Pool

            self._pool = Pool()
        return self._pool


def _key(digest: str, kind: str, encoding: str | None) -> str:
    from likewise.documents.extraction.cache import cache_key
    from likewise.documents.formats import version

    given = encoding if FORMATS[kind].takes_encoding else None
    return cache_key(digest, kind, version(kind), given)
