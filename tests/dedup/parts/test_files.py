"""`--unit` on files: every format, every other column, the second run, and bad input."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from pyarrow import parquet

import likewise
from likewise import LikewiseError, UsageError
from likewise.dedup.parts.report import PartReport
from likewise.dedup.parts.spill import Spill
from tests.dedup.parts.slow import documents

RUN = "alpha beta gamma delta epsilon zeta"
TEXTS = [f"First: {RUN}.", f"Second, “{RUN}”; and more.", RUN.upper(), None, "une été\tà part"]
LEFT = [TEXTS[0], "Second, and more.", None, TEXTS[4]]
PASSAGES: dict[str, Any] = {"unit": "passage", "min_words": 6}


def run(source: Path, out: Path, **options: Any) -> PartReport:
    report = likewise.deduplicate_files(source, out, **options)
    assert isinstance(report, PartReport)
    return report


def check_second(out: Path, folder: Path, **options: Any) -> None:
    """A second run changes nothing."""
    again = folder / f"again-{out.name}"
    report = run(out, again, **options)
    assert report.counts["removed_words"] == report.counts["removed"] == 0
    if out.is_file():
        assert again.read_bytes() == out.read_bytes() or out.suffix == ".parquet"


@pytest.mark.parametrize(
    "type_",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())],
)
def test_parquet(tmp_path: Path, type_: pa.DataType) -> None:
    table = pa.table(
        {
            "n": pa.array(range(5), pa.int8()),
            "text": pa.array(TEXTS).cast(type_),
            "tags": pa.array([["a"], [], None, ["b", "c"], ["d"]]),
        }
    ).replace_schema_metadata({"who": "me"})
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(table, source, row_group_size=2, compression="zstd")
    report = run(source, out, **PASSAGES)
    left = parquet.read_table(out)
    assert left.schema == table.schema
    assert left.schema.metadata[b"who"] == b"me"
    assert left["text"].to_pylist() == LEFT
    assert left.drop_columns("text") == table.drop_columns("text").take([0, 1, 3, 4])
    counts = report.counts
    assert (counts["documents"], counts["kept"], counts["removed"]) == (5, 4, 1)
    assert (counts["changed"], counts["removed_parts"], counts["removed_words"]) == (2, 2, 12)
    check_second(out, tmp_path, **PASSAGES)
    annotated = tmp_path / "annotated.parquet"
    run(source, annotated, annotate=True, **PASSAGES)
    both = parquet.read_table(annotated)
    assert both.select(table.column_names).to_pylist() == table.to_pylist()
    assert both["kept"].to_pylist() == [True, True, False, True, True]
    removed: Any = both["removed"].to_pylist()
    ((begin, end),) = removed[1]
    assert (TEXTS[1] or "")[begin:end] == f" “{RUN}”;"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("packed", ["", ".gz"])
def test_json_lines_keep_all_other_bytes(tmp_path: Path, packed: str) -> None:
    lines = [
        r'{"n": 1.0e5, "text": "RUN", "x": {"text": "inner"}}',
        r' {"te\u0078t" : "\u201cRUN\u201d \u00e9nd" ,"big":12345678901234567890123, "n":-0.0 } ',
        r'{"text": "RUN and this", "text": "it is the last RUN"}',
        "no object",
        '{"text": null}',
        "",
    ]
    data = "\r\n".join(lines).replace("RUN", RUN).encode()
    source, out = tmp_path / f"in.jsonl{packed}", tmp_path / f"out.jsonl{packed}"
    source.write_bytes(gzip.compress(data) if packed else data)
    run(source, out, **PASSAGES)
    written = out.read_bytes()
    left = (gzip.decompress(written) if packed else written).decode().split("\r\n")
    assert left == [
        lines[0].replace("RUN", RUN),
        r' {"te\u0078t" : "énd" ,"big":12345678901234567890123, "n":-0.0 } ',
        lines[2].replace(' RUN"}', '"}').replace("RUN", RUN),
        *lines[3:],
    ]
    check_second(out, tmp_path, **PASSAGES)


def test_csv_keeps_all_other_bytes(tmp_path: Path) -> None:
    data = (
        f'n;text;z\r\n1;{RUN}; x \r\n"a;b""c";"say ""hi"" {RUN}\n\nnew; line";"q"\r\n'
        f"2;{RUN};gone\r\n3;too;many;fields\r\n4; own text ;\r\n"
    )
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(data, newline="")
    run(source, out, **PASSAGES)
    assert out.read_bytes().decode() == (
        f'n;text;z\r\n1;{RUN}; x \r\n"a;b""c";"say ""hi""\n\nnew; line";"q"\r\n'
        "3;too;many;fields\r\n4; own text ;\r\n"
    )
    check_second(out, tmp_path, **PASSAGES)


def test_other_encodings_become_utf_8(tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_bytes(f"n,text\né,{RUN}\nè,à {RUN}\n".encode("latin-1"))
    run(source, out, encoding="latin-1", **PASSAGES)
    assert out.read_text("utf-8") == f"n,text\né,{RUN}\nè,à\n"
    unchanged = tmp_path / "unchanged.csv"
    run(source, unchanged, encoding="latin-1", unit="passage")
    assert unchanged.read_bytes() == source.read_bytes()


def test_lines_and_whole_texts(tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text(f"{RUN}\n\nan own line {RUN}\n{RUN}\r\nlast")
    run(source, tmp_path / "lines.txt", **PASSAGES)
    assert (tmp_path / "lines.txt").read_bytes() == f"{RUN}\n\nan own line\nlast".encode()
    check_second(tmp_path / "lines.txt", tmp_path, **PASSAGES)
    run(source, tmp_path / "whole.txt", shape="whole", unit="line")
    assert (tmp_path / "whole.txt").read_bytes().decode() == (f"{RUN}\n\nan own line {RUN}\nlast")
    check_second(tmp_path / "whole.txt", tmp_path, shape="whole", unit="line")


def test_a_folder_of_texts(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text(f"{RUN}\n")
    (folder / "sub" / "b.md").write_bytes(f"Überschrift\r\n\r\n{RUN}\r\n".encode("utf-16"))
    (folder / "sub" / "c.txt.gz").write_bytes(gzip.compress(f"see: {RUN}\n".encode()))
    (folder / "sub" / "d.txt").write_text(RUN)
    (folder / "e.jsonl").write_text(json.dumps({"text": f"row {RUN}"}))
    run(folder, tmp_path / "out", **PASSAGES)
    out = tmp_path / "out"
    assert (out / "a.txt").read_text() == f"{RUN}\n"
    assert (out / "e.jsonl").read_text() == '{"text": "row"}'
    assert (out / "sub/b.md").read_bytes().decode() == "Überschrift\r\n\r\n"
    assert gzip.decompress((out / "sub/c.txt.gz").read_bytes()) == b"see:\n"
    assert not (out / "sub/d.txt").exists()
    check_second(out, tmp_path, **PASSAGES)
    run(folder, tmp_path / "noted", annotate=True, unit="paragraph", min_words=2)
    rows = list(map(json.loads, (tmp_path / "noted/annotations.jsonl").read_text().splitlines()))
    assert [(row["file"], row["kept"], row["removed"]) for row in rows] == [
        ("a.txt", True, []),
        ("sub/b.md", True, [[15, 52]]),
        ("sub/c.txt.gz", True, []),
        ("sub/d.txt", False, [[0, 35]]),
    ]


def test_documents_that_are_not_plain_text(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.html").write_text(f"<p>{RUN}</p>")
    (folder / "b.html").write_text(f"<p>{RUN}</p>")
    with pytest.raises(UsageError, match=r"a\.html: parts cannot be removed"):
        run(folder, tmp_path / "out", **PASSAGES)
    report = run(folder, tmp_path / "noted", annotate=True, **PASSAGES)
    assert report.counts["removed"] == 1
    for name in "ab":  # its content says what it is
        (folder / f"{name}.html").rename(folder / f"{name}.txt")
        (folder / f"{name}.txt").write_text(f"{{\\rtf1 {name} {RUN}\\par}}")
    with pytest.raises(LikewiseError, match=r"b\.txt: parts cannot be removed"):
        run(folder, tmp_path / "out", **PASSAGES)
    assert not (tmp_path / "out").exists()


def test_templates_and_what_is_printed(tmp_path: Path) -> None:
    rows = [
        {"id": f"d{at}", "text": f"The same old header.\nText {at} of all.\nThe same old footer!"}
        for at in range(4)
    ]
    rows.append({"id": "x", "text": "The same old FOOTER"})
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)))
    report = run(source, out, unit="line", min_words=4, min_count=3, examples=1)
    assert report.templates == [
        {"removed": 4, "document": "d0", "start": 36, "end": 56, "text": "The same old footer!"}
    ]
    assert report.summary() == [
        "5 documents read: 28 words of 52 removed (53.8%), from 4 documents",
        "removed: 7 repetitions of 2 lines of at least 4 words",
        "documents dropped because nothing was left: 1",
        "removed 4 times: The same old footer!",
    ]
    texts = [json.loads(line)["text"] for line in out.read_text().splitlines()]
    assert texts == [rows[0]["text"], *(f"Text {at} of all.\n" for at in (1, 2, 3))]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(documents(10))
def test_files_and_memory_agree(tmp_path: Path, texts: list[str]) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(pa.table({"text": pa.array(texts, pa.string())}), source, row_group_size=3)
    for options in (
        {"unit": "passage", "min_words": 5},
        {"unit": "line", "min_words": 2},
        {"unit": "paragraph", "min_words": 1, "keep": "longest"},
    ):
        run(source, out, overwrite=True, **options)
        expected = likewise.deduplicate(texts, **options).texts()  # type: ignore[call-overload]
        assert parquet.read_table(out)["text"].to_pylist() == expected
        check = run(out, tmp_path / "again.parquet", overwrite=True, **options)
        assert check.counts["removed_words"] == 0


def test_a_run_that_fails_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from likewise.dedup.files import staged_run
    from likewise.dedup.parts import files

    source, out = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text(f"{RUN}\n{RUN}\nown\n")

    def fail(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    def fail_late(*arguments: Any, **options: Any) -> None:
        list(arguments[0].parts())  # decide_parts reads what was set aside, and is then killed
        raise KeyboardInterrupt

    def fail_late_too(*arguments: Any, **options: Any) -> None:
        list(arguments[5][0].parts())
        raise KeyboardInterrupt

    for unit, name, stopped in (
        ("line", "write_rows", fail),
        ("line", "decide_parts", fail_late),
        ("passage", "write_rows", fail),
        ("passage", "find_passage_cuts", fail_late_too),
    ):
        options: dict[str, Any] = {"unit": unit, "min_words": 6, "overwrite": True}
        with monkeypatch.context() as patch:
            patch.setattr(staged_run if name == "write_rows" else files, name, stopped)
            with pytest.raises(KeyboardInterrupt):
                run(source, out, **options)
        with pytest.raises(UsageError, match="unfinished run with other settings"):
            run(source, out, **{**options, "min_words": 7})
        report = run(source, out, **options)
        assert report.resumed
        assert out.read_text() == f"{RUN}\nown\n"
        assert list(tmp_path.iterdir()) in ([source, out], [out, source])


def test_refusals(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"text": RUN, "kept": 1}))
    with pytest.raises(UsageError, match="kept"):
        run(source, tmp_path / "out.jsonl", annotate=True, **PASSAGES)
    with pytest.raises(UsageError, match="save_signatures cannot be combined with unit 'passage'"):
        run(source, tmp_path / "out.jsonl", save_signatures=tmp_path / "s", **PASSAGES)
    with pytest.raises(UsageError, match="this is the source itself"):
        run(source, source, overwrite=True, **PASSAGES)
    assert list(tmp_path.iterdir()) == [source]


def test_a_spill_gives_all_back_by_keys(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    records = np.empty(5000, [("key", "u8"), ("value", "u4")])
    records["key"] = rng.integers(0, 2**64, 300, np.uint64)[rng.integers(0, 300, 5000)]
    records["value"] = np.arange(5000)
    for path, room in ((None, 1), (tmp_path / "x", 1 << 30), (tmp_path / "x", 1000)):
        spill = Spill(path, records.dtype, lambda own: own["key"], partial(int, room))
        for start in range(0, 5000, 700):
            spill.append(records[start : start + 700])
        parts = list(spill.parts())
        assert sorted(np.concatenate(parts).tolist()) == sorted(records.tolist())
        keys = [key for part in parts for key in np.unique(part["key"]).tolist()]
        assert sorted(keys) == sorted(set(keys))
        if path is not None:
            assert keys == sorted(keys)
        assert list(tmp_path.iterdir()) == []
