"""`likewise report` on real files: the page it writes, what it says, and what bad input gets."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

SAMPLES = Path(__file__).parents[2] / "samples"


def survey_of(path: Path) -> dict[str, Any]:
    found = re.search(r'id="survey">(.*?)</script>', path.read_text(encoding="utf-8"))
    assert found
    survey: dict[str, Any] = json.loads(found[1])
    return survey


def test_a_folder_becomes_a_page(run: Run, tmp_path: Path) -> None:
    result = run("report", SAMPLES / "essays", "-o", "report.html")
    assert (result.status, result.out) == (0, b"")
    assert "18 pairs among 35 documents" in result.err
    assert re.search(r"report\.html, 0\.\d MB", result.err)
    survey = survey_of(tmp_path / "report.html")
    assert survey["title"] == "essays"
    assert survey["pairs"]["count"] == 18
    assert survey["run"]["command"].startswith("likewise report ")
    assert survey["run"]["seconds"][0][0] == "read"
    assert os.listdir(tmp_path) == ["report.html"]


def test_metadata_skipped_files_and_exclusions_are_in_it(run: Run, tmp_path: Path) -> None:
    journal = SAMPLES / "journal"
    result = run(
        "report", journal / "2018", "--metadata", journal / "journal.csv", "--no-quotations",
        "--title", "A journal", "--no-cache", "-o", "report.html",
    )  # fmt: skip
    assert result.status == 0
    survey = survey_of(tmp_path / "report.html")
    assert survey["title"] == "A journal"
    assert all(survey["documents"]["columns"]["title"])
    ((name, place, reason),) = survey["run"]["skipped"]
    assert name.endswith("notice.pdf")
    assert place == ""
    assert reason
    assert [one["name"] for one in survey["exclusions"] if one["on"]] == ["quotations"]
    assert "skipped" in result.err


def test_an_archive_is_compared_with_what_is_under_review(run: Run, tmp_path: Path) -> None:
    this_year, last_year = tmp_path / "this", tmp_path / "last"
    this_year.mkdir()
    last_year.mkdir()
    for path in sorted((SAMPLES / "essays").glob("*.txt")):
        (last_year if path.name.startswith("tides") else this_year).joinpath(path.name).write_bytes(
            path.read_bytes()
        )
    copied = (last_year / "tides-01.txt").read_bytes()
    (this_year / "tides-01.txt").write_bytes(copied)
    result = run("report", this_year, "--against", last_year, "-o", "r.html")
    assert result.status == 0
    under_review, archived = len(list(this_year.iterdir())), len(list(last_year.iterdir()))
    assert f"{under_review} documents under review and {archived} in the archive" in result.err
    survey = survey_of(tmp_path / "r.html")
    assert survey["archive"]["count"] == archived
    columns, pairs = survey["documents"]["columns"], survey["pairs"]["columns"]
    names = [
        (columns["id"][a], columns["id"][b], columns["archive"][b])
        for a, b in zip(pairs["a"], pairs["b"], strict=True)
    ]
    assert ("tides-01.txt", "archive: tides-01.txt", "archive") in names
    # Copies inside the archive are nobody's business here.
    assert not any(a.startswith("archive: ") for a, _, _ in names)
    assert not any(columns["archive"][a] for a in pairs["a"])


def test_an_archive_can_be_an_index(run: Run, tmp_path: Path) -> None:
    essays = SAMPLES / "essays"
    assert run("index", "create", "old.db", essays).status == 0
    (tmp_path / "copy.txt").write_bytes((essays / "cars-01.txt").read_bytes())
    result = run("report", "copy.txt", "--index", "old.db", "-o", "r.html")
    assert result.status == 0
    assert "1 document under review and 35 in the archive" in result.err
    assert "nothing to compare it with" not in result.err
    survey = survey_of(tmp_path / "r.html")
    assert "cars-01.txt" in survey["documents"]["columns"]["id"]
    assert survey["archive"] == {
        "names": ["old"], "count": 35, "found": len(survey["documents"]["columns"]["id"]) - 1,
    }  # fmt: skip
    assert dict(survey["run"]["seconds"])["search the index"] >= 0
    both = run("report", "copy.txt", "--against", essays, "--index", "old.db", "-o", "both.html")
    assert "1 document under review and 70 in the archive" in both.err
    assert survey_of(tmp_path / "both.html")["archive"]["names"] == ["archive", "old"]


def test_an_archive_without_texts_is_explained(run: Run) -> None:
    assert run("index", "create", "bare.db", SAMPLES / "essays", "--no-text").status == 0
    result = run("report", SAMPLES / "essays", "--index", "bare.db", "-o", "r.html")
    assert result.status == 2
    assert "bare.db stores no texts, so no passages can be shown" in result.err
    assert "--against" in result.err


def test_a_skipped_file_is_an_error_if_asked_for(run: Run) -> None:
    result = run("report", SAMPLES / "journal/2018", "--strict", "--no-cache", "-o", "r.html")
    assert result.status == 1


def test_two_runs_at_one_time_give_the_same_bytes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    pages = []
    for _ in range(2):
        assert run("report", SAMPLES / "essays", "-o", "r.html", "--quiet").err == ""
        pages.append((tmp_path / "r.html").read_bytes())
    assert pages[0] == pages[1]
    assert survey_of(tmp_path / "r.html")["made"] == "2001-09-09T01:46:40Z"


def test_limits_are_reported_in_the_page_and_on_stderr(run: Run, tmp_path: Path) -> None:
    result = run("report", SAMPLES / "essays", "--max-pairs", "5", "--no-texts", "-o", "r.html")
    survey = survey_of(tmp_path / "r.html")
    assert len(survey["pairs"]["columns"]["a"]) == 5
    assert "the 5 most similar are listed, the other 13 are not" in survey["left_out"][0]
    assert survey["left_out"][0] in result.err
    assert sum(survey["documents"]["columns"]["text"]) == 0


def test_lines_of_a_file_are_documents(run: Run, tmp_path: Path) -> None:
    line = "one two three four five six seven eight nine ten eleven twelve thirteen"
    (tmp_path / "lines.txt").write_text(f"{line}\nsomething else altogether\n{line}\n")
    result = run("report", "lines.txt", "--lines", "-o", "r.html", "--stats")
    assert result.status == 0
    assert "minimum similarity: 0.2" in result.err
    survey = survey_of(tmp_path / "r.html")
    assert survey["documents"]["count"] == 3
    assert survey["pairs"]["columns"]["a"] == [0]
    assert survey["pairs"]["columns"]["b"] == [2]


def test_a_collection_without_pairs_has_a_page_that_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("one thing\nsomething else\n")
    result = run("report", "lines.txt", "--lines", "-o", "r.html")
    assert result.status == 0
    assert "0 pairs among 2 documents" in result.err
    assert survey_of(tmp_path / "r.html")["pairs"]["count"] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing", "-o", "r.html"], "missing"),
        (["essays"], "-o"),
        (["essays", "-o", "nowhere/r.html"], "does not exist"),
        (["essays", "-o", "r.html", "--threshold", "2"], "threshold"),
        (["essays", "-o", "r.html", "--max-pairs", "-1"], "max_pairs"),
        (["essays", "-o", "r.html", "--max-size", "big"], "size"),
        (["essays", "-o", "r.html", "--other", "author"], "table"),
        (["empty", "-o", "r.html"], "no documents"),
    ],
)
def test_bad_arguments_and_sources_leave_no_page(
    run: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "essays").mkdir()
    (tmp_path / "essays/a.txt").write_text("one text")
    (tmp_path / "empty").mkdir()
    result = run("report", *arguments)
    assert result.status == 2
    assert message in result.err
    assert not (tmp_path / "r.html").exists()


def test_a_wrong_time_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    result = run("report", SAMPLES / "essays", "-o", "r.html")
    assert result.status == 2
    assert "SOURCE_DATE_EPOCH" in result.err


def test_a_single_essay_is_one_document(run: Run, tmp_path: Path) -> None:
    (tmp_path / "essay.txt").write_text("one line\nanother line\n")
    for command in (("report", "essay.txt", "-o", "r.html"), ("passages", "essay.txt")):
        result = run(*command)
        assert result.status == 0
        assert "only 1 document" in result.err
