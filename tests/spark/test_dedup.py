"""What is kept on Spark is what is kept on one machine."""

from __future__ import annotations

import decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise
from likewise.errors import UsageError
from tests.disguise import COPY, ORIGINAL
from tests.spark.corpora import (
    edited_texts,
    frame,
    local_annotations,
    local_clusters,
    local_pairs,
    rows_of,
    shuffled_ids,
    spark_annotations,
)

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(" ".join)


@pytest.mark.slow
@settings(max_examples=2)
@given(
    texts=st.lists(st.none() | words, min_size=1, max_size=30),
    chains=st.sampled_from(["split", "join"]),
    keep=st.sampled_from(["first", "longest"]),
)
def test_small_collections(spark: Any, texts: list[str | None], chains: str, keep: str) -> None:
    from likewise.spark import Deduplication

    ids = shuffled_ids(len(texts), 2)
    options: dict[str, Any] = {"chains": chains, "keep": keep, "threshold": 0.5}
    done = Deduplication(frame(spark, ids, texts), **options)
    assert spark_annotations(done.annotated()) == local_annotations(ids, texts, **options)
    done.release()


@pytest.fixture(scope="module")
def collection() -> tuple[list[str], list[str]]:
    texts = edited_texts(3000, 7)
    return shuffled_ids(len(texts), 8), texts


def test_some_thousand_documents(spark: Any, collection: tuple[list[str], list[str]]) -> None:
    """By rounds of stars and with a Bloom filter, which so few documents would not need."""
    from likewise.dedup.deduplicate import deduplicate
    from likewise.spark import Deduplication

    ids, texts = collection
    done = Deduplication(frame(spark, ids, texts), in_one_task=0, filter_from=0)
    expected = local_annotations(ids, texts)
    assert spark_annotations(done.annotated()) == expected
    kept = sorted(row[0] for row in done.kept().select("id").collect())
    assert kept == sorted(row[0] for row in expected if row[2])
    assert sorted(map(tuple, done.clusters().collect())) == local_clusters(ids, texts)
    counts = deduplicate(texts, ids=ids).stats.counts
    assert {name: done.stats.counts[name] for name in counts} == counts
    assert done.stats.counts["rounds"] >= 2
    verdicts = done.verdicts().toArrow()
    assert rows_of(verdicts, ("id", "cluster", "kept", "similar_to", "similarity")) == [
        row for row in expected if row[1] is not None
    ]
    done.release()


@pytest.mark.slow
def test_joined_chains_by_way_of_a_folder(
    spark: Any, collection: tuple[list[str], list[str]], tmp_path: Path
) -> None:
    from likewise.spark import Deduplication

    ids, texts = collection
    options: dict[str, Any] = {"chains": "join", "keep": "longest", "threshold": 0.6}
    folder = tmp_path / "tables"
    done = Deduplication(frame(spark, ids, texts), **options, checkpoint=str(folder))
    expected = local_annotations(ids, texts, **options)
    assert spark_annotations(done.annotated()) == expected
    assert any(row[4] is not None and row[4] < 0.6 for row in expected)
    assert list(folder.iterdir())
    done.release()
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_large_clusters_are_looked_at_again(spark: Any) -> None:
    """In buckets of which most pairs are set aside, as the local engine does it."""
    from likewise.spark import Deduplication

    common = [f"c{i}" for i in range(60)]
    texts = [" ".join([*common, *(f"{part}-{i}" for i in range(9))]) for part in range(150)]
    ids = [str(i) for i in range(len(texts))]
    options: dict[str, Any] = {"max_bucket": 10, "threshold": 0.75}
    done = Deduplication(frame(spark, ids, texts), **options)
    assert spark_annotations(done.annotated()) == local_annotations(ids, texts, **options)
    assert sorted(map(tuple, done.clusters().collect())) == local_clusters(ids, texts, **options)
    assert done.stats.counts["large_buckets"] > 0
    assert "were not compared" in done.stats.notes[0]
    done.release()


ONE, OTHER = "one two three four five six", "nothing of the sort is in here"
KINDS: dict[str, list[Any]] = {
    "binary": [b"\xff\x00", b"\x01", b"\x02"],
    "struct<a:decimal(12,2),b:string>": [
        (decimal.Decimal("10.50"), "x"), (decimal.Decimal("10.25"), "y"), (decimal.Decimal(11), "z")
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_any_type_of_id(spark: Any, kind: str) -> None:
    from likewise.spark import deduplicate

    df = frame(spark, KINDS[kind], [ONE, ONE.upper(), OTHER], kind)
    rows = {row["text"]: row for row in deduplicate(df, output="annotated").collect()}
    removed, kept = rows[ONE], rows[ONE.upper()]
    assert (removed["kept"], kept["kept"], rows[OTHER]["kept"]) == (False, True, True)
    assert removed["similar_to"] == kept["id"]
    assert removed["cluster"] == kept["cluster"] is not None
    assert rows[OTHER]["cluster"] is None


def test_ids_may_repeat_or_be_missing(spark: Any) -> None:
    """Each row is decided on by itself; without an id it is the last."""
    from likewise.spark import Deduplication

    rows = [
        ("1", ONE, "a"), ("1", OTHER, "b"), ("1", OTHER, "c"), ("1", OTHER, "d"),
        (None, ONE, "e"), (None, None, "f"), (None, "", "g"), ("0", ONE + " seven", "h"),
        (None, "is not in any of the others", "i"), (None, "is not in any of the others", "j"),
    ]  # fmt: skip
    df = spark.createDataFrame(rows, "id string, text string, note string").repartition(4)
    done = Deduplication(df, threshold=0.7)
    kept = done.kept()
    assert kept.columns == df.columns
    notes = sorted(row["note"] for row in kept.collect())
    assert len(notes) == 5
    assert {"f", "g", "h"} < set(notes)
    assert len({"b", "c", "d"} & set(notes)) == len({"i", "j"} & set(notes)) == 1
    assert notes == sorted(row["note"] for row in done.annotated().where("kept").collect())
    assert done.stats.counts["kept"] == 5
    removed = {row["note"]: row for row in done.annotated().where("NOT kept").collect()}
    assert removed["a"]["similar_to"] == removed["e"]["similar_to"] == "0"
    assert 0.7 <= removed["a"]["similarity"] < 1
    copy = next(row for note, row in removed.items() if note in "bcd")
    assert (copy["similar_to"], copy["similarity"]) == ("1", 1.0)
    done.release()


@pytest.mark.slow
def test_the_value_of_a_column_decides(spark: Any) -> None:
    from likewise.spark import deduplicate

    rows = [(1, ONE, None), (2, ONE, 7.0), (3, ONE, 2.5), (4, ONE, 2.5)]
    df = spark.createDataFrame(rows, "id int, text string, `odd.name` double")
    assert [row["id"] for row in deduplicate(df, keep="column:-odd.name").collect()] == [3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"output": "all"}, "output is 'all'"),
        ({"keep": "best"}, "keep is 'best'"),
        ({"keep": "column:none"}, "no column 'none'"),
        ({"keep": "column:parts"}, "has no order"),
        ({"output": "annotated"}, "already has a column 'cluster'"),
        ({"chains": "cut"}, "chains is 'cut'"),
        ({"measure": "containment", "chains": "join"}, "does not apply to containment"),
    ],
)
def test_what_is_wrong_is_reported_before_any_work(
    spark: Any, options: dict[str, Any], message: str
) -> None:
    from likewise.spark import deduplicate

    df = spark.sql("SELECT id, 'x' AS text, array(1) AS parts, 1 AS Cluster FROM range(3)")
    with pytest.raises(UsageError, match=message):
        deduplicate(df, **options)


@pytest.mark.slow
def test_one_page_many_times_and_one_shingle_everywhere(spark: Any) -> None:
    """Neither makes more candidates than a few for each document."""
    from pyspark.sql import functions as fn

    from likewise.spark import Deduplication

    pages = spark.range(0, 30_000, 1, 8).select(
        fn.col("id"),
        fn.when(fn.col("id") % 10 > 0, fn.lit("the same page of some words again and again"))
        .otherwise(fn.concat(fn.lit("all of them begin so "), fn.expr(
            "array_join(transform(sequence(1, 12), i -> conv(xxhash64(id, i) % 9999, 10, 36)), ' ')"
        ))).alias("text"),
    )  # fmt: skip
    done = Deduplication(pages)
    counts = done.stats.counts
    assert counts["unique"] == 3001
    assert counts["removed"] == 26_999
    assert counts["candidates"] < 16 * counts["unique"]
    assert done.kept().count() == 3001
    done.release()


def test_sketches_are_those_of_one_machine(spark: Any) -> None:
    from likewise.spark import sketch

    texts = [*edited_texts(50, 3), "", None]
    df = frame(spark, list(range(len(texts))), texts, "int")
    rows = sorted(sketch(df, values=16).collect())
    expected = likewise.sketch(texts[:-2], values=16).values.tolist()
    assert [row["signature"] for row in rows] == [*expected, None, None]
    assert [row["shingles"] > 0 for row in rows] == [True] * 50 + [False] * 2
    assert [row["digest"] is None for row in rows] == [False] * 50 + [True] * 2


@pytest.mark.slow
def test_stars_find_what_is_connected(spark: Any) -> None:
    """A long chain, a ring, a star and pairs."""
    import numpy as np

    from likewise.search.clusters import connected_components
    from likewise.spark.connected_components import components
    from likewise.spark.tables import Tables

    chain = np.random.Generator(np.random.PCG64(1)).permutation(120)
    ring, star = np.arange(200, 230), np.arange(300, 340)
    ends = np.concatenate(
        [
            np.stack([chain[:-1], chain[1:]], 1),
            np.stack([ring, np.roll(ring, 1)], 1),
            np.stack([np.full(39, 320), star[star != 320]], 1),
            [[400, 401], [402, 403]],
        ]
    )
    ends.sort(axis=1)
    rows = [tuple(int(i).to_bytes(16, "big") for i in pair) for pair in ends]
    pairs = spark.createDataFrame(rows, "a binary, b binary")
    labels = connected_components(404, *ends.astype(np.uint32).T)
    expected = {i: int(labels[i]) for i in np.unique(ends).tolist()}
    for in_one_task in (0, 1000):
        tables = Tables(spark)
        found, rounds = components(pairs, len(rows), tables, in_one_task=in_one_task)
        got = [[int.from_bytes(name, "big") for name in row] for row in found.collect()]
        assert dict(got) == expected
        assert len(got) == len(expected)
        assert (rounds > 2) == (in_one_task == 0)
        tables.release()


def test_the_bloom_filter_lets_all_through_that_is_wanted_and_little_else(spark: Any) -> None:
    from pyspark.sql import functions as fn

    from likewise.spark.bloom_filter import MAX_BITS, bloom_filter

    key = fn.xxhash64("id")
    passes = bloom_filter(spark.range(20_000), 20_000, key)
    assert passes is not None
    assert spark.range(20_000).where(passes(key)).count() == 20_000
    assert spark.range(20_000, 60_000).where(passes(key)).count() < 1000
    assert bloom_filter(spark.range(1), MAX_BITS, key) is None


@pytest.mark.slow
def test_a_disguised_copy_is_removed(spark: Any) -> None:
    from likewise.spark import Deduplication, find_pairs

    texts: list[str | None] = [ORIGINAL, OTHER, COPY, f"{COPY} and a few more words", None]
    ids = [f"d{i}" for i in range(len(texts))]
    done = Deduplication(frame(spark, ids, texts))
    assert spark_annotations(done.annotated()) == local_annotations(ids, texts)
    assert done.stats.counts["removed"] == 2
    assert done.stats.notes == likewise.deduplicate(texts).stats.notes
    done.release()
    found = find_pairs(frame(spark, ids, texts))
    assert rows_of(found.toArrow()) == local_pairs(ids[:4], [text or "" for text in texts[:4]])
    found.unpersist()
