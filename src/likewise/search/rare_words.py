"""Rare words in common: documents that may share a passage in which no long run of words is left.

Edited, shuffled, translated and summarised copies keep many of the words of their source, in about
the same place. So texts are cut into parts that overlap, and two documents are candidates if two of
their parts share words that few other documents hold. What the words tell exactly is for the
alignment to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likewise import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

PART = 120  # words: a short paragraph
STRIDE = 60
# Found on the pairs of PAN 2013 (`benchmarks.passages`): lower ones find more summaries, and bring
# twice the candidates.
LEAST_EVIDENCE = 16.0  # natural logarithm of how seldom such words meet by chance
MOST_SHARE = 0.1  # of the documents may hold a word that counts as rare
FEWEST = 20  # documents may hold it, however few there are
MOST = 1000
MOST_CANDIDATES = 50  # of a document: those with the most evidence


def pairs_by_rare_words(
    stems: U64,
    offsets: U64,
    *,
    sides: NDArray[np.uint8] | None,
    least_evidence: float = LEAST_EVIDENCE,
    threads: int,
) -> tuple[U32, U32, NDArray[np.float64]]:
    """Pairs a < b of documents and the evidence of their most telling parts.

    `stems[offsets[i] : offsets[i + 1]]` are hashes of the words of document i, or of their stems.
    A pair is among the `MOST_CANDIDATES` of at least one of its documents.
    """
    documents = len(offsets) - 1
    most = int(min(MOST, max(FEWEST, MOST_SHARE * documents)))
    a, b, evidence = _core.share_words(
        stems, offsets, sides, length=PART, stride=STRIDE, most_documents=most,
        least_evidence=least_evidence, threads=threads,
    )  # fmt: skip
    kept = _among_the_best(a, evidence) | _among_the_best(b, evidence)
    return a[kept], b[kept], evidence[kept]


def _among_the_best(document: U32, evidence: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each pair is one of the best of its document."""
    order = np.lexsort((-evidence, document))
    ordered = document[order]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    kept = np.zeros(len(order), bool)
    kept[order] = rank < MOST_CANDIDATES
    return kept
