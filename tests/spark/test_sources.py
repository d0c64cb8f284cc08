"""Spark reads the documents that the local engine reads, and keeps the same ones."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from likewise.cli.main import run
from likewise.documents.sources import find_origins
from likewise.documents.tables.source import open_rows
from likewise.errors import SourceError
from tests.spark.corpora import edited_texts

pytest.importorskip("pyspark")
from likewise.spark.file_groups import Wanted, find_groups
from likewise.spark.file_rows import FileRows


class Tree:
    """A folder of tables; ids are different, every third text is like an earlier one."""

    def __init__(self, folder: Path, rows: int = 6) -> None:
        self.folder = folder
        self.rows = rows
        self.count = 0
        self._texts = iter(edited_texts(60 * rows, 31))

    def _take(self) -> list[tuple[int, str]]:
        first, self.count = self.count, self.count + self.rows
        return [(number, next(self._texts)) for number in range(first, self.count)]

    def _path(self, name: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def raw(self, name: str, content: bytes) -> None:
        self._path(name).write_bytes(content)

    def jsonl(self, name: str, **more: Any) -> None:
        lines = [json.dumps({"id": i, "text": text, **more}) for i, text in self._take()]
        self._pack(name, "\n".join([*lines, ""]).encode())

    def csv(self, name: str, sep: str = ",", order: Sequence[str] = ("id", "text", "note")) -> None:
        rows = [{"id": str(i), "text": f'"{text}"', "note": " x "} for i, text in self._take()]
        lines = [sep.join(order), *(sep.join(row[column] for column in order) for row in rows)]
        self._pack(name, "\n".join([*lines, ""]).encode())

    def parquet(self, name: str, **more: Any) -> None:
        rows = self._take()
        columns: dict[str, Any] = {"id": [i for i, _ in rows], "text": [text for _, text in rows]}
        if more.pop("named", False):
            columns["id"] = [f"d{i}" for i, _ in rows]
        more = {key: [value] * len(rows) for key, value in more.items()}
        pq.write_table(pa.table(columns | more), self._path(name))

    def _pack(self, name: str, content: bytes) -> None:
        if name.endswith(".gz"):
            content = gzip.compress(content)
        if name.endswith(".zst"):
            content = zstandard.compress(content)
        self.raw(name, content)


def json_tree(tree: Tree) -> None:
    tree.jsonl("a.jsonl", extra=None, size=1.0)
    tree.jsonl("deep/er/rows.json", url="x")
    tree.jsonl("deep/b.ndjson")
    tree.jsonl("packed.jsonl.gz")
    tree.jsonl("lang=a b/day=1%3A2/part.jsonl.gz")
    tree.jsonl("odd:folder/[x]{y}*? %41 ü+,.jsonl")
    tree.raw("bad.jsonl", b'\n{"id": "b1", "text": "a line"}\r\nnot JSON\n{"id": "b2", "text": 7}\n'
             + b'{"id": "b3", "text": "' + "déjà vu à l'été, café crème ".encode() * 9
             + b'caf\xff and some more words", "id2": 1}')  # fmt: skip
    tree.raw("mark.jsonl", b'\xef\xbb\xbf{"id": "m", "text": "after a byte order mark"}\n')
    tree.raw("empty.jsonl", b"")


def csv_tree(tree: Tree) -> None:
    tree.csv("a.csv")
    tree.csv("deep/er/100%.csv", order=("text", "id"))
    tree.csv("deep/[b].csv.gz")
    tree.csv("semicolons.csv", sep=";")
    tree.csv("tabs.tsv.gz", sep="\t")
    tree.csv("year=2026/tabs.tab", sep="\t")
    tree.raw("quoted.csv", b'id,text,note\nq1," two\r\nlines, and ""quotes"" ",\nq2,,""\n')
    tree.raw("header.csv", b"id,text\n")
    tree.raw("empty.csv", b"")


def parquet_tree(tree: Tree) -> None:
    tree.parquet("a.parquet")
    tree.parquet("deep/er/b.pq", year=2026, note="more columns")
    tree.parquet("named.parquet", named=True)
    tree.parquet("table/lang=en/day=2026-01-01/part-0.parquet")
    tree.parquet("table/lang=en/day=2026-01-02/part-0.parquet")
    tree.parquet("table/lang=a%3Ab c/day=__HIVE_DEFAULT_PARTITION__/part 1.parquet")
    nothing = pa.table({"id": pa.array([], pa.int64()), "text": pa.array([], pa.string())})
    pq.write_table(nothing, tree.folder / "empty.parquet")
    tree.raw("_SUCCESS", b"")


def litter(tree: Tree) -> None:
    """What neither reads."""
    for name in (".hidden.jsonl", ".git/x.jsonl", "deep/.part.csv.crc", "~$a.csv"):
        tree.raw(name, b'{"id": "hidden", "text": "not read"}\n')
    tree.raw("deep/settings.json", b'{\n  "text": "not a table"\n}\n')
    tree.raw("numbers.xlsx", b"PK")


def rows_in(out: Path) -> list[str]:
    """All rows below a folder, each with the folders key=value that it is in."""
    found = []
    for path in out.rglob("*"):
        if path.is_dir() or path.name.startswith((".", "_")):
            continue
        keys = [unquote(part) for part in path.relative_to(out).parts[:-1] if "=" in part]
        found += [repr((keys, row)) for row in _rows(path)]
    # Where ids have several types, or are in JSON, Spark writes `similar_to` as a string.
    return sorted(
        re.sub(r"""(["']similar_to["']: )["']?(\w+)["']?""", r"\1\2", row) for row in found
    )


def _rows(path: Path) -> list[Any]:
    name, content = path.name, path.read_bytes()
    if name.endswith(".zst"):
        content, name = zstandard.decompress(content, 1 << 20), name.removesuffix(".zst")
    if name.endswith(".gz"):
        content, name = gzip.decompress(content), name.removesuffix(".gz")
    if name.endswith((".parquet", ".pq")):
        # A file by itself, without what its folders say.
        return pq.ParquetFile(path).read().to_pylist()
    if name.endswith(("json", "jsonl")):
        return content.removeprefix(b"\xef\xbb\xbf").splitlines()
    text = content.decode()
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def compare(sources: Sequence[str], folder: Path, *options: str) -> tuple[dict[str, Any], Path]:
    """Run both engines; their documents, counts and decisions must agree."""
    reports = []
    for engine in ("local", "spark"):
        out, report = folder / engine, folder / f"{engine}.json"
        command = ["dedup", *sources, "-o", str(out), "--engine", engine, "--quiet"]
        assert run([*command, "--report", str(report), *options]) == 0
        reports.append(json.loads(report.read_text())["counts"])
    assert rows_in(folder / "spark") == rows_in(folder / "local")
    for name in ("documents", "unique", "kept", "removed", "clusters"):
        assert reports[0][name] == reports[1][name], name
    return reports[1], folder / "spark"


def test_nested_folders_of_all_formats(spark: Any, tmp_path: Path) -> None:
    tree = Tree(tmp_path / "in")
    tree.jsonl("a.jsonl", extra=None)
    tree.jsonl("deep/er/[rows] %41.json.zst", url=1.0)
    tree.csv("deep/b.csv")
    for day in ("1", "2"):
        tree.parquet(f"table/day={day}/part-0.parquet")
    litter(tree)
    counts, _ = compare([str(tree.folder)], tmp_path)
    assert counts["documents"] == tree.count
    assert counts["removed"] > 2


@pytest.mark.slow
def test_everything_that_can_be_in_a_tree(spark: Any, tmp_path: Path) -> None:
    tree = Tree(tmp_path / "in")
    for make in (json_tree, csv_tree, parquet_tree, litter):
        make(tree)
    counts, _ = compare([str(tree.folder)], tmp_path, "--annotate", "--keep", "longest")
    assert counts["documents"] == tree.count + 8
    assert counts["removed"] > 5


def test_patterns_find_the_files_of_the_local_engine(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = Tree(tmp_path / "in", rows=1)
    for name in ("a", "x/b", "x/y/c", "x/y/.d", "x/[e]"):
        tree.parquet(f"{name}.parquet")
    tree.jsonl("x/rows.json")
    monkeypatch.chdir(tmp_path)
    for source in ("in", "in/**/*.parquet", "in/x/*", "in/*/[bc]*", "in/x/[[]e].parquet", "in/**"):
        origins, _ = find_origins([source], "auto")
        expected = sorted(os.path.abspath(origin.path or "") for origin in origins)
        for given in (source, f"file://{tmp_path}/{source}"):
            groups = find_groups(spark, [given], Wanted())
            paths = [path.removeprefix("file://") for group in groups for path in group.paths]
            assert sorted(paths) == expected


def test_other_file_systems(spark: Any, tmp_path: Path) -> None:
    """Spark lists the files; the rows are those of the local engine."""
    tree = Tree(tmp_path / "in", rows=2)
    tree.jsonl("deep/a.jsonl.gz", n=1)
    tree.csv("deep/er/b.csv.zst")
    tree.parquet("day=1/c.parquet", n=2)
    tree.parquet("day=2/d.parquet", m=3)
    litter(tree)
    (tree.folder / "deep/settings.json").unlink()  # only on disk is it looked at before
    spark.conf.set("fs.viewfs.mounttable.tests.link./data", f"file://{tmp_path}")
    expected = [
        (id_, text)
        for batch in open_rows(tree.folder).batches()
        if batch.ids is not None
        for id_, text in zip(batch.ids.to_pylist(), batch.texts.to_pylist(), strict=True)
    ]
    for source, count in [("in", 8), ("in/**/*.parquet", 4), ("in/day=*/*", 4), ("in/**/b.*", 2)]:
        groups = find_groups(spark, [f"viewfs://tests/data/{source}"], Wanted())
        rows = FileRows(spark, groups, Wanted()).df.select("id", "text").collect()
        found = {(str(row["id"]), row["text"]) for row in rows}
        assert len(found) == len(rows) == count
        assert found <= set(expected)
    with pytest.raises(SourceError, match="no tables"):
        find_groups(spark, ["viewfs://tests/data/in/*.xlsx"], Wanted())


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("notes.md", b"some text", "notes.md: is not a table"),
        ("a.csv", b"id,text,text\n1,2,3\n", "columns are called 'text'"),
        ("a.jsonl", b'{"text": "a"}', "a.jsonl: no id column"),
        ("a.csv", "id,text\n1,d\u00e9j\u00e0 vu\n".encode("utf-16"), "is not UTF-8"),
        ("a.parquet", b"", "damaged, or not Parquet"),
        ("a:b.jsonl", b'{"id": 1, "text": "a"}', "contain :"),
        ("_a.jsonl", b'{"id": 1, "text": "a"}', "begin with _"),
        ("a.parquet.gz", None, "compressed Parquet"),
    ],
)
def test_what_spark_cannot_read_is_refused(
    spark: Any, tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    """Before any work, and never passed over."""
    tree = Tree(tmp_path / "in", rows=1)
    tree.jsonl("good.jsonl")
    if content is None:
        tree.parquet("x.parquet")
        content = gzip.compress((tree.folder / "x.parquet").read_bytes())
    tree.raw(name, content)
    with pytest.raises(SourceError, match=message):
        find_groups(spark, [str(tree.folder)], Wanted())


def test_a_row_with_too_many_fields_is_an_error(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spark would drop those beyond the header."""
    (tmp_path / "a.csv").write_text("id,text\n1,one\n2,two,three\n")
    out = tmp_path / "out"
    assert run(["dedup", str(tmp_path / "a.csv"), "-o", str(out), "--engine", "spark"]) == 2
    assert "a row of CSV does not have the fields of its header" in capsys.readouterr().err
    assert not out.exists()
