"""Whatever happens, a user reads a message and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from likewise.cli import pairs
from likewise.cli.main import main

def run(options):
    print("half of it")
    {body}

pairs.run = run
sys.argv[1:] = ["pairs", "secret.txt"]
main()
"""


def broken(folder: Path, body: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command `pairs`, whose work is replaced by a statement."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(body=body)],
        cwd=folder,
        env={**os.environ, "XDG_STATE_HOME": str(folder), "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ("{}['x']", 70, "this is a bug in likewise: KeyError: 'x'"),
        ("raise AssertionError", 70, "this is a bug in likewise: AssertionError"),
        ("f = lambda: f(); f()", 70, "this is a bug in likewise: RecursionError: "),
        ("raise ExceptionGroup('two', [ValueError('a\\\\nb')])", 70, "ExceptionGroup: two"),
        ("raise MemoryError", 1, "out of memory"),
        ("raise OSError(28, 'No space left on device', 'x')", 1, "x: No space left on device"),
        ("raise PermissionError(13, 'Permission denied', 'x')", 1, "x: Permission denied"),
        ("raise KeyboardInterrupt", 130, "interrupted"),
    ],
)
def test_an_error_is_a_message(tmp_path: Path, body: str, status: int, message: str) -> None:
    done = broken(tmp_path, body)
    lines = done.stderr.splitlines()
    assert done.returncode == status
    assert message in lines[0]
    assert [line for line in lines[1:] if not line.startswith("hint: ")] == []
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == (1 if status == 70 else 0)
    for path in files:  # with the traceback, and no arguments
        assert str(path) in lines[1]
        assert "Traceback" in path.read_text()
        assert "secret.txt" not in path.read_text()
        assert "likewise" in path.read_text().splitlines()[0]


def test_the_traceback_is_printed_on_request(tmp_path: Path) -> None:
    done = broken(tmp_path, "{}['x']", LIKEWISE_DEBUG="1")
    assert done.returncode == 70
    assert "Traceback" in done.stderr
    assert list(tmp_path.rglob("*")) == []


def test_a_traceback_that_cannot_be_written_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "likewise").write_text("not a folder")
    done = broken(tmp_path, "{}['x']")
    assert done.returncode == 70
    assert done.stderr.count("\n") == 2
    assert "LIKEWISE_DEBUG=1" in done.stderr


def test_an_output_that_is_gone_or_full_is_no_traceback() -> None:
    command = [sys.executable, "-m", "likewise", "--help"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr == b"likewise: error: output: No space left on device\n"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
