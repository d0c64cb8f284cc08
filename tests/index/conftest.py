"""Places for an index: a file, and a schema of a PostgreSQL server that the tests start."""

from __future__ import annotations

import glob
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

_numbers = count()


def _program(name: str) -> str | None:
    places = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return places[-1] if places else shutil.which(name)


class Server:
    """A PostgreSQL server on a free port, with its data in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        if self.user:
            shutil.chown(folder, self.user)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("initdb", "-D", str(folder / "data"), "-U", "tester", "-A", "trust", "-N")
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://tester@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-l", str(self.folder / "log"),
                  "-o", options, "start")  # fmt: skip

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", "immediate", "stop")

    def _run(self, name: str, *arguments: str) -> None:
        program = _program(name)
        assert program
        subprocess.run([program, *arguments], check=True, user=self.user, cwd=self.folder,
                       stdout=subprocess.DEVNULL, timeout=120)  # fmt: skip


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if _program("initdb") is None or _program("pg_ctl") is None:
        if os.environ.get("CI"):
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("PostgreSQL is not installed")
    pytest.importorskip("psycopg")
    with tempfile.TemporaryDirectory(prefix="likewise-pg-", dir="/tmp") as folder:
        made = Server(Path(folder))
        yield made
        made.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a test may make an index."""
    if request.param == "sqlite":
        return str(tmp_path / "index.db")
    return f"{request.getfixturevalue('server').url}#test_{next(_numbers)}"


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Where a test may make an index in a file."""
    return str(tmp_path / "index.db")
