"""JSON arrays as tables: what `json.loads` gives for the whole is what the rows are."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.tables.json_array import ArrayCutter
from likewise.documents.tables.source import open_rows
from likewise.errors import SourceError

from .conftest import PACKERS, AllRows, unpack
from .test_writing_rows import ANNOTATIONS, annotate, annotations_of, draw_mask

string = st.text(st.sampled_from('"\\{}[],: \n\té😀'), max_size=8)
value = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), string),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(string, inner, max_size=3)
    ),
    max_leaves=6,
)
row = st.one_of(string, st.fixed_dictionaries({"text": string, "x": value}), value)
styles = st.builds(
    dict,
    ensure_ascii=st.booleans(),
    indent=st.sampled_from([None, 1, "\t"]),
    separators=st.sampled_from([(",", ":"), (", ", ": "), (" ,", " :")]),
)
blank = st.sampled_from(["", " ", "\n", "\r\n\t "])
first = {"text": "first"}


def draw_array(data, rows):
    """An array written in some style, with blanks around it."""
    return (data.draw(blank) + json.dumps(rows, **data.draw(styles)) + data.draw(blank)).encode()


@given(st.data(), st.lists(row, max_size=6), st.integers(1, 40))
def test_elements_are_those_of_the_whole_array_however_it_is_cut_into_blocks(data, rows, size):
    content = draw_array(data, rows)
    blocks = (content[at : at + size] for at in range(0, len(content), size))
    cutter = ArrayCutter(blocks, "t.json")
    cuts = list(cutter.cuts())
    assert [json.loads(one.lstrip(b", \r\n\t")) for cut in cuts for one in cut] == rows
    assert cutter.header + b"".join(cut.data for cut in cuts) + cutter.tail == content


@given(
    st.data(), st.lists(row, max_size=6), st.sampled_from(sorted(PACKERS)),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
)  # fmt: skip
def test_kept_elements_are_byte_for_byte_what_they_were(tmp_path_factory, data, rows, packed, mark):
    folder = tmp_path_factory.mktemp("json")
    content = draw_array(data, [first, *rows])
    path = folder / f"t.json{packed}"
    path.write_bytes(PACKERS[packed](mark + content))
    read = AllRows(path, text="text")
    texts = [
        one if isinstance(one, str) else one.get("text") if isinstance(one, dict) else None
        for one in [first, *rows]
    ]
    assert read.texts == [[text if isinstance(text, str) else None for text in texts]]
    again = [text for batch in read.source.gather(0, np.arange(len(texts))) for text in batch.texts]
    assert [text.as_py() for text in again] == read.texts[0]
    mask = draw_mask(data, len(texts))
    written = read.keep(folder / f"out.json{packed}", [mask])
    got = unpack(folder / f"out.json{packed}")
    assert got.startswith(mark)
    kept = [one for one, keep in zip([first, *rows], mask, strict=True) if keep]
    assert json.loads(got.removeprefix(mark)) == kept
    assert (written.rows, written.removed) == (len(kept), len(mask) - len(kept))
    if all(mask):
        assert got == mark + content
    own = list(ArrayCutter(iter([content]), "").cuts())
    bare = [one.strip(b", \r\n\t") for cut in own for one in cut]
    at = 0
    for one, keep in zip(bare, mask, strict=True):
        if keep:
            at = got.index(one, at) + len(one)


@given(st.data(), st.lists(row, max_size=6))
def test_annotated_elements_are_objects_with_more_keys(tmp_path_factory, data, rows):
    folder = tmp_path_factory.mktemp("json")
    (folder / "t.json").write_bytes(draw_array(data, [first, *rows]))
    source = open_rows(folder / "t.json", text="text", reserved=ANNOTATIONS.names)
    annotate(source, folder / "out.json", [len(rows) + 1])
    got = json.loads((folder / "out.json").read_bytes())
    for before, after, more in zip(
        [first, *rows], got, annotations_of(len(rows) + 1).to_pylist(), strict=True
    ):
        if isinstance(before, str):
            assert after == {"text": before} | more
        else:
            assert after == (before | more if isinstance(before, dict) else before)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('[{"text": "a"}', "the array does not end; it is cut off in row 0"),
        ('[{"text": "a"}, {"text": "b', "the array does not end; it is cut off in row 1"),
        ('[{"text": "a"}, ', "the array does not end; it is cut off in row 1"),
        ('[{"text": "a"},]', "row 1: there is nothing between two commas, or after the last one"),
        ('[{"text": "a"},,{"text": "b"}]', "row 1: there is nothing between two commas"),
        ('[{"text": "a"}]]', "there is more after the end of the array"),
        ('[{"text": "a"}]\n[{"text": "b"}]', "there is more after the end of the array"),
        ('[{"text": "a"}}', "row 0 has a bracket that does not match"),
        ('[{"text": "a"], {"text": "b"}]', "row 0: not valid JSON"),
        ('[{"text": "a"} {"text": "b"}]', "row 0: not valid JSON: Extra data"),
        ('[{"text": "a", }]', "row 0: not valid JSON: "),
        ('[{"text": "a"}, nul]', "row 1: not valid JSON"),
    ],
)
def test_what_is_no_array_is_an_error_that_says_where(tmp_path, content, reason):
    (tmp_path / "t.json").write_text(content)
    with pytest.raises(SourceError) as failure:
        AllRows(tmp_path / "t.json", text="text")
    assert str(failure.value).startswith(str(tmp_path / "t.json"))
    assert reason in str(failure.value)


def test_elements_that_are_valid_and_no_rows_are_reported_and_kept(tmp_path):
    """Also what Python writes and JSON has not, what is nested too deeply, and repeated keys."""
    content = (
        '[{"text": "a", "n": NaN, "text": "b"}, 1, null, [2], {"text": 3},\n'
        + "[" * 100_000 + "]" * 100_000
        + ', {"text": "c"}]\n'
    )  # fmt: skip
    (tmp_path / "t.json").write_text(content)
    rows = AllRows(tmp_path / "t.json")
    assert rows.texts == [["b", None, None, None, None, None, "c"]]
    assert [line.partition(" row ")[2] for line in rows.bad] == [
        "1: a number, where an object was expected",
        "2: null, where an object was expected",
        "3: a list, where an object was expected",
        "4: 'text' is a number, where a string was expected",
        "5: not valid JSON: nested too deeply",
    ]
    rows.keep(tmp_path / "out.json", [[True] * 7])
    assert (tmp_path / "out.json").read_text() == content


def test_an_array_in_another_encoding_is_written_as_utf8(tmp_path):
    content = json.dumps([{"text": "één"}, {"text": "b"}], ensure_ascii=False, indent=1)
    for name, encoding in (("a", "utf-16"), ("b", "cp1252")):
        (tmp_path / f"{name}.json").write_bytes(content.encode(encoding))
        rows = AllRows(tmp_path / f"{name}.json")
        assert rows.texts == [["één", "b"]]
        rows.keep(tmp_path / f"{name}-out.json", [[True, True]])
        assert (tmp_path / f"{name}-out.json").read_text("utf-8") == content
        assert f"{tmp_path}/{name}.json: written as utf-8" in map(str, rows.source.notes)


def test_an_array_longer_than_a_block(tmp_path):
    rows = [{"id": n, "text": f'{n} "\\ ' * (n % 700)} for n in range(3000)]
    (tmp_path / "t.json").write_text(json.dumps(rows, indent=2))
    assert (tmp_path / "t.json").stat().st_size > 2 * (2 << 20)
    read = AllRows(tmp_path / "t.json")
    assert read.texts == [[one["text"] for one in rows]]
    read.keep(tmp_path / "out.json", [[n % 2 == 0 for n in range(3000)]])
    assert json.loads((tmp_path / "out.json").read_text()) == rows[::2]
