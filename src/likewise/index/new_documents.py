"""Which of several documents are new: not similar to a stored one, nor to one before them."""

from __future__ import annotations

from typing import Any

import numpy as np

from likewise.arrays import Bools
from likewise.index.adding import DocumentBatch
from likewise.index.postings.lookup import IndexView
from likewise.index.similarity_query import SimilarityQuery
from likewise.search.find import find_pairs
from likewise.text.displayed import displayed_texts
from likewise.text.inputs import ids_of, strings_of


def choose_new(
    view: IndexView, query: SimilarityQuery, batch: DocumentBatch, threads: int
) -> Bools:
    """A mask of the documents of a batch that are to be added."""
    settings = query.settings
    strings = strings_of(batch.texts)
    ids = list(map(str, ids_of(batch.ids, len(strings))))
    views: Any = displayed_texts(strings, settings.profile, threads=threads)
    sketches = settings.sketch(views, threads)
    stored = view.snapshot.find(ids)
    new = np.array([id_ not in stored for id_ in ids], np.bool_)
    for row in np.flatnonzero(new).tolist():
        one = views.select(np.array([row], np.uint32))
        keys = sketches.band_keys[:, row : row + 1]
        found = query.matches_of_text(view, one, sketches.signatures[row], keys, scan=False)
        new[row] = not any(match.jaccard >= query.threshold for match in found)
    # Of exact copies, only the first may be added: a search does not list all pairs of many copies.
    rows = np.flatnonzero(new & (sketches.counts > 0))
    firsts = np.sort(rows[np.unique(sketches.digests[rows], axis=0, return_index=True)[1]])
    new[np.setdiff1d(rows, firsts)] = False
    pairs = find_pairs(
        views.select(firsts.astype(np.uint32)), ids=firsts, profile=settings.profile,
        threshold=query.threshold, recall=settings.recall, values=settings.values, threads=threads,
    )  # fmt: skip
    # The earlier one of a pair is added, unless it is itself similar to one that is.
    for later, earlier in sorted((max(pair.a, pair.b), min(pair.a, pair.b)) for pair in pairs):
        if new[earlier]:
            new[later] = False
    return new
