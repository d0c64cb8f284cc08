"""Copies without a run of identical words, found by the rare words that they keep."""

from __future__ import annotations

import numpy as np
import pytest

from likewise._core import CollectionWords, Texts
from likewise.passages.find import find_passages
from likewise.passages.rare_words import MAX_CANDIDATES, pairs_by_rare_words
from likewise.text.words import STEM_LETTERS

# Letters of scripts without spaces, and how many of them make a word of the language.
UNSPACED = {
    "chinese": (0x4E00, 600, 2),
    "japanese": (0x3042, 82, 4),
    "thai": (0x0E01, 46, 4),
}
SENTENCES = 30
SENTENCE = 10  # words


class Language:
    """Words of a language without spaces, used as often as words are: few often, most seldom."""

    def __init__(self, script: str, seed: int) -> None:
        first, letters, length = UNSPACED[script]
        self.rng = np.random.default_rng(seed)
        drawn = self.rng.integers(first, first + letters, (3000, length))
        self.words = ["".join(map(chr, word)) for word in drawn.tolist()]
        rates = 1 / np.arange(3, len(self.words) + 3)
        self.rates = rates / rates.sum()

    def sentences(self, count: int) -> list[list[str]]:
        drawn = self.rng.choice(len(self.words), (count, SENTENCE), p=self.rates)
        return [[self.words[i] for i in sentence] for sentence in drawn.tolist()]

    def edited(self, sentences: list[list[str]]) -> list[list[str]]:
        """The same in another order, every third word replaced."""
        made = []
        for sentence in self.rng.permutation(len(sentences)).tolist():
            words = list(sentences[sentence])
            begin = int(self.rng.integers(3))
            for i in range(begin, SENTENCE, 3):
                words[i] = self.words[int(self.rng.choice(len(self.words), p=self.rates))]
            made.append(words)
        return made


def text_of(sentences: list[list[str]]) -> str:
    return "".join("".join(sentence) + "。" for sentence in sentences)


def taken(texts: list[str]) -> CollectionWords:
    words = CollectionWords(stem_letters=STEM_LETTERS, keep_order=True)
    words.add(Texts.from_strings(texts), threads=1)
    return words


def with_a_copy(script: str, seed: int) -> list[str]:
    """Documents of which number 31 has twelve sentences of number 4, edited."""
    language = Language(script, seed)
    documents = [language.sentences(SENTENCES) for _ in range(40)]
    documents[31][5:17] = language.edited(documents[4][8:20])
    return [text_of(sentences) for sentences in documents]


@pytest.mark.parametrize("script", UNSPACED)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_where_a_word_is_one_letter_pairs_of_letters_tell(script: str, seed: int) -> None:
    a, b, evidence = pairs_by_rare_words(taken(with_a_copy(script, seed)), sides=None, threads=1)
    best = int(evidence.argmax())
    assert (a[best], b[best]) == (4, 31)


def test_an_edited_chinese_copy_without_a_run_is_found_and_nothing_else() -> None:
    texts = with_a_copy("chinese", 1)
    assert len(find_passages(texts, edited=False)) == 0
    (pair,) = find_passages(texts)
    assert (pair.a, pair.b) == (4, 31)
    assert pair.longest_run < 12
    assert sum(passage.words for passage in pair.passages) > 100


def test_a_document_has_no_more_candidates_than_it_may() -> None:
    rng = np.random.default_rng(3)
    rare = [f"rare{i}" for i in range(30)]
    texts = [
        " ".join([*rare, *(f"own{n}x{i}" for i in rng.integers(0, 1000, 80))]) for n in range(80)
    ]
    texts += [" ".join(f"other{n}x{i}" for i in range(100)) for n in range(800)]
    a, b, evidence = pairs_by_rare_words(taken(texts), sides=None, threads=2)
    assert len(evidence) == len(a) < 80 * 79 / 2
    assert a.max() < 80
    assert b.max() < 80
    partners = np.bincount(np.concatenate([a, b]), minlength=80)
    assert partners.min() >= MAX_CANDIDATES
