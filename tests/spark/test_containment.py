"""Documents that are contained in a kept one: on Spark as on one machine, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyspark")
from likewise.dedup.deduplicate import deduplicate
from likewise.spark.containment import required_shingles
from tests.dedup.test_containment import BOOK, CHAPTER, PAGE, nested, template
from tests.spark.corpora import (
    frame,
    local_annotations,
    local_clusters,
    shuffled_ids,
    spark_annotations,
)

SHARED = " ".join(f"gleich{i}" for i in range(40))
UNICODE = [
    "Ω ωμέγα ﬁn",
    "שלום עולם",
    "深い森の中の道",
    "e\u0301 é",
    "\ud800 lone",
    "a\u200bb c d e",
]


def mixed(count: int, seed: int) -> list[str | None]:
    """Parts of one another, pages of a template, copies, a book, other scripts, and nothing."""
    some = nested(count, seed)
    books = [" ".join(words) for words in (PAGE, CHAPTER, BOOK, ["other", *PAGE[:20]])]
    pages = [f"{SHARED} s{i}" for i in range(30)] + [f"{SHARED} {text}" for text in some[:20]]
    scripts = [f"{text} {' '.join(UNICODE[:at])}" for at, text in enumerate(UNICODE)]
    repeated = ["la le li " * 40, "la le li la le", None, "", "…"]
    return [*some, *books, *pages, *scripts, *repeated, *some[5:9]]


COLLECTIONS: dict[str, tuple[list[str | None], dict[str, Any]]] = {
    "of all kinds": (mixed(200, 1), {"threshold": 0.6, "profile": "word:2"}),
    "with boilerplate": (
        mixed(150, 2), {"threshold": 0.6, "profile": "word:2", "max_bucket": 4, "keep": "longest"}
    ),
    "a template everywhere": (
        [*template(150, own=6), *template(20, own=200)], {"max_bucket": 20}
    ),
    "in letters": ([text and text[:60] for text in nested(60, 3)], {"profile": "char:4"}),
}  # fmt: skip


@pytest.mark.parametrize("name", COLLECTIONS)
def test_what_is_contained_is_removed_as_on_one_machine(spark: Any, name: str) -> None:
    from likewise.spark import Deduplication

    texts, options = COLLECTIONS[name]
    options = {**options, "measure": "containment"}
    ids = shuffled_ids(len(texts), 9)
    done = Deduplication(frame(spark, ids, texts), **options)
    assert spark_annotations(done.annotated()) == local_annotations(ids, texts, **options)
    stats = deduplicate(texts, ids=ids, **options).stats
    assert {name: done.stats.counts[name] for name in stats.counts} == stats.counts
    assert done.stats.notes == stats.notes
    assert 0 < stats.counts["removed"] < len(texts)
    assert sorted(map(tuple, done.clusters().collect())) == local_clusters(ids, texts, **options)
    done.release()


@pytest.mark.slow
@pytest.mark.parametrize(
    "texts",
    [[], [None, "", "..."],
     ["one text of several words", *["a b c d"] * 4,
      *[f"nothing in common {i} {i + 1000} at all {i}" for i in range(9)]]],
)  # fmt: skip
def test_empty_equal_and_unrelated(spark: Any, texts: list[str | None]) -> None:
    from likewise.spark import Deduplication

    ids = list(range(len(texts)))
    options: dict[str, Any] = {"measure": "containment"}
    done = Deduplication(frame(spark, ids, texts, "int"), **options)
    assert spark_annotations(done.annotated()) == local_annotations(ids, texts, **options)
    done.release()


@pytest.mark.slow
def test_a_book_that_contains_thousands_of_texts(spark: Any) -> None:
    """It is compared with them in parts."""
    from likewise.spark import Deduplication

    pages = [" ".join(f"w{n}-{i}" for i in range(12)) for n in range(1500)]
    texts = [*pages, " ".join(pages)]
    ids = [str(i) for i in range(len(texts))]
    done = Deduplication(
        frame(spark, ids, texts).repartition(7), measure="containment", max_bucket=10,
        filter_from=0,
    )  # fmt: skip
    assert [row["id"] for row in done.kept().collect()] == ["1500"]
    done.release()


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=20), st.floats(0.01, 1.0))
def test_as_many_shingles_are_required_as_reach_the_threshold(
    sizes: list[int], threshold: float
) -> None:
    for size, needed in zip(
        sizes, required_shingles(np.array(sizes), threshold).tolist(), strict=True
    ):
        assert needed == next(n for n in range(1, size + 1) if n / size >= threshold)
