"""Benchmarks in training data: on Spark as on one machine, hit by hit and row by row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

pytest.importorskip("pyspark")
import likewise
from likewise.cli.main import run
from likewise.decontamination.row_verdicts import ANNOTATIONS, RowNote
from likewise.errors import UsageError
from tests.decontamination.made import documents, edited, items, text
from tests.spark.corpora import frame, in_order, rows_of, shuffled_ids

MARKED = "<b>{}</b> <i>and more of it</i>"


def planted() -> tuple[list[str | None], dict[str, list[str]]]:
    """Documents with whole, edited and partial items, a law in many of them, and nothing."""
    questions, short = items(30), items(12, 6000, 7)
    unspaced = ["深い森の中の道を行く人は誰もいないのに声がする" + "夜の山の上" * 3]
    opening = "which of the following answers is the right one for"
    asked = [f"{opening} {text(12, 7000 + at)}" for at in range(6)]
    law = text(40, 8000)
    made: list[str | None] = [*documents(80, size=90), None, "", "…", "Ω ωμέγα", "\u200b"]
    for at, question in enumerate(questions[:12]):
        made[at] = f"{made[at]} {question if at % 2 else edited(question, 9)} {text(20, at)}"
    for at, question in enumerate(short):
        made[20 + at] = f"{made[20 + at]} {question} {text(20, at)}"
    made[40] = questions[20]
    made[41] = f"{unspaced[0]} {text(9, 3)}"
    made[42] = f"{text(9, 4)} {MARKED.format(asked[1])}"
    made[43] = f"{text(30, 5)} {opening} {text(30, 6)}"
    made[44] = f"{questions[21]} {questions[22]}"
    for at in range(50, 70):
        made[at] = f"{made[at]} {law}"
    made += [made[3], made[40]]
    return made, {"one": [*questions, law], "two": [*short, *asked, *unspaced]}


TEXTS, EVALS = planted()


def local(ids: list[Any], texts: list[str | None], **options: Any) -> Any:
    """What one machine finds in documents in the order of their ids."""
    ordered, given, _ = in_order(ids, texts)
    return likewise.decontaminate(given, ids=ordered, **options), ordered, given


def check(spark: Any, ids: list[Any], texts: list[str | None], kind: str, **options: Any) -> None:
    from likewise.spark import Decontamination

    expected, ordered, given = local(ids, texts, **options)
    done = Decontamination(frame(spark, ids, texts, kind), **options)
    table = done.hits().toArrow()
    hits = [tuple(map(str, row)) for row in rows_of(table)]
    assert sorted(hits) == sorted(tuple(map(str, row)) for row in rows_of(expected.to_arrow()))
    assert table.schema.names == expected.to_arrow().schema.names
    found, about = done.found.to_dict(), expected.to_dict()
    assert about.pop("seconds").keys() - found.pop("seconds").keys() == set()
    assert found == about
    assert done.found.summary() == expected.summary()
    rows = done.rows().toArrow()
    if options.get("action") == "annotate":
        by_row: dict[int, list[Any]] = {}
        for hit in expected.hits:
            if hit.verdict == "hit":
                by_row.setdefault(hit.row, []).append(hit)
        notes = [RowNote.of(by_row[at]) if at in by_row else None for at in range(len(given))]
        annotated = [
            (id_, one, note is None, note and note.benchmarks, note.items if note else 0,
             note and note.share, note and note.run)
            for id_, one, note in zip(ordered, given, notes, strict=True)
        ]  # fmt: skip
        assert rows.schema.names == ["id", "text", *ANNOTATIONS]
        assert rows_of(rows) == sorted(annotated, key=repr)
    else:
        kept = [ordered[row] for row in expected.kept]
        assert rows_of(rows) == sorted(zip(kept, expected.texts, strict=True), key=repr)
    done.release()


@pytest.mark.parametrize("action", ["drop", "cut", "annotate"])
def test_what_is_found_is_what_one_machine_finds(spark: Any, action: str) -> None:
    """With templates of items and of documents, and the recall of planted copies."""
    ids = shuffled_ids(len(TEXTS), 3)
    check(spark, ids, TEXTS, "string", against=EVALS, action=action, max_documents=15, planted=20)
    found, _, _ = local(ids, TEXTS, against=EVALS, max_documents=15, planted=20)
    verdicts = {hit.verdict for hit in found.hits}
    assert verdicts == {"hit", "template"}
    assert found.templates
    assert any(one.found < one.planted for one in found.recall)


@pytest.mark.slow
@pytest.mark.parametrize(
    "texts",
    [[], [None, "", "…"], documents(9), [EVALS["one"][0]] * 5, [f"{EVALS['one'][1]} and more"] * 3],
    ids=["none", "empty", "unrelated", "equal", "little is left"],
)
def test_empty_equal_and_unrelated(spark: Any, texts: list[str | None]) -> None:
    ids = list(range(len(texts)))
    check(spark, ids, texts, "int", against=EVALS["one"], action="cut", planted=5)


@pytest.mark.slow
def test_ids_may_repeat_or_be_missing(spark: Any) -> None:
    from likewise.spark import decontaminate

    question, other = EVALS["one"][0], text(50, 1)
    rows = [("1", question, "a"), ("1", other, "b"), (None, question, "c"), (None, None, "d"),
            ("1", question, "e")]  # fmt: skip
    df = spark.createDataFrame(rows, "id string, text string, note string").repartition(3)
    kept = decontaminate(df, [question], planted=0)
    assert kept.columns == df.columns
    assert sorted(row["note"] for row in kept.collect()) == ["b", "d"]
    annotated = decontaminate(df, [question], action="annotate", planted=0)
    assert sorted(row["note"] for row in annotated.where("NOT kept").collect()) == ["a", "c", "e"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"action": "delete"}, "action is 'delete'"),
        ({"min_words": 3}, "min_words is 3"),
        ({"id": "none"}, "no column 'none'"),
        ({"against": []}, "there are no benchmark items"),
        ({"action": "annotate"}, "already has a column 'kept'"),
    ],
)
def test_what_is_wrong_is_reported_before_any_work(
    spark: Any, options: dict[str, Any], message: str
) -> None:
    from likewise.spark import decontaminate

    df = spark.sql("SELECT id, 'x' AS text, 1 AS kept FROM range(3)")
    with pytest.raises(UsageError, match=message):
        decontaminate(df, **{"against": ["one item of some words"], **options})


def line(**values: Any) -> str:
    return json.dumps(values, ensure_ascii=False) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Training data in two formats, with ids in the order of the rows, and two benchmarks."""
    train, evals = tmp_path / "train", tmp_path / "evals"
    train.mkdir()
    evals.mkdir()
    rows = [line(n=at, text=text, id=f"a{at:03}", rest=[1, {"é": at}])
            for at, text in enumerate(TEXTS[:60])]  # fmt: skip
    (train / "a.jsonl").write_text("".join(rows), "utf-8")
    more = TEXTS[60:]
    table = pa.table({"a.b": range(len(more)), "text": more,
                      "id": [f"b{at:03}" for at in range(len(more))]})  # fmt: skip
    parquet.write_table(table, train / "b.parquet")
    for name, own in EVALS.items():
        lines = (line(id=f"{name}{at}", text=one) for at, one in enumerate(own))
        (evals / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    return ["decontaminate", str(train), "--against", str(evals), "--max-documents", "15",
            "--planted", "20"]  # fmt: skip


def written(folder: Path) -> tuple[list[str], list[Any]]:
    """The lines and the rows of Parquet files in a folder."""
    lines = [one for path in folder.rglob("*.jsonl") for one in path.read_text("utf-8").split("\n")]
    tables = [parquet.read_table(path) for path in folder.rglob("*.parquet")]
    rows = [repr(row) for table in tables for row in table.to_pylist()]
    return sorted(one for one in lines if one), sorted(rows)


@pytest.mark.parametrize(
    "action", ["--cut", pytest.param("--annotate", marks=pytest.mark.slow)]
)  # fmt: skip
def test_the_command_writes_what_it_writes_on_one_machine(
    spark: Any, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    """The same lines, byte for byte, the same rows, report and summary."""
    engines: dict[str, list[str]] = {"local": [], "spark": ["--engine", "spark"]}
    told, reports = {}, {}
    for name, engine in engines.items():
        out, report = tmp_path / name, tmp_path / f"{name}.csv"
        assert run([*files, action, "-o", str(out), "--report", str(report), *engine]) == 0
        told[name], reports[name] = capsys.readouterr().err, report.read_bytes()
    assert written(tmp_path / "spark") == written(tmp_path / "local")
    assert reports["spark"] == reports["local"]
    assert told["spark"] == told["local"]
    assert run([*files, "-o", str(tmp_path / "spark"), "--engine", "spark"]) == 2
    assert "already exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--scratch", "x"], "--scratch cannot be combined with --engine local"),
        (["--master", "local[1]"], "add --engine spark"),
        (["--engine", "spark", "--lines"], "--lines cannot be combined with --engine spark"),
    ],
)
def test_options_of_one_engine(
    files: list[str], tmp_path: Path, options: list[str], message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert run([*files, "-o", str(tmp_path / "out"), *options]) == 2
    assert message in capsys.readouterr().err
