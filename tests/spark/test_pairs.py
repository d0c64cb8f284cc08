"""Pairs on Spark are those of one machine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.errors import UsageError
from tests.spark.corpora import edited_texts, frame, local_pairs, rows_of, shuffled_ids

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(" ".join)


@pytest.mark.slow
@settings(max_examples=2)
@given(texts=st.lists(words, min_size=1, max_size=30), threshold=st.sampled_from([0.5, 0.8]))
def test_small_collections(spark: Any, texts: list[str], threshold: float) -> None:
    from likewise.spark import find_pairs

    ids = shuffled_ids(len(texts), 1)
    found = find_pairs(frame(spark, ids, texts), threshold=threshold, max_copies=2)
    assert rows_of(found.toArrow()) == local_pairs(ids, texts, threshold=threshold, max_copies=2)
    found.unpersist()


def test_some_thousand_documents(spark: Any) -> None:
    from likewise.spark import find_pairs

    texts = edited_texts(3000, 5)
    ids = shuffled_ids(len(texts), 6)
    expected = local_pairs(ids, texts, max_copies=3)
    found = find_pairs(frame(spark, ids, texts), max_copies=3)
    assert rows_of(found.toArrow()) == expected
    assert len(expected) > 500
    found.unpersist()


def test_ids_keep_their_type(spark: Any) -> None:
    from likewise.spark import find_pairs

    texts = ["one two three four five"] * 2 + ["something else altogether it is", None]
    df = spark.createDataFrame(list(zip([10, 9, 1, 2], texts, strict=True)), "n long, body string")
    found = find_pairs(df, text="body", id="n")
    assert [tuple(row)[:3] for row in found.collect()] == [(9, 10, 1.0)]
    assert dict(found.dtypes)["a"] == "bigint"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": "nothing"}, "no column 'nothing'"),
        ({"text": "id"}, "of type bigint, not string"),
        ({"id": "m"}, "cannot be an id"),
        ({"threshold": 2}, "threshold is 2"),
        ({"bands": 4}, "bands and rows must be given together"),
        ({"threshold": 0.01}, "no bands of 128 values"),
    ],
)
def test_what_is_wrong_is_reported_before_any_work(
    spark: Any, options: dict[str, Any], message: str
) -> None:
    from likewise.spark import find_pairs

    df = spark.sql("SELECT id, 'x' AS text, map('a', 1) AS m FROM range(3)")
    with pytest.raises(UsageError, match=message):
        find_pairs(df, **options)


def test_an_id_must_be_there_once(spark: Any) -> None:
    from likewise.spark import find_pairs

    df = spark.createDataFrame([(1, "a"), (1, "b"), (2, "c")], "id int, text string")
    with pytest.raises(UsageError, match="duplicate id 1"):
        find_pairs(df)
    with pytest.raises(UsageError, match="an id is null"):
        find_pairs(spark.createDataFrame([(None, "a"), (2, "c")], "id int, text string"))
