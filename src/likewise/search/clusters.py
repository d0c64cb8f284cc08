"""Clusters: documents connected by verified pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

import numpy as np

from likewise import _core
from likewise.search.order import id_key
from likewise.types import K

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.search.collection import CollectionIds


@dataclass(frozen=True, slots=True)
class Cluster(Generic[K]):
    """Documents each of which is similar to at least one other; ids in their order."""

    members: tuple[K, ...]

    def __len__(self) -> int:
        return len(self.members)


def connected_components(
    documents: int, a: NDArray[np.uint32], b: NDArray[np.uint32]
) -> NDArray[np.uint32]:
    """For each document the smallest one that pairs connect it with."""
    ends = (np.ascontiguousarray(end, np.uint32) for end in (a, b))
    return _core.find_clusters(documents, *ends)


def cluster_documents(
    documents: int, a: NDArray[np.uint32], b: NDArray[np.uint32], ids: CollectionIds
) -> list[list[int]]:
    """Connected components of pairs, the largest first, then by the first id; numbers by id."""
    labels = connected_components(documents, a, b)
    involved = np.unique(np.concatenate([a, b]))
    keys = dict(zip(involved.tolist(), map(id_key, ids.take(involved.tolist())), strict=True))
    groups: dict[int, list[int]] = {}
    for document, label in zip(keys, labels[involved].tolist(), strict=True):
        groups.setdefault(label, []).append(document)
    clusters = [sorted(group, key=keys.__getitem__) for group in groups.values()]
    return sorted(clusters, key=lambda cluster: (-len(cluster), keys[cluster[0]]))
