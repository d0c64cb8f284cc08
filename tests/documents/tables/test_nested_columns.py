"""Texts, ids and values inside structs, objects and lists, by paths such as `message.content`."""

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.reader import Reader
from likewise.documents.tables.source import open_rows
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import ColumnError, SourceError, UsageError

from .conftest import AllRows, Masks

FORMATS = ("jsonl", "json", "parquet")
TYPE = pa.struct(
    [
        ("content", pa.string()),
        ("n", pa.int64()),
        ("parts", pa.list_(pa.string())),
        ("turns", pa.list_(pa.struct([("role", pa.string()), ("text", pa.string())]))),
    ]
)
text = st.one_of(st.none(), st.text(st.sampled_from('ab"\\ é\n'), max_size=4))
message = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {
            "content": text,
            "n": st.one_of(st.none(), st.integers(0, 9)),
            "parts": st.one_of(st.none(), st.lists(text, max_size=3)),
            "turns": st.one_of(
                st.none(),
                st.lists(
                    st.one_of(st.none(), st.fixed_dictionaries({"role": text, "text": text})),
                    max_size=3,
                ),
            ),
        }
    ),
)


def write(path, rows, schema=None):
    """Write rows in the format that the name says."""
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows, schema), path, row_group_size=3)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
    else:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_text("".join(lines), "utf-8", newline="")
    return path


def read_back(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    content = path.read_text("utf-8")
    return json.loads(content) if path.suffix == ".json" else list(map(json.loads, lines(content)))


def lines(content):
    return content.removesuffix("\n").split("\n")


def joined(texts):
    return None if texts is None else "\n\n".join(one for one in texts if one)


@pytest.mark.parametrize("form", FORMATS)
@given(st.lists(message, min_size=1, max_size=6))
def test_paths_lead_into_objects_and_lists(tmp_path_factory, form, messages):
    """The first row has everything, so that columns of JSON have types."""
    folder = tmp_path_factory.mktemp("nested")
    full = {"content": "c", "n": 1, "parts": ["p"], "turns": [{"role": "r", "text": "t"}]}
    messages = [full, *messages]
    schema = pa.schema([("message", TYPE)])
    path = write(folder / f"t.{form}", [{"message": one} for one in messages], schema)
    known = [one or {} for one in messages]
    content = AllRows(path, text="message.content", id="message.n", column="message.n")
    assert content.texts == [[one.get("content") for one in known]]
    assert content.ids == [[None if (n := one.get("n")) is None else str(n) for one in known]]
    assert content.values == [[one.get("n") for one in known]]
    parts = AllRows(path, text="message.parts")
    assert parts.texts == [[joined(one.get("parts")) for one in known]]
    turns = AllRows(path, text="message.turns.text")
    assert turns.texts == [
        [
            joined(None if (own := one.get("turns")) is None else [t and t["text"] for t in own])
            for one in known
        ]
    ]
    for rows in (content, parts, turns):
        wanted = np.arange(1, len(messages))
        got = [one.as_py() for batch in rows.source.gather(0, wanted) for one in batch.texts]
        assert got == rows.texts[0][1:]


@pytest.mark.parametrize("form", FORMATS)
def test_a_column_whose_own_name_has_the_dots_comes_first(tmp_path, form):
    rows = [{"a.b": f"own {n}", "a": {"b": f"nested {n}", "c": n}} for n in range(4)]
    path = write(tmp_path / f"t.{form}", rows)
    assert AllRows(path, text="a.b").texts == [[f"own {n}" for n in range(4)]]
    assert AllRows(path, text="a.b", id="a.c").ids == [[str(n) for n in range(4)]]


class Edits:
    """Other texts for some rows."""

    def __init__(self, texts: dict[int, str]) -> None:
        self.texts = texts

    def rows(self, file: int, start: int, stop: int) -> Any:
        return np.array([row for row in self.texts if start <= row < stop], np.int64)

    def edited(self, file: int, rows: Any, texts: Any) -> list[str]:
        return [self.texts[row] for row in rows.tolist()]


@pytest.mark.parametrize("form", FORMATS)
@given(st.lists(st.one_of(message, st.just({"content": "x"})), max_size=6), st.data())
def test_texts_inside_objects_are_replaced_and_nothing_else(tmp_path_factory, form, some, data):
    folder = tmp_path_factory.mktemp("edits")
    rows = [{"content": "no", "m": {"o": one, "c": "no"}} for one in [{"content": "x"}, *some]]
    schema = pa.schema(
        [("content", pa.string()), ("m", pa.struct([("o", TYPE), ("c", pa.string())]))]
    )
    path = write(folder / f"t.{form}", rows, schema)
    source = open_rows(path, text="m.o.content")
    for _ in source.batches():
        pass
    has = [n for n, row in enumerate(rows) if (row["m"]["o"] or {}).get("content") is not None]
    chosen = sorted(data.draw(st.sets(st.sampled_from(has))))
    texts = {row: data.draw(st.text(max_size=3)) for row in chosen}
    verdicts = Masks([np.ones(len(rows), np.bool_)])
    out = folder / f"out.{form}"
    write_rows(source, Target(source, out), verdicts, edits=Edits(texts))
    expected = (
        pa.Table.from_pylist(rows, schema).to_pylist()
        if form == "parquet"
        else json.loads(json.dumps(rows))
    )
    for row, own in texts.items():
        expected[row]["m"]["o"]["content"] = own
    assert read_back(out) == expected


def test_the_last_of_repeated_keys_is_replaced_on_every_level(tmp_path):
    line = '{"m": {"c": "no"}, "m": {"c": "no", "d": {"c": "no"}, "c" : "yes" }, "c": "no"}'
    (tmp_path / "t.jsonl").write_text(line)
    source = open_rows(tmp_path / "t.jsonl", text="m.c")
    assert [b.texts.to_pylist() for b in source.batches()] == [["yes"]]
    verdicts = Masks([np.ones(1, np.bool_)])
    write_rows(source, Target(source, tmp_path / "o.jsonl"), verdicts, edits=Edits({0: "new"}))
    assert (tmp_path / "o.jsonl").read_text() == line.replace("yes", "new")


@pytest.mark.parametrize("form", FORMATS)
def test_parts_of_texts_in_lists_are_not_cut_but_refused(tmp_path, form):
    from likewise import decontaminate_files, deduplicate_files

    words = "several words that are in the text of more than one single row"
    path = write(tmp_path / f"t.{form}", [{"m": [{"c": words}, {"c": words}]}] * 2)
    out = tmp_path / f"o.{form}"
    with pytest.raises(UsageError, match=r"parts cannot be removed from 'm\.c', which is a list"):
        deduplicate_files(path, out, text="m.c", unit="line")
    (tmp_path / "bench.txt").write_text(words)
    with pytest.raises(UsageError, match="parts cannot be removed"):
        decontaminate_files(path, out, against=tmp_path / "bench.txt", text="m.c", action="cut")
    assert not out.exists()
    deduplicate_files(path, out, text="m.c")
    assert len(read_back(out)) == 1


def test_a_list_after_rows_of_strings_is_refused_where_it_would_be_cut(tmp_path):
    """What no sample shows is an error all the same, and nothing is written."""
    from likewise import deduplicate_files

    words = "several words that are in the text of more than one single row"
    rows: list[Any] = [{"m": {"c": words}}] * 2000
    rows.append({"m": {"c": [words, "and other words that no other row has got"]}})
    path = write(tmp_path / "t.jsonl", rows)
    with pytest.raises(SourceError, match="which is a list"):
        deduplicate_files(path, tmp_path / "o.jsonl", text="m.c", unit="line")
    assert not (tmp_path / "o.jsonl").exists()


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"text": "m.x"}, "no column 'm.x'"),
        ({"text": "m.n"}, "column 'm.n' does not contain strings"),
        ({"text": "m"}, "column 'm' does not contain strings"),
        ({"text": "m.c", "id": "m.x"}, "no column 'm.x'"),
        ({"text": "m.c", "column": "m.x"}, "no column 'm.x'"),
        ({"text": "numbers"}, "column 'numbers' does not contain strings"),
    ],
)
def test_paths_that_lead_nowhere(tmp_path, form, options, reason):
    path = write(tmp_path / f"t.{form}", [{"m": {"c": "a", "n": 1}, "numbers": [1, 2]}])
    with pytest.raises(ColumnError, match=reason):
        AllRows(path, **options)


def test_a_list_with_other_values_is_a_bad_row(tmp_path):
    rows = [{"text": ["a", ["b", None]]}, {"text": ["a", 1]}, {"text": [{"c": "a"}]}, {"text": []}]
    read = AllRows(write(tmp_path / "t.jsonl", rows), text="text")
    assert read.texts == [["a\n\nb", None, None, ""]]
    assert [line.partition(" line ")[2] for line in read.bad] == [
        "2: 'text' has a number, where a string was expected",
        "3: 'text' has an object, where a string was expected",
    ]


@pytest.mark.parametrize(
    "type_",
    [
        pa.list_(pa.string()), pa.large_list(pa.large_string()), pa.list_(pa.string(), 2),
        pa.list_(pa.dictionary(pa.int8(), pa.string())), pa.list_(pa.string_view()),
        pa.list_(pa.list_(pa.string())),
    ],
)  # fmt: skip
def test_lists_of_every_type(tmp_path, type_):
    lists: Any = [["a", "b"], None, ["c", None], ["", "d"]]
    if type_ == pa.list_(pa.list_(pa.string())):
        lists = [[["a"], ["b"]], None, [["c"], None, []], [[""], ["d"]]]
    table = pa.table({"text": pa.array(lists * 3, type_)})
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=5)
    rows = AllRows(tmp_path / "t.parquet", text="text")
    assert rows.texts == [["a\n\nb", None, "c", "d"] * 3]
    rows.keep(tmp_path / "o.parquet", [[n % 2 == 0 for n in range(12)]])
    assert pq.read_table(tmp_path / "o.parquet").to_pylist() == table.to_pylist()[::2]


def test_every_command_reads_them(tmp_path):
    path = write(tmp_path / "t.jsonl", [{"m": {"c": "a b", "id": 5}, "s": {"k": "x"}}])
    (batch,) = Reader(path, text="m.c", id="m.id", column="s.k")
    assert (batch.texts.to_pylist(), batch.ids, batch.values) == (["a b"], ["5"], ["x"])
