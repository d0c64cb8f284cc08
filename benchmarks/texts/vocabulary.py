"""A made vocabulary: lower-case ASCII pseudo-words whose use follows Zipf's law.

Limitations: letters are drawn without regard to real spelling; only the lengths, the frequencies
and the alphabet resemble English.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONSONANTS = "tnsrhldcmfpgwybvkxjqz"
CONSONANT_WEIGHTS = (91, 70, 63, 60, 61, 40, 43, 28, 24, 22, 19, 20, 24, 20, 15, 10, 8, 2, 2, 1, 1)
VOWELS = "eaoiu"
VOWEL_WEIGHTS = (127, 82, 75, 70, 28)

# Words are drawn through a table of this many equal slots: one look-up a word, where a binary
# search in the cumulative law would take sixteen. The rarest of 50,000 words still has 8 slots.
SLOTS = 1 << 22

MAX_WORDS = 1 << 16  # word numbers are kept as uint16: half a gigabyte for a million documents


class Vocabulary:
    """Words by rank, the commonest first, and a sampler of word numbers."""

    def __init__(self, size: int, seed: int) -> None:
        if not 1_000 <= size <= MAX_WORDS:
            raise ValueError(f"vocabulary of {size} words: must be 1,000 to {MAX_WORDS:,}")
        self.size = size
        self.words: NDArray[np.object_] = np.array(_make_words(size, seed), dtype=object)
        self._table = _slot_table(size)

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.uint16]:
        """Return ``count`` word numbers drawn by the Zipf-Mandelbrot law."""
        return self._table[rng.integers(0, SLOTS, count, dtype=np.uint32)]

    def text(self, numbers: NDArray[np.uint16]) -> str:
        """Return the words of ``numbers`` with single spaces between them."""
        return " ".join(self.words[numbers].tolist())


def _make_words(size: int, seed: int) -> list[str]:
    """Distinct words whose length grows with the logarithm of the rank, as in real languages."""
    rng = random.Random(seed)
    seen: set[str] = set()
    words: list[str] = []
    for rank in range(size):
        rarity = math.log(rank + 1) / math.log(size)
        wanted = rng.gauss(2.0 + 5.4 * rarity, 0.6 + 1.2 * rarity)
        length = min(16, max(1, round(wanted)))
        word = _make_word(rng, length)
        while word in seen:
            # Short words run out; a growing length ends the search.
            length += rng.random() < 0.5
            word = _make_word(rng, length)
        seen.add(word)
        words.append(word)
    return words


def _make_word(rng: random.Random, length: int) -> str:
    vowel_first = rng.random() < 0.4
    consonants = rng.choices(CONSONANTS, CONSONANT_WEIGHTS, k=length)
    vowels = rng.choices(VOWELS, VOWEL_WEIGHTS, k=length)
    return "".join(
        vowels[place] if (place % 2 == 0) == vowel_first else consonants[place]
        for place in range(length)
    )


def _slot_table(size: int) -> NDArray[np.uint16]:
    # Mandelbrot's shift flattens the head: the commonest word is 3 % of the text, not 10 %.
    cumulative = np.cumsum(1.0 / (np.arange(size) + 2.7))
    middles = (np.arange(SLOTS) + 0.5) / SLOTS * cumulative[-1]
    table: NDArray[np.uint16] = np.searchsorted(cumulative, middles).astype(np.uint16)
    return table
