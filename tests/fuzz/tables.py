"""Tables of every format: sound ones made here, damaged, read, read again and written back.

Rows have numbers, and every part of the code that counts them must agree: reading, reading some
rows again, writing, and the rows that are listed as bad.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import ipc

from likewise.documents.tables.records import cut_records
from likewise.documents.tables.source import open_rows
from tests.fuzz import folders
from tests.fuzz.mutations import mutate, words
from tests.fuzz.outcomes import LostError, Outcome

_NAMES = (("text",), ("id", "text"), ("text", "id", "x"), ("body", "n"), ("id", "content", "text"))
_VALUES = (None, True, 0, -1, 1e300, 10**20, [], {"a": 1}, "", "é", "2020-01-01")


def _cell(rng: Random, name: str, row: int) -> object:
    if name in ("id", "file"):
        return row if rng.random() < 0.95 else rng.choice(_VALUES)
    return words(rng, 8) if rng.random() < 0.9 else rng.choice(_VALUES)


def make_csv(rng: Random, delimiter: str, names: Sequence[str] = ()) -> bytes:
    names = names or rng.choice(_NAMES)
    out = io.StringIO(newline="")
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    end = rng.choice(("\n", "\n", "\r\n", "\r"))
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerow(names)
    for row in range(rng.randint(0, 12)):
        writer.writerow([_cell(rng, name, row) for name in names])
    return out.getvalue().encode(rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")))


def make_jsonl(rng: Random, names: Sequence[str] = ()) -> bytes:
    names = names or rng.choice(_NAMES)
    lines = []
    for row in range(rng.randint(0, 12)):
        some = names if rng.random() < 0.9 else rng.sample(names, rng.randint(0, len(names)))
        lines.append(json.dumps({name: _cell(rng, name, row) for name in some}))
        if rng.random() < 0.03:
            lines.append(
                rng.choice(("", "[", "[" * 5000, '{"text": "\\ud800"}', "1" * 5000, "null"))
            )
    return (rng.choice(("\n", "\r\n")).join(lines) + rng.choice(("\n", ""))).encode()


def make_array(rng: Random, names: Sequence[str] = ()) -> bytes:
    names = names or rng.choice(_NAMES)
    rows: list[object] = [
        {name: _cell(rng, name, row) for name in names} for row in range(rng.randint(0, 12))
    ]
    if rng.random() < 0.2:
        rows = [words(rng, 8) for _ in rows]
    if rng.random() < 0.1:
        rows.append(rng.choice((None, 1, [], [[]], "a", {})))
    text = json.dumps(rows, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
    return text.encode(rng.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")))


def make_parquet(rng: Random, names: Sequence[str] = ()) -> bytes:
    names = names or rng.choice(_NAMES)
    rows = rng.randint(0, 40)
    columns = [_column(rng, name, rows) for name in names]
    out = io.BytesIO()
    pq.write_table(
        pa.table(columns, names=list(names)),
        out,
        compression=rng.choice(("none", "snappy", "zstd", "gzip")),
        use_dictionary=rng.random() < 0.5,
        row_group_size=rng.choice((5, 1000)),
        data_page_version=rng.choice(("1.0", "2.0")),
    )
    return out.getvalue()


def make_arrow(rng: Random, names: Sequence[str] = ()) -> bytes:
    names = names or rng.choice(_NAMES)
    rows = rng.randint(0, 40)
    table = pa.table([_column(rng, name, rows) for name in names], names=list(names))
    out = io.BytesIO()
    opened = rng.choice((ipc.new_file, ipc.new_stream))
    packing = ipc.IpcWriteOptions(compression=rng.choice((None, "lz4", "zstd")))
    with opened(out, table.schema, options=packing) as writer:
        writer.write_table(table, max_chunksize=rng.choice((5, 1000)))
    return out.getvalue()


def _column(rng: Random, name: str, rows: int) -> pa.Array:
    if name in ("id", "file", "n", "x"):
        if rng.random() < 0.3:
            return pa.array(range(rows), rng.choice((pa.int64(), pa.uint8(), pa.float64())))
        return pa.array([str(row) for row in range(rows)])
    values = [words(rng, 8) if rng.random() < 0.95 else None for _ in range(rows)]
    type_ = rng.choice((pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())))
    return pa.array(values, type_)


def csv_(rng: Random) -> Outcome:
    """Comma-separated values."""
    return _read_table(rng, "t.csv", mutate(rng, make_csv(rng, ",")), ",")


def tsv(rng: Random) -> Outcome:
    """Tab-separated values."""
    return _read_table(rng, "t.tsv", mutate(rng, make_csv(rng, "\t")), "\t")


def jsonl(rng: Random) -> Outcome:
    """Lines of JSON."""
    return _read_table(rng, "t.jsonl", mutate(rng, make_jsonl(rng)))


def json_array(rng: Random) -> Outcome:
    """An array of JSON."""
    return _read_table(rng, "t.json", mutate(rng, make_array(rng)))


def lines(rng: Random) -> Outcome:
    """Lines of plain text, in a file that is read by lines."""
    data = "\n".join(words(rng, 8) for _ in range(rng.randint(0, 12)))
    return _read_rows(
        rng, "t.txt", mutate(rng, data.encode(rng.choice(("utf-8", "cp1252")), "replace"))
    )


def parquet(rng: Random) -> Outcome:
    """Parquet."""
    return _read_table(rng, "t.parquet", mutate(rng, make_parquet(rng), rng.choice((1, 2, 6))))


def arrow(rng: Random) -> Outcome:
    """Arrow files and streams."""
    return _read_table(rng, "t.arrow", mutate(rng, make_arrow(rng), rng.choice((1, 2, 6))))


def _read_table(rng: Random, name: str, data: bytes, delimiter: str = "") -> Outcome:
    if rng.random() < 0.5:
        return _read_rows(rng, name, data)
    found = folders.read_files({name: data})
    rows = _count_rows(name, data, delimiter)
    if rows is not None and found.total != rows and not found.refused:
        raise LostError(f"{found.total} of {rows} rows")
    return "ok" if len(found.texts) > 1 else "clear error"


def _count_rows(name: str, data: bytes, delimiter: str) -> int | None:
    """Return the number of rows where there can be no doubt; else None."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return None
    if any(byte in data for byte in (b"\0", b"\xef\xbb\xbf")):
        return None
    if name.endswith(("parquet", "arrow")):
        return None
    if name.endswith("json"):
        try:
            rows = json.loads(data)
        except (ValueError, RecursionError):
            return None
        kinds = (dict, str)
        return len(rows) if isinstance(rows, list) and rows and isinstance(rows[0], kinds) else None
    if name.endswith("jsonl"):
        return sum(bool(line.decode().strip()) for line in data.split(b"\n"))
    cuts = cut_records([data.lstrip(b"\r\n")], delimiter)
    return max(0, sum(len(cut.ends) for cut in cuts) - 1)


def _read_rows(rng: Random, name: str, data: bytes) -> Outcome:
    """Read all rows, some again, and write all: they are the same rows each time."""
    path = folders.write_files({name: data}) / name
    source = open_rows(path, cache=False, shape="lines" if name == "t.txt" else "auto")
    texts = [text for batch in source.batches() for text in batch.texts.to_pylist()]
    (file,) = source.files
    if file.count != len(texts):
        raise LostError(f"{len(texts)} of {file.count} rows")
    some = np.flatnonzero(np.array([rng.random() < 0.4 for _ in texts], bool))
    again = [text for batch in source.gather(0, some) for text in batch.texts.to_pylist()]
    if again != [texts[row] for row in some]:
        raise LostError("rows that were read again are others")
    if file.kind == "documents":  # JSON that is not rows any more
        return "ok"
    out = io.BytesIO()
    written = sum(kept for _, kept in file.write(out, _All(len(texts)), None, 1 << 20))
    if written != len(texts):
        raise LostError(f"{written} of {len(texts)} rows were written")
    return "ok" if texts else "clear error"


class _All:
    """Keeps every row."""

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def count(self, file: int) -> int:
        return self._rows

    def kept(self, file: int, start: int, stop: int) -> np.ndarray:
        return np.ones(stop - start, bool)

    def annotations(self, file: int, start: int, stop: int) -> pa.RecordBatch:
        raise AssertionError("nothing is annotated")
