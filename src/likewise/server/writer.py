"""`Writer`: one thread that stores; what waits together is stored in one transaction.

A transaction costs a wait for the disk, however much is in it. While one is under way others
gather, and the next takes all of them. Each request is answered when its documents are on disk,
with what became of them; one whose documents are refused does not concern the others.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice

from likewise.server.errors import may_concern_one
from likewise.server.library import Entry, Library, Outcome
from likewise.server.line import Line
from likewise.server.promise import Promise
from likewise.server.threads import all_ended

MOST_DOCUMENTS = 2_000  # in a transaction of several requests
MOST_CHARACTERS = 64_000_000


class _Addition(Promise[Sequence[Entry], list[Outcome]]):
    """Documents that are to be stored."""


class _Removal(Promise[Sequence[str], list[str]]):
    """Ids of documents that are to be removed."""


_Added = list[tuple[_Addition, Sequence[Entry]]]


class Writer:
    """Stores and removes, one transaction at a time.

    Args:
        library: where to.
        most: how many requests may wait.
        on_transaction: called after each transaction.
    """

    def __init__(self, library: Library, most: int, on_transaction: Callable[[], object]) -> None:
        self._library = library
        self._on_transaction = on_transaction
        self._line: Line[_Addition | _Removal] = Line(most)
        self._thread = threading.Thread(target=self._serve, name="likewise-writer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    async def add(self, entries: Sequence[Entry], seconds: float) -> list[Outcome]:
        """Stores documents, all or none, and says what became of each."""
        job = _Addition(entries)
        self._line.put(job)
        return await job.wait(seconds)

    async def remove(self, ids: Sequence[str], seconds: float) -> list[str]:
        """Removes documents, and says which of them were there."""
        job = _Removal(ids)
        self._line.put(job)
        return await job.wait(seconds)

    def stop(self, seconds: float) -> bool:
        """Stores what waits, and ends; whether it has, in that time."""
        self._line.close()
        return all_ended([self._thread], seconds)

    def _serve(self) -> None:
        while (taken := self._line.take(_take)) is not None:
            if isinstance(taken, _Removal):
                self._remove(taken)
            elif taken:
                self._add(taken)
            del taken  # texts are not held while there is nothing to do

    def _add(self, jobs: _Added) -> None:
        try:
            outcomes = iter(self._library.add([one for _, entries in jobs for one in entries]))
        except BaseException as error:
            if len(jobs) > 1 and may_concern_one(error):
                for job in jobs:
                    self._add([job])
            else:
                for promise, _ in jobs:
                    promise.fail(error)
            return
        self._on_transaction()
        for promise, entries in jobs:
            promise.keep(list(islice(outcomes, len(entries))))

    def _remove(self, job: _Removal) -> None:
        if job.asked is None:
            return
        try:
            removed = self._library.remove(job.asked)
        except BaseException as error:
            job.fail(error)
        else:
            self._on_transaction()
            job.keep(removed)


def _take(waiting: deque[_Addition | _Removal]) -> _Removal | _Added:
    """The first that waits, if it removes; else all in front that can be stored together."""
    taken: _Added = []
    ids: set[str] = set()
    room = MOST_CHARACTERS
    while waiting:
        job = waiting[0]
        if isinstance(job, _Removal):
            if taken:
                break
            waiting.popleft()
            return job
        entries = job.asked or ()  # none, if nobody waits for it any more
        own = {entry.id for entry in entries}
        room -= sum(len(entry.text) for entry in entries)
        # The later of two documents with one id replaces the earlier: in a later transaction.
        fits = room >= 0 and len(ids) + len(own) <= MOST_DOCUMENTS and ids.isdisjoint(own)
        if taken and not fits:
            break
        waiting.popleft()
        if entries:
            taken.append((job, entries))
            ids |= own
    return taken
