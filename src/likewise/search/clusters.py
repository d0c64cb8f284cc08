"""Clusters: documents connected by verified pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.search.order import id_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.search.collection import Ids


@dataclass(frozen=True, slots=True)
class Cluster:
    """Documents each of which is similar to at least one other; ids in their order."""

    members: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.members)


def connected_components(
    documents: int, a: NDArray[np.uint32], b: NDArray[np.uint32]
) -> NDArray[np.uint32]:
    """For each document the smallest one that pairs connect it with."""
    ends = (np.ascontiguousarray(end, np.uint32) for end in (a, b))
    return _core.find_clusters(documents, *ends)


def clusters_of(
    documents: int, a: NDArray[np.uint32], b: NDArray[np.uint32], ids: Ids
) -> list[Cluster]:
    """Connected components of pairs, the largest first, then by the first id."""
    labels = connected_components(documents, a, b)
    involved = np.unique(np.concatenate([a, b]))
    groups: dict[int, list[str]] = {}
    names = ids.take(involved.tolist())
    for name, label in zip(names, labels[involved].tolist(), strict=True):
        groups.setdefault(label, []).append(name)
    clusters = [Cluster(tuple(sorted(group, key=id_key))) for group in groups.values()]
    return sorted(clusters, key=lambda c: (-len(c), id_key(c.members[0])))
