"""`likewise dedup` on tables: formats, compression, and the types of ids."""

from __future__ import annotations

import datetime
import gzip
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import zstandard
from pyarrow import parquet

from tests.cli.conftest import Run

TEXTS = ["one two three four", "other words are here", "One, two, three, four!"]
CSV = "id,text\n" + "".join(f'{at},"{text}"\n' for at, text in enumerate(TEXTS))
PACK = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}
UNPACK = {
    "": bytes,
    ".gz": gzip.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}


def annotate(run: Run, folder: Path, ids: pa.Array[Any] | list[Any]) -> pa.Table:
    parquet.write_table(pa.table({"id": ids, "text": TEXTS}), folder / "in.parquet")
    result = run("dedup", "in.parquet", "-o", "out.parquet", "--annotate", "--quiet")
    assert (result.status, result.err) == (0, "")
    return parquet.read_table(folder / "out.parquet")


@pytest.mark.parametrize("packing", PACK)
@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_annotations_of_packed_tables(run: Run, tmp_path: Path, kind: str, packing: str) -> None:
    rows = [{"id": at, "text": text} for at, text in enumerate(TEXTS)]
    content = {
        "csv": CSV,
        "tsv": "id\ttext\n" + "".join(f"{row['id']}\t{row['text']}\n" for row in rows),
        "jsonl": "".join(json.dumps(row) + "\n" for row in rows),
    }[kind]
    (tmp_path / f"in.{kind}{packing}").write_bytes(PACK[packing](content.encode()))
    result = run("dedup", f"in.{kind}{packing}", "-o", f"out.{kind}{packing}", "--annotate")
    assert result.status == 0
    lines = UNPACK[packing]((tmp_path / f"out.{kind}{packing}").read_bytes()).decode().splitlines()
    assert len(lines) == (3 if kind == "jsonl" else 4)
    end = {"csv": ",false,0,1.0", "tsv": "\tfalse\t0\t1.0"}.get(
        kind, ', "kept": false, "similar_to": 0, "similarity": 1.0}'
    )
    assert lines[-1].endswith(end)


@pytest.mark.parametrize(
    "ids",
    [
        pa.array([5, 6, 7], pa.int64()),
        pa.array([5, 6, 7], pa.uint16()),
        pa.array(["5", "6", "7"], pa.large_string()),
        pa.array([Decimal("5.10"), Decimal("6.00"), Decimal("7.20")], pa.decimal128(9, 2)),
        pa.array([datetime.date(2026, 1, day) for day in (5, 6, 7)]),
    ],
)
def test_similar_to_has_the_type_of_the_ids(run: Run, tmp_path: Path, ids: pa.Array[Any]) -> None:
    written = annotate(run, tmp_path, ids)
    assert written.schema.field("similar_to").type == ids.type
    assert written["similar_to"].to_pylist() == [None, None, ids[0].as_py()]


def test_a_row_number_is_no_id(run: Run, tmp_path: Path) -> None:
    written = annotate(run, tmp_path, pa.array([None, 6, None], pa.int64()))
    assert written.schema.field("similar_to").type == pa.string()
    assert written["kept"].to_pylist().count(False) == 1


def test_ids_of_several_types_are_strings(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    parquet.write_table(pa.table({"id": ["a"], "text": TEXTS[2:]}), tmp_path / "in/1.parquet")
    parquet.write_table(pa.table({"id": [8], "text": TEXTS[:1]}), tmp_path / "in/2.parquet")
    assert run("dedup", "in", "-o", "out", "--annotate", "--keep", "longest").status == 0
    tables = [parquet.read_table(tmp_path / f"out/{name}.parquet") for name in (1, 2)]
    assert {table.schema.field("similar_to").type for table in tables} == {pa.string()}


def test_identical_ids_in_json_lines_stay_strings(run: Run, tmp_path: Path) -> None:
    rows = [{"id": str(at), "text": text} for at, text in enumerate(TEXTS)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run("dedup", "in.jsonl", "-o", "out.jsonl", "--annotate").status == 0
    last = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[-1])
    assert last["similar_to"] == "0"


@pytest.mark.parametrize(
    ("out", "ending"),
    [
        ("out.parquet", ".csv"),
        ("out.jsonl", ".csv"),
        ("out.csv.gz", ".csv"),
        ("out.tsv", ".csv"),
        ("out.gz", ".csv"),
        ("out.txt", ".csv"),
    ],
)
def test_a_name_of_another_format_is_refused(
    run: Run, tmp_path: Path, out: str, ending: str
) -> None:
    (tmp_path / "in.csv").write_text(CSV)
    result = run("dedup", "in.csv", "-o", out)
    assert result.status == 2
    assert f"{out}: the output is in the format of the source, {ending}\n" in result.err
    assert f"choose a name that ends in {ending}" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


@pytest.mark.parametrize("out", ["out", "out.CSV", "out.unique"])
def test_a_name_that_promises_nothing_else_is_accepted(run: Run, tmp_path: Path, out: str) -> None:
    (tmp_path / "in.csv").write_text(CSV)
    assert run("dedup", "in.csv", "-o", out).status == 0
    assert (tmp_path / out).read_text() == CSV[: CSV.rindex("2,")]


def test_annotated_lines_are_json_lines(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("\n".join(TEXTS))
    refused = run("dedup", "in.txt", "-o", "out.txt", "--annotate")
    assert (refused.status, ".jsonl" in refused.err) == (2, True)
    assert run("dedup", "in.txt", "-o", "out.jsonl", "--annotate").status == 0


@pytest.mark.parametrize(
    ("ids", "texts", "reason"),
    [
        (pa.array(["", "", ""]), TEXTS, "no id ('id' is null, empty or missing)"),
        (pa.nulls(3, pa.int64()), TEXTS, "no id ('id' is null, empty or missing)"),
        (pa.array([1, 2, 3]), pa.nulls(3, pa.string()), "no text ('text' is null or missing)"),
    ],
)
@pytest.mark.parametrize("command", ["pairs", "passages"])
def test_tables_without_a_single_document(
    run: Run, tmp_path: Path, command: str, ids: Any, texts: Any, reason: str
) -> None:
    parquet.write_table(pa.table({"id": ids, "text": texts}), tmp_path / "in.parquet")
    result = run(command, "in.parquet")
    assert result.status == 2
    assert "in.parquet: no documents (3 skipped: in.parquet row 0" in result.err
    assert reason in result.err
