"""Documents of an index that may share a passage with a text: by runs, and by rare words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.index.postings.entries import RUNS, WORDS, documents_of
from likewise.index.postings.lookup import Postings
from likewise.index.postings.manifest import Manifest
from likewise.index.postings.passage_entries import RunSampling, telling, telling_pairs
from likewise.index.stores.protocol import Snapshot
from likewise.passages.rare_words import MIN_EVIDENCE, PART, STRIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]
    F64 = NDArray[np.float64]

MOST_BY_WORDS = 25  # documents for which rare words speak most, for each PER_WORDS of a text
PER_WORDS = 2_000
MOST_PARTS = 10  # of a longer text no more than so many times as many
_BEFORE_LENGTHS = 8  # times as many, of which it is asked how long they are
MOST_BY_RUNS = 1000  # documents that are looked at since they share a shingle, a thousand words
_BLOCK = 40_000  # words and pairs of a text that are looked up at once; even
_KEY_BITS = np.uint64(32)


@dataclass(frozen=True, slots=True, eq=False)
class IndexFacts:
    """What is known of an index as a whole.

    Attributes:
        documents: how many it has.
        mean_words: of a document, of all that were ever added.
        some_are_gone: documents were removed or replaced; entries may be left of them.
    """

    documents: int
    mean_words: float
    some_are_gone: bool

    @classmethod
    def of(cls, snapshot: Snapshot) -> IndexFacts:
        ever = int(snapshot.fact("next") or 1) - 1
        documents = snapshot.count()
        mean = int(snapshot.fact("words") or 0) / max(1, ever)
        return cls(documents, mean, documents < ever)


@dataclass(frozen=True, slots=True, eq=False)
class ByRuns:
    """Documents that share a shingle.

    Attributes:
        numbers: of the documents, those with the rarest shingles first.
        left_out: documents beyond the limit.
        set_aside: shingles of the text that very many documents have.
    """

    numbers: list[int]
    left_out: int
    set_aside: int


def by_runs(
    snapshot: Snapshot, manifest: Manifest, text: Texts, min_words: int, facts: IndexFacts
) -> ByRuns:
    """Documents that may share a run of `min_words` words with a text."""
    keys = (RunSampling(min_words).asked(text) >> _KEY_BITS).astype(np.uint32)
    found = Postings.of(
        snapshot, manifest, RUNS, keys, facts.documents, some_are_gone=facts.some_are_gone
    )
    if not len(found.entries):
        return ByRuns([], 0, found.set_aside)
    worth = np.repeat(-np.log(np.maximum(found.shares, 1e-12)), found.counts)
    numbers, places = np.unique(documents_of(found.entries), return_inverse=True)
    evidence = np.bincount(places, worth)
    order = np.lexsort((numbers, -evidence))
    ordered = numbers[order].tolist()
    most = MOST_BY_RUNS * -(-len(keys) // 1000)
    if facts.some_are_gone and len(ordered) > most:
        there = snapshot.sizes(ordered)
        ordered = [number for number in ordered if number in there]
    return ByRuns(ordered[:most], max(0, len(ordered) - most), found.set_aside)


@dataclass(frozen=True, slots=True, eq=False)
class ByWords:
    """Documents that share rare words with some part of a text.

    Attributes:
        numbers: of the documents, ascending.
        evidence: of the part that speaks most for each.
        words: which it shares with that part, how many.
        hashes, shares: of the words of the text, each once: the share of the documents with it.
    """

    numbers: NDArray[np.uint32]
    evidence: F64
    words: NDArray[np.uint32]
    hashes: U64
    shares: F64


def by_words(snapshot: Snapshot, manifest: Manifest, text: Texts, facts: IndexFacts) -> ByWords:
    """Documents that hold rare words of a text, close together in it."""
    hashes, _ = telling(text, 1)
    if not len(hashes):
        nothing = np.zeros(0, np.uint32)
        return ByWords(nothing, np.zeros(0), nothing, hashes, np.zeros(0))
    # Behind each word the pair that begins with it.
    pairs, kept = telling_pairs(hashes)
    keys = np.empty(2 * len(hashes) - 1, np.uint32)
    asked = np.ones(len(keys), bool)
    keys[::2], keys[1::2], asked[1::2] = hashes >> _KEY_BITS, pairs >> _KEY_BITS, kept
    found = []
    shares = np.zeros(len(keys))
    for begin in range(0, len(keys), _BLOCK):
        # Blocks overlap by a part, so that none is cut.
        block = slice(begin, begin + _BLOCK + 2 * PART)
        looked_up = keys[block][asked[block]]
        held = Postings.of(snapshot, manifest, WORDS, looked_up, facts.documents)
        shares[block][asked[block]] = held.shares_of(looked_up)
        found.append(
            _core.evidence_of_parts(
                keys[block], held.entries, length=2 * PART, stride=2 * STRIDE,
                documents=max(1, facts.documents), least=_least_evidence(facts),
            )
        )  # fmt: skip
    numbers, words, evidence = map(np.concatenate, zip(*found, strict=True))
    best = np.lexsort((-evidence, numbers))
    numbers, words, evidence = numbers[best], words[best], evidence[best]
    first = np.ones(len(numbers), bool)
    first[1:] = numbers[1:] != numbers[:-1]
    unique, at = np.unique(hashes, return_index=True)
    return ByWords(numbers[first], evidence[first], words[first], unique, shares[::2][at])


def most_telling(snapshot: Snapshot, found: ByWords, words: int, facts: IndexFacts) -> list[int]:
    """Of the documents by words those with the most evidence, for a text of so many words.

    A long document holds many words by chance: each of those it shares tells less by the logarithm
    of how many times longer than others it is.
    """
    most = MOST_BY_WORDS * min(MOST_PARTS, -(-words // PER_WORDS))
    order = np.lexsort((found.numbers, -found.evidence))
    if not facts.some_are_gone:
        order = order[: _BEFORE_LENGTHS * most]
    sizes = snapshot.sizes(found.numbers[order].tolist())
    order = order[[number in sizes for number in found.numbers[order].tolist()]]
    order = order[: _BEFORE_LENGTHS * most]
    numbers = found.numbers[order]
    lengths = np.array([sizes[number] for number in numbers.tolist()])
    less = np.log(np.maximum(1, lengths / max(1.0, facts.mean_words)))
    evidence = found.evidence[order] - found.words[order] * less
    best = np.lexsort((numbers, -evidence))[:most]
    made: list[int] = numbers[best[evidence[best] >= _least_evidence(facts)]].tolist()
    return made


def _least_evidence(facts: IndexFacts) -> float:
    """What is asked of words grows with the index: each document is a chance for some to meet, and
    the rarest that are left in a large one tell no more than those of a small one did.

    By trial, from 3,000 to 1,000,000 documents: with less, texts that share nothing lead to dozens
    of documents; with more, edited copies are missed.
    """
    return max(MIN_EVIDENCE, 3 * math.log(max(1, facts.documents)) - 8)
