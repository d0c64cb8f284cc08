"""`Frequencies`: general word frequencies, since rare words in common are evidence of copying.

They come from a collection, from a list for a language, or from the length of a word alone.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import Floats, Hashes
from likewise.errors import UsageError
from likewise.text.inputs import strings_of
from likewise.text.words import NUMERAL, STEM_LETTERS, words_of

if TYPE_CHECKING:
    from likewise.types import Texts

# The mean logarithm (base 10) of the rate of a word in running text, by its letters; close to this
# in English, French, German, Spanish, Russian, Finnish and Arabic, with stems of seven letters.
# One letter: also the letters of Chinese and Japanese, which are words here.
_LOG_RATES = np.array([-2.6, -2.6, -2.1, -2.5, -3.3, -3.9, -4.3, -4.45])
BY_LENGTH: Floats = 10.0**_LOG_RATES
"""Rates of words of 0, 1, 2, ... letters; the last is for longer ones too."""

_PRIOR_WORDS = 5_000.0
"""Added to every collection, with rates by length."""

_LISTED_WORDS = 1e7
"""A language's list counts as a collection of so many words."""


class Frequencies:
    """Rates of words, counted by their first `stem_letters` letters as in `words_of`.

    Without any count they depend on the length of the word alone.
    """

    def __init__(self, *, stem_letters: int = STEM_LETTERS) -> None:
        self.stem_letters = stem_letters
        self.total = 0.0
        self._stems = np.empty(0, np.uint64)
        self._counts = np.empty(0, np.float64)

    @classmethod
    def of_collection(cls, texts: Texts, *, stem_letters: int = STEM_LETTERS) -> Frequencies:
        """Rates in the texts of a collection: a list, another iterable or a column of str."""
        made = cls(stem_letters=stem_letters)
        waiting: list[Hashes] = []
        size = 0
        for text in strings_of(texts):
            words = words_of(text, stem_letters=stem_letters)
            waiting.append(words.stems)
            size += len(words)
            if size > 4_000_000:
                made._add(np.concatenate(waiting))
                waiting, size = [], 0
        if waiting:
            made._add(np.concatenate(waiting))
        return made

    @classmethod
    def of_language(cls, language: str, *, stem_letters: int = STEM_LETTERS) -> Frequencies:
        """Rates in a language, by its code such as "en", from the package `wordfreq`."""
        return _of_language(language, stem_letters)

    def count(self, stems: Hashes) -> Floats:
        """How often each stem was counted."""
        if not len(self._stems):
            return np.zeros(len(stems))
        places = np.minimum(np.searchsorted(self._stems, stems), len(self._stems) - 1)
        made: Floats = np.where(self._stems[places] == stems, self._counts[places], 0.0)
        return made

    def add(self, text: str) -> None:
        """Count the words of one more text."""
        self._add(words_of(text, stem_letters=self.stem_letters).stems)

    def rates(self, stems: Hashes, letters: NDArray[np.uint8]) -> Floats:
        """The rate of each stem, in (0, 1]; `letters` are those of its word."""
        by_length = BY_LENGTH[np.minimum(letters, len(BY_LENGTH) - 1)]
        by_length = np.where(letters == NUMERAL, BY_LENGTH[1], by_length)
        expected = _PRIOR_WORDS * by_length + self.count(stems)
        return expected / (self.total + _PRIOR_WORDS)

    def _add(self, stems: Hashes, weights: Floats | None = None) -> None:
        both = np.concatenate([self._stems, stems])
        added = np.ones(len(stems)) if weights is None else weights
        self._stems, places = np.unique(both, return_inverse=True)
        summed = np.bincount(places, np.concatenate([self._counts, added]))
        self._counts = summed.astype(np.float64)
        self.total += float(added.sum())


@functools.lru_cache(maxsize=4)
def _of_language(language: str, stem_letters: int) -> Frequencies:
    try:
        import wordfreq
    except ImportError as error:
        raise UsageError(
            "word frequencies of a language require the package wordfreq, which is not installed",
            hint="pip install 'likewise[frequencies]'",
        ) from error
    known = wordfreq.available_languages("small")
    if language not in known:
        raise UsageError(
            f"no word frequencies for the language {language!r}",
            hint=f"available: {', '.join(sorted(known))}",
        )
    listed = wordfreq.get_frequency_dict(language, wordlist="best")
    # One entry per line; an entry of several words, such as "don't", gives its rate to each.
    words = words_of("\n".join(listed), stem_letters=stem_letters)
    entries = np.array(list(listed.values()))
    lengths = np.fromiter(map(len, listed), np.int64, len(listed))
    ends = np.cumsum(lengths + 1)
    made = Frequencies(stem_letters=stem_letters)
    made._add(words.stems, entries[np.searchsorted(ends, words.begins, "right")])
    made._counts *= _LISTED_WORDS / made.total
    made.total = _LISTED_WORDS
    return made
