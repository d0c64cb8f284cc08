"""`Pool`: worker processes that extract text, of which any may hang or crash.

A document that takes too long, or too much memory, or that crashes its worker, costs itself alone:
the worker is ended and another one is started when there is work for it. Each worker has at most
one document, so there is no doubt whose fault it was.

Limitations: Linux and macOS. macOS does not enforce the limit of memory.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import weakref
from collections import deque
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait

from likewise.documents.extraction.cache_entry import (
    MAX_ENTRY_BYTES,
    Outcome,
    decode_outcome,
    encode_outcome,
)
from likewise.documents.unreadable import UnreadableError

EXTRACT = "likewise.documents.formats:extract"
SECONDS = 60.0
MEMORY = 2 << 30
CRASHED = "the reader crashed"

_START_SECONDS = 60.0
_DOCUMENTS_A_WORKER = 500  # parsers leak; a new process is cheap
# -P and sys.path as it is here: the same modules are found, and none lying in the current folder.
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[5:]; "
    "from likewise.documents.extraction.worker import serve; "
    "serve(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))"
)


class Task:
    """A document on its way; `entry` is the outcome as bytes once it is there."""

    def __init__(self, kind: str, data: bytes, encoding: str | None) -> None:
        self.request = json.dumps((kind, encoding)).encode()
        self.data: bytes | None = data
        self.tries = 0
        self.outcome: Outcome | None = None
        self.entry: bytes | None = None

    def refuse(self, reason: str) -> None:
        """Settle it without a text, for reasons that are not in the document alone."""
        self.settle(encode_outcome(UnreadableError(reason, lasting=False)))

    def settle(self, entry: bytes) -> None:
        try:
            self.outcome = decode_outcome(entry)
        except ValueError:
            self.outcome = UnreadableError(CRASHED, lasting=False)
        self.entry = entry
        self.data = None


@dataclass(eq=False)
class _Worker:
    process: subprocess.Popen[bytes]
    connection: Connection
    deadline: float
    ready: bool = False
    task: Task | None = None
    documents: int = 0

    @property
    def is_idle(self) -> bool:
        return self.ready and self.task is None


class Pool:
    """Extracts text in other processes, several documents at a time.

    Args:
        workers: the most processes at a time; None for one a processor. None is started before
            there is a document for it.
        seconds, memory: what one document may take.
        extract: "module:function" that does the work in the worker.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        extract: str = EXTRACT,
    ) -> None:
        self.max_workers = workers or _processors()
        self._seconds = seconds
        self._too_long = f"took longer than {seconds:g} s to read"
        self._arguments = (extract, str(seconds), str(memory))
        self._workers: list[_Worker] = []
        self._waiting: deque[Task] = deque()
        # Also when the program ends in the middle of things.
        self._close = weakref.finalize(self, _end, self._workers)

    def submit(self, kind: str, data: bytes, encoding: str | None = None) -> Task:
        """Hand a document in; it is worked on while other things are done."""
        task = Task(kind, data, encoding)
        self._waiting.append(task)
        self._step(0)
        return task

    def wait(self, task: Task) -> Outcome:
        """Return the outcome of a task, as soon as it is there."""
        while task.outcome is None:
            self._step(None)
        return task.outcome

    def close(self) -> None:
        """End all workers, whatever they are doing."""
        self._close()

    @property
    def process_ids(self) -> list[int]:
        return [worker.process.pid for worker in self._workers]

    def _step(self, timeout: float | None) -> None:
        """Give work out, and take in what is there; with no timeout, wait for something."""
        self._give_out()
        busy = [worker for worker in self._workers if not worker.is_idle]
        if not busy:
            return
        if timeout is None:
            timeout = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
        ready = set(wait([worker.connection for worker in busy], timeout))
        now = time.monotonic()
        for worker in busy:
            if worker.connection in ready:
                self._take_in(worker)
            elif now >= worker.deadline:
                self._retire(worker)
                self._lose(worker, self._too_long)
        self._give_out()

    def _give_out(self) -> None:
        for worker in [worker for worker in self._workers if worker.is_idle]:
            if not self._waiting:
                return
            self._send(worker, self._waiting.popleft())
        starting = sum(not worker.ready for worker in self._workers)
        room = self.max_workers - len(self._workers)
        for _ in range(min(room, len(self._waiting) - starting)):
            self._start()

    def _start(self) -> None:
        here, there = Pipe()
        with there:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-P", "-c", _PROGRAM),
                    *(str(there.fileno()), *self._arguments, *sys.path),
                ],
                pass_fds=(there.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        deadline = time.monotonic() + _START_SECONDS
        self._workers.append(_Worker(process, here, deadline))

    def _send(self, worker: _Worker, task: Task) -> None:
        task.tries += 1
        worker.task = task
        worker.deadline = time.monotonic() + self._seconds
        try:
            worker.connection.send_bytes(task.request)
            worker.connection.send_bytes(task.data or b"")
            task.data = None
        except OSError:
            self._retire(worker)
            # It may have been gone before, through no fault of this document.
            if task.tries > 1:
                task.refuse(CRASHED)
            else:
                self._waiting.appendleft(task)

    def _take_in(self, worker: _Worker) -> None:
        try:
            message = worker.connection.recv_bytes(MAX_ENTRY_BYTES)
        except (EOFError, OSError):
            self._retire(worker)
            # The worker's own clock ended it, if we were long away.
            late = worker.process.returncode == -signal.SIGALRM
            self._lose(worker, self._too_long if late else CRASHED)
            return
        if not worker.ready:
            worker.ready = True
            return
        task, worker.task = worker.task, None
        worker.documents += 1
        if task is None:
            return
        task.settle(message)
        failed = isinstance(task.outcome, UnreadableError) and not task.outcome.lasting
        if failed or worker.documents >= _DOCUMENTS_A_WORKER:
            self._retire(worker)

    def _lose(self, worker: _Worker, reason: str) -> None:
        if worker.task is not None:
            worker.task.refuse(reason)
        elif not worker.ready and self._waiting:
            # Nothing would ever get done if every document waited for a worker that can start.
            self._waiting.popleft().refuse("the reader could not be started")

    def _retire(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        _end([worker])


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.connection.close()
        worker.process.kill()
    for worker in workers:
        worker.process.wait()
    workers.clear()


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
