"""Entries for passages: sampled runs of words, and rare words.

*Runs.* Every `stride`-th shingle of a document has an entry, and all shingles of a text are looked
up. A run of `min_words` words is as long as a shingle and a stride together, so one of its shingles
has an entry. Winnowing, which samples both sides alike, would need more entries for the same
promise.

*Words.* Edited, shuffled, translated or summarised copies have no such run, but rare words of their
source, close together (see `passages.rare_words`). In a large index few words are rare, but most
pairs of consecutive words are; one in `PAIR_SAMPLING` pairs, chosen by its hash, has an entry too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise._core import Texts
from likewise.arrays import U64
from likewise.index.postings.common_keys import CommonKeys
from likewise.index.postings.entries import RUNS, WORDS, sorted_once
from likewise.text.obfuscation.presence import find_all_tricks
from likewise.text.profile import Profile
from likewise.text.words import STEM_LETTERS

PAIR_SAMPLING = np.uint64(4)
_FIRST, _BOTH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, slots=True)
class RunSampling:
    """The shingles that have entries, so that every run of `min_words` words contains one."""

    min_words: int

    @property
    def profile(self) -> Profile:
        """Two thirds of a run: long enough that few documents share one by chance."""
        return Profile(unit="word", k=2 * self.min_words // 3)

    @property
    def stride(self) -> int:
        return self.min_words - self.profile.k + 1

    def sample(self, texts: Texts, threads: int) -> tuple[U64, U64]:
        """Hashes of the shingles with entries, and where those of each document begin."""
        return _core.sample_shingles(
            texts, self.profile.rules(), stride=self.stride, threads=threads
        )

    def all(self, text: Texts) -> U64:
        """Hashes of all shingles of a text, to be looked up."""
        return _core.sample_shingles(text, self.profile.rules(), stride=1, threads=1)[0]


def word_hashes(texts: Texts, threads: int) -> tuple[U64, U64]:
    """Hashes of the words of texts, in order, and where those of each text begin."""
    return _core.telling_words(texts, stem_letters=STEM_LETTERS, threads=threads)


def word_pairs(words: U64) -> tuple[U64, NDArray[np.bool_]]:
    """For each word but the last a hash of it and the next, and whether the pair has an entry."""
    pairs: U64 = (words[:-1] * _FIRST + words[1:]) * _BOTH
    return pairs, pairs % PAIR_SAMPLING == 0


def _sampled_pairs(words: U64, offsets: U64) -> tuple[U64, U64]:
    """The pairs with entries, and where those of each document begin."""
    if not len(words):
        return words, offsets
    pairs, kept = word_pairs(words)
    ends = offsets[1:-1][offsets[1:-1] > 0]
    ends = ends[ends < len(words)]
    kept[ends.astype(np.intp) - 1] = False  # two words of two documents
    before = np.concatenate([[0], np.cumsum(kept), [kept.sum()]]).astype(np.uint64)
    return pairs[kept], before[offsets.astype(np.intp)]


def passage_entries(
    texts: Sequence[str], min_words: int, common: Mapping[int, CommonKeys], threads: int
) -> tuple[dict[int, U64], int]:
    """Sorted entries of documents 0, 1, ... by kind, and the number of words of all documents.

    Look-alike letters are replaced first, as in the text of a query.
    """
    views = Texts.from_strings([one.mended for one in find_all_tricks(texts, threads=threads)])
    words, offsets = word_hashes(views, threads)
    runs = _core.entries_of_hashes(
        *RunSampling(min_words).sample(views, threads), common[RUNS].keys
    )
    both = [
        _core.entries_of_hashes(*one, common[WORDS].keys)
        for one in ((words, offsets), _sampled_pairs(words, offsets))
    ]
    merged = _core.merge_entries(both, np.zeros(0, np.uint8))
    return {RUNS: runs, WORDS: sorted_once(merged)}, len(words)
