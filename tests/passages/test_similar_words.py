"""Words of similar spelling: which of them match, and how they are counted."""

from __future__ import annotations

import random
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.texts.noise import broken_lines, respelled, scanned
from likewise.comparison.comparison import compare
from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.passages.alignment import AlignmentSettings, align
from likewise.passages.families.find import find_families
from likewise.passages.find import find_passages
from likewise.passages.pair_passages import find_pair_passages
from likewise.passages.passage import Passage
from likewise.passages.settings import Exclusions
from likewise.passages.spelling import letters_only, spelling_of
from likewise.survey.synopsis.synopsis import make_synopsis
from likewise.text.words import words_of

SIMILAR = AlignmentSettings(least_run=12, spelling="similar")
ESSAYS = sorted((Path(__file__).parents[2] / "samples/essays").glob("*.txt"))
VOCABULARY = sorted({word for path in ESSAYS for word in path.read_text().split()})


def folded(character: str) -> str:
    """The letter that is compared in place of a character; "" if it is none."""
    if not character.isalnum():
        return ""
    parts = unicodedata.normalize("NFKD", character).casefold()
    if any(not 0x300 <= ord(part) < 0x370 for part in parts[1:]):
        parts = unicodedata.normalize("NFKC", character).casefold()
    return {"v": "u", "j": "i"}.get(parts[0], parts[0])


def spelled(text: str, begin: int, end: int) -> str:
    return "".join(map(folded, text[begin:end]))


def are_similar(x: str, y: str) -> bool:
    @cache
    def common(i: int, j: int) -> int:
        if i == len(x) or j == len(y):
            return 0
        if x[i] == y[j]:
            return 1 + common(i + 1, j + 1)
        return max(common(i + 1, j), common(i, j + 1))

    return max(len(x), len(y)) > 0 and 5 * common(0, 0) >= 3 * max(len(x), len(y))


def prose(draw: random.Random, count: int) -> list[str]:
    """Words of which some are a thousand times as common as others."""
    return [VOCABULARY[draw.randrange(1 + draw.randrange(len(VOCABULARY)))] for _ in range(count)]


def copied(draw: random.Random, words: int, share: float) -> tuple[str, str]:
    """Two texts, and in both the same words, misread in the second."""
    passage = prose(draw, words)
    a = [*prose(draw, 150), *passage, *prose(draw, 100)]
    b = scanned(" ".join(passage), share, draw).text
    return " ".join(a), " ".join([*prose(draw, 80), b, *prose(draw, 200)])


def matched_words(a: str, b: str, passage: Passage) -> list[tuple[bool, str, str]]:
    """For each matched word whether it is identical, and its letters on both sides."""
    in_a, in_b = words_of(a), words_of(b)
    found = []
    for match in passage.matches:
        own = [i for i in range(len(in_a)) if match.a_start <= in_a.begins[i] < match.a_end]
        others = [i for i in range(len(in_b)) if match.b_start <= in_b.begins[i] < match.b_end]
        found += [
            (
                bool(in_a.hashes[i] == in_b.hashes[j]),
                spelled(a, in_a.begins[i], in_a.ends[i]),
                spelled(b, in_b.begins[j], in_b.ends[j]),
            )
            for i, j in zip(own, others, strict=True)
        ]
    return found


TEXTS = st.text(
    st.sampled_from("abcABC jvuiſé éßŒœ½ﬁ①-.\n1 9कि한글日本ёй\u0301\u00ad\u0336\ud800"), max_size=60
)


@given(st.lists(TEXTS, max_size=3))
@settings(max_examples=200, deadline=None)
def test_letters_are_those_of_the_words(texts: list[str]) -> None:
    words = [words_of(text) for text in texts]
    letters, begins = spelling_of(texts, words)
    expected = [
        spelled(text, begin, end)
        for text, own in zip(texts, words, strict=True)
        for begin, end in zip(own.begins, own.ends, strict=True)
    ]
    found = ["".join(map(chr, letters[first:last])) for first, last in pairwise(begins)]
    assert found == expected
    assert [letters_only(text) for text in texts] == ["".join(map(folded, text)) for text in texts]


@given(st.integers(0, 10_000), st.sampled_from((40, 80, 150)), st.sampled_from((0.0, 0.05, 0.1)))
@settings(max_examples=40, deadline=None)
def test_matched_words_are_identical_or_similar(seed: int, words: int, share: float) -> None:
    a, b = copied(random.Random(seed), words, share)
    passages = align(a, b, settings=SIMILAR)
    assert [one.kind for one in passages if one.words > 12]
    for passage in passages:
        found = matched_words(a, b, passage)
        assert len(found) == passage.words
        assert sum(not is_same for is_same, _, _ in found) == passage.similar
        assert all(is_same or are_similar(x, y) for is_same, x, y in found)
        same = sum(is_same for is_same, _, _ in found)
        longer = max(passage.a_words, passage.b_words)
        assert passage.kind != "verbatim" or same >= 0.95 * longer
        assert passage.run <= same
    turned = [one.turned() for one in align(b, a, settings=SIMILAR)]
    assert sorted(turned, key=lambda one: one.a_start) == passages


@pytest.mark.parametrize("share", [0.05, 0.1, 0.2])
def test_copies_in_scanned_text_are_found_whole(share: float) -> None:
    for seed in range(5):
        a, b = copied(random.Random(seed), 150, share)
        (found,) = find_passages([a, b], spelling="similar")
        assert [passage.kind for passage in found.passages] == ["edited"]
        assert found.words > (60 if share == 0.2 else 100)
        assert found.similar_a == found.passages[0].similar == found.similar_b
        assert found.similar_a > 15
        (exact,) = [*find_passages([a, b]), None][:1]
        assert exact is None or exact.words < found.words


def test_copies_in_old_spelling_are_found_whole() -> None:
    draw = random.Random(1)
    passage = " ".join(ESSAYS[0].read_text().split()[:150])
    a = " ".join([*prose(draw, 100), passage])
    b = " ".join([respelled(passage, "English", draw).text, *prose(draw, 100)])
    (found,) = find_passages([a, b], spelling="similar")
    (exact,) = find_passages([a, b])
    assert found.words > 140 > exact.words
    assert found.similar_a > 20
    assert exact.similar_a == 0
    assert exact.passages[0].similar is None


def test_unrelated_texts_share_nothing() -> None:
    texts = [path.read_text() for path in ESSAYS]
    related = {frozenset((pair.a, pair.b)) for pair in find_passages(texts)}
    found = find_passages(texts, spelling="similar")
    assert {frozenset((pair.a, pair.b)) for pair in found} <= related
    draw = random.Random(1)
    for size in (50, 500, 5_000):
        a, b = (" ".join(prose(draw, count)) for count in (size, 3_000))
        assert not find_passages([a], against=[scanned(b, 0.1, draw).text], spelling="similar")


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_runs_of_identical_words_are_found_as_before(seed: int) -> None:
    draw = random.Random(seed)
    words = prose(draw, 60)
    run = prose(draw, 14)
    a = " ".join([*prose(draw, 60), *words, *prose(draw, 30), *run, *prose(draw, 60)])
    b = " ".join([
        *prose(draw, 40), *run, *prose(draw, 40), scanned(" ".join([*words, *run]), 0.1, draw).text,
        *prose(draw, 40),
    ])  # fmt: skip
    exact = align(a, b, settings=AlignmentSettings(least_run=12))
    found = align(a, b, settings=SIMILAR)
    assert max(one.run for one in found) >= max(one.run for one in exact) >= 12


def test_numbers_are_not_similar_and_scripts_without_spaces_are_as_before() -> None:
    draw = random.Random(2)
    words = prose(draw, 80)
    words[40] = "1848"
    a, b = " ".join(words), " ".join(words).replace("1848", "1849")
    (passage,) = align(a, b, settings=SIMILAR)
    assert (passage.words, passage.similar) == (passage.a_words - 1, 0)
    chinese = "".join(chr(0x4E00 + draw.randrange(800)) for _ in range(200))
    other = chinese[:80] + "中" + chinese[81:]
    exact, found = (
        align(chinese, other, settings=AlignmentSettings(least_run=12, spelling=way))
        for way in ("exact", "similar")
    )
    assert [(one.words, one.matches) for one in found] == [(p.words, p.matches) for p in exact]


def test_broken_lines_and_case_are_no_other_spelling() -> None:
    draw = random.Random(3)
    words = " ".join(prose(draw, 200))
    (passage,) = align(words, broken_lines(words.upper(), draw).text, settings=SIMILAR)
    assert passage.words - (passage.similar or 0) > 190


def test_one_answer_everywhere() -> None:
    a, b = copied(random.Random(4), 120, 0.1)
    (found,) = find_passages([a, b], spelling="similar")
    (pair,) = find_pair_passages([a, b], [(0, 1)], spelling="similar")
    compared = compare(a, b, spelling="similar", trials=0).shared_passages
    assert compared is not None
    others = [copied(random.Random(seed), 100, 0.1)[seed % 2] for seed in range(5, 15)]
    among = find_passages([*others, a, b], spelling="similar", threads=2)
    (with_others,) = [one for one in among if (one.a, one.b) == (10, 11)]
    for one in (pair, compared, with_others):
        assert (one.passages, one.words_a, one.words_b) == (
            found.passages, found.words_a, found.words_b,
        )  # fmt: skip
        assert (one.similar_a, one.similar_b, one.p) == (found.similar_a, found.similar_b, found.p)
    agree = make_synopsis(
        [Document(text, id=name) for text, name in ((a, "a"), (b, "b"))], spelling="similar"
    )
    assert agree.traditions[0].words == (found.words_a, found.words_b)
    assert agree.similar == found.similar_a
    assert any("similar spelling" in note for note in agree.notes())


def test_the_result_says_that_words_are_similar() -> None:
    a, b = copied(random.Random(4), 120, 0.1)
    found = find_passages([a, b], spelling="similar")
    assert found.columns[-1] == "similar"
    assert found.to_arrow()["similar"].to_pylist() == [p.similar for p in found[0].passages]
    assert any("similar spelling" in note for note in found.notes)
    assert found.stats.settings["spelling"] == "similar"
    exact = find_passages([a, a + b])
    assert "similar" not in exact.columns
    assert "similar" not in exact[0].passages[0].to_dict()
    assert "spelling" not in exact.stats.settings


def test_probabilities_and_families_are_those_of_identical_runs() -> None:
    draw = random.Random(6)
    words = prose(draw, 120)
    one, two = (scanned(" ".join(words), 0.15, draw).text for _ in range(2))
    found = find_passages([" ".join(words), one, two], spelling="similar")
    for pair in found:
        for passage in pair.passages:
            assert passage.run <= passage.score <= passage.words - (passage.similar or 0)
            assert passage.p is None or passage.score >= 12
    (family,) = find_families(found)
    assert family.kind == "edited"
    assert family.run <= min(pair.longest_run for pair in found)
    assert family.common > family.run


def test_excluded_words_are_cut_out() -> None:
    draw = random.Random(7)
    words = prose(draw, 160)
    a, b = " ".join(words), scanned(" ".join(words), 0.1, draw).text
    template = " ".join(words[60:90])
    whole = find_passages([a, b], spelling="similar")[0]
    found = find_passages([a, b], spelling="similar", exclude=Exclusions(templates=(template,)))[0]
    assert whole.words - 40 < found.words < whole.words - 20
    assert 0 < found.similar_a < whole.similar_a
    for passage in found.passages:
        assert sum(not same for same, _, _ in matched_words(a, b, passage)) == passage.similar


def test_candidates_of_large_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for seed in range(8) for text in copied(random.Random(seed), 120, 0.15)]
    every = find_passages(texts, spelling="similar")
    monkeypatch.setattr("likewise.passages.aligned_pairs._MAX_WORDS_ALL_PAIRS", 0)
    chosen = find_passages(texts, spelling="similar")
    assert [(pair.a, pair.b) for pair in every] == [(pair.a, pair.b) for pair in chosen]
    assert chosen.stats.counts["by_letters"] >= 8
    assert chosen.stats.counts["candidates"] < len(texts) * (len(texts) - 1) // 4


def test_another_spelling_is_refused() -> None:
    with pytest.raises(UsageError, match="neither exact nor similar"):
        find_passages(["a", "b"], spelling="fuzzy")  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="neither exact nor similar"):
        compare("a", "b", spelling="fuzzy")  # type: ignore[arg-type]
