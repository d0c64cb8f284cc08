"""`likewise index` on real files: every verb as a user runs it, and what bad input gets."""

from __future__ import annotations

import csv
import io
import json
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likewise.cli.commands import members
from likewise.documents import References
from likewise.index.index import Index
from likewise.index.matches import COLUMNS, FIELDS
from tests.cli.conftest import Run
from tests.cli.test_main import loaded_by

STORED = {
    "moon": "the cat sat on the mat and looked at the moon",
    "train": "a dog barked at the passing train all night long",
    "sun": "the cat sat on the mat and looked at the sun",
    "empty": "",
}
NEW = {
    "sea": "the cat sat on the mat and looked at the sea",
    "bread": "nobody has ever written about bread in such a manner",
}
SEA_AND_MOON = 8 / 10  # nine runs of three words each, of which eight are shared


def write(path: Path, documents: dict[str, str]) -> Path:
    lines = (json.dumps({"id": id_, "text": text}) for id_, text in documents.items())
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return write(tmp_path / "new.jsonl", NEW)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """An index with the stored documents."""
    with Index.create(tmp_path / "some.db") as index:
        index.add(list(STORED.values()), list(STORED))
    return tmp_path / "some.db"


def rows(out: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.decode().splitlines()]


def stored_in(db: Path) -> dict[str, str | None]:
    with Index(db) as index:
        assert index.verify() == []
        return {document.id: document.text for document in index.documents()}


# --- create and add


def test_create_makes_what_was_asked_for(run: Run, tmp_path: Path) -> None:
    result = run("index", "create", "x.db", "--threshold", 0.7, "--recall", 0.9, "--profile",
                 "char:5", "--values", 64, "--no-text")  # fmt: skip
    assert (result.status, result.out) == (0, b"")
    assert "created for jaccard 0.7 or more (char:5; " in result.err
    assert "stores no texts" in result.err
    (info,) = rows(run("index", "info", "x.db", "--format", "jsonl").out)
    expected = {
        "profile": "char:5",
        "threshold": 0.7,
        "recall": 0.9,
        "values": 64,
        "keeps_text": False,
        "documents": 0,
    }
    assert {name: info[name] for name in expected} == expected


def test_create_with_sources_adds_them(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "stored.jsonl", STORED)
    result = run("index", "create", "x.db", "stored.jsonl")
    assert (result.status, result.out) == (0, b"")
    assert "4 added, 0 replaced, 0 unchanged; x.db has 4 documents" in result.err
    assert stored_in(tmp_path / "x.db") == STORED


def test_create_leaves_a_file_that_is_there_alone(run: Run, db: Path) -> None:
    before = db.read_bytes()
    result = run("index", "create", db)
    assert result.status == 2
    assert "the file already exists" in result.err
    assert db.read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [("nowhere.txt",), ("table.csv",), ("--threshold", 0.01), ("--profile", "word:0"), ("--id",)],
)
def test_a_create_that_cannot_work_leaves_no_file(
    run: Run, tmp_path: Path, arguments: tuple[object, ...]
) -> None:
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    result = run("index", "create", "x.db", *arguments)
    assert result.status == 2
    assert result.err.startswith("likewise: error: ")
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_a_single_text_file_is_one_document_and_lines_are_with_an_option(
    run: Run, tmp_path: Path
) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.txt").write_text(f"{name} line\n{name} other line\n")
    result = run("index", "create", "x.db", "one.txt")
    assert "1 added, 0 replaced, 0 unchanged" in result.err
    assert "per line" not in result.err
    result = run("index", "add", "x.db", "two.txt")
    assert "1 added, 0 replaced, 0 unchanged" in result.err
    assert "2 added" in run("index", "add", "x.db", "three.txt", "--lines").err
    assert stored_in(tmp_path / "x.db") == {
        "one.txt": "one line\none other line\n",
        "two.txt": "two line\ntwo other line\n",
        "0": "three line",
        "1": "three other line",
    }


def test_add_tells_what_is_added_replaced_and_unchanged(run: Run, db: Path, tmp_path: Path) -> None:
    changed = STORED | {"sun": "quite another text about the sun and nothing else"} | NEW
    write(tmp_path / "more.jsonl", changed)
    first = run("index", "add", db, "more.jsonl")
    assert (first.status, first.out) == (0, b"")
    assert "2 added, 1 replaced, 3 unchanged" in first.err
    assert "has 6 documents" in first.err
    assert stored_in(db) == changed
    again = run("index", "add", db, "more.jsonl")
    assert "0 added, 0 replaced, 6 unchanged" in again.err


def test_what_cannot_be_read_is_skipped_and_reported(run: Run, db: Path, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"id": "a", "text": "one two three"}\n{"id": "b"}\n')
    result = run("index", "add", db, "rows.jsonl")
    assert result.status == 0
    assert "skipped rows.jsonl line 2" in result.err
    assert "1 added" in result.err
    assert run("index", "add", db, "rows.jsonl", "--strict").status == 1


def test_quiet_says_nothing(run: Run, db: Path, new: Path) -> None:
    for arguments in (["add", db, new], ["remove", db, "moon"], ["compact", db], ["verify", db],
                      ["copy", db, "c.db"], ["export", db, "e.parquet"],
                      ["import", db, "e.parquet"], ["create", "x.db", new],
                      ["query", db, new, "--add"]):  # fmt: skip
        result = run("index", *arguments, "--quiet")
        assert (result.status, result.err) == (0, ""), arguments


def test_after_ctrl_c_all_that_was_acknowledged_is_there(tmp_path: Path) -> None:
    """Some batches through a pipe that stays open: there is no end to what is to be added."""
    line = b" ".join(b"word%d" % i for i in range(20_000)) + b"\n"
    running = subprocess.Popen(
        [sys.executable, "-m", "likewise", "index", "create", "x.db", "-", "--threads", "1"],
        cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert running.stdin is not None
    for i in range(220):
        running.stdin.write(b"%d " % i + line)
    running.stdin.flush()
    deadline = time.monotonic() + 60
    added = 0
    while added == 0 and time.monotonic() < deadline:
        time.sleep(0.1)
        if (tmp_path / "x.db").exists():
            with Index(tmp_path / "x.db") as index:
                added = len(index)
    running.send_signal(signal.SIGINT)
    running.wait(timeout=60)  # communicate() would close its stdin first
    assert running.stderr is not None
    told = running.stderr.read().decode()
    running.stdin.close()
    running.stderr.close()
    assert running.returncode == 130
    assert added > 0
    kept = re.search(
        r"(\d+) added, 0 replaced, 0 unchanged before the run stopped; these remain in the index",
        told,
    )
    assert kept
    assert len(stored_in(tmp_path / "x.db")) >= max(added, int(kept[1]))


# --- query


def test_query_finds_what_is_similar_and_adds_nothing(run: Run, db: Path, new: Path) -> None:
    result = run("index", "query", db, new, "--format", "jsonl")
    assert result.status == 0
    with Index(db) as index:
        expected = [
            dict(zip(("query", *COLUMNS), (id_, *match.row()), strict=True))
            for id_, matches in zip(NEW, index.query(list(NEW.values())), strict=True)
            for match in matches
        ]
        assert len(index) == len(STORED)
    assert rows(result.out) == expected
    assert [(row["query"], row["id"]) for row in expected] == [("sea", "moon"), ("sea", "sun")]
    assert expected[0]["jaccard"] == SEA_AND_MOON
    assert "checked 2 documents: 1 has matches at jaccard 0.5 or more among 4" in result.err


def test_every_format_has_the_same_answers(run: Run, db: Path, new: Path) -> None:
    expected = rows(run("index", "query", db, new, "--format", "jsonl").out)
    table = csv.DictReader(
        io.StringIO(run("index", "query", db, new, "--format", "csv").out.decode())
    )
    assert [(row["query"], row["id"], float(row["jaccard"])) for row in table] == [
        (row["query"], row["id"], row["jaccard"]) for row in expected
    ]  # fmt: skip
    parquet = run("index", "query", db, new, "--format", "parquet").out
    assert pq.read_table(io.BytesIO(parquet)).to_pylist() == expected
    shown = run("index", "query", db, new).lines
    left_out = {"low", "high", *FIELDS}  # which are empty here
    assert shown[0].split() == ["query", *(name for name in COLUMNS if name not in left_out)]
    assert [line.split()[:2] for line in shown[1:]] == [["sea", "moon"], ["sea", "sun"]]


def test_no_answer_is_an_answer_too(run: Run, db: Path, tmp_path: Path) -> None:
    write(tmp_path / "bread.jsonl", {"bread": NEW["bread"]})
    assert run("index", "query", db, "bread.jsonl").lines == ["no matches"]
    parquet = run("index", "query", db, "bread.jsonl", "--format", "parquet").out
    made = pq.read_table(io.BytesIO(parquet))
    assert made.num_rows == 0
    assert made.schema.field("jaccard").type == pa.float64()


def test_a_stored_document_matches_itself(run: Run, db: Path, tmp_path: Path) -> None:
    write(tmp_path / "again.jsonl", {"train": STORED["train"]})
    (found,) = rows(run("index", "query", db, "again.jsonl", "--format", "jsonl").out)
    assert (found["query"], found["id"], found["jaccard"]) == ("train", "train", 1.0)


def test_top_gives_the_best_of_each(run: Run, db: Path, tmp_path: Path) -> None:
    write(tmp_path / "both.jsonl", {"a": STORED["sun"], "b": STORED["moon"]})
    found = rows(run("index", "query", db, "both.jsonl", "--top", 1, "--format", "jsonl").out)
    assert [(row["query"], row["id"]) for row in found] == [("a", "sun"), ("b", "moon")]


def test_a_lower_threshold_needs_a_scan(run: Run, db: Path, tmp_path: Path) -> None:
    write(tmp_path / "part.jsonl", {"part": "the cat sat on the mat but then ran far away"})
    refused = run("index", "query", db, "part.jsonl", "--threshold", 0.2)
    assert (refused.status, refused.out) == (2, b"")
    assert "created for similarities of 0.5 or more; at 0.2" in refused.err
    assert "hint: compare with every document (--scan)" in refused.err
    result = run(
        "index", "query", db, "part.jsonl", "--threshold", 0.2, "--scan", "--format", "jsonl"
    )
    assert [row["id"] for row in rows(result.out)] == ["moon", "sun"]  # fmt: skip
    assert "compared with every document" in result.err
    higher = run("index", "query", db, "part.jsonl", "--threshold", 0.9, "--format", "jsonl")
    assert (higher.status, higher.out) == (0, b"")


@pytest.mark.parametrize("source", ["new.jsonl", "-"])
def test_query_with_add_asks_first_and_adds_then(run: Run, db: Path, source: str) -> None:
    """Documents of the run are not among the answers, even where they are alike."""
    two = {"0": NEW["sea"], "1": NEW["sea"]}
    text = "".join(f"{line}\n" for line in two.values())
    write(db.parent / "new.jsonl", two)
    result = run("index", "query", db, source, "--add", "--format", "jsonl", stdin=text.encode())
    assert result.status == 0
    answers = [(row["query"], row["id"]) for row in rows(result.out)]
    assert answers == [("0", "moon"), ("0", "sun"), ("1", "moon"), ("1", "sun")]
    assert "among 4 documents" in result.err
    assert "2 added, 0 replaced, 0 unchanged" in result.err
    assert stored_in(db) == STORED | two


def test_an_index_without_texts_answers_with_intervals(run: Run, tmp_path: Path, new: Path) -> None:
    write(tmp_path / "stored.jsonl", STORED)
    run("index", "create", "x.db", "stored.jsonl", "--no-text")
    assert set(stored_in(tmp_path / "x.db").values()) == {None}
    assert STORED["train"].encode() not in (tmp_path / "x.db").read_bytes()
    result = run("index", "query", "x.db", new, "--format", "jsonl")
    for row in rows(result.out):
        low, high = row["low"], row["high"]
        assert isinstance(low, float)
        assert isinstance(high, float)
        assert low <= SEA_AND_MOON <= high
        assert row["shared"] is None
    assert {row["id"] for row in rows(result.out)} == {"moon", "sun"}
    assert "estimates with 95% intervals" in result.err
    wider = rows(run("index", "query", "x.db", new, "--level", 0.999, "--format", "jsonl").out)
    assert all(a["low"] < b["low"] for a, b in zip(wider, rows(result.out), strict=True))  # type: ignore[operator]
    header = run("index", "query", "x.db", new).lines[0].split()
    assert header == ["query", *(name for name in COLUMNS if name not in {"shared", *FIELDS})]


@pytest.mark.parametrize(
    "option", [("--top", 0), ("--threshold", 2), ("--level", 1), ("--top", "x")]
)
def test_a_question_that_makes_no_sense_is_refused(
    run: Run, db: Path, new: Path, option: tuple[object, ...]
) -> None:
    result = run("index", "query", db, new, *option)
    assert (result.status, result.out) == (2, b"")
    assert result.err.startswith("likewise: error: ")


# --- remove, list, info, verify, compact, copy


def test_remove_takes_documents_out_of_the_answers(run: Run, db: Path, new: Path) -> None:
    result = run("index", "remove", db, "moon", "moon", "nobody")
    assert (result.status, result.out) == (0, b"")
    assert "not found: nobody" in result.err
    assert "1 removed" in result.err
    assert "has 3 documents" in result.err
    assert "moon" not in stored_in(db)
    found = rows(run("index", "query", db, new, "--format", "jsonl").out)
    assert [row["id"] for row in found] == ["sun"]
    assert run("index", "remove", db, "nobody", "--strict").status == 1
    assert run("index", "remove", db, "sun", "--strict").status == 0


def test_remove_takes_ids_from_a_file_or_stdin(run: Run, db: Path, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_bytes(b"moon\r\n\nsun\n")
    assert "2 removed" in run("index", "remove", db, "--from", "ids.txt").err
    assert "2 removed" in run("index", "remove", db, "train", "--from", "-", stdin=b"empty").err
    assert stored_in(db) == {}
    assert run("index", "list", db).lines == ["no documents"]


def test_remove_without_an_id_is_refused(run: Run, db: Path) -> None:
    assert run("index", "remove", db).status == 2
    assert run("index", "remove", db, "--from", "nowhere.txt").status == 2
    assert stored_in(db) == STORED


def test_list_has_ids_and_sizes(run: Run, db: Path) -> None:
    result = run("index", "list", db, "--format", "csv")
    assert [line.split(",")[:2] for line in result.lines] == [
        ["id", "size"], ["moon", "9"], ["train", "8"], ["sun", "9"], ["empty", "0"],
    ]  # fmt: skip
    assert run("index", "list", db).lines[0].split() == ["id", "size"]
    assert run("index", "list", db).lines[1].split() == ["moon", "9"]


def test_info_tells_settings_and_counts(run: Run, db: Path) -> None:
    (info,) = rows(run("index", "info", db, "--format", "jsonl").out)
    assert info["documents"] == 4
    assert info["keeps_text"] is True
    assert info["bytes"] == db.stat().st_size
    shown = dict(line.split(maxsplit=1) for line in run("index", "info", db).lines)
    assert shown["documents"] == "4"
    assert shown["keeps_text"] == "yes"
    assert shown.keys() - {"name"} == info.keys()


def test_verify_says_sound_or_what_is_wrong(run: Run, db: Path) -> None:
    assert run("index", "verify", db).lines == ["sound"]
    with sqlite3.connect(db) as connection:
        connection.execute("UPDATE documents SET content = x'00' WHERE id = 'sun'")
    connection.close()
    result = run("index", "verify", db)
    assert result.status == 1
    assert result.lines == ["sun: its text does not match its hash"]
    assert "is damaged" in result.err


def test_verify_finds_a_damaged_file(run: Run, db: Path) -> None:
    data = bytearray(db.read_bytes())
    for page in range(2 * 16_384, len(data), 16_384):
        data[page : page + 512] = b"\xaa" * 512
    db.write_bytes(data)
    result = run("index", "verify", db)
    assert result.status == 1
    assert b"sound" not in result.out
    assert "Traceback" not in result.err


def test_compact_gives_room_back_and_changes_no_answer(run: Run, tmp_path: Path, new: Path) -> None:
    db = tmp_path / "x.db"
    many = {f"{i}": " ".join(f"w{i * j}" for j in range(300)) for i in range(400)}
    with Index.create(db) as index:
        index.add(list(many.values()), list(many))
        index.add(list(STORED.values()), list(STORED))
        index.remove(*many)
    before, size = run("index", "query", db, new).out, db.stat().st_size
    result = run("index", "compact", db)
    assert result.status == 0
    assert f"x.db: {db.stat().st_size:,} bytes" in result.err
    assert db.stat().st_size < size / 2
    assert run("index", "query", db, new).out == before
    assert stored_in(db) == STORED


def test_a_copy_answers_as_the_index_does(run: Run, db: Path, new: Path, tmp_path: Path) -> None:
    result = run("index", "copy", db, "copy.db")
    assert result.status == 0
    assert "copy.db has 4 documents" in result.err
    assert run("index", "query", "copy.db", new).out == run("index", "query", db, new).out
    assert stored_in(tmp_path / "copy.db") == STORED
    assert run("index", "copy", db, "copy.db").status == 2
    assert run("index", "copy", db, "nowhere/copy.db").status == 2


# --- export and import


def test_what_is_exported_can_be_imported(run: Run, db: Path, new: Path, tmp_path: Path) -> None:
    about = {"author": "Ännchen", "year": 2018}
    with Index(db) as index:
        index.add(
            ["one two three four"], ["paged"], metadata=[about], page_starts=[(0, 8)],
            references=[References("verses", (0, 8), (("Mt", "3", "7"), ("Mt", "3", "8")))],
        )  # fmt: skip
    result = run("index", "export", db, "e.parquet")
    assert (result.status, result.out) == (0, b"")
    exported = pq.read_table(tmp_path / "e.parquet").to_pylist()
    assert [row["id"] for row in exported] == [*STORED, "paged"]
    assert exported[0] == {"id": "moon", "text": STORED["moon"], "metadata": None,
                           "page_starts": None, "references": None}  # fmt: skip
    assert json.loads(exported[-1]["metadata"]) == about
    run("index", "create", "other.db", "--threshold", 0.5)
    assert "5 added" in run("index", "import", "other.db", "e.parquet").err
    with Index(db) as one, Index(tmp_path / "other.db") as other:
        assert list(one.documents()) == list(other.documents())
        assert other.verify() == []
    assert run("index", "query", "other.db", new).out == run("index", "query", db, new).out
    assert "0 added, 0 replaced, 5 unchanged" in run("index", "import", db, "e.parquet").err


def test_an_export_without_texts_cannot_be_imported(run: Run, db: Path, tmp_path: Path) -> None:
    with Index.create(tmp_path / "x.db", keep_text=False) as index:
        index.add(list(STORED.values()), list(STORED))
    result = run("index", "export", "x.db", "e.parquet")
    assert result.status == 0
    assert "cannot be imported" in result.err
    refused = run("index", "import", db, "e.parquet")
    assert refused.status == 2
    assert "the export of an index without texts cannot be imported" in refused.err
    assert stored_in(db) == STORED


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"text": ["a b c"]}, "no column 'id'"),
        ({"id": ["a"], "text": [1]}, "column 'text' is of type int64"),
        ({"id": ["a", "a"], "text": ["x", "y"]}, "duplicate id 'a'"),
        ({"id": ["a", None], "text": ["x", "y"]}, "row 1: no id"),
        ({"id": ["a"], "text": ["x"], "metadata": ["[1]"]}, "metadata is not a JSON object"),
        ({"id": ["a"], "text": ["x"], "references": ["[1]"]}, "are not those of an export"),
    ],
)
def test_a_table_that_is_no_export_is_reported(
    run: Run, db: Path, tmp_path: Path, table: dict[str, list[object]], message: str
) -> None:
    pq.write_table(pa.table(table), tmp_path / "e.parquet")
    result = run("index", "import", db, "e.parquet")
    assert result.status == 2
    assert message in result.err
    assert stored_in(db) == STORED


def test_import_of_something_else_is_reported(run: Run, db: Path, new: Path) -> None:
    assert "not Parquet" in run("index", "import", db, new).err
    missing = run("index", "import", db, "nowhere.parquet")
    assert (missing.status, "no such file" in missing.err) == (2, True)


# --- files that are no index, or in use


VERBS = members("index")
VERBS_OF_A_FILE = {
    "add": ["new.jsonl"], "query": ["new.jsonl"], "passages": ["new.jsonl"], "remove": ["a"],
    "list": [], "info": [], "verify": [], "compact": [], "copy": ["c.db"],
    "export": ["e.parquet"], "import": ["e.parquet"],
}  # fmt: skip


def test_every_verb_is_tried_on_bad_files() -> None:
    assert {"create", *VERBS_OF_A_FILE} == set(VERBS)


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A database of another program, with a table that an index has as well."""
    connection = sqlite3.connect(tmp_path / "foreign.db")
    connection.execute("CREATE TABLE documents (id TEXT)")
    connection.close()
    return tmp_path / "foreign.db"


@pytest.mark.parametrize("verb", VERBS_OF_A_FILE)
def test_no_verb_touches_a_foreign_file(run: Run, verb: str, foreign: Path, new: Path) -> None:
    before = {path.name: path.read_bytes() for path in foreign.parent.iterdir()}
    result = run("index", verb, "foreign.db", *VERBS_OF_A_FILE[verb])
    assert (result.status, result.out) == (2, b"")
    assert "foreign.db: an SQLite file, but not a likewise index\n" in result.err
    assert {path.name: path.read_bytes() for path in foreign.parent.iterdir()} == before


@pytest.mark.parametrize("verb", ["add", "query", "passages", "verify"])
def test_a_file_that_is_no_index_is_reported(
    run: Run, verb: str, tmp_path: Path, new: Path
) -> None:
    missing = run("index", verb, "missing.db", *VERBS_OF_A_FILE[verb])
    assert (missing.status, missing.out) == (2, b"")
    assert "missing.db: no such index\nhint: create it with `likewise index create`" in missing.err
    assert not (tmp_path / "missing.db").exists()
    text = run("index", verb, new, *VERBS_OF_A_FILE[verb])
    assert (text.status, text.out) == (2, b"")
    assert "new.jsonl: not a likewise index" in text.err


def test_an_index_of_a_newer_version_is_reported(run: Run, db: Path) -> None:
    with sqlite3.connect(db) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    result = run("index", "list", db)
    assert result.status == 2
    assert "created by a newer version of likewise" in result.err


@pytest.mark.parametrize("verb", ["query", "passages", "list", "info"])
def test_the_output_never_replaces_the_index(run: Run, db: Path, new: Path, verb: str) -> None:
    result = run("index", verb, db, *([new] if verb in ("query", "passages") else []), "-o", db)
    assert result.status == 2
    assert "is an index" in result.err
    assert run("index", "export", db, db).status == 2
    assert stored_in(db) == STORED


@contextmanager
def being_written(db: Path) -> Iterator[threading.Event]:
    """Another connection in the middle of a transaction, until the event is set."""
    begun, end = threading.Event(), threading.Event()

    def hold() -> None:
        connection = sqlite3.connect(db, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM documents WHERE id = 'moon'")
        begun.set()
        end.wait(60)
        connection.execute("ROLLBACK")
        connection.close()

    writer = threading.Thread(target=hold)
    writer.start()
    try:
        assert begun.wait(60)
        yield end
    finally:
        end.set()
        writer.join()


def test_readers_do_not_wait_for_a_writer(run: Run, db: Path, new: Path, tmp_path: Path) -> None:
    expected = run("index", "query", db, new).out
    with being_written(db):
        assert run("index", "query", db, new).out == expected
        assert run("index", "list", db, "--format", "csv").lines[1].startswith("moon,9,")
        assert run("index", "verify", db).lines == ["sound"]
        assert run("index", "copy", db, "copy.db").status == 0
    assert stored_in(tmp_path / "copy.db") == STORED


def test_a_second_writer_waits_for_the_first(run: Run, db: Path, new: Path) -> None:
    with being_written(db) as end:
        threading.Timer(1.5, end.set).start()
        result = run("index", "add", db, new)
    assert result.status == 0
    assert stored_in(db) == STORED | NEW


# --- help


def test_help_lists_the_verbs(run: Run) -> None:
    result = run("index", "--help")
    assert result.status == 0
    for verb, what in VERBS.items():
        assert f"  {verb:<8}   {what}\n" in result.out.decode()
    assert run("index").status == 2
    unknown = run("index", "frobnicate")
    assert unknown.status == 2
    assert "unknown verb 'frobnicate'" in unknown.err


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(run: Run, verb: str) -> None:
    result = run("index", verb, "--help")
    assert result.status == 0
    assert f"example:\n  likewise index {'create' if verb == 'import' else verb} " in (
        result.out.decode()
    )


def test_help_of_a_verb_loads_nothing_heavy() -> None:
    code = f"""
from likewise.cli.main import run
for verb in {list(VERBS)!r}:
    try:
        run(["index", verb, "--help"])
    except SystemExit as end:
        assert end.code == 0
"""
    assert loaded_by(code) == []


def test_what_a_table_says_is_kept_and_shown(run: Run, new: Path, tmp_path: Path) -> None:
    write(tmp_path / "stored.jsonl", STORED)
    (tmp_path / "about.csv").write_text(
        "id,title,author,date,group,mark\nmoon,On tides,Ann,2024-01-31,7b,5\ngone,None,,,,\n"
    )
    made = run("index", "create", "x.db", "stored.jsonl", "--metadata", "about.csv")
    assert "1 row matches no document: 'gone'" in made.err
    assert "about.csv: 1 of 4 documents described; file = column 'id', title = 'ti" in made.err
    listed = rows(run("index", "list", "x.db", "--format", "jsonl").out)
    assert {row["id"]: row["title"] for row in listed}["moon"] == "On tides"
    found = rows(run("index", "query", "x.db", new, "--format", "jsonl").out)
    by_id = {str(row["id"]): row for row in found}
    assert [by_id["moon"][name] for name in FIELDS] == ["On tides", "Ann", "2024-01-31", "7b"]
    assert by_id["sun"]["title"] is None
    assert run("index", "query", "x.db", new).lines[0].split()[-4:] == list(FIELDS)
    # The same text with other metadata is another document.
    (tmp_path / "about.csv").write_text("id,title\nmoon,On the sea\n")
    again = run("index", "add", "x.db", "stored.jsonl", "--metadata", "about.csv")
    assert "0 added, 1 replaced, 3 unchanged" in again.err


def test_a_table_that_cannot_be_read_is_reported_before_an_index_is_made(
    run: Run, tmp_path: Path
) -> None:
    write(tmp_path / "stored.jsonl", STORED)
    result = run("index", "create", "x.db", "stored.jsonl", "--metadata", "gone.csv")
    assert result.status == 2
    assert "gone.csv" in result.err
    assert not (tmp_path / "x.db").exists()


def test_entries_that_were_left_out_are_reported(run: Run, db: Path, new: Path) -> None:
    """A key that over ten thousand documents share is made by hand: here only the count of it."""
    assert "skipped" not in run("index", "query", db, new).err
    with sqlite3.connect(db) as changed:
        changed.execute("INSERT OR REPLACE INTO facts VALUES ('crowded', '1234')")
    assert "1,234 entries were skipped" in run("index", "query", db, new).err
    assert "skipped" not in run("index", "query", db, new, "--scan").err


def test_a_query_may_be_for_some_metadata(run: Run, tmp_path: Path, new: Path) -> None:
    text = STORED["moon"]
    metadata = [{"year": 2025, "group": "a"}, {"year": 2026, "group": "a"}, {"group": "b"}, None]
    with Index.create(tmp_path / "some.db") as index:
        index.add([text] * 4, ["0", "1", "2", "3"], metadata=metadata)

    def found(*conditions: str) -> list[str]:
        options = [part for one in conditions for part in ("--where", one)]
        result = run("index", "query", tmp_path / "some.db", new, "--format", "jsonl", *options)
        assert result.status == 0
        return [json.loads(line)["id"] for line in result.out.splitlines()]

    assert found() == ["0", "1", "2", "3"]
    assert found("group=a") == ["0", "1"]
    assert found("group=a", "year=2026") == ["1"]
    assert found("year=2025", "year=2026") == ["0", "1"]
    assert found("group=c") == found("none=") == []
    result = run("index", "query", tmp_path / "some.db", new, "--where", "group")
    assert result.status == 2
    assert "'group' is not of the form FIELD=VALUE" in result.err


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "metadata is not a JSON object"),
        ("[]", "metadata is not a JSON object"),
        ("a\ufffdb", "damaged, or not Parquet"),
    ],
)
def test_import_of_hostile_metadata_is_reported(
    run: Run, db: Path, tmp_path: Path, metadata: str, message: str
) -> None:
    table = pa.table({"id": ["x"], "text": ["some text"], "metadata": [metadata]})
    pq.write_table(table, tmp_path / "in.parquet", compression="none")
    content = (tmp_path / "in.parquet").read_bytes()
    (tmp_path / "in.parquet").write_bytes(content.replace("a\ufffdb".encode(), b"a\xff\xff\xffb"))
    result = run("index", "import", db, "in.parquet")
    assert result.status == 2
    assert message in result.err


def test_an_export_says_that_it_leaves_out_review_marks(run: Run, tmp_path: Path) -> None:
    """A copy keeps them, and their number is shown."""
    from likewise.index.review_marks import ReviewMark

    path = tmp_path / "marked.db"
    with Index.create(path) as index:
        index.add(["one text", "another"], ["a", "b"])
        index.set_review_marks([ReviewMark("a", "b", "cleared", note="quoted")])
    told = run("index", "export", path, tmp_path / "some.parquet").err
    assert f"1 review mark of {path} not exported; `likewise index copy` keeps them" in told
    assert run("index", "copy", path, tmp_path / "copy.db").status == 0
    shown = run("index", "info", tmp_path / "copy.db").lines
    assert "review_marks  1" in [" ".join(line.split()).replace(" ", "  ") for line in shown]
