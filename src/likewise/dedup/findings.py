"""What a decision holds that is worth telling: clusters and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.files.copies import NONE
from likewise.dedup.files.verdicts import names_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.decision import ClusterTable, Decision
    from likewise.dedup.files.workspace import Facts, Workspace


def findings_of(
    decision: Decision, numbers: NDArray[np.uint32], workspace: Workspace, most: int
) -> Facts:
    """Counts, the sizes of clusters, the most telling ones, and documents that serve as examples.

    Args:
        numbers: of each document that of its digest.
        most: how many clusters and examples of a kind.
    """
    table = decision.clusters
    removed = np.flatnonzero(~decision.kept)
    stored = decision.similar_to[removed] >= len(numbers)
    gone = removed[~stored]
    # The kept one has the same digest: a copy. Others are similar, even where all shingles agree.
    copy = numbers[gone] == numbers[decision.similar_to[gone]]
    sizes, counts = np.unique(table.documents, return_counts=True)
    largest = np.lexsort((table.label, -table.documents))[:most]
    chained = np.lexsort((table.label, table.inside))[:most]
    return {
        "counts": {
            "kept": int(np.count_nonzero(decision.kept)),
            "removed": len(removed),
            "removed_against": int(np.count_nonzero(stored)),
            "removed_copies": int(np.count_nonzero(copy)),
            "removed_similar": int(np.count_nonzero(~copy)),
            "clusters": len(table),
            "kept_in_clusters": int(table.kept.sum()),
        },
        "cluster_sizes": {str(size): int(n) for size, n in zip(sizes, counts, strict=True)},
        "largest": _described(table, largest, workspace),
        "most_chained": _described(table, chained, workspace),
        "examples": _examples(decision, gone[~copy], most) or _examples(decision, gone, most),
        "against": _examples(decision, removed[stored], most),
    }


def _described(
    table: ClusterTable, chosen: NDArray[np.int64], workspace: Workspace
) -> list[dict[str, Any]]:
    labels = np.sort(table.label[chosen])
    names = dict(zip(labels.tolist(), names_of(workspace, labels), strict=True))
    return [
        {
            "cluster": names[int(table.label[i])],
            "documents": int(table.documents[i]),
            "unique": int(table.unique[i]),
            "kept": int(table.kept[i]),
            "lowest_inside": float(table.inside[i]),
            "lowest_inside_of": "all pairs" if table.inside_exact[i] else "verified pairs",
            "lowest_removed": None if np.isnan(table.removed[i]) else float(table.removed[i]),
        }
        for i in chosen.tolist()
    ]


def _examples(decision: Decision, gone: NDArray[np.int64], most: int) -> list[dict[str, Any]]:
    """Removed documents from the least similar to the most, evenly, by their numbers."""
    order = gone[np.lexsort((gone, decision.similarity[gone]))]
    places = np.unique(np.linspace(0, len(order) - 1, min(most, len(order))).astype(np.int64))
    return [
        {
            "removed": int(document),
            "kept": int(decision.similar_to[document]),
            "similarity": float(decision.similarity[document]),
        }
        for document in order[places].tolist()
        if decision.similar_to[document] != NONE
    ]
