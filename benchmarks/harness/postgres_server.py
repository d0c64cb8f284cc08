"""A PostgreSQL server of the benchmark's own: default settings, a free port, a folder that goes.

It is started as the user postgres where this process is root, since PostgreSQL refuses that.
"""

from __future__ import annotations

import glob
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType

# What a reader of the figures has to know; all of them at PostgreSQL's defaults.
TOLD = (
    "server_version",
    "shared_buffers",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "wal_level",
    "max_wal_size",
    "checkpoint_timeout",
    "autovacuum",
)
SECONDS = 120


def missing() -> str:
    """Say what is not here that a server needs; nothing, if all is here."""
    absent = [name for name in ("initdb", "pg_ctl") if _program(name) is None]
    if absent:
        return f"PostgreSQL is not installed ({', '.join(absent)})"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed"
    return ""


class PostgresServer:
    """A server that runs as long as the ``with`` block."""

    def __init__(self, scratch: Path | None = None) -> None:
        self._scratch = scratch

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="likewise-pg-", dir=self._scratch))
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(self._folder, self._user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        try:
            self._run("initdb", "-D", str(self._folder / "data"), "-U", "tester", "-A", "trust")
            self.start()
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.crash()  # nothing is kept: no need to write it out first
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def url(self) -> str:
        return f"postgresql://tester@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start it; after a crash this is where it recovers."""
        options = f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-l", log, "-o", options,
                  "start")  # fmt: skip

    def crash(self) -> None:
        """End it at once, as a crash would: no checkpoint, connections cut."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-m", "immediate", "stop")

    def facts(self) -> dict[str, str]:
        """Return version and settings."""
        import psycopg

        with psycopg.connect(self.url) as connection:
            found = connection.execute(
                "SELECT name, current_setting(name) FROM pg_settings WHERE name = ANY(%s)",
                (list(TOLD),),
            )
            told: dict[str, str] = dict(found.fetchall())
        return {name: told[name] for name in TOLD}

    def clients(self) -> int:
        """Count the sessions of others: those of a killed process end a moment after it."""
        import psycopg

        with psycopg.connect(self.url) as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            ).fetchone()
        return int(row[0]) if row else 0

    def _run(self, name: str, *arguments: str) -> None:
        program = _program(name)
        assert program
        subprocess.run([program, *arguments], check=True, user=self._user, cwd=self._folder,
                       stdout=subprocess.DEVNULL, timeout=SECONDS)  # fmt: skip


def summary(facts: dict[str, Any]) -> str:
    """Return the facts as a Markdown line."""
    rest = ", ".join(f"{name} {value}" for name, value in facts.items() if name != TOLD[0])
    return f"- PostgreSQL {facts[TOLD[0]]} on 127.0.0.1, default settings: {rest}"


def _program(name: str) -> str | None:
    places = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return places[-1] if places else shutil.which(name)
