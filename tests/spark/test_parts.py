"""Repeated lines, paragraphs and passages: on Spark the same cuts and texts as on one machine."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

pytest.importorskip("pyspark")
import likewise
from likewise.cli.main import run
from likewise.errors import UsageError
from tests.spark.corpora import frame, rows_of, shuffled_ids

MENU = "Home | About us | Contact | Imprint | Privacy | Jobs"
SCRIPTS = [
    "深い森の中の道を行く人はいない。", "Ωμέγα και άλφα, β γ δ ε ζ",
    "e\u0301tude de l'été: un, deux",
    "а disguised line of some wоrds", "שלום עולם וכל מה שבו",
]  # fmt: skip


def pages(count: int, seed: int) -> list[str | None]:
    """Pages with a menu, lines and paragraphs of others, whole copies, several scripts, nothing."""
    draw = random.Random(seed)
    words = [f"w{i}" for i in range(300)]
    lines = [" ".join(draw.choices(words, k=draw.randrange(3, 25))) for _ in range(count)]
    lines += SCRIPTS
    made: list[str | None] = []
    for at in range(count):
        own = [draw.choice(lines) for _ in range(draw.randrange(1, 6))]
        own += [" ".join(draw.choices(words, k=draw.randrange(3, 30)))]
        draw.shuffle(own)
        text = draw.choice(["\n", "\n\n", "\r\n\r\n"]).join([MENU, *own, ""])
        made.append(text if at % 9 else draw.choice([*(one for one in made if one), text]))
    return [*made, None, "", " \n ", MENU, f"{MENU}\n\n{MENU.upper()}", "a\u200bb one two"]


def copied(count: int, seed: int) -> list[str | None]:
    """Texts that are put together of pieces of earlier ones, in several scripts."""
    draw = random.Random(seed)
    words = [f"w{i}" for i in range(500)]
    made: list[str | None] = [None, "", "—"]
    for at in range(count):
        parts: list[str] = [SCRIPTS[at % 5] if at % 4 == 0 else ""]
        for _ in range(draw.randrange(1, 5)):
            own = (draw.choice(made) or "").split(" ")
            begin = draw.randrange(len(own))
            new = " ".join(draw.choices(words, k=draw.randrange(0, 25)))
            parts += [" ".join(own[begin : begin + draw.randrange(2, 40)]), new]
        made.append(draw.choice([" ", ". ", "\n\n"]).join(parts))
    return made


PAGES = pages(120, 1)


def check(
    spark: Any,
    texts: list[str | None],
    kind: str = "string",
    in_one_task: int = 10**6,
    **options: Any,
) -> Any:
    from likewise.spark import PartDeduplication

    ids: list[Any] = shuffled_ids(len(texts), 4) if kind == "string" else list(range(len(texts)))
    expected = likewise.deduplicate(texts, ids=ids, **options)
    df = frame(spark, ids, texts, kind)
    done = PartDeduplication(df, in_one_task=in_one_task, **options)
    rows = expected.to_arrow()
    assert rows_of(done.annotated().toArrow(), ("id", "text", "kept", "removed")) == sorted(
        zip(ids, texts, rows["kept"].to_pylist(), rows["removed"].to_pylist(), strict=True),
        key=repr,
    )
    kept = [ids[row] for row in expected]
    assert rows_of(done.kept().toArrow()) == sorted(
        zip(kept, expected.texts(), strict=True), key=repr
    )
    assert done.stats.counts == expected.stats.counts
    assert done.stats.settings == expected.stats.settings
    assert done.templates == expected.templates
    done.release()
    return expected


@pytest.mark.parametrize(
    "options",
    [
        {"unit": "line", "keep": "longest"},
        {"unit": "paragraph", "min_words": 4, "min_count": 3},
        pytest.param({"unit": "line", "min_words": 1, "profile": "word:3,case=keep"},
                     marks=pytest.mark.slow),
    ],
    ids=["lines", "paragraphs", "short lines as they are"],
)  # fmt: skip
def test_what_is_cut_is_what_one_machine_cuts(spark: Any, options: dict[str, Any]) -> None:
    found = check(spark, PAGES, **options)
    assert 0 < len(found) < len(PAGES)
    assert found.templates


@pytest.mark.parametrize(
    "options",
    [
        {"min_words": 8, "keep": "longest"},
        pytest.param({"min_words": 6, "cut_at": "sentence"}, marks=pytest.mark.slow),
    ],
    ids=["words", "sentences"],
)
def test_passages_are_those_of_one_machine(spark: Any, options: dict[str, Any]) -> None:
    """In several rounds, since what is left on both sides of a cut may be a passage again."""
    found = check(spark, copied(80, 2), unit="passage", in_one_task=0, **options)
    assert found.stats.counts["rounds"] > 2
    assert found.stats.counts["removed"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["line", "passage"])
@pytest.mark.parametrize(
    "texts",
    [[], [None, "", " \n"], ["one line of five words\nand another one of six"] * 4,
     [f"nothing in common {i}\nwith others {i}" for i in range(5)]],
    ids=["none", "empty", "equal", "unrelated"],
)  # fmt: skip
def test_empty_equal_and_unrelated(spark: Any, texts: list[str | None], unit: str) -> None:
    check(spark, texts, "int", unit=unit, min_words=5)


def test_all_columns_stay(spark: Any) -> None:
    from likewise.spark import deduplicate

    line = "the same line of some words"
    rows = [(1, f"{line}\nand more", {"a": 1}, 0.5), (2, line, {"b": 2}, 2.5)]
    schema = "`odd.id` int, body string, labels map<string,int>, score double"
    df = spark.createDataFrame(rows, schema)
    options: dict[str, Any] = {"text": "body", "id": "odd.id", "unit": "line"}
    kept = deduplicate(df, keep="column:score", **options)
    assert kept.schema == df.schema
    assert sorted(kept.collect()) == [(1, "and more", {"a": 1}, 0.5), rows[1]]
    verdicts = deduplicate(df, output="verdicts", **options).collect()
    assert [row.asDict() for row in verdicts] == [
        {"id": 2, "kept": False, "removed": [[0, len(line)]]}
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "word"}, "unit is 'word'"),
        ({"threshold": 0.5}, "threshold cannot be combined with unit 'line'"),
        ({"id": "twice"}, "duplicate id 7"),
        ({"id": "none"}, "an id is null"),
        ({"output": "annotated"}, "already has a column 'kept'"),
    ],
)
def test_what_is_wrong_is_reported(spark: Any, options: dict[str, Any], message: str) -> None:
    from likewise.spark import deduplicate

    df = spark.sql(
        "SELECT id, 'x' AS text, 7 AS twice, CAST(NULL AS int) AS none, 1 AS kept FROM range(3)"
    )
    with pytest.raises(UsageError, match=message):
        deduplicate(df, **{"unit": "line", **options})


def written(folder: Path) -> tuple[list[str], list[str], list[str]]:
    """The lines of JSON, the rows of Parquet and those of CSV in a folder."""
    lines: list[str] = []
    rows: list[str] = []
    values: list[str] = []
    for path in folder.rglob("*"):
        if path.suffix == ".jsonl":
            lines += [one for one in path.read_text("utf-8").split("\n") if one]
        elif path.suffix == ".parquet":
            rows += map(repr, parquet.read_table(path).to_pylist())
        elif path.suffix == ".csv":
            with path.open(newline="", encoding="utf-8") as file:
                values += map(repr, csv.reader(file))
    return sorted(lines), sorted(rows), sorted(set(values))


@pytest.mark.parametrize(
    "options",
    [
        ["--unit", "paragraph", "--min-words", "4"],
        pytest.param(["--unit", "line", "--annotate"], marks=pytest.mark.slow),
        pytest.param(["--unit", "passage", "--min-words", "9"], marks=pytest.mark.slow),
    ],
    ids=["paragraphs", "lines are listed", "passages"],
)
def test_the_command_writes_what_it_writes_on_one_machine(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """The same lines, byte for byte, the same rows, templates and summary."""
    source = tmp_path / "in"
    source.mkdir()
    texts = [text for text in PAGES if text is not None]
    lines = [
        json.dumps({"rest": {"é": [at]}, "text": text, "id": f"a{at}"}, ensure_ascii=False)
        for at, text in enumerate(texts[:50])
    ]
    (source / "a.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    table = pa.table({"a.b": range(40), "text": texts[50:90], "id": [f"b{i}" for i in range(40)]})
    parquet.write_table(table, source / "b.parquet")
    with (source / "c.csv").open("w", newline="", encoding="utf-8") as file:
        # Spark reads any line end inside a field as a line feed.
        more = [text for text in texts[90:] if text and "\r" not in text]
        rows = [[f"c{at}", text, " x "] for at, text in enumerate(more)]
        csv.writer(file).writerows([["id", "text", "more"], *rows])
    told, templates = {}, {}
    for engine in ("local", "spark"):
        out, report = tmp_path / engine, tmp_path / f"{engine}.json"
        arguments = ["dedup", str(source), "-o", str(out), "--report", str(report), *options]
        assert run([*arguments, "--engine", engine]) == 0
        told[engine] = capsys.readouterr().err
        templates[engine] = json.loads(report.read_text())["templates"]
    assert written(tmp_path / "spark") == written(tmp_path / "local")
    assert told["spark"] == told["local"]
    assert templates["spark"] == templates["local"]
