"""`similar_to` has the type of the id column, whatever that is and whatever the format."""

import datetime
import decimal
import json
import uuid
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import ipc

from likewise import deduplicate_files

TEXT = "the same words in every row, and enough of them to be compared"
UUIDS = [uuid.UUID(int=n + 7) for n in range(3)]
NAMES = ["b", "a", "c"]
DAYS = [datetime.date(2026, 1, n + 1) for n in range(3)]
COLUMNS: dict[str, Any] = {
    "int64": pa.array([-1, 5, 2**63 - 1], pa.int64()),
    "uint64": pa.array([2**64 - 1, 2, 1], pa.uint64()),
    "int8": pa.array([-128, 0, 1], pa.int8()),
    "string": pa.array(NAMES),
    "large string": pa.array(NAMES, pa.large_string()),
    "string view": pa.array(NAMES, pa.string_view()),
    "binary": pa.array([b"\xff", b"", b"ab"]),
    "binary view": pa.array([b"\xff", b"\0", b"ab"], pa.binary_view()),
    "fixed binary": pa.array([b"\xff\0", b"aa", b"ab"], pa.binary(2)),
    "dictionary": pa.array(NAMES).dictionary_encode(),
    "dictionary of int8": pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2], pa.int8()), pa.array([7, 8, 9]), ordered=True
    ),
    "uuid": pa.ExtensionArray.from_storage(
        pa.uuid(), pa.array([one.bytes for one in UUIDS], pa.binary(16))
    ),
    "date": pa.array(DAYS),
    "decimal": pa.array([decimal.Decimal(n) / 4 for n in range(3)], pa.decimal128(9, 2)),
    "bool": pa.array([True, False, False]),
}  # fmt: skip


def similar_to(rows):
    """What the rows must be similar to: the one that is kept."""
    (kept,) = (row["id"] for row in rows if row["kept"])
    return [None if row["kept"] else kept for row in rows]


def write(path, table):
    if path.suffix == ".parquet":
        pq.write_table(table, path)
        return
    opened = ipc.new_file if path.suffix == ".arrow" else ipc.new_stream
    with opened(path, table.schema) as writer:
        writer.write_table(table)


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path)
    opened: Any = ipc.open_file if path.suffix == ".arrow" else ipc.open_stream
    return opened(path.read_bytes()).read_all()


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".arrows"])
@pytest.mark.parametrize("name", COLUMNS)
def test_typed_columns(tmp_path, name, ending):
    ids = COLUMNS[name]
    path = tmp_path / f"t{ending}"
    write(path, pa.table({"id": ids, "text": [TEXT] * 3}))
    deduplicate_files(path, tmp_path / f"o{ending}", annotate=True)
    got = read(tmp_path / f"o{ending}")
    type_ = read(path)["id"].type  # Parquet has no dictionaries of numbers
    assert got["id"].type == type_
    assert got["similar_to"].type == type_
    assert got["similar_to"].to_pylist() == similar_to(got.to_pylist())


@pytest.mark.parametrize("ending", [".parquet", ".arrow"])
def test_an_id_inside_a_struct(tmp_path, ending):
    rows = [{"m": {"id": n + 4}, "text": TEXT} for n in range(2)]
    write(tmp_path / f"t{ending}", pa.Table.from_pylist(rows))
    deduplicate_files(tmp_path / f"t{ending}", tmp_path / f"o{ending}", id="m.id", annotate=True)
    got = read(tmp_path / f"o{ending}")["similar_to"]
    assert (got.type, got.to_pylist()) == (pa.int64(), [None, 4])


@pytest.mark.parametrize("ids", [[-3, 1, 2], [2**64 - 1, 1, 2], ["-3", "1", "2"], ["x", "1", "y"]])
@pytest.mark.parametrize("ending", [".jsonl", ".json"])
def test_json(tmp_path, ids, ending):
    rows = [{"id": one, "text": TEXT} for one in ids]
    path = tmp_path / f"t{ending}"
    whole = json.dumps(rows) if ending == ".json" else "\n".join(map(json.dumps, rows))
    path.write_text(whole)
    deduplicate_files(path, tmp_path / f"o{ending}", annotate=True)
    content = (tmp_path / f"o{ending}").read_text()
    got = json.loads(content) if ending == ".json" else list(map(json.loads, content.split("\n")))
    assert [row["similar_to"] for row in got] == similar_to(got)
    assert {type(row["similar_to"]) for row in got} == {type(None), type(ids[0])}
