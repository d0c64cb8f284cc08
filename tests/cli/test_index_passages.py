"""`likewise index passages` on real files: what it prints, and what bad input gets."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from likewise.index.index import Index
from likewise.passages.results import COLUMNS
from tests.cli.conftest import Run

SAMPLES = Path(__file__).parents[2] / "samples"
ESSAYS = SAMPLES / "essays"
COPY = ESSAYS / "cars-07.txt"  # has 78 words of cars-04.txt


def words(count: int, seed: int) -> str:
    return " ".join(random.Random(seed).choices([f"v{i}" for i in range(3000)], k=count))


def ran(run: Run, *arguments: object) -> tuple[str, str]:
    """What a run that succeeded wrote to stdout and stderr."""
    done = run(*arguments)
    assert done.status == 0, done.err
    return done.out.decode(), done.err


@pytest.fixture
def db(tmp_path: Path, run: Run) -> Path:
    made = tmp_path / "essays.db"
    ran(run, "index", "create", str(made), str(ESSAYS / "*-0[1-4].txt"))
    return made


def test_the_source_of_a_new_document_is_shown(run: Run, db: Path) -> None:
    out, err = ran(run, "index", "passages", str(db), str(COPY), "--whole")
    assert out.startswith("a  cars-07.txt\nb  cars-04.txt\n")
    assert "verbatim, 78 shared words, longest run 78\n   so long a match in unrelated" in out
    assert "checked 1 document against 20 stored: 1 passage in 1 pair (by" in err
    with Index(db) as index:
        assert "cars-07.txt" not in index


def test_the_same_as_against_the_files(run: Run, db: Path) -> None:
    essays = str(ESSAYS / "*-0[5-8].txt")
    formats = "--format", "jsonl"
    asked = ran(run, "index", "passages", str(db), essays, *formats)[0]
    stored = str(ESSAYS / "*-0[1-4].txt")
    searched = ran(run, "passages", essays, "--against", stored, *formats)[0]

    def pairs(text: str) -> set[tuple[str, str]]:
        rows = map(json.loads, text.splitlines())
        return {(row["a"], row["b"]) for row in rows}

    assert pairs(asked) == pairs(searched)
    first = json.loads(asked.splitlines()[0])
    assert set(COLUMNS) <= first.keys()
    assert first["a_text"]


def test_scores(run: Run, db: Path) -> None:
    out, _ = ran(run, "index", "passages", str(db), str(ESSAYS), "--scores", "--format", "jsonl")
    rows = [json.loads(line) for line in out.splitlines()]
    (copy,) = [row for row in rows if row["document"] == "cars-07.txt"]
    assert (copy["source"], copy["matched"], copy["longest_run"]) == ("cars-04.txt", 78, 78)


def test_metadata_of_the_index_is_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    with Index.create(path) as index:
        index.add([words(100, 1)], ["a"], metadata=[{"title": "Of Bees", "year": 1999}])
    new = tmp_path / "new.txt"
    new.write_text(words(40, 1))
    out, _ = ran(run, "index", "passages", str(path), str(new), "--whole")
    assert "b  a  (Of Bees)" in out
    out, _ = ran(run, "index", "passages", str(path), str(new), "--whole", "--format", "jsonl")
    assert json.loads(out)["title_b"] == "Of Bees"


def test_with_add_documents_are_asked_about_first(run: Run, tmp_path: Path, db: Path) -> None:
    new = tmp_path / "new.jsonl"
    new.write_text("".join(json.dumps({"id": i, "text": words(60, 9)}) + "\n" for i in "xy"))
    out, err = ran(run, "index", "passages", str(db), str(new), "--add")
    assert "no passages" in out
    assert "2 added" in err
    out, err = ran(run, "index", "passages", str(db), str(new), "--format", "csv")
    assert len(out.splitlines()) == 1 + 4


def test_short_passages_can_be_left_out(run: Run, db: Path) -> None:
    asked = "index", "passages", str(db), str(COPY), "--whole", "--min-passage"
    assert "78 shared words" in ran(run, *asked, "78")[0]
    out, err = ran(run, *asked, "79")
    assert out == "no passages\n"
    assert "excluded: 1 passage of too few words" in err


def test_what_cannot_be_asked_is_reported_before_anything_is_read(
    run: Run, tmp_path: Path, db: Path
) -> None:
    without = tmp_path / "without.db"
    Index.create(without, min_words=None).close()
    missing = str(tmp_path / "nothing.txt")
    done = run("index", "passages", str(without), missing)
    assert done.status == 2
    assert "created without passages" in done.err
    assert "import" in done.err
    done = run("index", "passages", str(db), missing, "--min-words", "5")
    assert done.status == 2
    assert "runs of 12 words or more; with 5, passages would be missed" in done.err
    done = run("index", "passages", str(db), missing, "--differences", "--format", "csv")
    assert done.status == 2
    assert "not available with --format csv" in done.err


def test_create_says_whether_there_will_be_passages(run: Run, tmp_path: Path) -> None:
    _, err = ran(run, "index", "create", str(tmp_path / "a.db"), "--min-words", "8")
    assert "passages by runs of 8 identical words" in err
    _, err = ran(run, "index", "create", str(tmp_path / "b.db"), "--no-passages")
    assert "passages" not in err
    out, _ = ran(run, "index", "info", str(tmp_path / "b.db"))
    assert re.search(r"^min_words +none$", out, re.MULTILINE)
    done = run("index", "create", str(tmp_path / "c.db"), "--no-text", "--min-words", "8")
    assert done.status == 2
    assert "passages require stored texts" in done.err
    assert not (tmp_path / "c.db").exists()
