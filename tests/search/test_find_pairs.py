"""find_pairs gives what brute force gives, in the same order, whatever the way it is asked."""

from __future__ import annotations

import pickle
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import likewise
from likewise import Pair, Profile, UsageError
from tests import reference
from tests.strategies import collections
from tests.text.test_shingles import slow

THRESHOLDS = st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.6, 0.75, 0.8, 1.0])
PROFILES = st.sampled_from(["word:1", "word:2", "char:2,count=bag", "word:1,count=bag"])


def elements(text: str, profile: Profile) -> set[int]:
    return set(reference.shingle_hashes(text, slow(profile)))


def brute_force(
    texts: list[str], others: list[str] | None, profile: Profile, measure: str, threshold: float
) -> list[Pair]:
    """Every pair, compared in full."""
    left = {i: elements(text, profile) for i, text in enumerate(texts)}
    right = {i: elements(text, profile) for i, text in enumerate(others or [])}
    names = combinations(left, 2) if others is None else product(left, right)
    found = []
    for a, b in names:
        first, second = left[a], (left if others is None else right)[b]
        if not first or not second:
            continue
        shared = len(first & second)
        pair = Pair(
            a, b, shared / len(first | second), shared / len(first), shared / len(second),
            shared, len(first), len(second),
        )  # fmt: skip
        if value(pair, measure) >= threshold:
            found.append(pair)
    return sorted(found, key=lambda p: (-value(p, measure), p.a, p.b))


def value(pair: Pair, measure: str) -> float:
    if measure == "jaccard":
        return pair.jaccard
    return max(pair.containment_a, pair.containment_b)


@given(collections, THRESHOLDS, PROFILES, st.sampled_from(["jaccard", "containment"]))
def test_exact_search_equals_brute_force(
    texts: list[str], threshold: float, name: str, measure: str
) -> None:
    found = likewise.find_pairs(
        texts, profile=name, threshold=threshold, measure=measure, exact=True
    )
    assert list(found) == brute_force(texts, None, Profile.parse(name), measure, threshold)


@given(collections, collections, THRESHOLDS, PROFILES, st.sampled_from(["jaccard", "containment"]))
def test_exact_search_between_two_collections_equals_brute_force(
    texts: list[str], others: list[str], threshold: float, name: str, measure: str
) -> None:
    found = likewise.find_pairs(
        texts, against=others, profile=name, threshold=threshold, measure=measure, exact=True
    )
    assert list(found) == brute_force(texts, others, Profile.parse(name), measure, threshold)


@given(collections, collections | st.none(), THRESHOLDS, PROFILES)
def test_bands_give_only_true_pairs_and_with_one_row_all_of_them(
    texts: list[str], others: list[str] | None, threshold: float, name: str
) -> None:
    """512 bands of one row miss a pair of similarity 0.1 once in 10^23 times."""
    found = likewise.find_pairs(
        texts, against=others, profile=name, threshold=threshold, values=512, bands=512, rows=1
    )
    assert list(found) == brute_force(texts, others, Profile.parse(name), "jaccard", threshold)


@given(collections, st.sampled_from([1, 2, 5]))
def test_threads_do_not_change_anything(texts: list[str], threads: int) -> None:
    one = likewise.find_pairs(texts, threshold=0.3, profile="word:1", threads=1)
    assert list(likewise.find_pairs(texts, threshold=0.3, profile="word:1", threads=threads)) == (
        list(one)
    )


@given(collections, st.integers(1, 10))
def test_top_gives_the_most_similar_pairs(texts: list[str], top: int) -> None:
    every = brute_force(texts, None, Profile.parse("word:1"), "jaccard", 0.01)
    assume(every)
    found = likewise.find_pairs(texts, profile="word:1", top=top, exact=True)
    assert list(found) == every[:top]


def test_ids_order_numbers_by_value_and_others_by_code_points() -> None:
    texts = ["one two three"] * 4
    found = likewise.find_pairs(texts, ids=["b", "10", "9", "a"], threshold=1.0)
    assert [(p.a, p.b) for p in found] == [
        ("9", "10"), ("9", "a"), ("9", "b"), ("10", "a"), ("10", "b"), ("a", "b"),
    ]  # fmt: skip


def test_between_collections_nothing_is_left_out_because_ids_are_equal() -> None:
    found = likewise.find_pairs(
        ["same text here"], against=["same text here"], ids=["x"], against_ids=["x"], threshold=1.0
    )
    assert [(p.a, p.b, p.jaccard) for p in found] == [("x", "x", 1.0)]


def test_where_no_bands_suffice_the_search_is_exact_and_says_so() -> None:
    texts = [" ".join(f"w{i}x{j}" for j in range(60)) + " same three words" for i in range(4)]
    found = likewise.find_pairs(texts, threshold=0.005)
    assert len(found) == 6
    assert found.stats.settings["search"] == "exact"
    assert "searched exactly instead" in found.notes[0]


def test_empty_documents_are_in_no_pair_but_counted() -> None:
    found = likewise.find_pairs(["", "...", "a b c", "a b c"], threshold=0.5)
    assert [(p.a, p.b) for p in found] == [(2, 3)]
    assert found.stats.counts["empty"] == 2


@pytest.mark.parametrize("texts", [[], ["only one"], ["", "", ""]])
def test_collections_without_pairs_give_none(texts: list[str]) -> None:
    assert list(likewise.find_pairs(texts)) == []
    assert likewise.find_pairs(texts).clusters() == []
    assert likewise.find_pairs(texts).to_arrow().num_rows == 0


def test_more_copies_than_the_limit_are_paired_with_the_first_only() -> None:
    page = "one page that was copied many times over"
    texts = [page, page + " almost", *[page] * 29]
    found = likewise.find_pairs(texts, profile="word:1", max_copies=10, threshold=0.5)
    pairs = {(p.a, p.b) for p in found}
    assert pairs == {(0, i) for i in range(1, 31)}
    assert "30 documents" in found.notes[0]
    assert len(found.clusters()) == 1
    assert len(found.clusters()[0]) == 31
    every = likewise.find_pairs(texts, profile="word:1", max_copies=100, threshold=0.5)
    assert len(every) == 31 * 30 // 2


def test_copies_in_two_collections_over_the_limit_stay_connected() -> None:
    page = "one page that was copied many times over"
    found = likewise.find_pairs([page] * 7, against=[page] * 12, max_copies=5, threshold=0.5)
    assert {p.a for p in found} == set(range(7))
    assert {p.b for p in found} == set(range(12))
    assert len(found) == 7 + 12 - 1


@pytest.mark.parametrize("two", [False, True])
def test_a_large_bucket_is_not_compared_all_with_all_but_stays_one_cluster(two: bool) -> None:
    base = " ".join(f"w{i}" for i in range(300))
    texts = [f"{base} own{i}" for i in range(400)]
    against = [f"{base} other{i}" for i in range(300)] if two else None
    found = likewise.find_pairs(texts, against=against, threshold=0.9, max_bucket=50)
    assert found.stats.counts["large_buckets"] > 0
    assert found.stats.counts["set_aside"] > 0
    assert any("were not compared" in note for note in found.notes)
    assert len(found) < 400 * 40
    if two:
        assert {p.a for p in found} == set(range(400))
        assert {p.b for p in found} == set(range(300))
    else:
        assert [len(cluster) for cluster in found.clusters()] == [400]


def test_results_convert_to_arrow_and_pandas() -> None:
    found = likewise.find_pairs(["a b c d e", "a b c d f", "x y z"], threshold=0.3)
    table = found.to_arrow()
    assert table.column_names == list(likewise.search.pairs.COLUMNS)
    frame = found.to_pandas()
    assert frame.loc[0, "jaccard"] == found[0].jaccard == 0.5
    assert found[-1] == found[0]
    with pytest.raises(IndexError):
        found[1]
    assert "1 of 3 documents" in repr(found)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"threshold": 0}, "threshold is 0"),
        ({"threshold": 1.5}, "threshold is 1.5"),
        ({"recall": 1.0}, "recall is 1.0"),
        ({"measure": "cosine"}, "measure is 'cosine'"),
        ({"top": 0}, "top is 0"),
        ({"bands": 3}, "must be given together"),
        ({"bands": 100, "rows": 2}, "need 200 values"),
        ({"bands": 0, "rows": 2}, "at least 1"),
        ({"bands": 2, "rows": 2, "exact": True}, "do not apply to an exact search"),
        ({"values": 0}, "values is 0"),
        ({"max_bucket": 1}, "max_bucket is 1"),
        ({"max_copies": 0}, "max_copies is 0"),
        ({"threads": -1}, "threads is -1"),
        ({"profile": "word:0"}, "k is 0"),
        ({"ids": ["a", "a"]}, "duplicate id 'a'"),
        ({"ids": ["a"]}, "1 ids for 2 texts"),
        ({"against_ids": ["a", "b"]}, "without against"),
        ({"threshold": "0.5"}, "threshold is '0.5'"),
        ({"top": 2.5}, "top is 2.5; it must be a whole number"),
        ({"values": True}, "values is True"),
    ],
)
def test_bad_arguments_are_reported(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        likewise.find_pairs(["a b c", "d e f"], **arguments)


def test_notes_and_counts_are_those_of_the_last_threshold_tried() -> None:
    base = " ".join(f"w{i}" for i in range(300))
    texts = [f"{base} own{i}" for i in range(60)]
    found = likewise.find_pairs(texts, top=10_000, max_bucket=10)
    assert found.stats.settings["search"] == "exact"
    assert len(found) == 60 * 59 // 2
    assert "set_aside" not in found.stats.counts
    assert len(found.notes) == 1


def test_the_largest_cluster_comes_first_then_that_of_the_first_id() -> None:
    one, two, three = "a b c d e", "f g h i j", "k l m n o"
    found = likewise.find_pairs([one, one, two, two, three, three, three])
    members = [cluster.members for cluster in found.clusters()]
    assert members == [(4, 5, 6), (0, 1), (2, 3)]


def test_clusters_of_two_collections_are_refused() -> None:
    with pytest.raises(UsageError, match="clusters need a single collection"):
        likewise.find_pairs(["a b c"], against=["a b c"]).clusters()


def test_a_slice_gives_a_list() -> None:
    found = likewise.find_pairs(["a b c"] * 3)
    assert found[1:] == [found[1], found[2]]


def test_copies_under_the_limit_on_each_side_are_not_called_collapsed() -> None:
    found = likewise.find_pairs(["x y z w q"] * 60, against=["x y z w q"] * 60)
    assert len(found) == 3600
    assert found.notes == []
    assert found.stats.counts["collapsed_groups"] == 0


def test_ids_must_serve() -> None:
    with pytest.raises(UsageError, match="id 0 is null"):
        likewise.find_pairs(["a", "b"], ids=[None, "x"])
    with pytest.raises(UsageError, match="not one str"):
        likewise.find_pairs(["a", "b"], ids="ab")
    assert likewise.find_pairs(["a b c"] * 2, ids=["\ud800", "x"]).to_arrow().num_rows == 1


NEAR = [" ".join(f"w{j}" for j in range(begin, begin + 60)) for begin in (0, 2, 6, 100, 101)]


@pytest.mark.parametrize("options", [{}, {"measure": "containment"}, {"chance": "words"}])
def test_a_filtered_result_is_that_of_a_search(options: dict[str, Any]) -> None:
    found = likewise.find_pairs(NEAR, threshold=0.5, exact=True, seed=3, **options)
    for threshold in (0.5, 0.8, 0.93, 1.0):
        again = likewise.find_pairs(NEAR, threshold=threshold, exact=True, seed=3, **options)
        filtered = found.filter(threshold)
        assert [(p.a, p.b, p.jaccard) for p in filtered] == [(p.a, p.b, p.jaccard) for p in again]
        assert filtered.columns == again.columns
        assert filtered.stats.settings["threshold"] == threshold
        assert filtered.stats.counts["pairs"] == len(filtered)
    assert len(found.filter(1.0)) < len(found) == 4
    with pytest.raises(UsageError, match=r"0\.5 or more; at 0\.3 pairs would be missing"):
        found.filter(0.3)
    with pytest.raises(UsageError, match="threshold is 80"):
        found.filter(80)


def test_labels_are_the_places_of_clusters() -> None:
    texts = ["something else", *NEAR, ""]
    found = likewise.find_pairs(texts, ids=list("abcdefg"), threshold=0.5)
    labels = found.labels().tolist()
    assert labels == [-1, 0, 0, 0, 1, 1, -1]
    assert [cluster.members for cluster in found.clusters()] == [tuple("bcd"), tuple("ef")]
    with pytest.raises(UsageError, match="single collection"):
        likewise.find_pairs(texts, against=texts).labels()


def test_results_can_be_pickled() -> None:
    found = likewise.find_pairs(NEAR, ids=list("abcde"), threshold=0.5, chance="words")
    passages = likewise.find_passages([*NEAR, "Says “a quoted text”."], min_words=12)
    made = likewise.deduplicate(NEAR, threshold=0.5, against=NEAR[:1])
    copied = pickle.loads(pickle.dumps([found, passages, made]))
    assert list(copied[0]) == list(found)
    assert copied[0].to_arrow().equals(found.to_arrow())
    assert list(copied[1]) == list(passages)
    assert copied[1].scores() == passages.scores()
    assert copied[2].to_arrow().equals(made.to_arrow())
    assert copied[2].stats == made.stats


def test_progress_is_reported() -> None:
    told: list[str] = []

    def show(stage: str, done: int, total: int | None) -> None:
        told.append(stage)

    likewise.find_pairs(NEAR, progress=show)
    assert list(dict.fromkeys(told)) == ["sketch", "candidates", "verify"]
    told.clear()
    likewise.deduplicate(NEAR, progress=show)
    assert list(dict.fromkeys(told)) == ["read and sketch", "candidates", "verify"]

    def stop(stage: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        likewise.find_pairs(NEAR, progress=stop)


def test_notes_are_logged(caplog: pytest.LogCaptureFixture, capfd: Any) -> None:
    note = "1 document is empty or too short to compare"
    assert likewise.find_pairs(["", "one two three"]).notes == [note]
    assert [(record.name, record.levelname, record.message) for record in caplog.records] == [
        ("likewise", "WARNING", note)
    ]
    with caplog.at_level("ERROR", "likewise"):
        caplog.clear()
        likewise.find_pairs([""])
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")  # nothing is printed unless the program asks for it


def test_a_bad_argument_is_a_value_error_with_a_hint_in_words_of_python() -> None:
    for function, hint in (
        (lambda: likewise.find_pairs(NEAR, profile="words"), "profile=word:3"),
        (lambda: likewise.find_pairs(NEAR, recall=2), "exact=True"),
    ):
        with pytest.raises(ValueError, match=r"profile|recall") as raised:
            function()
        assert hint in str(raised.value.hint)  # type: ignore[attr-defined]
        assert "--" not in str(raised.value.hint)  # type: ignore[attr-defined]
