"""SIGINT, SIGTERM and SIGHUP end a command, which leaves no files and no processes behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# The command `pairs`, whose work is replaced: it says that it is ready, and waits.
PROGRAM = """
import os, sys, time
from likewise.cli import pairs
from likewise.cli.main import main
from likewise.files import open_output

def ready():
    print("ready", flush=True)

def run(options):
    {body}

pairs.run = run
sys.argv[1:] = ["pairs", "x.txt"]
main()
"""
WRITING = """
    with open_output("out.txt") as stream:
        stream.write(b"a text")
        ready()
        time.sleep(60)
"""
SWALLOWING = """
    class Dropped:
        def __del__(self):
            ready()
            time.sleep(0.5)
    Dropped()
    time.sleep(60)
"""
IMPORTING = """
    open("slow_module.py", "w").write(
        "import time\\ntry:\\n    print('ready', flush=True); time.sleep(0.5)\\n"
        "except BaseException:\\n    pass\\n"
    )
    sys.path.insert(0, os.getcwd())
    import slow_module
    os.remove("slow_module.py")
    time.sleep(60)
"""
TRANSLATING = """
    try:
        ready()
        time.sleep(60)
    except BaseException as error:
        raise RuntimeError("a library's own error") from error
"""


def stop(
    folder: Path, body: str, *numbers: int, ignored: int | None = None
) -> tuple[int, str, set[str]]:
    """Exit status, stderr and the files left after signals in the middle of a command."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(body=body.strip())],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if ignored is None else lambda: signal.signal(ignored, signal.SIG_IGN),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.05)
    _, err = process.communicate(timeout=30)
    return process.returncode, err, set(os.listdir(folder))


@pytest.mark.parametrize(
    ("number", "status", "message"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "terminated"),
        (signal.SIGHUP, 129, "terminated"),
    ],
)
def test_a_signal_leaves_no_file(tmp_path: Path, number: int, status: int, message: str) -> None:
    done = stop(tmp_path, WRITING, number)
    assert done == (status, f"likewise: error: {message}\n", set())


def test_impatience_does_not_disturb_the_cleaning_up(tmp_path: Path) -> None:
    assert stop(tmp_path, WRITING, *[signal.SIGINT] * 5)[::2] == (130, set())


@pytest.mark.parametrize("body", [SWALLOWING, IMPORTING, TRANSLATING])
def test_a_signal_is_not_lost(tmp_path: Path, body: str) -> None:
    status, err, _ = stop(tmp_path, body, signal.SIGTERM)
    assert (status, err) == (143, "likewise: error: terminated\n")


def test_a_signal_that_the_parent_ignores_stays_ignored(tmp_path: Path) -> None:
    numbers = (signal.SIGHUP, signal.SIGINT)
    assert stop(tmp_path, WRITING, *numbers, ignored=signal.SIGHUP)[0] == 130
