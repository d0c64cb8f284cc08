"""How often words are met in an index: counted in its first documents, and by who holds them.

Counts of the first half million words tell how common the common words are. What comes later may be
about something else, or in another language; there the share of the documents that hold a word
tells at least how often it is met.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from likewise.evidence.frequencies import Frequencies
from likewise.evidence.words import Words, words_of
from likewise.index.entries import DamageError
from likewise.index.store import Snapshot, Transaction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.index.passage_candidates import ByWords, IndexFacts

SAMPLE_WORDS = 500_000
_MOST_CHARACTERS = 20 * SAMPLE_WORDS  # words are shorter, and what is cut off comes with the next
_NAME = "rates"
# Words of all documents from which on their own rates tell more than the length of a word.
_ENOUGH_WORDS = 20_000


def stored_rates(snapshot: Snapshot) -> Frequencies:
    """What has been counted so far."""
    try:
        return Frequencies.of_bytes(snapshot.blob(_NAME) or b"")
    except ValueError as error:
        raise DamageError("rates of words in the index") from error


def beginning(texts: Sequence[str]) -> Sequence[str]:
    """The first texts, as many as a sample may take."""
    characters = 0
    for count, text in enumerate(texts):
        characters += len(text)
        if characters > _MOST_CHARACTERS:
            return texts[: count + 1]
    return texts


def store_sampled(transaction: Transaction, texts: Sequence[str]) -> bool:
    """Counts the words of new documents, as long as there are too few; whether there were."""
    so_far = stored_rates(transaction)
    if so_far.total >= SAMPLE_WORDS:
        return False
    more = Frequencies.of_words(_until(texts, SAMPLE_WORDS - so_far.total))
    transaction.set_blob(_NAME, so_far.joined(more).to_bytes())
    return True


def _until(texts: Sequence[str], wanted: float) -> Iterator[Words]:
    for text in texts:
        words = words_of(text)
        yield words
        wanted -= len(words)
        if wanted <= 0:
            return


def rates_for(words: ByWords, counted: Frequencies, facts: IndexFacts) -> Frequencies:
    """Rates of the words of a text in the index, by what was counted and by who holds them."""
    if facts.documents * facts.mean_words < _ENOUGH_WORDS:
        return Frequencies()
    most = 1 - 1 / (2 * facts.documents + 2)
    times = -np.log1p(-np.minimum(words.shares, most)) / facts.mean_words  # as if by chance
    by_count: NDArray[np.float64] = counted.count(words.hashes) / max(1.0, counted.total)
    total = max(1.0, counted.total)
    return Frequencies.of_counts(words.hashes, np.maximum(times, by_count) * total, total)
