"""Rows written back: what is kept is as it was."""

import csv
import io
import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.tables.source import open_rows
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import SourceError, UsageError

from .conftest import PACKERS, AllRows, Masks, unpack
from .test_records import slow_records

ANNOTATIONS = pa.schema(
    [
        ("cluster", pa.string()),
        ("kept", pa.bool_()),
        ("similar_to", pa.string()),
        ("similarity", pa.float64()),
    ]
)

line_end = st.sampled_from(["\n", "\r\n"])
packing = st.sampled_from(sorted(PACKERS))
jsonl_line = st.one_of(
    st.builds(
        lambda row: json.dumps(row, ensure_ascii=False),
        st.dictionaries(
            st.sampled_from(["text", "id", "é", "nested"]),
            st.one_of(st.none(), st.text(max_size=5), st.integers(), st.lists(st.integers())),
        ),
    ),
    st.sampled_from(["", " ", "{", "[1]", "null", '{"text": "a"}}', '{"text":"a"} ', '{"a": 1 }']),
)
mark = st.sampled_from([b"", b"\xef\xbb\xbf"])


def draw_file(data, line, tail=True):
    """Draw a file of such lines, and its lines with their ends."""
    lines = [
        (text + data.draw(line_end)).encode("utf-8", "replace")
        for text in data.draw(st.lists(line, max_size=12))
    ]
    if tail and lines and data.draw(st.booleans()):
        lines[-1] = lines[-1].rstrip(b"\r\n")
    return [line for line in lines if line]


def draw_mask(data, count):
    return data.draw(st.lists(st.booleans(), min_size=count, max_size=count))


def annotations_of(count, names=("a", None, 'q"uo,te\n;é', "\t")):
    """Annotations for so many rows."""
    rows = range(count)
    return pa.record_batch(
        [
            [names[row % len(names)] for row in rows],
            [row % 2 == 0 for row in rows],
            [names[(row + 1) % len(names)] for row in rows],
            [None if row % 3 else row / 7 for row in rows],
        ],
        schema=ANNOTATIONS,
    )


def annotate(source, out, counts, **options):
    batches = [annotations_of(count) for count in counts]
    verdicts = Masks([np.ones(count, np.bool_) for count in counts], batches)
    return write_rows(source, Target(source, out, annotations=ANNOTATIONS, **options), verdicts)


@given(st.data(), packing, mark)
def test_kept_lines_of_jsonl_are_byte_for_byte_what_they_were(tmp_path_factory, data, packed, mark):
    folder = tmp_path_factory.mktemp("jsonl")
    lines = draw_file(data, jsonl_line)
    if lines and not any(b"text" in line and line.rstrip()[-1:] == b"}" for line in lines):
        lines.insert(0, b'{"text": "x"}\n')
    path = folder / f"t.jsonl{packed}"
    path.write_bytes(PACKERS[packed](mark + b"".join(lines)))
    try:
        rows = AllRows(path, text="text")
    except SourceError:
        return  # no line of them has a text
    mask = draw_mask(data, len(lines))
    out = folder / f"out{path.suffix}"
    written = rows.keep(out, [mask])
    kept = [line for line, keep in zip(lines, mask, strict=True) if keep]
    assert unpack(out) == mark + b"".join(kept)
    assert (written.rows, written.removed) == (len(kept), len(lines) - len(kept))


@given(st.data(), packing, mark)
def test_kept_lines_of_text_are_byte_for_byte_what_they_were(tmp_path_factory, data, packed, mark):
    folder = tmp_path_factory.mktemp("lines")
    lines = draw_file(data, st.text(st.sampled_from("ab é\r"), max_size=5))
    path = folder / f"t.txt{packed}"
    path.write_bytes(PACKERS[packed](mark + b"".join(lines)))
    rows = AllRows(path)
    mask = draw_mask(data, len(lines))
    rows.keep(folder / f"out{path.suffix}", [mask])
    kept = [line for line, keep in zip(lines, mask, strict=True) if keep]
    assert unpack(folder / f"out{path.suffix}") == mark + b"".join(kept)


@given(st.data(), packing, mark, st.sampled_from([",", ";", "\t"]))
def test_kept_records_of_csv_are_byte_for_byte_what_they_were(
    tmp_path_factory, data, packed, mark, delimiter
):
    folder = tmp_path_factory.mktemp("csv")
    body = data.draw(st.text(st.sampled_from(f'ab"{delimiter}\r\n é'), max_size=80)).encode()
    header = delimiter.join(("text", "n")).encode() + data.draw(
        st.sampled_from([b"\n", b"\r\n", b"\r"])
    )
    if header.endswith(b"\r") and body.startswith(b"\n"):
        body = body[1:]
    before = data.draw(st.sampled_from([b"", b"\n", b"\r\n\n"]))
    path = folder / f"t.csv{packed}"
    path.write_bytes(PACKERS[packed](mark + before + header + body))
    rows = AllRows(path)
    records, _ = slow_records(body, delimiter.encode())
    assert len(rows.texts[0]) == len(records)
    mask = draw_mask(data, len(records))
    rows.keep(folder / f"out{path.suffix}", [mask])
    kept = [record for record, keep in zip(records, mask, strict=True) if keep]
    assert unpack(folder / f"out{path.suffix}") == mark + before + header + b"".join(kept)


@given(st.data(), st.sampled_from(["\n", "\r\n"]))
def test_csv_as_others_write_and_read_it(tmp_path_factory, data, end):
    folder = tmp_path_factory.mktemp("csv")
    field = st.text(st.sampled_from('a",;\r\n é'), max_size=6)
    table = data.draw(st.lists(st.tuples(field, field, field), max_size=10))
    content = io.StringIO(newline="")
    csv.writer(content, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(
        [("id", "text", "n"), *table]
    )
    (folder / "t.csv").write_bytes(content.getvalue().encode())
    rows = AllRows(folder / "t.csv")
    assert rows.texts == [[row[1] for row in table]]
    assert (rows.ids[0] or []) == [row[0] or None for row in table]
    mask = draw_mask(data, len(table))
    rows.keep(folder / "out.csv", [mask])
    with open(folder / "out.csv", newline="", encoding="utf-8") as file:
        _, *got = csv.reader(file)
    assert list(map(tuple, got)) == [row for row, keep in zip(table, mask, strict=True) if keep]


@given(st.data())
def test_annotated_jsonl_has_the_same_objects_with_more_keys(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("jsonl")
    lines = [b'{"text": "x"}\n', *draw_file(data, jsonl_line)]
    (folder / "t.jsonl").write_bytes(b"".join(lines))
    source = open_rows(folder / "t.jsonl", text="text", reserved=ANNOTATIONS.names)
    annotate(source, folder / "out.jsonl", [len(lines)])
    got = (folder / "out.jsonl").read_bytes().split(b"\n")
    added = annotations_of(len(lines)).to_pylist()
    for line, after, more in zip(lines, got, added, strict=False):
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if isinstance(row, dict):
            assert list(json.loads(after).items()) == [*row.items(), *more.items()]
            assert after.endswith(b"\r") == line.endswith(b"\r\n")
        else:
            assert after == line.removesuffix(b"\n")


@given(st.data(), st.sampled_from(["\n", "\r\n"]), st.sampled_from([",", ";", "\t"]))
def test_annotated_csv_has_the_same_records_with_more_fields(
    tmp_path_factory, data, end, delimiter
):
    folder = tmp_path_factory.mktemp("csv")
    field = st.text(st.sampled_from(f'a"{delimiter}\r\n é'), max_size=6)
    table = data.draw(st.lists(st.lists(field, min_size=1, max_size=4), max_size=10))
    content = io.StringIO(newline="")
    writer = csv.writer(content, lineterminator=end, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([("text", "n"), *table])
    # The last record lacks its line end.
    (folder / "t.csv").write_bytes(content.getvalue().removesuffix(end).encode())
    source = open_rows(folder / "t.csv", reserved=ANNOTATIONS.names)
    annotate(source, folder / "out.csv", [sum(map(len, source.batches()))])
    with open(folder / "out.csv", newline="", encoding="utf-8") as file:
        header, *got = csv.reader(file, delimiter=delimiter)
    assert header == ["text", "n", *ANNOTATIONS.names]
    added = annotations_of(len(table)).to_pylist()
    for row, after, more in zip(table, got, added, strict=False):
        if len(row) == 2:
            row = row + [_as_field(value) for value in more.values()]
        assert after == row


def _as_field(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def test_annotated_lines_become_json_lines(write):
    path = write("t.txt", "one\r\n\nthrée \\")
    annotate(open_rows(path), "out.jsonl", [3])
    got = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [row["text"] for row in got] == ["one", "", "thrée \\"]
    assert list(got[0]) == ["text", *ANNOTATIONS.names]


def test_an_annotation_that_is_there_already_is_never_written_twice(write):
    path = write("t.jsonl", '{"text": "a"}\n{"text": "b", "kept": 1}\n')
    with pytest.raises(UsageError, match=r"t.jsonl line 2: already has a key 'kept'"):
        annotate(open_rows(path), "out.jsonl", [2])
    assert os.listdir() == ["t.jsonl"]


def test_rows_in_another_encoding_keep_their_bytes_or_become_utf_8(write, rows):
    lines = ["text;n\n", "é;1\n", "ü;2\n"]
    rows(write("a.csv", "".join(lines).encode("cp1252"))).keep("a.out", [[False, True]])
    assert Path("a.out").read_bytes() == "text;n\nü;2\n".encode("cp1252")
    wide = rows(write("b.csv", "".join(lines).encode("utf-16")))
    wide.keep("b.out", [[False, True]])
    assert Path("b.out").read_bytes() == "text;n\nü;2\n".encode()
    assert [str(note) for note in wide.source.notes] == [
        f"{Path('b.csv').resolve()}: written as utf-8"
    ]
    annotate(open_rows("a.csv"), "c.out", [2])
    assert Path("c.out").read_text().startswith("text;n;cluster;")


def test_a_folder_keeps_its_structure_and_documents_their_times(write, rows):
    write("s/a/1.txt", "one")
    write("s/a/2.html", "<p>two")
    write("s/b/t.csv.gz", PACKERS[".gz"](b"text\na\nb\n"))
    write("s/c.txt", "three")
    os.utime("s/c.txt", (1e9, 1e9))
    got = rows("s")
    written = got.keep("out", [[True, False], [True, False], [True]])
    found = sorted(str(path.relative_to("out")) for path in Path("out").rglob("*.*"))
    assert found == ["a/1.txt", "b/t.csv.gz", "c.txt"]
    assert Path("out/c.txt").stat().st_mtime == 1e9
    assert unpack(Path("out/b/t.csv.gz")) == b"text\na\n"
    assert (written.files, written.rows, written.removed) == (3, 3, 2)


def test_annotated_documents_are_a_list(write):
    write("s/1.txt", "one")
    write("s/2.jsonl", '{"text": "a"}\n')
    write("s/3.txt", "three")
    annotate(open_rows("s"), "out", [1, 1, 1])
    assert sorted(os.listdir("out")) == ["2.jsonl", "annotations.jsonl"]
    got = [json.loads(line) for line in Path("out/annotations.jsonl").read_text().splitlines()]
    assert [row["file"] for row in got] == ["1.txt", "3.txt"]
    assert list(got[0]) == ["file", *ANNOTATIONS.names]


def test_files_of_one_name_in_two_sources_go_to_two_places(write, rows, tmp_path):
    write("s/x/t.txt", "one")
    write("s/y/t.txt", "two")
    rows(["s/x", "s/y"]).keep("out1", [[True, True]])
    assert sorted(map(str, Path("out1").rglob("*.txt"))) == ["out1/s/x/t.txt", "out1/s/y/t.txt"]
    rows([tmp_path / "s/x", tmp_path / "s/y"]).keep("out2", [[True, True]])
    assert sorted(map(str, Path("out2").rglob("*.txt"))) == ["out2/x/t.txt", "out2/y/t.txt"]


def test_names_that_are_not_utf_8_stay_as_they_are(write, rows):
    name = os.fsencode("s/") + b"\xff.txt"
    write("s/a.txt", "text")
    try:
        with open(name, "w") as file:
            file.write("text")
    except OSError:
        pytest.skip("the file system takes names in UTF-8 only")
    rows("s").keep("out", [[True, True]])
    assert sorted(os.listdir(b"out")) == [b"a.txt", b"\xff.txt"]


@pytest.mark.parametrize("name", ["t.jsonl", "t.csv", "t.txt", "t.jsonl.gz", "t.csv.zst"])
def test_an_empty_file_stays_one(write, rows, name):
    packed = name[-3:] if name.endswith("gz") else ".zst" if name.endswith("zst") else ""
    write(f"s/{name}", PACKERS[packed](b""))
    write("s/z.jsonl", '{"text": "a"}\n')
    counts = rows("s", shape="auto")
    counts.keep("out", [[True] * len(texts) for texts in counts.texts])
    assert unpack(Path("out") / name) == b""


@pytest.mark.parametrize("change", [b'{"text": "more"}\n', None])
def test_a_file_that_changed_meanwhile_is_an_error_and_nothing_is_left(write, rows, change):
    path = write("t.jsonl", '{"text": "a"}\n{"text": "b"}\n')
    got = rows(path)
    path.write_bytes(path.read_bytes() + change if change else b'{"text": "a"}\n')
    with pytest.raises(SourceError, match="has changed since it was read"):
        got.keep("out.jsonl", [[True, False]])
    assert os.listdir() == ["t.jsonl"]


@pytest.mark.parametrize("name", ["t.jsonl.gz", "t.jsonl.zst"])
def test_the_same_rows_give_the_same_bytes(write, rows, name):
    content = b"".join(b'{"text": "text %d"}\n' % number for number in range(5000))
    got = rows(write(name, PACKERS["." + name.rpartition(".")[2]](content)))
    for out in ("1", "2"):
        got.keep(out, [[number % 3 == 0 for number in range(5000)]])
    assert Path("1").read_bytes() == Path("2").read_bytes()


def test_a_file_that_is_left_out_is_not_written(write, rows):
    write("s/a.jsonl", '{"text": "a"}\n')
    write("s/b.jsonl.gz", b"damaged")
    rows("s", skip_bad=True).keep("out", [[True], []])
    assert os.listdir("out") == ["a.jsonl"]
