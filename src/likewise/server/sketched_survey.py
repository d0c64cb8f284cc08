"""The overview of a collection that keeps no texts: pairs by their sketches, as estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import __version__
from likewise.evidence.matching_text import Exclusions
from likewise.server.viewing import NO_TEXTS
from likewise.views.document import FIELDS, ViewedDocument
from likewise.views.exclusions import exclusions_view
from likewise.views.settings import MOST_PAIRS
from likewise.views.sources import match_view
from likewise.views.survey import BINS, FORMAT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likewise.index.settings import IndexSettings
    from likewise.search.verification import Progress
    from likewise.server.library import Library
    from likewise.views.settings import RunFacts

MOST_MATCHES = 1_000  # of one document
_MEASURES = ("jaccard", "low", "high", "level", "containment_a", "containment_b")


def sketched_survey(
    library: Library, documents: Sequence[ViewedDocument], run: RunFacts, progress: Progress
) -> dict[str, Any]:
    """In the form of `likewise.views.survey`; what only texts can tell is zero, or not there."""
    settings = library.settings
    place = {document.id: row for row, document in enumerate(documents)}
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for a, document in enumerate(documents):
        if a % 100 == 0:
            progress("compare", a, len(documents))
        for match in library.similar(document.id, MOST_MATCHES):
            b = place.get(match.id)
            if b is not None and (b, a) not in found:
                sizes = {"size_a": match.size, "size_b": match.size_of_document}
                found[a, b] = match_view(match) | sizes
    keys = sorted(found, key=lambda key: (-found[key]["jaccard"], key))
    values = np.array([found[key]["jaccard"] for key in keys])
    highest = np.zeros(len(documents))
    for (a, b), value in zip(keys, values, strict=True):
        highest[[a, b]] = np.maximum(highest[[a, b]], value)
    return {
        "format": FORMAT,
        "title": run.title,
        "version": __version__,
        "made": run.made,
        "documents": _documents(documents, keys, highest, run.documents or len(documents)),
        "pairs": _pairs(found, keys),
        "histogram": {"pairs": _histogram(values), "documents": _histogram(highest)},
        "similarity": {
            "highest": float(highest.max(initial=0.0)),
            "mean": float(highest.mean()) if len(highest) else 0.0,
            "median": float(np.median(highest)) if len(highest) else 0.0,
        },
        "chance": None,
        "threshold": settings.threshold,
        "exclusions": exclusions_view(Exclusions(), (), {}),
        "left_out": [*run.left_out, *_left_out(len(keys))],
        "run": _run(settings, len(keys), run),
    }


def _documents(
    documents: Sequence[ViewedDocument],
    keys: Sequence[tuple[int, int]],
    highest: np.ndarray[Any, np.dtype[np.float64]],
    count: int,
) -> dict[str, Any]:
    described = [document.described() for document in documents]
    columns: dict[str, list[Any]] = {"id": [one["id"] for one in described]}
    for name in FIELDS:
        if any(one[name] is not None for one in described):
            columns[name] = [one[name] for one in described]
    sources = np.bincount(np.array(keys, np.int64).reshape(-1), minlength=len(documents))
    zeros = [0] * len(documents)
    columns |= {
        "words": zeros, "matched": zeros, "highest": highest.tolist(),
        "sources": sources.tolist(), "run": zeros, "flags": zeros, "text": zeros,
    }  # fmt: skip
    return {"count": count, "columns": columns}


def _pairs(
    found: dict[tuple[int, int], dict[str, Any]], keys: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    shown = keys[:MOST_PAIRS]
    columns: dict[str, list[Any]] = {
        "a": [a for a, _ in shown],
        "b": [b for _, b in shown],
        **{name: [found[key][name] for key in shown] for name in (*_MEASURES, "size_a", "size_b")},
    }
    zeros = [0] * len(shown)
    columns |= dict.fromkeys(("words", "share_a", "share_b", "passages", "run"), zeros)
    return {"count": len(keys), "columns": columns}


def _left_out(count: int) -> list[str]:
    if count <= MOST_PAIRS:
        return []
    return [f"{count:,} pairs were found; the {MOST_PAIRS:,} most similar are listed."]


def _run(settings: IndexSettings, pairs: int, run: RunFacts) -> dict[str, Any]:
    return {
        "command": None,
        "settings": [
            ["profile", str(settings.profile)], ["threshold", settings.threshold],
            ["recall", settings.recall], ["values", settings.values],
        ],
        "counts": [["pairs", pairs]],
        "seconds": [[name, round(value, 3)] for name, value in run.seconds.items()],
        "notes": [*run.notes, NO_TEXTS],
        "skipped": [],
    }  # fmt: skip


def _histogram(values: np.ndarray[Any, np.dtype[np.float64]]) -> list[int]:
    bins = np.minimum((values * BINS).astype(np.int64), BINS - 1)
    counts: list[int] = np.bincount(bins, minlength=BINS).tolist()
    return counts
