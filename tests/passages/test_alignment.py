"""Aligning: copies of every kind are found where they stand, in several scripts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise import UsageError
from likewise.passages.alignment import AlignmentSettings, align, align_pairs
from likewise.passages.passage import Passage
from likewise.text.word_frequencies import Frequencies
from tests.strategies import texts

ALPHABETS = {
    "latin": "abcdefghilmnoprstu",
    "french": "abcdeéèfgilmnoprstuàç",
    "cyrillic": "абвгдежзиклмнопрстуя",
    "arabic": "ابتثجحخدذرزسشصضطعغف",
    "devanagari": "कखगघचछजटडतदनपबमयरल",
}


def vocabulary_of(alphabet: str, draw: random.Random) -> list[str]:
    return ["".join(draw.choices(alphabet, k=draw.randint(3, 9))) for _ in range(3000)]


def sentences(words: list[str], glue: str = " ", end: str = ". ") -> str:
    parts = [glue.join(words[i : i + 11]) for i in range(0, len(words), 11)]
    return end.join(parts) + end.strip()


class Planted:
    """A text that holds a copy of part of another."""

    def __init__(self, script: str, seed: int, *, words: int = 80, glue: str = " ") -> None:
        draw = random.Random(f"{script} {seed}")
        if script == "han":
            self.vocabulary = [chr(c) for c in range(0x4E00, 0x4E00 + 3000)]
            glue, self.end = "", "。"
        else:
            self.vocabulary = vocabulary_of(ALPHABETS[script], draw)
            self.end = ". "
        self.glue = glue
        self.draw = draw
        self.source = self.some(600)
        self.copied = self.source[220 : 220 + words]

    def some(self, count: int) -> list[str]:
        return self.draw.choices(self.vocabulary, k=count)

    def write(self, words: list[str]) -> str:
        return sentences(words, self.glue, self.end)

    def texts(self, copy: list[str]) -> tuple[str, str, tuple[int, int], tuple[int, int]]:
        """Both texts, and where the copy and its source stand in them."""
        space = " " if self.glue else ""
        before, middle, behind = (self.write(w) for w in (self.some(300), copy, self.some(300)))
        parts = (self.source[:220], self.source[220 : 220 + len(self.copied)],
                 self.source[220 + len(self.copied) :])  # fmt: skip
        first, copied, last = (self.write(w) for w in parts)
        a, b = space.join((before, middle, behind)), space.join((first, copied, last))
        start_a, start_b = len(before) + len(space), len(first) + len(space)
        return a, b, (start_a, start_a + len(middle)), (start_b, start_b + len(copied))


def close(passage: Passage, a: tuple[int, int], b: tuple[int, int], off: int) -> bool:
    found = (passage.a_start, passage.a_end, passage.b_start, passage.b_end)
    return all(abs(x - y) <= off for x, y in zip(found, (*a, *b), strict=True))


SCRIPTS = [*ALPHABETS, "han"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_verbatim_copy_is_found_to_the_character(script: str) -> None:
    planted = Planted(script, 1)
    a, b, in_a, in_b = planted.texts(planted.copied)
    (passage,) = align(a, b)
    assert close(passage, in_a, in_b, 0)
    assert passage.kind == "verbatim"
    assert (passage.words, passage.similarity) == (80, 1.0)
    assert a[passage.a_start : passage.a_end] == b[passage.b_start : passage.b_end]


@pytest.mark.parametrize("script", SCRIPTS)
def test_an_edited_copy_is_found(script: str) -> None:
    planted = Planted(script, 2)
    changed = [w if i % 5 else planted.some(1)[0] for i, w in enumerate(planted.copied)]
    a, b, in_a, in_b = planted.texts(changed)
    (passage,) = align(a, b)
    assert close(passage, in_a, in_b, 25)
    assert passage.kind == "edited"
    assert 60 <= passage.words <= 70


@pytest.mark.parametrize("script", ALPHABETS)
def test_a_shuffled_copy_is_found(script: str) -> None:
    planted = Planted(script, 3)
    shuffled = planted.draw.sample(planted.copied, len(planted.copied))
    a, b, in_a, in_b = planted.texts(shuffled)
    (passage,) = align(a, b)
    assert close(passage, in_a, in_b, 25)
    assert passage.kind == "reordered"
    assert passage.words >= 75


def test_letters_that_were_shuffled_are_no_copy() -> None:
    """In scripts without spaces a letter alone tells nothing, and neither do many."""
    planted = Planted("han", 3)
    shuffled = planted.draw.sample(planted.copied, len(planted.copied))
    assert align(*planted.texts(shuffled)[:2]) == []


def test_words_from_all_over_the_other_text_are_possibly_reworded() -> None:
    planted = Planted("latin", 4)
    taken = sorted(planted.draw.sample(range(600), 80))
    a, b, in_a, _ = planted.texts([planted.source[i] for i in taken])
    (passage,) = align(a, b)
    assert (passage.kind, passage.p) == ("reworded", None)
    assert close(passage, in_a, (passage.b_start, passage.b_end), 60)
    assert align(a, b, settings=AlignmentSettings(reworded=False)) == []


def test_copies_in_long_texts_of_several_scripts_are_found_where_they_stand() -> None:
    writers = [Planted(script, 8) for script in SCRIPTS]
    a_parts, b_parts, expected = [], [], []
    for turn in range(30):
        planted = writers[turn % len(writers)]
        copied = planted.write(planted.some(70))
        before, behind = (planted.write(planted.some(600)) + "\n\n" for _ in range(2))
        place = sum(map(len, a_parts)) + len(before)
        expected.append((place, place + len(copied)))
        a_parts += [before, copied, "\n\n"]
        b_parts.insert(0, behind + copied + "\n\n")
    found = align("".join(a_parts), "".join(b_parts))
    assert [(p.a_start, p.a_end, p.kind) for p in found] == [(*e, "verbatim") for e in expected]


@pytest.mark.parametrize("script", SCRIPTS)
def test_unrelated_texts_share_no_passage(script: str) -> None:
    for seed in range(5):
        planted = Planted(script, seed)
        assert align(planted.write(planted.some(500)), planted.write(planted.some(500))) == []


def test_case_punctuation_and_forms_of_words_do_not_hide_a_copy() -> None:
    planted = Planted("latin", 5)
    loud = [word.upper() + "," for word in planted.copied]
    a, b, in_a, in_b = planted.texts(loud)
    (passage,) = align(a, b)
    assert close(passage, in_a, in_b, 2)
    assert passage.kind == "verbatim"


def test_two_copies_from_different_places_are_two_passages() -> None:
    planted = Planted("latin", 6)
    first, second = planted.source[50:120], planted.source[400:470]
    a = " ".join(map(planted.write, (first, planted.some(200), second)))
    passages = align(a, planted.write(planted.source))
    assert len(passages) == 2
    assert passages[0].b_end < passages[1].b_start
    assert passages[0].a_end < passages[1].a_start


def test_a_text_against_itself_is_one_passage() -> None:
    text = Planted("latin", 7).write(Planted("latin", 7).source)
    (passage,) = align(text, text)
    assert (passage.a_start, passage.a_end, passage.kind) == (0, len(text), "verbatim")
    (same,) = align("word " * 100_000, "word " * 100_000)
    assert same.words == 100_000


@pytest.mark.parametrize("other", ["", "word", "word " * 200_000, "a b " * 1000])
def test_awkward_texts_have_no_passage(other: str) -> None:
    text = Planted("latin", 8).write(Planted("latin", 8).source)
    assert align(text, other) == align(other, text) == []
    assert align(other, "") == []


def test_a_page_that_is_repeated_is_found_once_and_many_times() -> None:
    page = Planted("latin", 9).write(Planted("latin", 9).source[:200])
    many = "\n".join([page] * 40)
    assert sum(p.a_end - p.a_start for p in align(many, page)) > 0.9 * len(many)
    assert sum(p.a_end - p.a_start for p in align(page, many)) > 0.9 * len(page)


def test_a_long_run_is_a_passage_even_of_words_that_tell_nothing() -> None:
    a, b = "yes " * 1000 + "oranges", "yes " * 1200 + "lemons"
    passage, rest = align(a, b)
    assert passage.words == 1000
    assert rest.b_end - passage.b_start == len("yes " * 1200) - 1  # b has no other words
    often = Frequencies.of_collection(["yes " * 100_000])
    assert align(a, b, rates=often)[0].words == 1000
    assert align(a, b, rates=often, settings=AlignmentSettings(least_run=0)) != [passage]


def test_words_that_are_common_in_the_collection_tell_less() -> None:
    planted = Planted("latin", 10)
    shuffled = planted.draw.sample(planted.copied, len(planted.copied))
    a, b, _, _ = planted.texts(shuffled)
    common = Frequencies.of_collection([" ".join(planted.copied)] * 50)
    rare = Frequencies.of_collection([" ".join(planted.some(4000))])
    quiet = align(a, b, rates=common)
    assert not quiet or quiet[0].evidence < align(a, b, rates=rare)[0].evidence


def test_either_side_may_hold_the_copy() -> None:
    planted = Planted("latin", 11)
    a, b, in_a, in_b = planted.texts(planted.copied)
    (passage,) = align(b, a)
    assert close(passage, in_b, in_a, 0)


def test_many_pairs_give_what_each_gives_alone_whatever_the_threads() -> None:
    written = []
    for seed in range(4):
        planted = Planted("latin", 20 + seed)
        written.extend(planted.texts(planted.copied)[:2])
    pairs = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 3), (1, 0)]
    alone = [align(written[i], written[j]) for i, j in pairs]
    for threads in (1, 3):
        assert align_pairs(written, pairs, threads=threads) == alone
    assert align_pairs(written, []) == []


@settings(deadline=None)
@given(texts, texts, st.integers(1, 4))
def test_passages_lie_in_the_texts_whatever_these_hold(a: str, b: str, least: int) -> None:
    lax = AlignmentSettings(least_words=least, least_run=least, least_evidence=0)
    for passage in align(a, b, settings=lax):
        assert 0 <= passage.a_start < passage.a_end <= len(a)
        assert 0 <= passage.b_start < passage.b_end <= len(b)
        assert 0 <= passage.similarity <= 1
        assert passage.words >= 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"least_words": 0}, "least_words"),
        ({"reworded_words": 0}, "reworded_words"),
        ({"own_share": 1.0}, "own_share"),
        ({"least_lambda": 0.0}, "least_lambda"),
        ({"stride": 0}, "stride"),
        ({"edges": (1.0, 2.0)}, "edges"),
        ({"reach": -1}, "reach"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        AlignmentSettings(**wrong)  # type: ignore[arg-type]


def test_rates_must_be_counted_by_the_same_stems() -> None:
    with pytest.raises(UsageError, match="5 letters"):
        align("a", "b", rates=Frequencies(stem_letters=5))
    with pytest.raises(UsageError, match="texts 0 to 1"):
        align_pairs(["a", "b"], [(0, 2)])
