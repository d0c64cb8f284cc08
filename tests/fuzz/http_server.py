"""`Target`: a real server process on 127.0.0.1 for hostile requests, and what it said and took."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tempfile
import weakref
from functools import cache
from pathlib import Path
from typing import BinaryIO

from likewise.index.index import Index
from likewise.server.process.sockets import Address
from likewise.server.settings import ServerSettings

TOKEN = "a-token-for-hostile-requests"
SECONDS = 20.0
"""For an answer; `settings.timeout` is shorter."""
_PROGRAM = (
    "import sys; from likewise.server.process.process import serve_as_worker; "
    "sys.exit(serve_as_worker(int(sys.argv[1])))"
)
_HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
_STORED = {"moon": "the cat sat on the mat and looked at the moon", "": "no id", "a/b ?#%": "tides"}


class Target:
    """A server with a small index, as `likewise serve` starts it; it ends with this process."""

    def __init__(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="likewise-fuzz-")
        self.folder = folder.name
        path = str(Path(folder.name, "secret-place.db"))
        with Index.create(path, min_words=4) as index:
            index.add(list(_STORED.values()), list(_STORED))
        settings = ServerSettings((path,), token=TOKEN, timeout=10.0, rate=0.0, quiet=True)
        self.address = Address("127.0.0.1", 0)
        (listening,) = self.address.listen(1)
        log = Path(folder.name, "log")
        with listening, log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM, str(listening.fileno())],
                pass_fds=(listening.fileno(),), stdin=subprocess.PIPE, stderr=errors,
            )  # fmt: skip
        self._log = log.open("rb")
        assert self.process.stdin is not None
        self.process.stdin.write(settings.to_json().encode() + b"\n")
        self.process.stdin.flush()  # and left open: when it is closed, the server ends
        self._end = weakref.finalize(self, _end, self.process, self._log, folder)

    def connect(self) -> socket.socket:
        return socket.create_connection(self.address.place, timeout=SECONDS)

    def check(self) -> None:
        """Raises if the server has ended, is not healthy or has logged an error."""
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended with status {self.process.returncode}")
        with self.connect() as wire:
            wire.sendall(_HEALTH)
            if not wire.recv(1 << 16).startswith(b"HTTP/1.1 200 "):
                raise AssertionError("the server is not healthy")
        self.check_log()

    def check_log(self) -> None:
        """Raises if the server has logged an error since the last time."""
        said = self._log.read().decode("utf-8", "replace")
        if re.search("Traceback|unexpected error|Exception|Error", said):
            raise AssertionError(f"the server logged {' '.join(said.split())[-150:]}")


def _end(
    process: subprocess.Popen[bytes], log: BinaryIO, folder: tempfile.TemporaryDirectory[str]
) -> None:
    process.kill()
    process.wait()
    log.close()
    folder.cleanup()


@cache
def target() -> Target:
    """The server of this process."""
    return Target()
