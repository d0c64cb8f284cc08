"""`word_agreements`: for each word of a few texts, which of the others have it too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.errors import UsageError
from likewise.passages.families.find import numbered_pairs
from likewise.passages.pair_passages import mark_matches
from likewise.text.words import words_of

if TYPE_CHECKING:
    from likewise.arrays import U64
    from likewise.passages.families.results import Families
    from likewise.passages.results import Passages

MAX_DOCUMENTS = 64


def word_agreements(passages: Passages[Any], families: Families[Any]) -> list[U64]:
    """For each document a number for each of its words: bit n is set if document n has it too.

    A word is in another document if a passage of both matches it, or if both have it in the same
    place of a family, by way of other witnesses. So a word with any bit set is a shared word of
    some passage. Raises `UsageError` for more than 64 documents.
    """
    documents = passages.searched
    if documents is None:
        raise UsageError("passages must be a result of find_passages")
    if len(documents) > MAX_DOCUMENTS:
        raise UsageError(
            f"{len(documents)} documents; agreements are available for up to {MAX_DOCUMENTS}"
        )
    words = [words_of(text) for text in documents.texts]
    found = [np.zeros(len(own), np.uint64) for own in words]
    for (a, b), pair in numbered_pairs(passages, documents).items():
        for one, other, side in ((a, b, "a"), (b, a, "b")):
            matched = np.zeros(len(words[one]), bool)
            for passage in pair.passages:
                mark_matches(matched, words[one], passage, side)
            found[one][matched] |= np.uint64(1 << other)
    for family in families:
        bits = np.array([1 << one.number for one in family.witnesses], np.uint64)
        present = family.columns >= 0
        sets = np.bitwise_or.reduce(np.where(present, bits, np.uint64(0)), axis=1)
        for position, witness in enumerate(family.witnesses):
            own = present[:, position]
            found[witness.number][family.columns[own, position]] |= sets[own] & ~bits[position]
    return found
