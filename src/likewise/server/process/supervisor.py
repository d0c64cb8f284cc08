"""`Supervisor`: several processes that serve one address; one that ends is restarted.

Each has its own socket on the same port, among which the system distributes connections. The
supervisor keeps the sockets open, so that connections wait while a process restarts.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from likewise.errors import LikewiseError
from likewise.server.log import log
from likewise.server.settings import METRICS_FOLDER, ServerSettings

_POLL_SECONDS = 0.2
_SHORT_LIFE_SECONDS = 10.0  # of a process that could not start
_MAX_SHORT_LIVES = 4
_MIN_PAUSE_SECONDS = 0.25  # before the next try; doubled each time
_KILL_SECONDS = 10.0  # after the time limit for open requests
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[2:]; from likewise.server.process.process import "
    "serve_as_worker; sys.exit(serve_as_worker(int(sys.argv[1])))"
)


@dataclass(eq=False)
class _Worker:
    """A process that serves; `not_before` is when it may be restarted."""

    number: int
    listening: socket.socket
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    not_before: float = 0.0
    short_lives: int = 0


class Supervisor:
    """Starts, restarts and stops processes."""

    def __init__(self, settings: ServerSettings, sockets: Sequence[socket.socket]) -> None:
        self._settings = settings
        self._workers = [_Worker(number, one) for number, one in enumerate(sockets, 1)]
        self._stop = threading.Event()
        self._folder = ""

    def run(self) -> int:
        """Serve until SIGTERM, SIGINT or SIGHUP; the exit status."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                signal.signal(number, lambda number, frame: self._stop.set())
        self._folder = tempfile.mkdtemp(prefix="likewise-metrics-")
        try:
            while not self._stop.is_set():
                for worker in self._workers:
                    self._ensure_running(worker)
                self._stop.wait(_POLL_SECONDS)
        finally:
            self._end()
            shutil.rmtree(self._folder, ignore_errors=True)
        return 0

    def _ensure_running(self, worker: _Worker) -> None:
        """Start the process if it does not run."""
        now = time.monotonic()
        if worker.process is not None:
            if worker.process.poll() is None:
                return
            self._reap(worker, now)
        if now >= worker.not_before:
            self._start(worker)

    def _reap(self, worker: _Worker, now: float) -> None:
        from prometheus_client.multiprocess import mark_process_dead

        process = worker.process
        assert process is not None
        if process.stdin:
            process.stdin.close()
        # Its requests are no longer in progress.
        mark_process_dead(process.pid, self._folder)  # type: ignore[no-untyped-call]
        worker.process = None
        status = process.returncode
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        log(f"worker {worker.number} ended {how}; restarting")
        if now - worker.started > _SHORT_LIFE_SECONDS:
            worker.short_lives = 0
            return
        worker.short_lives += 1
        if worker.short_lives >= _MAX_SHORT_LIVES:
            raise LikewiseError(
                f"worker {worker.number} has ended {worker.short_lives} times right after starting"
            )
        worker.not_before = now + _MIN_PAUSE_SECONDS * 2**worker.short_lives

    def _start(self, worker: _Worker) -> None:
        fd = worker.listening.fileno()
        worker.started = time.monotonic()
        worker.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM, str(fd), *sys.path],
            stdin=subprocess.PIPE,
            pass_fds=(fd,),
            env={**os.environ, METRICS_FOLDER: self._folder},
            process_group=0,  # Ctrl-C is for the supervisor, which passes it on
        )
        assert worker.process.stdin is not None
        with suppress(BrokenPipeError):  # it has ended already, which the next poll shows
            worker.process.stdin.write(self._settings.to_json().encode() + b"\n")
            worker.process.stdin.flush()

    def _end(self) -> None:
        """Let all processes end, and kill those that do not."""
        running = [worker.process for worker in self._workers if worker.process is not None]
        for worker in self._workers:
            worker.listening.close()
        for process in running:
            process.terminate()
        deadline = time.monotonic() + self._settings.grace + _KILL_SECONDS
        for process in running:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdin:
                process.stdin.close()
