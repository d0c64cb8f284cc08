"""The order of ids: whole numbers by value, then other ids by code points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.search.collection import CollectionIds


MAX_DIGITS = 40  # of an id that counts as a number


def id_key(value: object) -> tuple[int, int, str]:
    """Sorts 9 before 10 (or "9" before "10"), and both before "a"; "07" comes next to "7"."""
    id_ = value if isinstance(value, str) else str(value)
    # int() takes longer than linear time, and nobody counts documents with more digits.
    if id_.isascii() and id_.isdecimal() and len(id_) <= MAX_DIGITS:
        return 0, int(id_), id_
    return 1, 0, id_


def id_ranks(
    ids: CollectionIds, *columns: NDArray[np.uint32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For two columns of documents the rank of each one's id in its collection."""
    if ids.numbered:
        return columns[0].astype(np.int64), columns[1].astype(np.int64)
    documents, places = np.unique(np.concatenate(columns), return_inverse=True)
    keys = list(map(id_key, ids.take(documents.tolist())))
    order = np.fromiter(sorted(range(len(keys)), key=keys.__getitem__), np.int64, len(keys))
    ranks = np.empty(len(keys), np.int64)
    ranks[order] = np.arange(len(keys))
    by_place = ranks[places.reshape(-1)]
    return by_place[: len(columns[0])], by_place[len(columns[0]) :]
