"""The survey of a collection without texts: pairs by their signatures, as estimates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from likewise import __version__
from likewise.index.matches import EstimatedMatch
from likewise.index.settings import IndexSettings
from likewise.passages.matching_text import Exclusions
from likewise.run import Progress
from likewise.server.errors import ApiError
from likewise.server.index_client import IndexClient
from likewise.server.view_answers import NO_TEXTS
from likewise.survey.document_view import match_view
from likewise.survey.exclusions import exclusions_view
from likewise.survey.settings import MOST_PAIRS, RunFacts
from likewise.survey.survey import BINS, FORMAT
from likewise.survey.viewed_document import FIELDS, ViewedDocument

_MEASURES = (
    "jaccard", "low", "high", "level", "containment_a", "containment_b", "size_a", "size_b",
)  # fmt: skip
_Pair = tuple[tuple[float, int, int], dict[str, Any]]


def sketched_survey(
    client: IndexClient, documents: Sequence[ViewedDocument], run: RunFacts, progress: Progress
) -> dict[str, Any]:
    """In the form of `likewise.survey.survey`, without the parts that need texts."""
    settings = client.settings
    pairs = _Pairs(len(documents))
    rows = {document.id: row for row, document in enumerate(documents)}
    for a, document in enumerate(documents):
        if a % 100 == 0:
            progress("compare", a, len(documents))
        for match in _similar(client, document.id):
            b = rows.get(match.id)
            if b is not None and b > a:  # each pair is found from both sides
                pairs.add(a, b, match)
    highest = pairs.highest
    return {
        "format": FORMAT,
        "title": run.title,
        "version": __version__,
        "made": run.made,
        "documents": _documents(documents, pairs, run.documents or len(documents)),
        "pairs": {"count": pairs.count, "columns": pairs.columns()},
        "histogram": {
            "pairs": _histogram(pairs.bins),
            "documents": _histogram(Counter(map(_bin, highest))),
        },
        "similarity": {
            "highest": float(highest.max(initial=0.0)),
            "mean": float(highest.mean()) if len(highest) else 0.0,
            "median": float(np.median(highest)) if len(highest) else 0.0,
        },
        "chance": None,
        "threshold": settings.threshold,
        "exclusions": exclusions_view(Exclusions(), (), {}),
        "left_out": [*run.left_out, *_left_out(pairs.count)],
        "run": _run(settings, pairs.count, run),
    }


def _similar(client: IndexClient, id_: str) -> list[EstimatedMatch]:
    try:
        return client.run(lambda index: index.similar(id_))
    except ApiError as error:
        if error.status_code == 422:  # removed in the meantime
            return []
        raise


class _Pairs:
    """All pairs are counted, the most similar kept: copies of one text make very many."""

    def __init__(self, documents: int) -> None:
        self.count = 0
        self.bins = Counter[int]()
        self.highest = np.zeros(documents)
        self.sources = np.zeros(documents, np.int64)
        self._best: list[_Pair] = []

    def add(self, a: int, b: int, match: EstimatedMatch) -> None:
        value = match.jaccard.value
        self.count += 1
        self.bins[_bin(value)] += 1
        for row in (a, b):
            self.sources[row] += 1
            self.highest[row] = max(self.highest[row], value)
        sizes = {"size_a": match.size, "size_b": match.size_of_document}
        self._best.append(((-value, a, b), match_view(match) | sizes))
        if len(self._best) >= 10 * MOST_PAIRS:
            self._best = self._most_similar()

    def _most_similar(self) -> list[_Pair]:
        return sorted(self._best, key=itemgetter(0))[:MOST_PAIRS]

    def columns(self) -> dict[str, list[Any]]:
        best = self._most_similar()
        measures = {name: [values[name] for _, values in best] for name in _MEASURES}
        return {"a": [a for (_, a, _), _ in best], "b": [b for (_, _, b), _ in best], **measures}


def _documents(documents: Sequence[ViewedDocument], pairs: _Pairs, count: int) -> dict[str, Any]:
    described = [document.described() for document in documents]
    columns: dict[str, list[Any]] = {"id": [one["id"] for one in described]}
    for name in FIELDS:
        if any(one[name] is not None for one in described):
            columns[name] = [one[name] for one in described]
    columns |= {
        "highest": pairs.highest.tolist(),
        "sources": pairs.sources.tolist(),
        "text": [0] * len(documents),
    }
    return {"count": count, "columns": columns}


def _left_out(count: int) -> list[str]:
    if count <= MOST_PAIRS:
        return []
    return [f"{count:,} pairs were found; the {MOST_PAIRS:,} most similar are listed."]


def _run(settings: IndexSettings, pairs: int, run: RunFacts) -> dict[str, Any]:
    return {
        "command": None,
        "settings": [
            ["profile", str(settings.profile)], ["minimum similarity", settings.threshold],
            ["recall", settings.recall], ["values", settings.values],
        ],
        "counts": [["pairs found", pairs]],
        "seconds": [[name, round(value, 3)] for name, value in run.seconds.items()],
        "notes": [*run.notes, NO_TEXTS],
        "skipped": [],
    }  # fmt: skip


def _bin(value: float) -> int:
    return min(int(value * BINS), BINS - 1)


def _histogram(bins: Counter[int]) -> list[int]:
    return [bins[number] for number in range(BINS)]
