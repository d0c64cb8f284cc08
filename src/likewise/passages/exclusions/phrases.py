"""Phrases that a user has listed, wherever they are, by their words.

Case, spacing, punctuation and invisible characters make no difference, and in scripts without
spaces each letter is a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from likewise.errors import UsageError
from likewise.passages.ranges import Range, merge, word_range
from likewise.text.words import Words, words_of


def phrases(text: str, listed: Iterable[str]) -> list[Range]:
    """Return the places of all phrases listed.

    >>> phrases("We thank the ANONYMOUS   reviewers.", ["the anonymous reviewers"])
    [Range(start=9, end=34)]
    """
    if isinstance(listed, str):
        raise UsageError("phrases must be a list of str, not one str")
    wanted = [_words(phrase) for phrase in listed]
    words = words_of(text)
    return merge(place for phrase in wanted for place in _places(words, phrase))


@lru_cache(maxsize=4096)  # the same list is used for text after text
def _words(phrase: str) -> Words:
    if not isinstance(phrase, str):
        raise UsageError(f"a phrase is not a str but {type(phrase).__name__}")
    words = words_of(phrase)
    if not len(words):
        raise UsageError(
            f"the phrase {phrase!r} has no word", hint="a phrase needs a letter or a digit"
        )
    return words


def _places(words: Words, phrase: Words) -> Iterable[Range]:
    size = len(phrase)
    last = len(words) - size + 1
    begins = np.flatnonzero(words.hashes[: max(0, last)] == phrase.hashes[0])
    for i in range(1, size):
        begins = begins[words.hashes[begins + i] == phrase.hashes[i]]
    for begin in begins.tolist():
        yield word_range(words, begin, begin + size)
