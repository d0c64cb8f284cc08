"""How many hits unrelated documents would give."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from likewise.decontamination.settings import EDITED_SHARE
from likewise.statistics.shared_runs import PROSE, UNSPACED

if TYPE_CHECKING:
    from likewise.decontamination.items import Items


def expected_hits(items: Items, lengths: Counter[int], max_p: float) -> float:
    """The expected number of pairs of a document and an item that are hits by chance, at most.

    By the law for runs of words in unrelated texts, for documents of these lengths. An edited copy
    is counted as if it were a run as long as its matched less its changed words. A pair is never a
    hit if that is more probable than `max_p`, so each counts as `max_p` at most.
    """
    documents = np.array(sorted(lengths), np.float64)
    counts = np.array([lengths[int(one)] for one in documents], np.float64)
    expected = 0.0
    kinds = Counter(
        (int(items.own_sizes[i]), int(items.min_words[i]), int(items.edited_words[i]),
         bool(items.unspaced[i]))
        for i in np.flatnonzero(items.searchable).tolist()
    )  # fmt: skip
    for (size, run, edited, unspaced), number in sorted(kinds.items()):
        # Of an item so long, three quarters are never within the shorter run.
        least = size if size < run else edited if EDITED_SHARE * size <= 2 * run else run
        rate = (UNSPACED if unspaced else PROSE).rate(least)
        places = np.maximum(0, documents - least + 1) * max(0, size - least + 1)
        chances = -np.expm1(-places * rate)
        expected += number * float(np.minimum(chances, max_p) @ counts)
    return expected
