"""Entries by which passages are found: sampled runs of words, and single words that are rare.

*Runs.* A text with a run of `min_words` words of a document holds a shingle that was kept of it:
every `stride`-th of the document's shingles is kept, and a run is as long as a shingle and a stride
together. Whoever asks looks up all shingles of the text. So fewer are kept than by winnowing, which
takes the same sample on both sides, and the promise is the same.

*Words.* Copies that were edited, shuffled, translated or summarised hold no such run, but rare
words of their source, close together (see `search.rare_words`). In a large index few words are
rare; but two that follow each other mostly are, and so of these pairs one in `PAIRS_OF` is kept as
well, chosen by its hash, on both sides the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.index.postings.common_keys import CommonKeys
from likewise.index.postings.entries import RUNS, WORDS, sorted_once
from likewise.text.obfuscation.presence import find_all_tricks
from likewise.text.profile import Profile
from likewise.text.words import STEM_LETTERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bools = NDArray[np.bool_]
    U64 = NDArray[np.uint64]

PAIRS_OF = np.uint64(4)
_FIRST, _BOTH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, slots=True)
class RunSampling:
    """Which shingles are kept, so that of every run of `min_words` words there is one."""

    min_words: int

    @property
    def profile(self) -> Profile:
        """Two thirds of a run: long enough that few documents share one by chance."""
        return Profile(unit="word", k=2 * self.min_words // 3)

    @property
    def stride(self) -> int:
        return self.min_words - self.profile.k + 1

    def kept(self, texts: Texts, threads: int) -> tuple[U64, U64]:
        """Hashes of what is kept of each document, and where a document's begin."""
        return _core.sample_shingles(
            texts, self.profile.rules(), stride=self.stride, threads=threads
        )

    def asked(self, text: Texts) -> U64:
        """Hashes of all that is looked up for a text."""
        return _core.sample_shingles(text, self.profile.rules(), stride=1, threads=1)[0]


def telling(texts: Texts, threads: int) -> tuple[U64, U64]:
    """Hashes of the words of each document, in order, and where a document's begin."""
    return _core.telling_words(texts, stem_letters=STEM_LETTERS, threads=threads)


def telling_pairs(words: U64) -> tuple[U64, Bools]:
    """For each word but the last a hash of it and the next, and whether that pair is kept."""
    pairs: U64 = (words[:-1] * _FIRST + words[1:]) * _BOTH
    return pairs, pairs % PAIRS_OF == 0


def _kept_pairs(words: U64, offsets: U64) -> tuple[U64, U64]:
    """The pairs that are kept of each document, and where a document's begin."""
    if not len(words):
        return words, offsets
    pairs, kept = telling_pairs(words)
    ends = offsets[1:-1][offsets[1:-1] > 0]
    ends = ends[ends < len(words)]
    kept[ends.astype(np.intp) - 1] = False  # two words of two documents
    before = np.concatenate([[0], np.cumsum(kept), [kept.sum()]]).astype(np.uint64)
    return pairs[kept], before[offsets.astype(np.intp)]


def passage_entries(
    texts: Sequence[str], min_words: int, common: Mapping[int, CommonKeys], threads: int
) -> tuple[dict[int, U64], int]:
    """Sorted entries of documents 0, 1, ... by kind, and how many words they have together.

    Letters that only look like others are put right first, as in the text that is asked about.
    """
    views = Texts.from_strings([one.mended for one in find_all_tricks(texts, threads=threads)])
    words, offsets = telling(views, threads)
    runs = _core.entries_of_hashes(*RunSampling(min_words).kept(views, threads), common[RUNS].keys)
    both = [
        _core.entries_of_hashes(*one, common[WORDS].keys)
        for one in ((words, offsets), _kept_pairs(words, offsets))
    ]
    merged = _core.merge_entries(both, np.zeros(0, np.uint8))
    return {RUNS: runs, WORDS: sorted_once(merged)}, len(words)
