"""The documentation says what the program does, all of it, and nothing else."""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import likewise
from likewise.cli.commands import COMMANDS, GROUPS, members, parser_of
from tests.cli.conftest import command_in

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
ANYTHING = "…"  # a line of a shown output that stands for any number of lines
OPTIONED = [name for name in COMMANDS if name not in GROUPS]
HOLE = "\0"  # in a message of the source: where a value is inserted


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, and the line that it begins at."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    found = []
    fence = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    text = page.read_text(encoding="utf-8")
    for match in fence.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(page, line, match[1], match[2]))
    return found


def blocks_in(language: str) -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if block.language == language]


# --- commands and names


def options_of(command: str) -> list[argparse.Action]:
    return parser_of(command)._actions


def section(page: Path, heading: str) -> str:
    """The text below a heading of the second level."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page.relative_to(ROOT)} has no section {heading!r}"
    return found[1]


def test_every_command_experiment_and_verb_is_in_the_list_of_them() -> None:
    page = ROOT / "docs/reference/cli.md"
    listed = page.read_text(encoding="utf-8").partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` ", listed, re.MULTILINE) == list(members(""))
    for command in ("index", "study"):
        listed = section(page, f"likewise {command}")
        assert re.findall(r"^\| \[`(\w+)`\]", listed, re.MULTILINE) == list(members(command))


def test_every_section_of_the_reference_is_of_a_command_that_is_there() -> None:
    told = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## likewise (.+)$", told, re.MULTILINE)
    assert sorted(sections) == sorted(COMMANDS)


@pytest.mark.parametrize("command", OPTIONED)
def test_every_option_is_in_the_reference(command: str) -> None:
    told = section(ROOT / "docs/reference/cli.md", f"likewise {command}")
    for action in options_of(command):
        for name in action.option_strings or [str(action.metavar)]:
            assert re.search(rf"`{re.escape(name)}[ `]", told), (
                f"{command}: {name} is not documented"
            )


@pytest.mark.parametrize("command", OPTIONED)
def test_the_reference_tells_of_no_option_that_is_not_there(command: str) -> None:
    told = section(ROOT / "docs/reference/cli.md", f"likewise {command}")
    there = {name for action in options_of(command) for name in action.option_strings}
    assert set(re.findall(r"^\| `(-[-\w]*)", told, re.MULTILINE)) <= there


@pytest.mark.parametrize("name", likewise.__all__)
def test_every_public_name_is_in_the_reference(name: str) -> None:
    told = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8")
    assert re.search(rf"`(likewise\.)?{re.escape(name)}\b", told)


# --- messages


def source_messages() -> str:
    """Every string of the package and the core that is not a docstring, one per line."""
    found = []
    for path in (ROOT / "core").rglob("*.?pp"):
        found += re.findall(r'"([^"\n]+)"', path.read_text(encoding="utf-8"))
    for path in (ROOT / "src/likewise").rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        inside = {id(part) for node in nodes for part in _parts(node)}
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                found.append("".join(map(_template, node.values)))
            elif isinstance(node, ast.Constant) and id(node) not in inside:
                found.append(_template(node))
    return "\n".join(text.replace("\n", " ") for text in found)


def _parts(node: ast.AST) -> list[ast.expr]:
    """The strings that are not messages of their own: docstrings, and parts of f-strings."""
    if isinstance(node, ast.JoinedStr):
        return node.values
    return [node.value] if isinstance(node, ast.Expr) else []


def _template(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return HOLE


def quoted_messages(page: Path) -> list[str]:
    """The wordings in the first column of the tables of messages."""
    text = page.read_text(encoding="utf-8")
    tables = re.findall(r"^\| (?:message|reason) .*\n((?:\|.*\n)+)", text, re.MULTILINE)
    cells = [row.split(" | ")[0] for table in tables for row in table.splitlines()]
    return [wording for cell in cells for wording in re.findall(r"`([^`]+)`", cell)]


def wording_pattern(wording: str) -> str:
    """A pattern for `source_messages`: … is anything, an example value may be inserted."""
    example = re.compile(r".*['\d].*|\W*[A-Z_]+\W*|--[a-z]+")
    parts = []
    for word in wording.split():
        own = re.escape(word).replace(ANYTHING, ".*")
        parts.append(rf"(?:{own}|\S*{HOLE}\S*)" if example.fullmatch(word) else own)
    return rf"(?<!\w){' '.join(parts)}(?!\w)".replace(" .*", ".*").replace(".* ", ".*")


@pytest.mark.parametrize(("name", "number"), [("reference/errors", 150), ("guide/reading", 25)])
def test_every_quoted_message_occurs_in_the_source(name: str, number: int) -> None:
    messages = source_messages()
    quoted = quoted_messages(ROOT / f"docs/{name}.md")
    assert len(quoted) > number
    assert [one for one in quoted if not re.search(wording_pattern(one), messages)] == []


def test_a_message_that_was_reworded_is_noticed() -> None:
    messages = source_messages()
    for message, reworded in (
        ("no such index", "no such indexes"),
        ("no estimator 'x'", "no estimators 'x'"),
        ("there are … ids for … texts", "there are … texts for … ids"),
        ("a row after row 7 is larger", "a row before row 7 is larger"),
    ):
        assert re.search(wording_pattern(message), messages)
        assert not re.search(wording_pattern(reworded), messages)


# --- links


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings get on GitHub."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_relative_link_points_nowhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{link} points nowhere"
        if anchor:
            assert anchor in anchors(target), f"{link}: there is no such heading"


# --- what the pages show


@pytest.mark.parametrize("block", blocks_in("console"), ids=str)
def test_a_command_prints_what_the_page_shows(block: Block, pytestconfig: pytest.Config) -> None:
    run = command_in(ROOT, own_process=pytestconfig.getoption("--slow"))
    for command, shown in _commands(block):
        done = run(*shlex.split(command)[1:])
        assert done.status == 0, done.err
        printed = done.out.decode()
        assert re.fullmatch(_pattern(shown), printed), f"{command}\n\nprints\n\n{printed}"


def _commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each `$ likewise …` of a block, and what stands below it."""
    text = block.text.replace("\\\n", "")
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        assert command.startswith("likewise "), f"{block}: {command}"
        yield command, shown


def _pattern(shown: str) -> str:
    lines = shown.splitlines(keepends=True)
    return "".join(r"(?:.*\n)*" if line.strip() == ANYTHING else re.escape(line) for line in lines)


@pytest.mark.parametrize("block", blocks_in("sh"), ids=str)
def test_a_command_that_is_not_run_could_be(block: Block) -> None:
    for line in block.text.replace("\\\n", "").splitlines():
        found = re.search(r"(?:^|\| *)likewise (.*)", line)
        if found is None:
            continue
        name, *arguments = shlex.split(re.split(r" [|>] ", found[1])[0], comments=True)
        if name in GROUPS and arguments:
            name = f"{name} {arguments.pop(0)}"
        if name in OPTIONED:
            parser_of(name).parse(arguments)


def test_the_python_guide_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """In order and in one namespace; a text block behind a python block is what that prints."""
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {}
    page = blocks(ROOT / "docs/guide/python.md")
    for block, following in zip(page, [*page[1:], None], strict=True):
        if block.language != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, str(block), "exec"), namespace)
        shown = following.text if following and following.language == "text" else ""
        assert re.fullmatch(_pattern(shown), printed.getvalue()), f"{block}\n{printed.getvalue()}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["guide/index", "tasks/editor", "tasks/thesis-office", "tasks/scholar"]
)
def test_the_commands_of_a_guide_run(tmp_path: Path, name: str) -> None:
    """In order and in a folder of its own; a text block behind an sh block is what that prints."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / "years").mkdir()
    page = blocks(ROOT / f"docs/{name}.md")
    for block, following in zip(page, [*page[1:], None], strict=True):
        if block.language != "sh" or following is None or following.language != "text":
            continue
        printed = ""
        for line in block.text.replace("\\\n", "").splitlines():
            done = subprocess.run(
                [sys.executable, "-m", *shlex.split(line, comments=True)],
                cwd=tmp_path,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            printed += done.stdout.decode()
        assert re.fullmatch(_pattern(following.text), printed), f"{block}\n\nprints\n\n{printed}"


# --- versions


def test_the_version_is_the_same_everywhere() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## v?(\d[\w.]*)", changes, re.MULTILINE)
    assert newest
    assert version == likewise.__version__ == newest[1]
