"""Runs the command as a user does: in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest


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
    """Runs `likewise` with arguments, in a folder of the test's own."""

    def call(*arguments: object, stdin: bytes = b"") -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "likewise", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            timeout=300,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr.decode())

    return call
