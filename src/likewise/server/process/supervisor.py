"""`Supervisor`: several processes that serve one address; one that ends is started again.

Each has a socket of its own on the same port, among which the system deals out connections. The
supervisor keeps them open: what arrives while a process is started again waits for it.
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
from types import FrameType

from likewise.errors import LikewiseError
from likewise.server.log import log
from likewise.server.settings import METRICS_FOLDER, ServerSettings

_LOOK_EVERY = 0.2
_SHORT_LIFE = 10.0  # seconds; of a process that could not start
_MAX_SHORT_LIVES = 4
_SHORTEST_PAUSE = 0.25  # seconds before the next try; each is twice as long as the one before
_KILL_AFTER = 10.0  # seconds beyond the time that requests under way have
_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[2:]; from likewise.server.process.worker import run; "
    "sys.exit(run(int(sys.argv[1])))"
)


class _Worker:
    """A process that serves, and those that did before it."""

    def __init__(self, number: int, listening: socket.socket) -> None:
        self.number = number
        self.listening = listening
        self.process: subprocess.Popen[bytes] | None = None
        self.started = 0.0
        self.not_before = 0.0
        self.short_lives = 0


class Supervisor:
    """Starts processes, sees to them, and ends them."""

    def __init__(self, settings: ServerSettings, sockets: Sequence[socket.socket]) -> None:
        self._settings = settings
        self._workers = [_Worker(number, one) for number, one in enumerate(sockets, 1)]
        self._stop = threading.Event()
        self._folder = ""

    def run(self) -> int:
        """Serves until SIGTERM or SIGINT; the exit status."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        self._folder = tempfile.mkdtemp(prefix="likewise-metrics-")
        try:
            while not self._stop.is_set():
                for worker in self._workers:
                    self._ensure_running(worker)
                self._stop.wait(_LOOK_EVERY)
        finally:
            self._end()
            shutil.rmtree(self._folder, ignore_errors=True)
        return 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._stop.set()

    def _ensure_running(self, worker: _Worker) -> None:
        """Starts the process if it does not run."""
        now = time.monotonic()
        if worker.process is not None:
            if worker.process.poll() is None:
                return
            self._reap(worker, now)
        if now >= worker.not_before:
            self._start(worker)

    def _reap(self, worker: _Worker, now: float) -> None:
        process = worker.process
        assert process is not None
        if process.stdin:
            process.stdin.close()
        self._forget(process.pid)
        worker.process = None
        status = process.returncode
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        log(f"worker {worker.number} ended {how}; restarting")
        if now - worker.started > _SHORT_LIFE:
            worker.short_lives = 0
            return
        worker.short_lives += 1
        if worker.short_lives >= _MAX_SHORT_LIVES:
            raise LikewiseError(
                f"worker {worker.number} has ended {worker.short_lives} times right after starting"
            )
        worker.not_before = now + _SHORTEST_PAUSE * 2**worker.short_lives

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
        try:
            worker.process.stdin.write(self._settings.to_json().encode() + b"\n")
            worker.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended already, as will be seen

    def _forget(self, pid: int) -> None:
        """What a process had under way is not under way any more."""
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid, self._folder)  # type: ignore[no-untyped-call]

    def _end(self) -> None:
        """Has all processes end what they are at; kills those that do not."""
        running = [worker.process for worker in self._workers if worker.process is not None]
        for worker in self._workers:
            worker.listening.close()
        for process in running:
            process.terminate()
        deadline = time.monotonic() + self._settings.grace + _KILL_AFTER
        for process in running:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdin:
                process.stdin.close()
