"""A Redis server of the benchmark's own: default settings, a free port, a folder that goes.

By its defaults Redis writes snapshots of its memory now and then (after a minute with 10,000
changes, and so on) and no log: what was added since the last snapshot is lost in a crash.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

PROGRAM = "redis-server"
SECONDS = 20.0


def missing() -> str:
    """Say what is not here that a server needs; nothing, if all is here."""
    if shutil.which(PROGRAM) is None:
        return "redis-server is not installed"
    try:
        import redis  # noqa: F401
    except ImportError:
        return "the package redis is not installed"
    return ""


class RedisServer:
    """A server that runs as long as the ``with`` block."""

    def __init__(self, scratch: Path | None = None) -> None:
        self._scratch = scratch

    def __enter__(self) -> Self:
        self._folder = tempfile.mkdtemp(prefix="likewise-redis-", dir=self._scratch)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process = subprocess.Popen(
            [PROGRAM, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self._folder],
            stdout=subprocess.DEVNULL,
        )
        self._wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def facts(self) -> dict[str, str]:
        """Return version and what is kept on disk when."""
        import redis

        with redis.Redis(port=self.port) as client:
            return {
                "server_version": str(client.info("server")["redis_version"]),
                "save": str(client.config_get("save")["save"]),
                "appendonly": str(client.config_get("appendonly")["appendonly"]),
            }

    def bytes_used(self) -> int:
        """Return the memory that its data take."""
        import redis

        with redis.Redis(port=self.port) as client:
            return int(client.info("memory")["used_memory_dataset"])

    def _wait(self) -> None:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        self.__exit__(None, None, None)
        raise RuntimeError(f"{PROGRAM} did not start within {SECONDS:.0f} s")
