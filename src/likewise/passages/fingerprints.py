"""Fingerprints: documents that may share a run of words, however small a part of them it is.

Two documents that share a run of `min_words` equal words always share a fingerprint, wherever the
run is. Shingles of half that length are hashed, and of every window of them the
smallest hash is kept (winnowing); a window and a shingle together are as long as the run.

A fingerprint that very many documents have (a licence, a template, a set phrase) would pair all of
them with each other. It is set aside and counted: a run that is made of such fingerprints only is
not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise._core import Texts
from likewise.arrays import U32, U64
from likewise.passages.settings import DEFAULT_MIN_WORDS as DEFAULT_MIN_WORDS
from likewise.passages.settings import MIN_MIN_WORDS
from likewise.text.profile import Profile
from likewise.whole_numbers import check_whole


@dataclass(frozen=True)
class Winnowing:
    """How fingerprints are taken: of every run of `min_words` words at least one."""

    min_words: int = DEFAULT_MIN_WORDS

    def __post_init__(self) -> None:
        check_whole("min_words", self.min_words, MIN_MIN_WORDS)

    @cached_property
    def profile(self) -> Profile:
        """Shingles of words, prepared as by default: no case, no punctuation."""
        return Profile(unit="word", k=self.min_words // 2)

    @property
    def window(self) -> int:
        """Shingles of which one is kept."""
        return self.min_words - self.profile.k + 1

    def fingerprints(self, texts: Texts, threads: int) -> tuple[U64, U64]:
        """Hashes of each document, once each and ascending, and where a document's begin."""
        return _core.fingerprints(texts, self.profile.rules(), window=self.window, threads=threads)


LETTERS = 14  # about three words: fewer would pair texts by their set phrases
LETTER_WINDOW = 8
MIN_SHARED_LETTERS = 2  # fingerprints: one alone is a phrase


@dataclass(frozen=True)
class LetterWinnowing:
    """Fingerprints of letters in a row, without the spaces between words: for misread words.

    Of every run of LETTERS + LETTER_WINDOW - 1 equal letters there is at least one. Texts are given
    as their letters alone (`spelling.letters_only`).
    """

    def fingerprints(self, texts: Texts, threads: int) -> tuple[U64, U64]:
        """As in `Winnowing`."""
        rules = Profile(unit="char", k=LETTERS).rules()
        return _core.fingerprints(texts, rules, window=LETTER_WINDOW, threads=threads)


@dataclass(frozen=True, slots=True, eq=False)
class FingerprintPairs:
    """Pairs a < b of documents that share fingerprints.

    Attributes:
        a, b: numbers of documents.
        shared: how many fingerprints they share.
        set_aside: different fingerprints that too many documents have; between two collections,
            of those that both have.
    """

    a: U32
    b: U32
    shared: U32
    set_aside: int


class Fingerprints:
    """Those of a collection, taken in batches of its texts."""

    def __init__(self, winnowing: Winnowing | LetterWinnowing) -> None:
        self.winnowing = winnowing
        self._hashes: list[U64] = []
        self._counts: list[U64] = []

    def add(self, texts: Texts, *, threads: int) -> None:
        """Take those of some more documents."""
        hashes, offsets = self.winnowing.fingerprints(texts, threads)
        self._hashes.append(hashes)
        self._counts.append(np.diff(offsets))

    def pairs(
        self, *, sides: NDArray[np.uint8] | None, max_documents: int, threads: int
    ) -> FingerprintPairs:
        """The pairs of documents that share a fingerprint which not too many have."""
        none = np.zeros(1, np.uint64)
        hashes = np.concatenate([none[:0], *self._hashes])
        offsets = np.cumsum(np.concatenate([none, *self._counts]), dtype=np.uint64)
        self._hashes = [hashes]
        self._counts = [np.diff(offsets)]
        found = _core.share_fingerprints(
            hashes, offsets, sides, most_documents=max_documents, threads=threads
        )
        return FingerprintPairs(*found)
