"""Whatever holds texts goes in, and gives the same signatures."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import UsageError
from likewise.search.order import id_key

TEXTS = [
    "the cat sat on the mat",
    "",
    "Ünïcödé über alles 中文",
    "the cat sat on the hat",
    "a\ud800b",
]
CLEAN = [text.replace("\ud800", "\ufffd") for text in TEXTS]


@pytest.mark.parametrize(
    "column",
    [
        tuple(TEXTS),
        iter(TEXTS),
        np.array(CLEAN, dtype=object),
        pa.array(CLEAN),
        pa.array(CLEAN, pa.large_string()),
        pa.array(CLEAN, pa.string_view()),
        pa.array(["skipped", *CLEAN]).slice(1),
        pa.chunked_array([CLEAN[:2], [], CLEAN[2:]]),
        pa.array(CLEAN).dictionary_encode(),
        pd.Series(CLEAN),
        pl.Series(CLEAN),
    ],
    ids=lambda column: type(column).__module__ + "." + type(column).__name__,
)
def test_every_kind_of_column_gives_the_same(column: object) -> None:
    expected = likewise.sketch(TEXTS).values
    assert np.array_equal(likewise.sketch(column).values, expected)


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("one text", "not one str"),
        (b"bytes", "not one bytes"),
        (["a", 3], "text 1 is not a str but int"),
        (pa.table({"text": ["a"]}), "not a column"),
        (pd.DataFrame({"text": ["a"]}), "not a column"),
        (pl.DataFrame({"text": ["a"]}), "not a column"),
        (pa.array([b"\xff"]), "not text"),
        (["a", ["b"]], "text 1 is not a str but list"),
        (pa.array([1, 2]), "not text"),
        ({"a": "b"}, "must be a collection of str"),
        ([{"id": 1, "text": "a"}], "text 0 is not a str but dict"),
        (np.array("one text"), "must be a collection of str, not ndarray"),
        ([[["a"]]], "text 0 has a token that is not a str, bytes or an int"),
        (7, "must be a collection of str"),
    ],
    ids=str,
)
def test_what_is_not_text_is_reported(column: object, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        likewise.sketch(column)


@given(
    texts=st.lists(
        st.text(st.characters(max_codepoint=0xFF), max_size=40)
        | st.text(st.characters(max_codepoint=0xFFFF, categories=None), max_size=40)
        | st.text(st.characters(categories=None), max_size=40),
        max_size=12,
    ),
    threads=st.integers(1, 3),
)
def test_strings_of_any_width_equal_their_utf8(texts: list[str], threads: int) -> None:
    column = pa.array([re.sub("[\ud800-\udfff]", "\ufffd", text) for text in texts], pa.string())
    profile = likewise.Profile("char", 2, punctuation="keep", letters="stored")
    made = likewise.sketch(texts, profile=profile, threads=threads)
    assert made.values.tolist() == likewise.sketch(column, profile=profile).values.tolist()


FUNCTIONS = [
    likewise.find_pairs,
    likewise.find_passages,
    likewise.deduplicate,
    likewise.sketch,
    lambda texts: likewise.find_pairs(["a"], against=texts),
    lambda texts: likewise.deduplicate(["a"], against=texts),
    likewise.Frequencies.of_collection,
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"id": ["x"], "text": ["a"]}),
        pl.DataFrame({"id": ["x"], "text": ["a"]}),
        pa.table({"id": ["x"], "text": ["a"]}),
    ],
    ids=["pandas", "polars", "Arrow"],
)
def test_a_frame_is_not_a_column(function: Callable[[Any], Any], frame: Any) -> None:
    """Before, the names of the columns of a pandas frame were taken for texts."""
    with pytest.raises(UsageError, match="texts is a table, not a column") as raised:
        function(frame)
    assert raised.value.hint == "pass one column of it, such as df['text']"


@pytest.mark.parametrize("function", [*FUNCTIONS, likewise.sketch])
@pytest.mark.parametrize("one", ["some text", b"bytes"])
def test_one_text_is_not_many(function: Callable[[Any], Any], one: Any) -> None:
    with pytest.raises(ValueError, match="must be a collection of str"):
        function(one)


NULLS = [
    [*CLEAN, None],
    [*CLEAN, float("nan")],
    [*CLEAN, pd.NA],
    pd.Series([*CLEAN, None]),
    pd.Series([*CLEAN, pd.NA], dtype="string"),
    pl.Series([*CLEAN, None]),
    pa.array([*CLEAN, None]),
    pa.chunked_array([CLEAN, [None]]),
]


@pytest.mark.parametrize("column", NULLS, ids=lambda column: type(column).__name__)
def test_a_null_is_a_document_without_text(column: Any) -> None:
    empty = [*CLEAN, ""]
    assert np.array_equal(likewise.sketch(column).values, likewise.sketch(empty).values)
    assert list(likewise.find_pairs(column, threshold=0.3)) == list(
        likewise.find_pairs(empty, threshold=0.3)
    )
    assert list(likewise.find_passages(column)) == list(likewise.find_passages(empty))
    for keep in ("first", "longest"):
        kept = likewise.deduplicate(column, keep=keep).kept
        assert kept.tolist() == likewise.deduplicate(empty, keep=keep).kept.tolist()
        assert kept[-1]


UUIDS = [uuid.UUID(int=n) for n in (7, 1, 2)]
# In Python, numpy makes int of them.
NANOSECONDS = np.array(["2025-01-01", "2025-01-02", "2025-01-03"], "datetime64[ns]")


@pytest.mark.parametrize(
    ("ids", "expected", "kind"),
    [
        (None, [0, 1, 2], pa.int64()),
        ([30, 10, 20], [30, 10, 20], pa.int64()),
        (["30", "10", "20"], ["30", "10", "20"], pa.string()),
        ((n for n in (3, 1, 2)), [3, 1, 2], pa.int64()),
        (np.array([30, 10, 20], np.int32), [30, 10, 20], pa.int64()),
        ([np.int64(30), np.int64(10), 20], [30, 10, 20], pa.int64()),
        (pd.Series([30, 10, 20]), [30, 10, 20], pa.int64()),
        (pd.Index(["x", "y", "z"]), ["x", "y", "z"], pa.string()),
        (pl.Series([30, 10, 20], dtype=pl.UInt8), [30, 10, 20], pa.uint8()),
        (pa.array([30, 10, 20], pa.int16()), [30, 10, 20], pa.int16()),
        (UUIDS, UUIDS, None),
        ([1, "1", 2.5], [1, "1", 2.5], pa.string()),
        (NANOSECONDS, list(NANOSECONDS), pa.timestamp("ns")),
        (list(NANOSECONDS), list(NANOSECONDS), pa.timestamp("ns")),
        (NANOSECONDS.astype("datetime64[s]"), NANOSECONDS.astype("datetime64[s]").tolist(), None),
    ],
)
def test_ids_come_back_as_they_came(
    ids: Any, expected: list[Any], kind: pa.DataType | None
) -> None:
    texts = ["one two three four"] * 3
    found = likewise.find_pairs(texts, ids=ids)
    assert {id_ for pair in found for id_ in (pair.a, pair.b)} == set(expected)
    assert {type(pair.a) for pair in found} <= set(map(type, expected))
    assert found.clusters()[0].members == tuple(sorted(expected, key=id_key))
    assert kind is None or found.to_arrow().schema.field("a").type == kind
    assert found.to_arrow()["a"].to_pylist() == [
        str(pair.a) if kind == pa.string() else pair.a for pair in found
    ]


def test_the_type_of_a_column_of_ids_is_that_of_all_ids() -> None:
    texts = ["one two three four"] * 2 + ["something else is written here"]
    ids = [1, 2, 2.5]
    for table in (
        likewise.find_pairs(texts, ids=ids).to_arrow(),
        likewise.find_passages(texts, ids=ids, min_words=4).to_arrow(),
        likewise.sketch(texts, ids=ids).find_pairs().to_arrow(),
    ):
        assert table.schema.field("a").type == pa.float64()
    made = likewise.deduplicate(texts, ids=ids).to_arrow()
    assert made.schema.field("similar_to").type == pa.float64()


def test_ids_come_back_from_every_function() -> None:
    texts = ["one two three four five"] * 2 + ["none of these words is anywhere else"]
    ids = [30, 10, 20]
    made = likewise.deduplicate(texts, ids=ids)
    assert made.ids() == [10, 20]
    assert made.clusters()[0].members == (30, 10)
    assert made.to_arrow()["similar_to"].to_pylist() == [10, None, None]
    assert made.to_pandas()["similar_to"].dropna().tolist() == [10]
    (pair,) = likewise.find_passages(texts, ids=ids, min_words=4)
    assert {pair.a, pair.b} == {10, 30}
    assert list(likewise.sketch(texts, ids=ids).ids) == ids
    pairs = likewise.find_pairs(texts, ids=ids, against=texts, against_ids=["a", "b", "c"])
    assert {(pair.a, pair.b) for pair in pairs} == {
        (30, "a"), (30, "b"), (10, "a"), (10, "b"), (20, "c"),
    }  # fmt: skip
    assert pairs.to_arrow()["b"].to_pylist() == [pair.b for pair in pairs]


@pytest.mark.parametrize(
    ("ids", "told"),
    [
        ([1, None], "id 1 is null"),
        (pd.Series([1, None]), "id 1 is null"),
        (pd.Series(["a", pd.NA], dtype="string"), "id 1 is null"),
        (pl.Series(["a", None]), "id 1 is null"),
        (pa.array([None, 1]), "id 0 is null"),
        ([7, 7], "duplicate id 7"),
        ("ab", "ids must be a collection of ids, not one str"),
        (pd.DataFrame({"id": [1, 2]}), "ids is a table"),
        ([[1], [2]], "plain values"),
        ([1], "1 ids for 2 texts"),
    ],
)
def test_ids_that_cannot_serve_are_refused(ids: Any, told: str) -> None:
    for function in (likewise.find_pairs, likewise.find_passages, likewise.sketch):
        with pytest.raises(UsageError, match=told):
            function(["a", "b"], ids=ids)
    if "duplicate" not in told and "plain" not in told:  # `deduplicate` only sorts by them
        with pytest.raises(UsageError, match=told):
            likewise.deduplicate(["a", "b"], ids=ids)


def test_columns_of_ids_have_a_type_without_rows() -> None:
    assert likewise.find_pairs([]).to_arrow().schema.field("a").type == pa.int64()
    assert likewise.find_pairs(["a"], ids=["x"]).to_arrow().schema.field("a").type == pa.string()
    none = likewise.find_pairs(["a"], ids=pa.array([7], pa.int16()), against=[], against_ids=[])
    assert none.to_arrow().schema.field("a").type == pa.int16()
    assert likewise.deduplicate([]).to_arrow().schema.field("similar_to").type == pa.int64()
