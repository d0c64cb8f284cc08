"""JSON arrays, Arrow, nested columns and saved datasets are the same rows on Spark and locally."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import ipc

from likewise.cli.main import run
from likewise.errors import SourceError
from tests.spark.corpora import edited_texts

pytest.importorskip("pyspark")
from likewise.spark.file_groups import Wanted, find_groups

TEXTS = edited_texts(240, 77)


def rows_below(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of all tables, whatever they are written as, with the folders they are in."""
    for path in sorted(folder.rglob("*")):
        keys = {"in": [part for part in path.relative_to(folder).parts[:-1] if "=" in part]}
        if path.suffix in (".json", ".jsonl") and path.name[0] != ".":
            content = path.read_text("utf-8")
            array = content.lstrip().startswith("[")
            found = json.loads(content) if array else map(json.loads, content.splitlines())
            rows = [row if isinstance(row, dict) else {"text": row} for row in found]
        elif path.suffix == ".arrow":
            rows = ipc.open_stream(path.read_bytes()).read_all().to_pylist()
        elif path.suffix == ".parquet":
            rows = pq.ParquetFile(path).read().to_pylist()
        else:
            continue
        yield from (row | keys for row in rows)


def comparable(row: dict[str, Any]) -> str:
    """What both engines must agree on; Spark has no type for UUIDs and dictionaries."""
    plain = {key: value.bytes if isinstance(value, uuid.UUID) else value
             for key, value in row.items()}  # fmt: skip
    if plain.get("similar_to") is not None:
        plain["similar_to"] = str(plain["similar_to"])
    return repr(sorted(plain.items()))


def compare(source: Path, folder: Path, *options: str) -> int:
    """Run both engines on a folder; the number of rows written, which must be the same."""
    for engine in ("local", "spark"):
        out = str(folder / engine)
        command = ["dedup", str(source), "-o", out, "--engine", engine, "--quiet"]
        assert run([*command, *options]) == 0
    local, spark = (
        sorted(map(comparable, rows_below(folder / engine))) for engine in ("local", "spark")
    )
    assert spark == local
    return len(local)


def take(first: int, count: int = 40) -> list[dict[str, Any]]:
    return [{"id": number, "text": TEXTS[number]} for number in range(first, first + count)]


def write_arrow(path: Path, rows: list[dict[str, Any]]) -> None:
    size = len(rows)
    table = pa.table(
        {
            "id": pa.array([row["id"] for row in rows], pa.int64()),
            "text": pa.array([row["text"] for row in rows], pa.string_view()),
            "kind": pa.array(["a", "b"] * (size // 2)).dictionary_encode(),
            "small": pa.array([7] * size, pa.uint8()),
            "parts": pa.array([["x", None]] * size, pa.large_list(pa.large_string())),
            "uuid": pa.ExtensionArray.from_storage(
                pa.uuid(), pa.array([b"\xff" * 16] * size, pa.binary(16))
            ),
        }
    )
    with ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=7)


@pytest.mark.parametrize("options", [(), ("--annotate",)])
def test_arrays_arrow_and_lines_in_folders(
    spark: Any, tmp_path: Path, options: tuple[str, ...]
) -> None:
    source = tmp_path / "in"
    (source / "lang=en").mkdir(parents=True)
    (source / "a.json").write_text(json.dumps(take(0), indent=1, ensure_ascii=False))
    (source / "lang=en" / "b.json").write_text(json.dumps(take(40)))
    (source / "lines.json").write_text("".join(f"{json.dumps(row)}\n" for row in take(80)))
    write_arrow(source / "c.arrow", take(120))
    write_arrow(source / "lang=en" / "d.arrow", take(160))
    (source / "settings.json").write_text('{\n "text": "no rows"\n}')
    count = compare(source, tmp_path, *options)
    assert count == 200 if options else 100 < count < 200


def test_nested_columns(spark: Any, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    rows = [
        {
            "m": {"id": f"d{row['id']}", "n": row["id"] % 7},
            "turns": [{"c": row["text"]}, None, {"c": ""}, {"c": "the end"}],
        }
        for row in take(0, 60)
    ]
    pq.write_table(pa.Table.from_pylist(rows[:30]), source / "a.parquet")
    (source / "b.json").write_text(json.dumps(rows[30:]))
    options = ["--text", "turns.c", "--id", "m.id", "--keep", "column:m.n"]
    assert 0 < compare(source, tmp_path, *options) < 60


def test_a_saved_dataset(spark: Any, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for part in range(2):
        write_arrow(source / f"data-0000{part}-of-00002.arrow", take(40 * part))
    write_arrow(source / "cache-01.arrow", take(80))
    names = [f"data-0000{part}-of-00002.arrow" for part in range(2)]
    (source / "state.json").write_text(
        json.dumps({"_data_files": [{"filename": n} for n in names]})
    )
    (source / "dataset_info.json").write_text('{"features": null}')
    groups = find_groups(spark, [str(source)], Wanted())
    assert [path.rpartition("/")[2] for group in groups for path in group.paths] == names


def test_an_array_that_is_not_valid_is_an_error(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.dumps(take(0, 4))
    for broken in (content[:-1], content.replace("}, {", "},, {"), content + "]"):
        (tmp_path / "a.json").write_text(broken)
        out = str(tmp_path / "out")
        assert run(["dedup", str(tmp_path / "a.json"), "-o", out, "--engine", "spark"]) == 2
        assert "a.json" in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


def test_a_type_that_spark_has_not(spark: Any, tmp_path: Path) -> None:
    from likewise.spark.python_rows import arrow_rows

    table = pa.table({"id": [1], "x": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})
    with ipc.new_file(tmp_path / "a.arrow", table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(SourceError, match="column 'x' is of type month_day"):
        arrow_rows(spark, [f"file://{tmp_path}/a.arrow"])
