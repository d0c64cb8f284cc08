"""The promise of winnowing: a run of words that two texts share is found, wherever it stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise._core import Texts
from likewise.errors import UsageError
from likewise.passages.fingerprints import FingerprintPairs, Fingerprints, Winnowing

# Words of several scripts; in the last three every letter is a word.
LETTERS = {
    "latin": "abcdefghijklmnopqrstuvwxyzéüß",
    "cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "greek": "αβγδεζηθικλμνξοπρσςτυφχψω",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "devanagari": "कखगघचछजझटठडढणतथदधनपफबभम",
    "hangul": "가나다라마바사아자차카타파하",
}
UNSPACED = {
    "han": [chr(c) for c in range(0x4E00, 0x4E00 + 3000)],
    "hiragana": [chr(c) for c in range(0x3042, 0x3094)],
    "thai": [chr(c) for c in range(0x0E01, 0x0E2F)],
}


def pairs_of(texts: list[str], min_words: int, max_documents: int) -> FingerprintPairs:
    taken = Fingerprints(Winnowing(min_words))
    for text in texts:
        taken.add(Texts.from_strings([text]), threads=1)
    return taken.pairs(sides=None, max_documents=max_documents, threads=2)


def drawn_words(rng: np.random.Generator, script: str, count: int) -> list[str]:
    """Words that hardly come twice, or letters where every letter is a word."""
    if script in UNSPACED:
        return [str(word) for word in rng.choice(UNSPACED[script], count)]
    letters = list(LETTERS[script])
    return ["".join(rng.choice(letters, rng.integers(4, 9))) for _ in range(count)]


def joined(script: str, words: list[str]) -> str:
    return "".join(words) if script in UNSPACED else " ".join(words)


@settings(max_examples=150)
@given(
    script=st.sampled_from([*LETTERS, *UNSPACED]),
    min_words=st.integers(4, 20),
    longer=st.integers(0, 10),
    before=st.tuples(st.integers(0, 60), st.integers(0, 60)),
    after=st.tuples(st.integers(0, 60), st.integers(0, 60)),
    seed=st.integers(0, 2**32),
)
def test_a_planted_run_is_found(
    script: str,
    min_words: int,
    longer: int,
    before: tuple[int, int],
    after: tuple[int, int],
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    run = drawn_words(rng, script, min_words + longer)
    texts = [
        joined(script, [*drawn_words(rng, script, b), *run, *drawn_words(rng, script, a)])
        for b, a in zip(before, after, strict=True)
    ]
    found = pairs_of(texts, min_words, 2)
    assert (found.a.tolist(), found.b.tolist()) == ([0], [1])
    assert found.shared[0] >= 1


def test_case_marks_and_line_ends_do_not_hide_a_run() -> None:
    run = "It was a bright cold day in April, and the clocks were striking thirteen."
    texts = [
        f"One essay begins so. {run} And so on.",
        "another " + run.upper().replace(",", " --").replace(" ", "\n") + " text",
    ]
    found = pairs_of(texts, 12, 2)
    assert len(found.a) == 1


def test_what_too_many_documents_have_is_set_aside_and_counted() -> None:
    licence = " ".join(f"licence{i}" for i in range(30))
    own = [" ".join(f"essay{n}x{i}" for i in range(30)) for n in range(5)]
    texts = [f"{licence} {text}" for text in own]
    texts += [f"{own[0]} copied", f"{own[0]} again"]
    few = pairs_of(texts, 12, 4)
    assert list(zip(few.a.tolist(), few.b.tolist(), strict=True)) == [(0, 5), (0, 6), (5, 6)]
    assert few.set_aside > 0
    many = pairs_of(texts, 12, 5)
    assert len(many.a) == 10 + 3
    assert many.set_aside == 0


def test_a_run_of_too_few_words_is_refused() -> None:
    with pytest.raises(UsageError, match="min_words"):
        Winnowing(3)


def test_between_two_collections_only_what_both_have_is_set_aside() -> None:
    licence = " ".join(f"licence{i}" for i in range(30))
    texts = [f"{licence} {' '.join(f'essay{n}x{i}' for i in range(20))}" for n in range(6)]
    taken = Fingerprints(Winnowing())
    taken.add(Texts.from_strings(["quite another text", *texts]), threads=1)
    sides = np.array([1] + [2] * 6, np.uint8)
    assert taken.pairs(sides=sides, max_documents=4, threads=1).set_aside == 0
    sides[1] = 1
    assert taken.pairs(sides=sides, max_documents=4, threads=1).set_aside > 0
    assert taken.pairs(sides=sides, max_documents=6, threads=1).b.tolist() == [2, 3, 4, 5, 6]
