"""Entries by which passages are found: sampled runs of words, and single words that are rare.

*Runs.* A text with a run of `min_words` words of a document holds a shingle that was kept of it:
every `stride`-th of the document's shingles is kept, and a run is as long as a shingle and a stride
together. Whoever asks looks up all shingles of the text. So fewer are kept than by winnowing, which
takes the same sample on both sides, and the promise is the same.

*Words.* Copies that were edited, shuffled, translated or summarised hold no such run, but rare
words of their source, close together (see `search.rare_words`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.evidence.words import STEM_LETTERS
from likewise.index.common_keys import CommonKeys
from likewise.index.entries import RUNS, WORDS
from likewise.text.profile import Profile
from likewise.tricks.presence import find_all_tricks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]


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


def passage_entries(
    texts: Sequence[str], min_words: int, common: Mapping[int, CommonKeys], threads: int
) -> tuple[dict[int, U64], int]:
    """Sorted entries of documents 0, 1, ... by kind, and how many words they have together.

    Letters that only look like others are put right first, as in the text that is asked about.
    """
    views = Texts.from_strings([one.mended for one in find_all_tricks(texts, threads=threads)])
    words = telling(views, threads)
    hashes = {RUNS: RunSampling(min_words).kept(views, threads), WORDS: words}
    made = {
        kind: _core.entries_of_hashes(own, offsets, common[kind].keys)
        for kind, (own, offsets) in hashes.items()
    }
    return made, len(words[0])
