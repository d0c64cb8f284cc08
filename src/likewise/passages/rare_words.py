"""Rare words in common: documents that may share a passage in which no long run of words is left.

Edited, shuffled, translated and summarised copies keep many of the words of their source, in about
the same place. So texts are cut into parts that overlap, and two documents are candidates if two of
their parts share words that few other documents contain. The alignment then decides.

Words are compared by their first letters; in scripts without spaces, where a word is one letter, by
that letter and the next.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.arrays import U32

PART = 120  # words: a short paragraph
STRIDE = 60
# Found on the pairs of PAN 2013 (`benchmarks/passages`): lower ones find more summaries, and bring
# twice the candidates.
MIN_EVIDENCE = 16.0  # natural logarithm of how seldom such words meet by chance
MAX_SHARE = 0.1  # of the documents may contain a rare word
MIN_LIMIT = 20  # documents may contain it, however few there are
MAX_LIMIT = 1000
MAX_CANDIDATES = 50  # of a document: those with the most evidence


def pairs_by_rare_words(
    words: _core.CollectionWords,
    *,
    sides: NDArray[np.uint8] | None,
    least_evidence: float = MIN_EVIDENCE,
    threads: int,
) -> tuple[U32, U32, NDArray[np.float64]]:
    """Pairs a < b of documents and the evidence of their parts with the rarest words.

    Words are those of all documents, in order. A pair is among the `MAX_CANDIDATES` of at least
    one of its documents.
    """
    most = most_documents(len(words))
    return _core.share_words(
        words, sides, length=PART, stride=STRIDE, most_documents=most,
        least_evidence=least_evidence, most_candidates=MAX_CANDIDATES, threads=threads,
    )  # fmt: skip


def most_documents(documents: int) -> int:
    """How many of this number of documents may contain a rare word."""
    return int(min(MAX_LIMIT, max(MIN_LIMIT, MAX_SHARE * documents)))
