"""The hashes of the sources: what they print, what they mistake, and that they miss nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from likewise import Layout, UsageError
from likewise.study.published_hashes import (
    false_candidates,
    line_signatures,
    papers_band_hash,
    papers_modulus,
    papers_shingle_hash,
    shingle_collisions,
    tweets_band_hash,
)

# --- shingles


def test_the_shingle_hash_is_the_printed_sum() -> None:
    assert papers_shingle_hash("a") == 1
    assert papers_shingle_hash("cab") == 3 + 1 * 31 + 2 * 31**2
    assert (
        papers_shingle_hash("zz zzz")
        == (26 + 26 * 31 + 27 * 31**2 + 26 * 31**3 + 26 * 31**4 + 26 * 31**5) % 1_000_003
    )


def test_four_letters_never_collide_and_capitals_do() -> None:
    """Letters are digits below 31, and 31^4 is below the modulus."""
    letters = "abcz"
    four = {a + b + c + d for a in letters for b in letters for c in letters for d in letters}
    assert len({papers_shingle_hash(shingle) for shingle in four}) == len(four)
    # A capital counts 65 or more, which is over 31: A + a = 65 + 31 = 3 + 3 * 31 = c + c.
    assert papers_shingle_hash("Aa") == papers_shingle_hash("cc")
    found = shingle_collisions("Aa cc", "char:2,case=keep,spaces=drop")
    assert found.shingles == 3
    assert found.colliding == 2


def test_long_shingles_collide_as_often_as_a_random_hash() -> None:
    random = np.random.Generator(np.random.PCG64(0))
    text = "".join(random.choice(list("abcdefghijklmnopqrstuvwxyz"), 30_000))
    found = shingle_collisions(text, "char:10")
    assert found.shingles == 29_991
    assert found.expected == pytest.approx(29_991**2 / 1_000_003, rel=0.02)
    assert found.colliding == pytest.approx(found.expected, rel=0.2)


def test_word_shingles_and_short_texts_are_hashed_as_well() -> None:
    assert shingle_collisions("The cat sat on the cat sat", "word:2").shingles == 4
    assert shingle_collisions("one", "word:3").shingles == 1
    nothing = shingle_collisions("", "word:3")
    assert (nothing.shingles, nothing.colliding, nothing.expected) == (0, 0, 0)


# --- bands


def test_joined_numbers_are_mistaken_for_each_other() -> None:
    assert papers_band_hash([1, 4, 2], 10**6) == papers_band_hash([14, 2], 10**6) == 142
    assert papers_band_hash([1, 4, 2], 100) == 42
    assert tweets_band_hash([1, 42], 10**15) == tweets_band_hash([14, 2], 10**15)
    assert tweets_band_hash([1, 42], 10**15) != tweets_band_hash([1, 43], 10**15)
    # The same in every run, which Python's own hash of texts is not.
    assert tweets_band_hash([1, 42], 1000) == 943


@pytest.mark.parametrize(("documents", "modulus"), [(2, 3), (3, 5), (393, 394), (498, 499)])
def test_the_modulus_is_the_least_that_papers_allows(documents: int, modulus: int) -> None:
    assert papers_modulus(documents) == modulus


def test_one_table_for_all_bands_lets_different_bands_meet() -> None:
    """[1, 42] in the first band of one text, [14, 2] in the second band of the other."""
    signatures = np.array([[1, 42, 70, 70], [60, 60, 14, 2]])
    found = false_candidates(signatures, Layout(2, 2), "tweets")
    assert (found.equal, found.candidates, found.false) == (0, 1, 1)


@given(
    arrays(np.int64, st.tuples(st.integers(1, 12), st.just(6)), elements=st.integers(0, 12)),
    st.sampled_from([Layout(3, 2), Layout(2, 3), Layout(6, 1), Layout(1, 4)]),
)
def test_candidates_are_those_of_a_slow_search_and_none_is_missed(
    signatures: np.ndarray, layout: Layout
) -> None:
    documents, rows = len(signatures), layout.rows
    bands = [
        [tuple(s[j * rows : (j + 1) * rows]) for j in range(layout.bands)]
        for s in signatures.tolist()
    ]
    pairs = list(combinations(range(documents), 2))
    equal = {
        (i, j) for i, j in pairs if any(x == y for x, y in zip(bands[i], bands[j], strict=True))
    }
    modulus = papers_modulus(documents)
    papers = [[papers_band_hash(band, modulus) for band in each] for each in bands]
    buckets = 1000 * documents * layout.bands
    tweets = [{tweets_band_hash(band, buckets) for band in each} for each in bands]
    expected = {
        "papers": {
            (i, j)
            for i, j in pairs
            if any(x == y for x, y in zip(papers[i], papers[j], strict=True))
        },
        "tweets": {(i, j) for i, j in pairs if tweets[i] & tweets[j]},
    }
    for source, found in expected.items():
        made = false_candidates(signatures, layout, source)
        assert made.equal == len(equal)
        assert made.candidates == len(found)
        assert equal <= found


def test_a_modulus_near_the_number_of_documents_brings_up_pairs_in_vain() -> None:
    random = np.random.Generator(np.random.PCG64(1))
    signatures = random.integers(0, 10**6, size=(400, 100))
    found = false_candidates(signatures, Layout(20, 5), "papers")
    assert found.equal == 0
    # 20 tables with as many buckets as documents.
    assert found.false == pytest.approx(400 * 399 / 2 * 20 / 401, rel=0.1)
    assert false_candidates(signatures, Layout(20, 5), "tweets").false < 20


def test_bad_arguments_are_reported() -> None:
    signatures = np.zeros((3, 4), dtype=np.int64)
    with pytest.raises(UsageError, match="need 6 values"):
        false_candidates(signatures, Layout(2, 3), "papers")
    with pytest.raises(UsageError, match="no published hash 'law'"):
        false_candidates(signatures, Layout(2, 2), "law")


# --- signatures of lines


def test_signatures_hold_ids_of_the_lines_own_shingles_and_estimate_their_similarity() -> None:
    words = [f"w{i}" for i in range(90)]
    text = " ".join(words[:60]) + "\n\n" + " ".join(words[30:]) + "\n \n"
    made = line_signatures([text, "other words"], "word:1", values=2000, seed=5)
    assert made.shape == (3, 2000)
    assert set(made[0]) == set(range(60))
    assert set(made[1]) == set(range(30, 90))
    assert set(made[2]) == {90, 91}
    assert (made[0] == made[1]).mean() == pytest.approx(1 / 3, abs=0.05)
    assert line_signatures(["", " \n"], "word:1", values=4, seed=0).shape == (0, 4)
