"""Stored documents that may share a passage with a text: by runs of words, and by rare words."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import U32, Floats
from likewise.index.postings.entries import RUNS, WORDS, documents_of
from likewise.index.postings.lookup import IndexView
from likewise.index.postings.passage_entries import RunSampling, word_hashes, word_pairs
from likewise.passages.rare_words import MIN_EVIDENCE, PART, STRIDE

MAX_BY_RUNS = 1000  # documents per 1,000 shingles of a text
MAX_BY_WORDS = 25  # documents per PART_WORDS of a text
PART_WORDS = 2_000
MAX_PARTS = 10  # a longer text has no more documents
_LENGTHS_FACTOR = 8  # times as many documents are ranked by length
_BLOCK_KEYS = 40_000  # words and pairs of a text that are looked up at once; even
_KEY_BITS = np.uint64(32)


class ByRuns(NamedTuple):
    """Documents that share a shingle, those with the rarest shingles first.

    `left_out` documents are beyond the limit; `set_aside` shingles of the text are common.
    """

    numbers: list[int]
    left_out: int
    set_aside: int


def by_runs(view: IndexView, text: Texts, min_words: int) -> ByRuns:
    """Documents that may share a run of `min_words` words with a text."""
    keys = (RunSampling(min_words).all(text) >> _KEY_BITS).astype(np.uint32)
    postings = view.postings(RUNS, keys, skip_removed=True)
    if not len(postings.entries):
        return ByRuns([], 0, postings.set_aside)
    worth = np.repeat(-np.log(np.maximum(postings.shares, 1e-12)), postings.counts)
    numbers, places = np.unique(documents_of(postings.entries), return_inverse=True)
    evidence = np.bincount(places, worth)
    order = np.lexsort((numbers, -evidence))
    ordered = numbers[order].tolist()
    limit = MAX_BY_RUNS * -(-len(keys) // 1000)
    if view.has_removed and len(ordered) > limit:
        present = view.snapshot.sizes(ordered)
        ordered = [number for number in ordered if number in present]
    return ByRuns(ordered[:limit], max(0, len(ordered) - limit), postings.set_aside)


def by_words(view: IndexView, text: Texts, words: int) -> list[int]:
    """Documents with the most rare words of a text that are close together in it.

    `words` is the length of the text. A long document contains many words by chance: each shared
    word counts less by the logarithm of the document's length relative to the mean.
    """
    numbers, shared, evidence = _evidence(view, text)
    limit = MAX_BY_WORDS * min(MAX_PARTS, -(-words // PART_WORDS))
    order = np.lexsort((numbers, -evidence))
    if not view.has_removed:
        order = order[: _LENGTHS_FACTOR * limit]
    sizes = view.snapshot.sizes(numbers[order].tolist())
    order = order[[number in sizes for number in numbers[order].tolist()]]
    order = order[: _LENGTHS_FACTOR * limit]
    numbers = numbers[order]
    lengths = np.array([sizes[number] for number in numbers.tolist()])
    less = np.log(np.maximum(1, lengths / max(1.0, view.mean_words)))
    evidence = evidence[order] - shared[order] * less
    best = np.lexsort((numbers, -evidence))[:limit]
    chosen: list[int] = numbers[best[evidence[best] >= _min_evidence(view)]].tolist()
    return chosen


def _evidence(view: IndexView, text: Texts) -> tuple[U32, U32, Floats]:
    """Documents by ascending number, how many words each shares with the part of the text that has
    the most evidence for it, and that evidence."""
    hashes, _ = word_hashes(text, 1)
    if not len(hashes):
        return np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros(0)
    # After each word the pair that begins with it.
    pairs, kept = word_pairs(hashes)
    keys = np.empty(2 * len(hashes) - 1, np.uint32)
    is_key = np.ones(len(keys), bool)
    keys[::2], keys[1::2], is_key[1::2] = hashes >> _KEY_BITS, pairs >> _KEY_BITS, kept
    blocks = []
    for begin in range(0, len(keys), _BLOCK_KEYS):
        # Blocks overlap by a part, so that none is cut.
        block = slice(begin, begin + _BLOCK_KEYS + 2 * PART)
        entries = view.postings(WORDS, keys[block][is_key[block]]).entries
        blocks.append(
            _core.evidence_of_parts(
                keys[block], entries, length=2 * PART, stride=2 * STRIDE,
                documents=max(1, view.documents), least=_min_evidence(view),
            )
        )  # fmt: skip
    numbers, words, evidence = map(np.concatenate, zip(*blocks, strict=True))
    best = np.lexsort((-evidence, numbers))
    numbers, words, evidence = numbers[best], words[best], evidence[best]
    first = np.ones(len(numbers), bool)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first], words[first], evidence[first]


def _min_evidence(view: IndexView) -> float:
    """Grows with the index: with each document, words may meet by chance once more, and the words
    that are still rare in a large index are no stronger evidence than those of a small one.

    By trial, from 3,000 to 1,000,000 documents: with less, unrelated texts lead to dozens of
    documents; with more, edited copies are missed.
    """
    return max(MIN_EVIDENCE, 3 * math.log(max(1, view.documents)) - 8)
