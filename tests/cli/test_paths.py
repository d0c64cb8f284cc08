"""No command overwrites what it reads, or an index, whichever option names it and by any link."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from likewise.cli.commands import COMMANDS, GROUPS, parser_of
from likewise.cli.parser import PathOption
from tests.cli.conftest import Run

# Options with a string that is no path. Any other option must have a role.
NO_PATH = {
    "--text", "--id", "--encoding", "--profile", "--title", "--language", "--keep", "--master",
    "--estimator", "--host", "--metadata-column", "--trust-proxy", "--share", "ID", "--shared-by",
    "--not-by", "--within", "--across", "--item-text", "--item-id", "--benchmark",
}  # fmt: skip

# What each input is in these tests: the argument, and the file that must not be overwritten.
INPUTS = {
    "SOURCE": ("essays", "essays/deep/one.txt"),
    "TRAIN": ("essays", "essays/deep/one.txt"),
    "A": ("a.txt", "a.txt"),
    "TEXT": ("a.txt", "a.txt"),
    "B": ("b.txt", "b.txt"),
    "DB": ("stored.db", "stored.db"),
    "--against": ("others", "others/two.txt"),
    "--corpus": ("others/*", "others/two.txt"),
    "--unrelated": ("others", "others/two.txt"),
    "--metadata": ("class.csv", "class.csv"),
    "--phrases": ("phrases.txt", "phrases.txt"),
    "--template": ("assignment.txt", "assignment.txt"),
    "--index": ("stored.db", "stored.db"),
}
DEDUP_INPUTS = {"SOURCE": ("essays", "essays/deep/one.txt"), "--against": ("stored.db",) * 2}
MORE = {"dedup": ["--overwrite"], "decontaminate": ["--overwrite"], "index export": ["--overwrite"]}
COPY = "copy.svg"  # the only kind of name that a plot may have

RUNNABLE = [name for name in COMMANDS if name not in GROUPS]


def paths_of(command: str, *roles: str) -> list[PathOption]:
    return [option for option in parser_of(command).paths if option.role in roles]


@pytest.fixture
def files(tmp_path: Path, run: Run) -> Path:
    for name in ("essays/deep/one.txt", "essays/two.txt", "others/two.txt", "a.txt", "b.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"the words of {name}, which are not many\n")
    (tmp_path / "class.csv").write_text("id,author\ndeep/one.txt,A\ntwo.txt,B\n")
    (tmp_path / "phrases.txt").write_text("which are not many\n")
    (tmp_path / "assignment.txt").write_text("write some words\n")
    assert run("index", "create", "stored.db", "--quiet").status == 0
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.name != COPY
    }


def arguments(command: str, output: PathOption, path: str) -> list[str]:
    """All inputs of a command, and one output."""
    given: list[str] = []
    known = DEDUP_INPUTS if command == "dedup" else INPUTS
    for option in paths_of(command, "source", "input"):
        value = known[option.name][0]
        given += [option.name, value] if option.name.startswith("-") else [value]
    given += [output.name, path] if output.name.startswith("-") else [path]
    others = [one for one in paths_of(command, "output", "target") if one.name == "--output"]
    if others and output.name != "--output":
        given += ["--output", "elsewhere"]
    return [*command.split(), *given, *MORE.get(command, [])]


@pytest.mark.parametrize("command", RUNNABLE)
def test_an_output_is_never_a_file_that_is_read(run: Run, files: Path, command: str) -> None:
    known = DEDUP_INPUTS if command == "dedup" else INPUTS
    before = content(files)
    for output in paths_of(command, "output", "target"):
        for name in (option.name for option in paths_of(command, "source", "input")):
            victim = known[name][1]
            ways = [COPY] if output.name == "--plot" else [victim, COPY]
            for link in (os.symlink, os.link):
                link(files / victim, files / COPY)
                for path in ways:
                    result = run(*arguments(command, output, path))
                    assert result.status == 2, (output.name, name, path)
                    assert "this command reads" in result.err or "is an index" in result.err
                (files / COPY).unlink()
    assert content(files) == before


@pytest.mark.parametrize("command", RUNNABLE)
def test_an_output_is_never_an_index(run: Run, files: Path, command: str) -> None:
    (files / "mine.svg").write_bytes((files / "stored.db").read_bytes())
    before = content(files)
    for output in paths_of(command, "output", "target"):
        for path in ("mine.svg", "mine.svg-wal"):
            if output.name == "--plot" and path.endswith("-wal"):
                continue
            result = run(*arguments(command, output, path))
            assert result.status == 2
            assert "index" in result.err
    assert content(files) == before


def test_a_folder_with_an_index_is_never_replaced(run: Run, files: Path) -> None:
    inner = files / "older" / "deeper"
    inner.mkdir(parents=True)
    (inner / "some.db").write_bytes((files / "stored.db").read_bytes())
    before = content(files)
    (files / "folder").mkdir()
    (files / "folder" / "a.txt").write_text("one two three four")
    result = run("dedup", "folder", "-o", "older", "--overwrite")
    assert result.status == 2
    assert "contains the index older/deeper/some.db" in result.err
    (files / "folder" / "a.txt").unlink()
    assert content(files) == before


@pytest.mark.parametrize("command", RUNNABLE)
def test_two_outputs_are_never_one_file(run: Run, files: Path, command: str) -> None:
    first, *others = paths_of(command, "output", "target") or [None]
    for other in others:
        assert first is not None
        given = arguments(command, first, "x.svg")
        given = given if given[-2:] != ["--output", "elsewhere"] else given[:-2]
        result = run(*given, other.name, "./x.svg")
        assert result.status == 2
        assert "another file of this run" in result.err


@pytest.mark.parametrize("command", RUNNABLE)
def test_every_option_with_a_path_has_a_role(command: str) -> None:
    parser = parser_of(command)
    known = {option.name for option in parser.paths} | NO_PATH
    unknown = [
        action.option_strings[-1] if action.option_strings else action.metavar
        for action in parser._actions
        if action.type is None and action.choices is None and action.nargs != 0
    ]
    assert [name for name in unknown if name not in known] == []


def test_an_output_may_be_in_a_source_folder_if_it_is_not_read(run: Run, files: Path) -> None:
    assert run("pairs", "essays", "-o", "essays/new.csv", "--format", "csv").status == 0
    written = (files / "essays/new.csv").read_bytes()
    again = run("pairs", "essays", "-o", "essays/new.csv", "--format", "csv")
    assert again.status == 2  # now it is a document of the folder
    assert (files / "essays/new.csv").read_bytes() == written
    assert run("pairs", "essays", "-o", "essays/.hidden").status == 0
    assert run("pairs", "essays", "-o", "essays/.hidden").status == 0


def test_stdin_from_a_file_is_read_too(files: Path) -> None:
    with (files / "a.txt").open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-m", "likewise", "pairs", "-", "-o", "a.txt"],
            cwd=files, stdin=stdin, capture_output=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert b"this command reads (SOURCE -)" in done.stderr


def test_an_export_replaces_a_file_only_when_asked(run: Run, files: Path) -> None:
    (files / "out.parquet").write_text("mine")
    refused = run("index", "export", "stored.db", "out.parquet")
    assert refused.status == 2
    assert "already exists" in refused.err
    assert (files / "out.parquet").read_text() == "mine"
    assert run("index", "export", "stored.db", "out.parquet", "--overwrite").status == 0
    assert (files / "out.parquet").read_bytes()[:4] == b"PAR1"


def test_signatures_replace_a_file_only_when_asked(run: Run, files: Path) -> None:
    (files / "signatures").write_text("mine")
    command = ("dedup", "a.txt", "-o", "out.txt", "--save-signatures", "signatures", "--quiet")
    refused = run(*command)
    assert refused.status == 2
    assert "already exists" in refused.err
    assert (files / "signatures").read_text() == "mine"
    assert not (files / "out.txt").exists()
    assert run(*command, "--overwrite").status == 0
    assert (files / "signatures").read_bytes() != b"mine"


def test_a_dash_is_no_output(run: Run, files: Path) -> None:
    for command in (["pairs", "essays", "-o"], ["index", "export", "stored.db"]):
        refused = run(*command, "-")
        assert refused.status == 2
        assert "the output must be a file" in refused.err
    assert not (files / "-").exists()


def test_messages_name_the_output_and_no_temporary_file(run: Run, files: Path) -> None:
    result = run("pairs", "essays", "-o", "/proc/out")
    assert result.status == 1
    assert result.err.splitlines()[-1] == "likewise: error: /proc/out: No such file or directory"
