"""`likewise synopsis` on real files: the page, the counts, and what bad input gets."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.survey.made_texts import some

ALL, TWO, OWN = (" ".join(some(30, name)) for name in ("all", "two", "own"))
TEXTS = {"a.txt": f"{ALL}.\n{TWO}.\n", "b.txt": f"{TWO}.\n{ALL}.\n", "c.txt": f"{OWN}.\n{ALL}.\n"}


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


def data_of(path: Path) -> dict[str, Any]:
    found = re.search(r'id="synopsis">(.*?)</script>', path.read_text(encoding="utf-8"))
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_files_become_a_page_in_their_order(run: Run, tmp_path: Path) -> None:
    result = run("synopsis", "c.txt", "a.txt", "b.txt", "-o", "synopsis.html")
    assert (result.status, result.out) == (0, b"")
    assert re.search(
        r"4 rows, 1 with parallels and 2 out of order; 30 words agree in all 3 texts; "
        r"synopsis\.html, 0\.\d MB", result.err
    )  # fmt: skip
    data = data_of(tmp_path / "synopsis.html")
    assert [one["id"] for one in data["texts"]] == ["c.txt", "a.txt", "b.txt"]
    assert data["command"] == "likewise synopsis c.txt a.txt b.txt -o synopsis.html"
    assert sorted(os.listdir(tmp_path)) == [*TEXTS, "synopsis.html"]


def test_without_a_file_the_counts_are_printed(run: Run) -> None:
    result = run("synopsis", *TEXTS)
    assert result.status == 0
    assert [line.split() for line in result.lines] == [
        ["A", "a.txt"], ["B", "b.txt"], ["C", "c.txt"], [],
        ["words", "in", "tradition", "A", "B", "C"],
        ["A", "B", "C", "triple", "30", "(50%)", "30", "(50%)", "30", "(50%)"],
        ["A", "B", "double", "30", "(50%)", "30", "(50%)"],
        ["A", "C", "double", "0", "(0%)", "0", "(0%)"],
        ["B", "C", "double", "0", "(0%)", "0", "(0%)"],
        ["A", "single", "0", "(0%)"], ["B", "single", "0", "(0%)"], ["C", "single", "30", "(50%)"],
        ["all", "words", "60", "60", "60"],
    ]  # fmt: skip


def test_counts_for_programs_add_up(run: Run) -> None:
    jsonl = run("synopsis", *TEXTS, "--format", "jsonl")
    rows = [json.loads(line) for line in jsonl.lines]
    assert rows[0] == {
        "tradition": "ABC", "kind": "triple", "label": "A", "document": "a.txt", "words": 30,
        "share": 0.5, "wider": 0,
    }  # fmt: skip
    for name in TEXTS:
        assert sum(row["words"] for row in rows if row["document"] == name) == 60
    printed = run("synopsis", *TEXTS, "--format", "csv").out.decode()
    table = list(csv.DictReader(io.StringIO(printed)))
    assert [int(row["words"]) for row in table] == [row["words"] for row in rows]


def test_a_page_and_counts_can_be_had_at_once(run: Run, tmp_path: Path) -> None:
    result = run("synopsis", "a.txt", "b.txt", "-o", "page.html", "--format", "csv", "--quiet")
    assert (result.status, result.err) == (0, "")
    assert result.lines[0].startswith("tradition,kind,label")
    assert (tmp_path / "page.html").exists()


def test_names_come_from_a_table_and_the_title_from_an_option(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("file,title,author\na.txt,One,Ann\nb.txt,Two,Ben\n")
    result = run(
        "synopsis", "a.txt", "b.txt", "--metadata", "names.csv", "--title", "My texts",
        "-o", "page.html",
    )  # fmt: skip
    assert result.status == 0
    data = data_of(tmp_path / "page.html")
    assert data["title"] == "My texts"
    assert [(one["title"], one["author"]) for one in data["texts"]] == [
        ("One", "Ann"), ("Two", "Ben"),
    ]  # fmt: skip


def test_a_folder_or_a_table_of_a_few_texts_is_fine(run: Run, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps({"id": name, "text": text}) for name, text in TEXTS.items())
    (tmp_path / "texts.jsonl").write_text(lines)
    by_table = run("synopsis", "texts.jsonl", "--quiet")
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    by_folder = run("synopsis", "folder", "--quiet")
    assert by_table.status == by_folder.status == 0
    assert by_table.out == by_folder.out == run("synopsis", *TEXTS, "--quiet").out


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (["a.txt"], "a synopsis shows 2 to 5 texts; the sources have 1"),
        (["."], "a synopsis shows 2 to 5 texts; the sources have more than 5"),
    ],
)
def test_another_number_of_texts_is_refused(
    run: Run, tmp_path: Path, sources: list[str], message: str
) -> None:
    for name in "defg":
        (tmp_path / f"{name}.txt").write_text("some words")
    result = run("synopsis", *sources, "-o", "page.html")
    assert result.status == 2
    assert message in result.err
    assert "name the files" in result.err
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    "wrong",
    [["--min-words", "3"], ["--threads", "-1"], ["missing.txt"], ["--min-passage", "-1"]],
)
def test_a_wrong_argument_is_refused_before_any_work(
    run: Run, tmp_path: Path, wrong: list[str]
) -> None:
    result = run("synopsis", "a.txt", "b.txt", *wrong, "-o", "page.html")
    assert result.status == 2
    assert not (tmp_path / "page.html").exists()


def test_an_empty_text_is_a_column_without_words(run: Run, tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("…\n")
    result = run("synopsis", "a.txt", "none.txt", "b.txt")
    assert result.status == 0
    assert "Without any words: none.txt." in result.err
    assert result.lines[-1].split() == ["all", "words", "60", "0", "60"]


def test_excluded_text_is_in_no_count(run: Run, tmp_path: Path) -> None:
    (tmp_path / "phrases.txt").write_text(TWO)
    result = run("synopsis", "a.txt", "b.txt", "--phrases", "phrases.txt")
    assert result.lines[-1].split() == ["all", "words", "30", "30"]


def test_the_same_time_gives_the_same_page(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    pages = []
    for _ in range(2):
        assert run("synopsis", *TEXTS, "-o", "page.html").status == 0
        pages.append((tmp_path / "page.html").read_bytes())
    assert pages[0] == pages[1]
    assert data_of(tmp_path / "page.html")["made"] == "1970-01-01T00:00:00Z"


def test_the_summary_counts_in_plain_words(run: Run) -> None:
    two = run("synopsis", "a.txt", "b.txt", "-o", "two.html")
    assert "60 words agree in both texts" in two.err
