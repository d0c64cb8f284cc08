"""Whatever holds texts goes in, and gives the same signatures."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import UsageError

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
        (b"bytes", "not one str"),
        (["a", None], "text 1 is not a str but NoneType"),
        (["a", 3], "text 1 is not a str but int"),
        (pa.array(["a", None]), "text 1 is null"),
        (pa.table({"text": ["a"]}), "one column"),
        (pd.DataFrame({"text": ["a"]}), "one column"),
        (pl.DataFrame({"text": ["a"]}), "one column"),
        (pa.array([b"\xff"]), "not text"),
        (pa.array([["a"]]), "not text"),
        (pa.array([1, 2]), "not text"),
        ({"a": "b"}, "must be a collection of str"),
        (7, "must be a collection of str"),
    ],
    ids=str,
)
def test_what_is_not_text_is_told(column: object, told: str) -> None:
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
