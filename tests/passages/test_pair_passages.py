"""What two texts share: the same from both sides and in any company, its words one to one.

Texts are made of stretches of one source (as they are, edited or in another order), and of words
of their own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.passages.alignment import AlignmentSettings, align, align_pairs
from likewise.passages.find import find_passages
from likewise.passages.pair_passages import PairPassages, find_pair_passages, matched_words
from likewise.passages.passage import Passage
from likewise.text.words import Words, words_of
from tests import reference

LETTERS = "abcdefghilmnoprstu"
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 600)]
GLUE = (" ", " ", " ", ", ", ". ", "\n", "\n\n")

Piece = tuple[str, int, int]
pieces = st.lists(
    st.tuples(
        st.sampled_from(("copied", "copied", "edited", "reordered", "own")),
        st.integers(0, 150),
        st.integers(1, 70),
    ),
    max_size=5,
)


@st.composite
def several_texts(draw: st.DrawFn, least: int = 2, most: int = 2) -> list[str]:
    """Texts that may share stretches, of few different words or of many, or of letters."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(("few words", "words", "words", "letters")))
    if kind == "letters":
        vocabulary = HAN
    else:
        count = 30 if kind == "few words" else 3000
        vocabulary = [
            "".join(chance.choices(LETTERS, k=chance.randint(2, 9))) for _ in range(count)
        ]
    source = chance.choices(vocabulary, k=220)

    def words(piece: Piece) -> list[str]:
        how, start, size = piece
        if how == "own":
            return chance.choices(vocabulary, k=size)
        made = source[start : start + size]
        if how == "edited":
            made = [w if i % 5 else chance.choice(vocabulary) for i, w in enumerate(made)]
        return chance.sample(made, len(made)) if how == "reordered" else made

    def text(given: Sequence[Piece]) -> str:
        parts = []
        for piece in given:
            if kind == "letters":
                parts.append("".join(words(piece)) + "。")
            else:
                parts += [word + chance.choice(GLUE) for word in words(piece)]
        return "".join(parts)

    return [text(draw(pieces)) for _ in range(draw(st.integers(least, most)))]


SETTINGS = AlignmentSettings(least_run=12)


def in_order(passages: Sequence[Passage]) -> list[Passage]:
    return sorted(passages, key=lambda p: (p.kind == "reworded", p.a_start, p.b_start))


@settings(deadline=None)
@given(several_texts())
def test_the_order_of_two_texts_makes_no_difference(texts: list[str]) -> None:
    a, b = texts
    turned = in_order([passage.turned() for passage in align(b, a, settings=SETTINGS)])
    assert align(a, b, settings=SETTINGS) == turned


@settings(deadline=None, max_examples=50)
@given(several_texts(2, 6), st.randoms(use_true_random=False))
def test_other_texts_make_no_difference(texts: list[str], chance: random.Random) -> None:
    alone = align(texts[0], texts[1], settings=SETTINGS)
    order = list(range(len(texts)))
    chance.shuffle(order)
    shuffled = [texts[i] for i in order]
    pair = order.index(0), order.index(1)
    others = [(i, j) for i in range(len(texts)) for j in range(i)]
    assert align_pairs(shuffled, [*others, pair], settings=SETTINGS)[-1] == alone


@settings(deadline=None, max_examples=50)
@given(several_texts(2, 6))
def test_a_collection_gives_what_each_two_texts_give_alone(texts: list[str]) -> None:
    found = {(pair.a, pair.b): pair for pair in find_passages(texts)}
    for i in range(len(texts)):
        for j in range(i + 1, len(texts)):
            (alone,) = find_pair_passages([texts[i], texts[j]], [(0, 1)])
            if pair := found.get((i, j)):
                assert figures(pair) == figures(alone)
            else:
                assert not alone


def figures(found: PairPassages) -> tuple[object, ...]:
    return (
        found.passages, found.reworded, found.size_a, found.size_b, found.words_a, found.words_b,
        found.share_a, found.share_b, found.p, found.chance_run,
    )  # fmt: skip


def places(words: Words) -> list[tuple[int, int]]:
    return list(zip(words.begins.tolist(), words.ends.tolist(), strict=True))


def words_in(words: Words, start: int, end: int) -> range:
    """The words of a stretch, found by looking at each."""
    inside = [i for i, (begin, stop) in enumerate(places(words)) if start <= begin and stop <= end]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


@settings(deadline=None)
@given(several_texts())
def test_words_are_matched_one_to_one_with_equal_ones(texts: list[str]) -> None:
    a, b = map(words_of, texts)
    for passage in align(*texts, settings=SETTINGS):
        of_a: list[int] = []
        of_b: list[int] = []
        for match in passage.matches:
            in_a, in_b = words_in(a, *match[:2]), words_in(b, *match[2:])
            if passage.kind == "reworded":  # by stems, which need not be the same word
                assert len(in_a) == len(in_b) == 1
            else:
                assert a.hashes[in_a].tolist() == b.hashes[in_b].tolist() != []
            of_a += in_a
            of_b += in_b
        assert len(of_a) == len(set(of_a)) == len(of_b) == len(set(of_b)) == passage.words
        assert of_a == sorted(of_a)
        assert set(of_a) <= set(words_in(a, passage.a_start, passage.a_end))
        assert set(of_b) <= set(words_in(b, passage.b_start, passage.b_end))
        all_a = len(words_in(a, passage.a_start, passage.a_end))
        all_b = len(words_in(b, passage.b_start, passage.b_end))
        assert (passage.a_words, passage.b_words) == (all_a, all_b)
        assert passage.similarity == 2 * passage.words / (all_a + all_b)
        assert passage.score <= passage.words
        assert passage.run <= passage.score or passage.kind == "reworded"


@settings(deadline=None)
@given(several_texts())
def test_counts_and_shares_are_of_matched_words_each_once(texts: list[str]) -> None:
    a, b = map(words_of, texts)
    (found,) = find_pair_passages(texts, [(0, 1)])
    in_a = reference.matched_places(found.passages, places(a), "a")
    in_b = reference.matched_places(found.passages, places(b), "b")
    assert (found.words_a, found.words_b) == (len(in_a), len(in_b))
    assert np.flatnonzero(matched_words(a, found.passages)).tolist() == sorted(in_a)
    assert (found.size_a, found.size_b) == (len(a), len(b))
    assert found.share_a == (len(in_a) / len(a) if len(a) else 0)
    assert found.share_b == (len(in_b) / len(b) if len(b) else 0)
    assert not matched_words(a, found.reworded).any()
    assert found.longest_run == max((passage.run for passage in found.passages), default=0)
    chances = [passage.p for passage in found.passages if passage.p is not None]
    assert found.p == (min(chances) if chances else None)
    assert all(0 <= p <= 1 for p in chances)
    assert all(passage.p is None for passage in found.reworded)


@st.composite
def excluded_ranges(draw: st.DrawFn, text: str) -> list[tuple[int, int]]:
    """Ranges of a text, in order and apart."""
    places = draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True))
    return list(zip(sorted(places)[::2], sorted(places)[1::2], strict=False))


@settings(deadline=None)
@given(several_texts(), st.data())
def test_excluded_words_are_taken_out_of_the_passages(
    texts: list[str], data: st.DataObject
) -> None:
    ranges = [data.draw(excluded_ranges(text)) for text in texts]
    words = list(map(words_of, texts))
    (whole,) = find_pair_passages(texts, [(0, 1)])
    (found,) = find_pair_passages(texts, [(0, 1)], excluded=dict(enumerate(ranges)))
    expected = reference.without_excluded(whole.passages, list(map(places, words)), ranges)
    matched = [
        [(m.a_start, m.a_end, m.b_start, m.b_end) for m in passage.matches]
        for passage in found.passages
    ]
    assert sorted(matched) == sorted(expected)
    outside = [
        {i for i, (begin, _) in enumerate(places(one)) if not _is_inside(begin, out)}
        for one, out in zip(words, ranges, strict=True)
    ]
    assert (found.size_a, found.size_b) == (len(outside[0]), len(outside[1]))
    assert set(np.flatnonzero(matched_words(words[0], found.passages)).tolist()) <= outside[0]
    assert set(np.flatnonzero(matched_words(words[1], found.passages, "b")).tolist()) <= outside[1]
    # What no exclusion touches is as it was.
    assert {p for p in whole.passages if p in found.passages} == {
        passage
        for passage in whole.passages
        if not _touches(ranges[0], passage.a_start, passage.a_end, words[0])
        and not _touches(ranges[1], passage.b_start, passage.b_end, words[1])
    }


def _is_inside(place: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in ranges)


def _touches(ranges: Sequence[tuple[int, int]], start: int, end: int, words: Words) -> bool:
    return any(_is_inside(begin, ranges) for begin, _ in places(words) if start <= begin < end)


@settings(deadline=None, max_examples=50)
@given(several_texts(), st.data())
def test_exclusions_are_the_same_from_both_sides(texts: list[str], data: st.DataObject) -> None:
    ranges = [data.draw(excluded_ranges(text)) for text in texts]
    (found,) = find_pair_passages(texts, [(0, 1)], excluded=dict(enumerate(ranges)))
    (turned,) = find_pair_passages(texts, [(1, 0)], excluded=dict(enumerate(ranges)))
    assert (turned.words_b, turned.words_a) == (found.words_a, found.words_b)
    assert in_order([one.turned() for one in turned.every]) == in_order(found.every)


def test_a_run_on_both_sides_of_excluded_text_is_two() -> None:
    source = [f"word{i:02}" for i in range(60)]
    text = " ".join(source)

    def found(first: int, last: int, *, sides: Sequence[int] = (0, 1)) -> PairPassages:
        start, end = 7 * first, 7 * last
        excluded = {side: [(start, end)] for side in sides}
        return find_pair_passages([text, text], [(0, 1)], excluded=excluded)[0]

    for sides in ([0], [1], [0, 1]):
        assert [passage.words for passage in found(30, 32, sides=sides).passages] == [30, 28]
        assert found(30, 32, sides=sides).longest_run == 30
        # What is left before it is too little for a passage.
        assert [passage.words for passage in found(8, 30, sides=sides).passages] == [30]
    assert (found(8, 30).size_a, found(8, 30, sides=[1]).size_a) == (38, 60)
    assert not found(0, 60)


def test_identical_texts_are_a_passage_from_the_shortest_run_on() -> None:
    words = [f"word{i}" for i in range(30)]
    for count in range(1, 30):
        text = " ".join(words[:count])
        (found,) = find_pair_passages([text, text], [(0, 1)])
        assert found.words_a == (count if count >= 12 else 0)
        other = replace(found, passages=()) if count < 12 else found
        assert found == other


def test_repeated_text_is_shared_however_often_the_other_text_has_it() -> None:
    paragraph = " ".join(f"word{i}" for i in range(80))
    own = [" ".join(f"{name}{i}" for i in range(200)) for name in ("own", "other")]
    for times_a in (1, 2, 5):
        for times_b in (1, 2, 3, 5, 30):
            a, b = (
                "\n\n".join([text, *[paragraph] * times])
                for text, times in zip(own, (times_a, times_b), strict=True)
            )
            (found,) = find_pair_passages([a, b], [(0, 1)])
            assert (found.words_a, found.words_b) == (80 * times_a, 80 * times_b)


def test_lists_of_a_few_words_share_nothing_but_their_long_runs() -> None:
    draw = random.Random(3)
    for words in (["yes", "no"], list("acgt"), [str(i) for i in range(1, 31)]):
        a, b = (" ".join(draw.choices(words, k=300)) for _ in range(2))
        (found,) = find_pair_passages([a, b], [(0, 1)])
        assert all(passage.kind == "verbatim" for passage in found.passages)
        assert all(passage.p is not None and passage.p > 0.05 for passage in found.passages)
