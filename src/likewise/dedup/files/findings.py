"""What a decision shows: counts, clusters and examples, and the report that is made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.against import LEVEL
from likewise.dedup.files.verdicts import names_of
from likewise.dedup.report import excerpt
from likewise.dedup.rules import NONE
from likewise.run import counted
from likewise.search.containment import boilerplate_notes
from likewise.search.groups import missing_notes
from likewise.sketches.candidates import bucket_notes
from likewise.text.displayed import LookAlikes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.decision import ClusterTable, Decision
    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Facts, Workspace


def findings_of(
    decision: Decision, numbers: NDArray[np.uint32], workspace: Workspace, most: int
) -> Facts:
    """Counts, the sizes of clusters, the most remarkable ones, and documents as examples.

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
        "largest": _clusters(table, largest, workspace),
        "most_chained": _clusters(table, chained, workspace),
        "examples": _examples(decision, gone[~copy], most) or _examples(decision, gone, most),
        "against": _examples(decision, removed[stored], most),
    }


def _clusters(
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


def _examples(decision: Decision, gone: NDArray[np.int64], most: int) -> list[Facts]:
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


def describe_examples(job: Job, examples: list[Facts]) -> list[Facts]:
    """The same with ids and the beginnings of the texts, or the interval of an estimate."""
    numbers = [one[side] for one in examples for side in ("removed", "kept")]
    documents = np.unique(np.array(numbers, np.uint32))
    ids = dict(zip(documents.tolist(), job.ids(documents).to_pylist(), strict=True))
    excerpts: dict[int, str | None] = {}
    for file, rows in job.row_map.by_file(documents[documents < len(job.row_map)]):
        start = int(job.row_map.starts[file])
        for batch in job.source.gather(file, rows):
            for row, text in zip(batch.rows, batch.texts, strict=True):
                excerpts[start + row] = excerpt(text.as_py())

    def other_side(kept: int) -> Facts:
        if kept in excerpts:
            return {"kept_text": excerpts[kept]}
        assert job.matches is not None
        row = kept - len(job.row_map)
        low, high = float(job.matches.low[row]), float(job.matches.high[row])
        if np.isnan(low):
            return {"estimate": False}
        return {"estimate": True, "low": low, "high": high, "level": LEVEL}

    return [
        {
            "removed": ids[one["removed"]],
            "kept": ids[one["kept"]],
            "similarity": one["similarity"],
            "removed_text": excerpts[one["removed"]],
            **other_side(one["kept"]),
        }
        for one in examples
    ]


def notes_on(job: Job, counts: dict[str, int]) -> list[str]:
    """What the user should know of a run with these counts."""
    notes = LookAlikes(counts["lookalike_words"], counts["lookalike_documents"]).notes()
    if job.settings.measure == "containment":
        notes += boilerplate_notes(counts["boilerplate"], job.settings.max_bucket)
    else:
        notes += bucket_notes(counts, job.settings.max_bucket)
    estimates = 0 if job.matches is None else int(np.count_nonzero(~np.isnan(job.matches.low)))
    if estimates:
        notes.append(
            f"{counted(estimates, 'text')} similar to stored ones by estimate, from signatures "
            "alone: not verified"
        )
    if job.settings.groups is not None:
        notes += missing_notes(counts["without_group"], job.settings.groups)
    if counts["without_text"]:
        notes.append(f"documents without text, kept: {counts['without_text']:,}")
    if counts["without_shingles"]:
        notes.append(
            f"documents empty or too short to compare, kept: {counts['without_shingles']:,}"
        )
    return notes
