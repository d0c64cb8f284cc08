"""The command itself: help, version, and how fast it starts."""

from __future__ import annotations

import subprocess
import sys

import pytest

import likewise
from likewise.cli.main import COMMANDS
from tests.cli.conftest import Run

HEAVY = ("numpy", "pyarrow", "scipy", "rich", "matplotlib", "pandas", "likewise._core", "rapidfuzz")


def test_help_lists_the_commands(run: Run) -> None:
    result = run("--help")
    assert result.status == 0
    for command in COMMANDS:
        assert command in result.out.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.status == 0
    assert b"example:" in result.out


def loaded_by(code: str) -> list[str]:
    """Heavy modules in memory after running code in a fresh interpreter."""
    report = (
        f"{code}\nimport sys\nprint([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True
    )
    return list(eval(done.stderr.splitlines()[-1]))


def test_help_and_import_load_nothing_heavy() -> None:
    assert loaded_by("import likewise") == []
    assert loaded_by("from likewise.cli.main import run; run(['--help'])") == []


def test_comparing_two_texts_loads_neither_arrow_nor_rich() -> None:
    code = "from likewise.cli.main import run; run(['compare', '--literal', 'a b c', 'a b d'])"
    assert set(loaded_by(code)) <= {"numpy", "likewise._core", "rapidfuzz"}


def test_version_is_printed(run: Run) -> None:
    assert run("--version").out.decode() == f"likewise {likewise.__version__}\n"


def test_an_unknown_command_is_told(run: Run) -> None:
    result = run("frobnicate")
    assert result.status == 2
    assert "there is no command 'frobnicate'" in result.err


def test_no_command_prints_help_and_fails(run: Run) -> None:
    result = run()
    assert result.status == 2
    assert b"usage:" in result.out
