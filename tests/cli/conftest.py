"""Runs the command, in this process or in one of its own."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from likewise.cli.main import run as run_command


@dataclass(frozen=True)
class Result:
    status: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.decode().splitlines()


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs `likewise` with arguments, in a folder of the test's own.

    In this process it need not start Python and import NumPy and Arrow each time; with --slow,
    `tests/test_docs.py` runs every documented command in a process of its own.
    """
    return command_in(tmp_path, own_process=False)


@pytest.fixture
def run_process(tmp_path: Path) -> Run:
    """Always in a process of its own, for what only a process shows."""
    return command_in(tmp_path, own_process=True)


def command_in(folder: Path, *, own_process: bool) -> Run:
    """The command, run in a folder."""
    return partial(_start if own_process else _call, folder)


def _start(folder: Path, *arguments: object, stdin: bytes = b"") -> Result:
    done = subprocess.run(
        [sys.executable, "-m", "likewise", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=folder,
        timeout=300,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr.decode())


def _call(folder: Path, *arguments: object, stdin: bytes = b"") -> Result:
    out, err = io.BytesIO(), io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["likewise", *map(str, arguments)])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, "utf-8"))
        patch.setattr(sys, "stderr", io.TextIOWrapper(err, "utf-8"))
        try:
            status = run_command()
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 0
        sys.stdout.flush()
        sys.stderr.flush()
        return Result(status, out.getvalue(), err.getvalue().decode())
