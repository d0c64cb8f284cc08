"""`count_documents`: in how many documents a run of words occurs, whether compared or not.

In a large collection, runs of words that very many documents have are not searched for, so some of
these documents are compared for other reasons and the rest are not. What they share is no family:
its witnesses would be only those that happened to be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import _core
from likewise.passages.families.described import common_columns, identical_columns, longest_run
from likewise.text.profile import Profile

if TYPE_CHECKING:
    from likewise.arrays import U64, Ints
    from likewise.passages.families.family import Family

RUN = 8  # words: fewer may occur by chance


def run_place(
    family: Family[Any], hashes: Callable[[int], U64 | None] = lambda number: None
) -> tuple[int, int] | None:
    """A document with the longest common run, and the first of `RUN` words in the middle of it;
    None if it is shorter.

    Documents that happened to be compared may share a few more words by chance at its ends.
    `hashes` are those of the words of a document, where matched words may differ in spelling.
    """
    if family.run < RUN:
        return None
    witnesses = family.witnesses
    common = common_columns(witnesses, family.columns)
    same = identical_columns(common, [hashes(one.number) for one in witnesses])
    place, run = longest_run(witnesses, same)
    return witnesses[place].number, int(run[(len(run) - RUN) // 2])


def count_documents(
    texts: Sequence[str], batches: Iterable[tuple[int, int]], runs: Sequence[str], threads: int
) -> Ints:
    """For each run of `RUN` words the number of texts that contain it.

    `batches` are ranges of the texts that are not too long together.
    """
    hashes, starts = shingles(runs, threads)
    counts = np.zeros(len(runs), np.int64)
    known = np.flatnonzero(np.diff(starts.astype(np.int64)) > 0)
    if not len(known):
        return counts
    wanted, place = np.unique(hashes[starts[known].astype(np.int64)], return_inverse=True)
    documents = np.zeros(len(wanted), np.int64)
    for begin, end in batches:
        found, _ = shingles(texts[begin:end], threads)
        at = np.minimum(np.searchsorted(wanted, found), len(wanted) - 1)
        documents += np.bincount(at[wanted[at] == found], minlength=len(wanted))
    counts[known] = documents[place]
    return counts


def shingles(texts: Sequence[str], threads: int) -> tuple[U64, U64]:
    """The hashes of `RUN` words of each text, once each, and where those of a text begin."""
    rules = Profile(unit="word", k=RUN).rules()
    views = _core.Texts.from_strings(list(texts))
    return _core.sample_shingles(views, rules, stride=1, threads=threads)
