"""A class, from the empty app to evidence on paper: everything that was copied is found on the way.

The figures are those of the commands, and of the class itself, of which every word is known. The
class is smaller than that of `benchmarks.pages.class_task`, which is a real one's size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.class_task import (
    EVIDENCE,
    LAST_YEAR,
    PRINTED,
    UNREAD,
    ClassTask,
    Rows,
    Seen,
    do_class_task,
    rows_of,
    started_app,
    teachers_folders,
)
from tests.browser.conftest import Open, likewise
from tests.browser.window import Window
from tests.survey.anonymity import found_in
from tools.classroom.files import write_class
from tools.classroom.school_class import SchoolClass, make_class
from tools.classroom.scoring import POINTS, REWORDED

FIGURES = ("words", "share_a", "share_b", "passages", "run")
ESSAYS, EARLIER = 48, 32
OF_DOCUMENTS = ("words", "shared_words", "share", "longest_run")


@pytest.fixture(scope="module")
def school_class() -> SchoolClass:
    return make_class(essays=ESSAYS, last_year=EARLIER, long_words=30_000)


@pytest.fixture(scope="module")
def class_folder(school_class: SchoolClass, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    write_class(school_class, folder)
    return folder


@pytest.fixture(scope="module")
def task(
    browser: Browser, class_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[ClassTask, Seen]]:
    """The task, done once for all tests."""
    folder = tmp_path_factory.mktemp("teacher")
    folders = teachers_folders(class_folder, folder)
    context = browser.new_context(reduced_motion="reduce")
    window = Window(context)
    with started_app(folder / "data") as address:
        made = ClassTask(window)
        seen = do_class_task(made, address, *folders, class_folder / "assignment.txt")
        window.check()
        yield made, seen
        context.close()


@pytest.fixture
def seen(task: tuple[ClassTask, Seen]) -> Seen:
    return task[1]


def known(path: Path) -> Rows:
    return rows_of(path.read_bytes())


def by_pair(rows: Rows) -> dict[tuple[str, str], dict[str, str]]:
    """Those that share words, by the names of their files."""
    return {pair_of(row): row for row in rows if int(row["words"])}


def pair_of(row: dict[str, str]) -> tuple[str, str]:
    """The names of the files, in order; in the app, those of the archive have its name."""
    first, second = sorted(row[side].removeprefix(f"{LAST_YEAR}: ") for side in ("a", "b"))
    return first, second


def names_of(*paths: str) -> tuple[str, str]:
    """The names in the app: those of the folders that were dropped are not in them."""
    first, second = sorted(path.partition("/")[2] for path in paths)
    return first, second


def test_clicks_to_the_evidence(
    task: tuple[ClassTask, Seen], capsys: pytest.CaptureFixture[str]
) -> None:
    steps = {step.name: step for step in task[0].steps}
    with capsys.disabled():
        for name in (EVIDENCE, PRINTED):
            print(f"\nto {name}: {steps[name].clicks} clicks, {steps[name].drops} drops", end=" ")
    assert steps[EVIDENCE].clicks <= 15
    assert steps[PRINTED].clicks <= 23
    assert steps[PRINTED].drops == 2


def test_files_and_names_are_read(seen: Seen) -> None:
    assert seen.uploads == [
        f"{ESSAYS} added, 2 skipped; {ESSAYS} of {ESSAYS} documents described",
        f"{EARLIER + 1} added; {EARLIER + 1} of {EARLIER + 1} documents described",
    ]
    assert "2 could not be read" in seen.tiles
    reasons = {row["document"]: row["reason"] for row in seen.documents if row["reason"]}
    assert reasons.keys() == UNREAD.keys()
    assert "damaged" in reasons["families/scan.pdf"]
    assert "save .doc as .docx" in reasons["wisdom/old.doc"]
    under_review = [row for row in seen.documents if row["status"] == "under review"]
    assert len(under_review) == ESSAYS
    assert all(row["author"] and row["group"] and row["date"] for row in under_review)


def test_every_planted_copy_is_found(seen: Seen, school_class: SchoolClass) -> None:
    found = by_pair(seen.pairs)
    reworded = {pair_of(row) for row in seen.pairs if int(row["reworded"])}
    missed = []
    for one in school_class.planted:
        pair = names_of(one.copy.path, one.source.path)
        words = one.copy_range[1] - one.copy_range[0]
        if one.kind == REWORDED:
            missed += [] if pair in reworded else [one]
        elif pair not in found or 2 * int(found[pair]["words"]) < words:
            missed.append(one)
    assert missed == []


def test_percentages_are_true(seen: Seen, class_folder: Path) -> None:
    found = by_pair(seen.pairs)
    truth = {names_of(row["a"], row["b"]): row for row in known(class_folder / "pairs.csv")}
    assert found.keys() == truth.keys()
    for pair, row in truth.items():
        true = [float(row["share_a"]), float(row["share_b"])]
        if row["a"].partition("/")[2] != found[pair]["a"]:
            true.reverse()
        shown = [float(found[pair]["share_a"]), float(found[pair]["share_b"])]
        assert shown == pytest.approx(true, abs=POINTS / 100), pair
    documents = {row["document"]: row for row in seen.documents}
    for row in known(class_folder / "documents.csv"):
        words, *parts = (
            int(row[key]) for key in ("words", "shared_this_year", "shared_with_others")
        )
        share = float(documents[row["id"]]["share"])
        assert max(parts) / words - POINTS / 100 <= share <= sum(parts) / words + POINTS / 100


def test_the_commands_give_the_same_figures(
    open_window: Open, seen: Seen, class_folder: Path, tmp_path: Path
) -> None:
    this_year, assignment = class_folder / "this-year", class_folder / "assignment.txt"
    archive = (class_folder / "last-year", class_folder / "sources")
    likewise("report", this_year, "--against", *archive, "--template", assignment,
             "-o", tmp_path / "report.html", "--quiet")  # fmt: skip
    task = ClassTask(open_window((tmp_path / "report.html").as_uri(), "Overview"))
    told, shown = by_pair(task.table("Pairs")), by_pair(seen.pairs)
    assert told.keys() == shown.keys()
    for pair, row in told.items():
        assert [row[key] for key in FIGURES] == [shown[pair][key] for key in FIGURES], pair
    documents = {row["document"]: row for row in task.table("Documents")}
    for row in seen.documents:
        if row["status"] == "under review":
            other = documents[row["document"]]
            assert [row[key] for key in OF_DOCUMENTS] == [other[key] for key in OF_DOCUMENTS]


@pytest.mark.parametrize("quoted", [True, False])
def test_passages_on_the_command_line_are_those_of_the_app(
    seen: Seen, class_folder: Path, tmp_path: Path, quoted: bool
) -> None:
    words: defaultdict[tuple[str, str], int] = defaultdict(int)
    archive = ("--against", class_folder / "last-year", class_folder / "sources")
    for against in ((), archive):
        likewise("passages", class_folder / "this-year", *against, "--template",
                 class_folder / "assignment.txt", *(() if quoted else ("--no-quotations",)),
                 "--format", "csv", "-o", tmp_path / "passages.csv", "--quiet")  # fmt: skip
        for row in known(tmp_path / "passages.csv"):
            words[pair_of(row)] += int(row["words"]) * (row["kind"] != "reworded")
    shown = by_pair(seen.pairs if quoted else seen.unquoted)
    assert {pair: int(row["words"]) for pair, row in shown.items()} == {
        pair: count for pair, count in words.items() if count
    }


def test_the_evidence_on_paper(seen: Seen) -> None:
    assert seen.paper is not None
    words = seen.paper.words
    first, _, second = seen.pair.partition(" and ")
    assert first == seen.first
    for part in (first, second, "Evidence of shared wording: 1 pair of documents",
                 "Excluded template text"):  # fmt: skip
        assert part in words
    dates = {row["document"]: row["date"] for row in seen.documents}
    pair = next(row for row in seen.pairs if seen.first.endswith(row["title_a"] or "?")
                and second.endswith(row["title_b"] or "?"))  # fmt: skip
    assert dates[pair["a"]] in words
    assert dates[pair["b"]] in words
    assert seen.paper.rows[0].number.startswith("1")
    assert seen.paper.rows[0].left
    assert seen.paper.rows[0].right
    assert seen.paper.cut == []


def test_the_saved_reports(open_window: Open, seen: Seen, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(seen.report)
    window = open_window(path.as_uri(), "Overview")
    assert window.page.locator("dl.tiles").inner_text() == seen.tiles
    key = rows_of(seen.key)
    authors = {row["author"] for row in key if row["author"].startswith("Student")}
    assert authors >= {row["author"] for row in seen.documents if row["status"] == "under review"}
    assert found_in(seen.anonymous, authors) == []
    path.write_bytes(seen.anonymous)
    without = open_window(path.as_uri(), "Overview")
    assert without.page.locator("dl.tiles").inner_text() == seen.tiles
