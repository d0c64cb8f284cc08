"""`deduplicate` equals a slow, obvious deduplication of the pairs that a search finds."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import Profile, UsageError
from likewise.search.order import id_key
from tests import reference
from tests.strategies import collections
from tests.text.test_shingles import slow

THRESHOLDS = st.sampled_from([0.3, 0.5, 0.8, 1.0])


def shingles(text: str, profile: str) -> frozenset[int]:
    return frozenset(reference.shingle_hashes(text, slow(Profile.parse(profile))))


def jaccard(a: frozenset[int], b: frozenset[int]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0


@given(collections, THRESHOLDS, st.sampled_from(["word:1", "word:2"]), st.data())
def test_kept_documents(
    texts: list[str], threshold: float, profile: str, data: st.DataObject
) -> None:
    ids = data.draw(st.permutations(range(len(texts))))
    made = likewise.deduplicate(texts, ids=ids, profile=profile, threshold=threshold, recall=0.9)
    # The same bands find the same pairs; that these are right is tested with the search.
    found = likewise.find_pairs(texts, profile=profile, threshold=threshold, recall=0.9)
    partners: dict[int, set[int]] = {i: set() for i in range(len(texts))}
    for pair in found:
        partners[pair.a].add(pair.b)
        partners[pair.b].add(pair.a)
    sets = [shingles(text, profile) for text in texts]
    kept: list[int] = []
    for i in sorted(range(len(texts)), key=lambda i: id_key(str(ids[i]))):
        copy = any(sets[i] == sets[k] for k in kept if sets[i])
        if not copy and not any(k in partners[i] or shares(partners, sets, i, k) for k in kept):
            kept.append(i)
    assert list(made) == sorted(kept)
    rows = made.to_arrow().to_pylist()
    for i, row in enumerate(rows):
        assert row["kept"] == (i in kept)
        if not row["kept"]:
            target = ids.index(row["similar_to"])
            assert row["similarity"] == jaccard(sets[i], sets[target]) >= threshold
            best = max(
                jaccard(sets[i], sets[k]) for k in kept if k in partners[i] or sets[k] == sets[i]
            )
            assert row["similarity"] == best
    clustered = {i for cluster in made.clusters() for i in cluster.rows}
    assert clustered == {i for i, row in enumerate(rows) if row["cluster"] is not None}
    for cluster in made.clusters():
        pairs = combinations(cluster.rows, 2)
        assert cluster.lowest_inside == min(jaccard(sets[a], sets[b]) for a, b in pairs)
        assert cluster.lowest_inside_exact
        assert {rows[i]["cluster"] for i in cluster.rows} == {cluster.name}
        assert cluster.members == tuple(ids[i] for i in cluster.rows)
        assert cluster.kept == tuple(ids[i] for i in cluster.rows if rows[i]["kept"])


def shares(partners: dict[int, set[int]], sets: list[frozenset[int]], i: int, k: int) -> bool:
    """Whether copies of the two are a pair: all pairs of copies count."""
    mine = [j for j, own in enumerate(sets) if own == sets[i] and own]
    return any(k2 in partners[j] for j in mine for k2, own in enumerate(sets) if own == sets[k])


@given(collections, THRESHOLDS, st.data())
def test_nothing_depends_on_the_order(
    texts: list[str], threshold: float, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(len(texts))))
    ids = [f"d{i}" for i in range(len(texts))]
    plain = likewise.deduplicate(texts, ids=ids, profile="word:1", threshold=threshold)
    turned = likewise.deduplicate(
        [texts[i] for i in order], ids=[ids[i] for i in order], profile="word:1",
        threshold=threshold, threads=1,
    )  # fmt: skip
    expected = plain.to_arrow().take(pa.array(order, pa.int64()))
    assert turned.to_arrow().to_pylist() == expected.to_pylist()


CHAIN = ["a b c d e f g h i j", "a b c d e f g h x y", "a b c d e f u v x y"]


def test_chains() -> None:
    split = likewise.deduplicate(CHAIN, profile="word:1", threshold=0.6)
    assert list(split) == [0, 2]
    (cluster,) = split.clusters()
    assert cluster.members == (0, 1, 2)
    assert cluster.lowest_inside == 6 / 14
    assert cluster.lowest_removed == 8 / 12
    joined = likewise.deduplicate(CHAIN, profile="word:1", threshold=0.6, chains="join")
    assert list(joined) == [0]
    assert joined.to_arrow()["similarity"].to_pylist() == [None, 8 / 12, 6 / 14]
    assert joined.clusters()[0].lowest_removed == 6 / 14


def test_what_is_kept() -> None:
    texts = ["One two three!", "one two three", "ONE, TWO, THREE.....", None, ""]
    assert list(likewise.deduplicate(texts)) == [0, 3, 4]
    assert list(likewise.deduplicate(texts, ids=[10, 9, "8a", "b", "c"])) == [1, 3, 4]
    assert list(likewise.deduplicate(texts, keep="longest")) == [2, 3, 4]
    score = {"score": [1, 5, None, 7, 7]}
    assert list(likewise.deduplicate(texts, keep="column:score", columns=score)) == [1, 3, 4]
    assert list(likewise.deduplicate(texts, keep="column:-score", columns=score)) == [0, 3, 4]


@pytest.mark.parametrize(
    "texts",
    [
        ["a b c", None, "a b c"],
        ("a b c", None, "a b c"),
        pa.array(["a b c", None, "a b c"]),
        pa.chunked_array([["a b c", None], ["a b c"]]),
        pd.Series(["a b c", None, "a b c"]),
        pl.Series(["a b c", None, "a b c"]),
    ],
)
@pytest.mark.parametrize("keep", ["first", "longest"])
def test_columns_of_any_kind(texts: object, keep: str) -> None:
    made = likewise.deduplicate(texts, keep=keep)
    assert made.kept.tolist() == [True, True, False]
    assert made.to_pandas()["similar_to"].tolist()[2] == 0
    assert len(made) == 2
    assert made.stats.counts["empty"] == 1


def test_equal_ids_are_told_apart_by_their_place() -> None:
    assert list(likewise.deduplicate(["a b c"] * 3, ids=["x", "x", "x"])) == [0]


def test_no_texts() -> None:
    made = likewise.deduplicate([])
    assert len(made) == 0
    assert made.clusters() == []
    assert made.to_arrow().num_rows == 0


def test_similar_pages_beyond_all_buckets_leave_one() -> None:
    """A template that differs in a number only: large buckets are not compared all with all."""
    base = " ".join(f"w{i * i % 997}" for i in range(200))
    texts = [f"{base} page number {i}" for i in range(600)]
    ids = [i * 7 % 600 for i in range(600)]
    made = likewise.deduplicate(texts, ids=ids, max_bucket=50)
    assert made.stats.counts["set_aside"] > 0
    assert list(made) == [0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0}, "threshold is 0"),
        ({"recall": 1}, "recall is 1"),
        ({"chains": "both"}, "split, join"),
        ({"keep": "last"}, "first, longest or column:NAME"),
        ({"keep": "column:x"}, "does not exist"),
        ({"keep": "column:x", "columns": {"x": [1]}}, "1 values of 'x' for 2 texts"),
        ({"keep": "column:x", "columns": {"x": [1, "a"]}}, "cannot be compared"),
        ({"keep": "column:x", "columns": {"x": [[1], [2]]}}, "cannot be compared"),
        ({"keep": "column:x", "columns": {"x": [2**70, 1]}}, "cannot be compared"),
        ({"ids": [1]}, "1 ids for 2 texts"),
        ({"ids": "ab"}, "not one str"),
        ({"threshold": 0.02}, "no bands of 128 values"),
        ({"max_bucket": 1}, "max_bucket"),
    ],
)
def test_mistakes(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        likewise.deduplicate(["a", "b"], **options)  # type: ignore[arg-type]


def test_texts_that_are_none() -> None:
    for texts in ("abc", 5, {"a": 1}, [1, 2]):
        with pytest.raises(UsageError):
            likewise.deduplicate(texts)


EARLIER = [" ".join(f"w{j}" for j in range(begin, begin + 50)) for begin in (0, 300)]
LATER = [EARLIER[0], f"{EARLIER[0]} more", f"{EARLIER[1]} more", "one two three", "one two three"]


@pytest.mark.parametrize("kind", ["texts", "signatures", "index", "index without texts"])
def test_texts_that_are_similar_to_earlier_ones_are_removed(tmp_path: Path, kind: str) -> None:
    against: Any = EARLIER
    if kind == "signatures":
        against = likewise.sketch(EARLIER, ids=["x", "y"])
    elif kind != "texts":
        against = likewise.Index.create(tmp_path / "earlier.db", keep_text=kind == "index")
        against.add(EARLIER, ["x", "y"])
    made = likewise.deduplicate(LATER, ids=list("abcde"), against=against, threshold=0.8)
    assert made.ids() == ["d"]
    rows = made.to_arrow().to_pylist()
    targets = ["0", "0", "1"] if kind == "texts" else ["x", "x", "y"]
    assert [row["similar_to"] for row in rows] == [*targets, None, "d"]
    assert [row["stored"] for row in rows] == [True, True, True, False, False]
    estimated = kind not in ("texts", "index")
    for row in rows[1:3]:
        assert row["similarity"] >= 0.8
        assert (row["similarity_low"] is not None) == estimated
    assert made.stats.counts["removed_against"] == 3
    assert [cluster.members for cluster in made.clusters()] == [("d", "e")]


def test_earlier_texts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with likewise.Index.create(tmp_path / "other.db", profile="word:5", threshold=0.9) as index:
        with pytest.raises(UsageError, match="created with profile word:5") as raised:
            likewise.deduplicate(LATER, against=index)
        assert raised.value.hint == "use `profile=word:5`"
        with pytest.raises(UsageError, match="documents would be missed"):
            likewise.deduplicate(LATER, profile="word:5", against=index)


def test_former_names_still_work() -> None:
    made = likewise.deduplicate(LATER)
    with pytest.warns(DeprecationWarning, match="is now stats"):
        assert made.report is made.stats
    with pytest.warns(DeprecationWarning, match=r"is now to_arrow\(\)"):
        assert made.annotations().equals(made.to_arrow())
