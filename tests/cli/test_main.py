"""The command itself: help, version, and how fast it starts."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import likewise
from likewise.cli.commands import COMMANDS, members
from tests.cli.conftest import Run

HEAVY = ("numpy", "pyarrow", "scipy", "rich", "matplotlib", "pandas", "likewise._core", "rapidfuzz")


def test_help_lists_the_commands(run_process: Run) -> None:
    result = run_process("--help")
    assert result.status == 0
    for command in members(""):
        assert command in result.out.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run: Run, command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.status == 0
    assert b"example:" in result.out


# Commands that no page shows with its output, so that no test of the pages starts them.
SESSION = """
report {essays} -o report.html
dedup {essays} -o kept
index create a.db {essays}
index info a.db
index compact a.db
index export a.db a.parquet
index create b.db
index import b.db a.parquet
index list b.db
"""


@pytest.mark.slow
def test_commands_in_processes_of_their_own(run_process: Run) -> None:
    """A command must not depend on what another one has imported."""
    essays = Path(__file__).parents[2] / "samples" / "essays"
    for line in SESSION.format(essays=essays).strip().splitlines():
        result = run_process(*line.split())
        assert result.status == 0, result.err


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


def test_the_help_of_a_command_loads_nothing_heavy() -> None:
    commands = [name.split() for name in COMMANDS]
    code = (
        "from contextlib import suppress\nfrom likewise.cli.main import run\n"
        f"for words in {commands}:\n with suppress(SystemExit): run([*words, '--help'])"
    )
    assert loaded_by(code) == []


def test_comparing_two_texts_loads_neither_arrow_nor_rich() -> None:
    code = "from likewise.cli.main import run; run(['compare', '--literal', 'a b c', 'a b d'])"
    assert set(loaded_by(code)) <= {"numpy", "likewise._core", "rapidfuzz"}


def test_version_is_printed(run_process: Run) -> None:
    assert run_process("--version").out.decode() == f"likewise {likewise.__version__}\n"


def test_an_unknown_command_is_reported(run_process: Run) -> None:
    result = run_process("frobnicate")
    assert result.status == 2
    assert "unknown command 'frobnicate'" in result.err


def test_no_command_prints_help_and_fails(run_process: Run) -> None:
    result = run_process()
    assert result.status == 2
    assert b"usage:" in result.out


@pytest.mark.slow
def test_ctrl_c_ends_long_work_in_the_core(tmp_path: Path) -> None:
    """An exact search in which all pairs share too little: minutes of work, if it is let."""
    chance = random.Random(1)
    words = [f"w{i}" for i in range(900)]
    texts = [" ".join(chance.choices(words, k=300)) for _ in range(60_000)]
    (tmp_path / "many.txt").write_text("\n".join(texts))
    running = subprocess.Popen(
        [sys.executable, "-m", "likewise", "pairs", "many.txt", "--profile", "word:1", "--exact",
         "--threshold", "0.5", "-o", "out.csv"],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with pytest.raises(subprocess.TimeoutExpired):
        running.communicate(timeout=6)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "interrupted" in told
    assert "Traceback" not in told
    assert [path.name for path in tmp_path.iterdir()] == ["many.txt"]


@pytest.mark.parametrize("options", [[], ["--quiet"]])
def test_names_that_start_with_a_dash(run: Run, tmp_path: Path, options: list[str]) -> None:
    for name in ("-rf.txt", "--quiet", "b.txt"):
        (tmp_path / name).write_text("one line of words\nanother line of words\n")
    assert run("pairs", *options, "--lines", "--", "-rf.txt").status == 0
    assert run("pairs", "--lines", "b.txt", *options, "--", "-rf.txt", "--quiet").status == 0
    against = run("pairs", "b.txt", "--lines", "--against", "b.txt", *options, "--", "--quiet")
    assert against.status == 0
    compared = run("compare", *options, "--", "-rf.txt", "--quiet")
    assert compared.status == 0
    assert compared.out.startswith(b"a  -rf.txt\nb  --quiet\n")
    assert run("pairs", "-rf.txt").status == 2
