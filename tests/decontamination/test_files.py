"""Files: rows are written back as they were, in every format, or not at all."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

import likewise
from likewise import DocumentError, SourceError, UsageError
from likewise.documents.tables.source import open_rows
from likewise.documents.tables.text_table import TextTable
from tests.decontamination.made import documents, edited, items, text, write_jsonl

FAST: dict[str, Any] = {"planted": 0, "threads": 1}


@pytest.fixture
def train() -> list[str | None]:
    benchmark = items(10)
    made: list[str | None] = [*documents(30), None, ""]
    made[2] = f"{text(40, 1)} {benchmark[3]} {text(40, 2)}"
    made[20] = benchmark[5]
    return made


@pytest.fixture
def evals(tmp_path: Path) -> Path:
    (tmp_path / "evals").mkdir()
    write_jsonl(tmp_path / "evals/first.jsonl", items(10)[:5])
    write_jsonl(tmp_path / "evals/second.jsonl", items(10)[5:])
    return tmp_path / "evals"


def test_json_lines(tmp_path: Path, train: list[str | None], evals: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", train, number=1.10, big=1e400, key="ä")
    source.write_bytes(source.read_bytes() + b'{"id": 5, "text": \n\n')
    lines = source.read_bytes().splitlines(keepends=True)
    out = tmp_path / "out.jsonl"
    found = likewise.decontaminate_files(source, out, against=evals, **FAST)
    assert out.read_bytes() == b"".join(line for at, line in enumerate(lines) if at not in (2, 20))
    assert [(hit.benchmark, hit.item, hit.document) for hit in found.hits] == [
        ("first", "d3", "d2"), ("second", "d0", "d20"),
    ]  # fmt: skip
    assert found.stats.counts["removed"] == 2
    assert [(one.benchmark, one.affected) for one in found.benchmarks] == [
        ("first", 1), ("second", 1),
    ]  # fmt: skip
    assert len(found.skipped) == 1


def test_cut_json_lines(tmp_path: Path, train: list[str | None], evals: Path) -> None:
    """Only the text of the row changes, byte for byte."""
    source = write_jsonl(tmp_path / "in.jsonl", train, number=1.10, nested={"text": "stays"})
    lines = source.read_text().splitlines(keepends=True)
    out = tmp_path / "out.jsonl"
    likewise.decontaminate_files(source, out, against=evals, action="cut", **FAST)
    item = items(10)[3]
    lines[2] = lines[2].replace(f"{item} ", "")
    assert out.read_text() == "".join(line for at, line in enumerate(lines) if at != 20)


def test_parquet(tmp_path: Path, train: list[str | None], evals: Path) -> None:
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        table = pa.table(
            {
                "n": pa.array(range(len(train)), pa.int16()),
                "text": pa.array(train, pa.string()).cast(kind),
            }
        )
        parquet.write_table(table, tmp_path / "in.parquet", row_group_size=7)
        for action, rows in (("drop", 30), ("cut", 31), ("annotate", 32)):
            found = likewise.decontaminate_files(
                tmp_path / "in.parquet", tmp_path / "out.parquet", against=evals, overwrite=True,
                action=action, **FAST,
            )  # fmt: skip
            written = parquet.read_table(tmp_path / "out.parquet")
            assert written.num_rows == rows
            assert written.schema.field("text").type == kind
            assert written["n"].type == pa.int16()
            assert found.stats.counts["contaminated"] == 2
        noted = {name: written[name].to_pylist() for name in written.column_names[2:]}
        assert [at for at, kept in enumerate(noted["kept"]) if not kept] == [2, 20]
        assert (noted["benchmarks"][20], noted["benchmarks"][0]) == ("second", None)
        assert (noted["benchmark_items"][2], noted["benchmark_items"][0]) == (1, 0)
        assert (noted["benchmark_share"][20], noted["benchmark_run"][20]) == (1.0, 30)


def test_csv(tmp_path: Path, evals: Path) -> None:
    item = items(10)[0]
    rows = [
        ["1", f'says "{item}",\nand then more', "x"],
        ["2", "nothing of interest here", 'a "quoted" one'],
        ["3", item, "y"],
    ]
    file = io.StringIO()
    csv.writer(file).writerows([["id", "text", "other"], *rows])
    (tmp_path / "in.csv").write_bytes(file.getvalue().encode())
    for action in ("drop", "cut"):
        likewise.decontaminate_files(
            tmp_path / "in.csv", tmp_path / "out.csv", against=evals, text="text", id="id",
            overwrite=True, action=action, **FAST,
        )  # fmt: skip
        with (tmp_path / "out.csv").open(newline="") as out:
            kept = list(csv.reader(out))
        if action == "drop":
            assert kept == [["id", "text", "other"], rows[1]]
        else:
            assert [row[0] for row in kept[1:]] == ["1", "2"]
            assert item not in kept[1][1]
            assert kept[1][1].endswith("and then more")
            assert kept[1][2] == "x"


def test_lines_and_packed_files(tmp_path: Path, train: list[str | None], evals: Path) -> None:
    content = "".join(f"{one or ''}\r\n" for one in train).encode()
    (tmp_path / "in.txt").write_bytes(content)
    likewise.decontaminate_files(tmp_path / "in.txt", tmp_path / "out.txt", against=evals, **FAST)
    lines = content.splitlines(keepends=True)
    kept = b"".join(line for at, line in enumerate(lines) if at not in (2, 20))
    assert (tmp_path / "out.txt").read_bytes() == kept
    (tmp_path / "in.txt.gz").write_bytes(gzip.compress(content))
    likewise.decontaminate_files(
        tmp_path / "in.txt.gz", tmp_path / "out.txt.gz", against=evals, shape="lines", **FAST
    )
    assert gzip.decompress((tmp_path / "out.txt.gz").read_bytes()) == kept


def test_folders_of_documents(tmp_path: Path, evals: Path) -> None:
    item = items(10)[2]
    (tmp_path / "in/deep").mkdir(parents=True)
    (tmp_path / "in/a.txt").write_text("\n".join(item.split()))
    (tmp_path / "in/deep/b.html").write_text(
        "<p>" + " ".join(f"<b>{word}</b>" for word in item.split()) + "</p>"
    )
    (tmp_path / "in/deep/c.txt").write_text(text(50, 1))
    found = likewise.decontaminate_files(tmp_path / "in", tmp_path / "out", against=evals, **FAST)
    assert {hit.document for hit in found.hits} == {"a.txt", "deep/b.html"}
    written = [str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.*")]
    assert written == ["deep/c.txt"]
    with pytest.raises(UsageError, match="text can be cut out of tables"):
        likewise.decontaminate_files(
            tmp_path / "in", tmp_path / "cut", against=evals, action="cut", **FAST
        )
    assert not (tmp_path / "cut").exists()


def test_several_tables_in_folders(tmp_path: Path, train: list[str | None], evals: Path) -> None:
    """Rows are counted by file; ids may repeat."""
    (tmp_path / "in").mkdir()
    write_jsonl(tmp_path / "in/a.jsonl", train[:10])
    write_jsonl(tmp_path / "in/b.jsonl", [])
    write_jsonl(tmp_path / "in/c.jsonl", train[10:])
    likewise.decontaminate_files(tmp_path / "in", tmp_path / "out", against=evals, **FAST)
    written = {
        path.name: len(path.read_text().splitlines()) for path in (tmp_path / "out").iterdir()
    }
    assert written == {"a.jsonl": 9, "b.jsonl": 0, "c.jsonl": 21}


def test_benchmarks_by_a_column(tmp_path: Path) -> None:
    rows = [
        {"task": "x", "question": items(3)[0], "key": 4},
        {"task": "y", "question": items(3)[1], "key": 5},
        {"task": None, "question": items(3)[2], "key": 6},
        {"task": "y", "question": None, "key": 7},
    ]
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = write_jsonl(tmp_path / "in.jsonl", [items(3)[1], items(3)[2], text(50, 1)])
    found = likewise.decontaminate_files(
        source, tmp_path / "out.jsonl", against=path, item_text="question", item_id="key",
        benchmark="task", **FAST,
    )  # fmt: skip
    assert [(hit.benchmark, hit.item) for hit in found.hits] == [("all", "6"), ("y", "5")]
    assert [(one.benchmark, one.items) for one in found.benchmarks] == [
        ("all", 1), ("x", 1), ("y", 1),
    ]  # fmt: skip


def test_files_and_memory_agree(tmp_path: Path) -> None:
    benchmark, train = items(30), documents(60)
    for at in range(0, 30, 2):
        train[at] = f"{text(20, at)} {edited(benchmark[at], 5 + at % 9)} {text(20, at + 1)}"
    write_jsonl(tmp_path / "evals.jsonl", benchmark)
    source = write_jsonl(tmp_path / "in.jsonl", train)
    outputs = []
    for threads in (1, 3):
        out = tmp_path / f"out{threads}.jsonl"
        files = likewise.decontaminate_files(
            source, out, against=tmp_path / "evals.jsonl", threads=threads, planted=15
        )
        outputs.append(out.read_bytes())
    memory = likewise.decontaminate(train, benchmark, planted=15)
    assert outputs[0] == outputs[1]
    assert [(hit.row, hit.places, hit.p) for hit in files.hits] == [
        (hit.row, hit.places, hit.p) for hit in memory.hits
    ]
    assert files.recall == memory.recall
    kept = [json.loads(line)["text"] for line in outputs[0].splitlines()]
    assert kept == memory.texts


def test_the_result_does_not_depend_on_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, train: list[str | None], evals: Path
) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", 3 * train)
    found = []
    for size in (100, 10**7):
        monkeypatch.setattr(
            "likewise.decontamination.decontaminate_files.open_rows",
            lambda *given, size=size, **options: open_rows(*given, batch_bytes=size, **options),
        )
        out = tmp_path / f"{size}.jsonl"
        one = likewise.decontaminate_files(source, out, against=evals, planted=10, threads=2)
        found.append((out.read_bytes(), one.hits, one.recall, one.expected))
    assert found[0] == found[1]


def test_nothing_is_overwritten_or_left_half_written(
    tmp_path: Path, train: list[str | None], evals: Path
) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", train)
    before = source.read_bytes()
    for out in (source, evals / "first.jsonl", evals):
        with pytest.raises(UsageError):
            likewise.decontaminate_files(source, out, against=evals, overwrite=True, **FAST)
    (tmp_path / "out.jsonl").write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        likewise.decontaminate_files(source, tmp_path / "out.jsonl", against=evals, **FAST)
    with pytest.raises(UsageError, match=r"already has a|reserved|is already"):
        likewise.decontaminate_files(
            write_jsonl(tmp_path / "taken.jsonl", train, kept=True), tmp_path / "noted.jsonl",
            against=evals, action="annotate", **FAST,
        )  # fmt: skip
    with pytest.raises((SourceError, DocumentError, UsageError)):
        likewise.decontaminate_files(
            source, tmp_path / "new.jsonl", against=tmp_path / "no", **FAST
        )
    assert (tmp_path / "out.jsonl").read_text() == "mine"
    assert source.read_bytes() == before
    left = {"in.jsonl", "out.jsonl", "evals", "taken.jsonl"}
    assert set(os.listdir(tmp_path)) == left


def test_benchmarks_without_items(tmp_path: Path) -> None:
    source = write_jsonl(tmp_path / "in.jsonl", documents(2))
    empty = write_jsonl(tmp_path / "evals.jsonl", [None, "  "])
    with pytest.raises(SourceError, match="there are no benchmark items"):
        likewise.decontaminate_files(source, tmp_path / "out.jsonl", against=empty, **FAST)


@given(
    st.dictionaries(
        st.sampled_from(("a", "text", "é", 'q"', "t\\")),
        st.recursive(
            st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(("text", "x")), inner, max_size=2)
            ),
            max_leaves=5,
        ),
        max_size=4,
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.booleans(),
    st.sampled_from((" ", "", "\t ")),
)
def test_another_text_changes_nothing_else_of_a_line(
    row: dict[str, Any], new: str, escaped: bool, space: str
) -> None:
    row |= {"text": 'old\\" {text} ü'}
    line = json.dumps(
        row, ensure_ascii=escaped, separators=(f"{space},{space}", f"{space}:{space}")
    )
    record = f"{space}{line}{space}\r\n".encode("utf-8", "surrogatepass")
    if "\\ud" in line or (not record.isascii() and b"\xed" in record):
        return
    table = _table("in.jsonl", b'{"text": "a"}\n')
    changed = table.replace_text(record, new)
    assert json.loads(changed) == json.loads(record) | {"text": new}
    old, other = json.dumps(row["text"], ensure_ascii=escaped), json.dumps(new, ensure_ascii=False)
    assert changed in {
        record[:at] + other.encode() + record[at + len(old.encode()) :]
        for at in range(len(record))
        if record[at:].startswith(old.encode())
    }


@given(
    st.lists(st.text('ab,"\n\r;é ', max_size=6), min_size=3, max_size=3),
    st.text('x,"\n', max_size=5),
)
def test_another_text_changes_nothing_else_of_a_record(fields: list[str], new: str) -> None:
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL).writerow(fields)
    table = _table("in.csv", b"a,text,b\n1,2 x,3\n")
    changed = table.replace_text(file.getvalue().encode(), new)
    (row,) = csv.reader(io.StringIO(changed.decode(), newline=""))
    assert row == [fields[0], new, fields[2]]


def _table(name: str, content: bytes) -> TextTable:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        (table,) = open_rows(path).files
    assert isinstance(table, TextTable)
    return table
