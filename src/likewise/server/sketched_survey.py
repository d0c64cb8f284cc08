"""The survey of a collection without texts: pairs by their signatures, as estimates."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from likewise import __version__
from likewise.documents.document import Document
from likewise.index.matches import Match
from likewise.index.settings import IndexSettings
from likewise.passages.settings import Exclusions
from likewise.run import Progress
from likewise.server.errors import ApiError
from likewise.server.index_client import IndexClient
from likewise.server.view_answers import NO_TEXTS
from likewise.survey.document_view import match_view
from likewise.survey.exclusions import exclusions_view
from likewise.survey.settings import MAX_PAIRS, RunFacts
from likewise.survey.survey import BINS, FORMAT, described_columns, histogram

_MEASURES = ("jaccard", "low", "high", "level", "containment_a", "containment_b")
_Pair = tuple[tuple[float, int, int], dict[str, Any]]


def sketched_survey(
    client: IndexClient, documents: Sequence[Document], run: RunFacts, progress: Progress
) -> dict[str, Any]:
    """In the form of `likewise.survey.survey`; what only texts can tell is not there."""
    settings = client.settings
    found = _Found(len(documents))
    place = {document.id: row for row, document in enumerate(documents)}
    for a, document in enumerate(documents):
        if a % 100 == 0:
            progress("compare", a, len(documents))
        for match in _similar(client, document.id):
            b = place.get(match.id)
            if b is not None and b > a:  # the other way round it is found too
                found.add(a, b, match)
    highest = found.highest
    return {
        "format": FORMAT,
        "title": run.title,
        "version": __version__,
        "made": run.made,
        "documents": _documents(documents, found, run.documents or len(documents)),
        "archive": None,
        "pairs": found.to_dict(),
        "histogram": {"pairs": found.bins, "documents": histogram(highest)},
        "similarity": {
            "highest": float(highest.max(initial=0.0)),
            "mean": float(highest.mean()) if len(highest) else 0.0,
            "median": float(np.median(highest)) if len(highest) else 0.0,
        },
        "chance": None,
        "threshold": settings.threshold,
        "exclusions": exclusions_view(Exclusions(), (), {}),
        "left_out": [*run.left_out, *_left_out(found.count)],
        "run": _run(settings, found.count, run),
    }


def _similar(client: IndexClient, id_: str) -> list[Match]:
    try:
        return client.run(lambda index: index.similar(id_))
    except ApiError as error:
        if error.status_code == 422:  # it has been removed meanwhile
            return []
        raise


class _Found:
    """Pairs: all are counted, and the most similar kept. Copies of one text make very many."""

    def __init__(self, documents: int) -> None:
        self.count = 0
        self.bins = [0] * BINS
        self.highest = np.zeros(documents)
        self.sources = np.zeros(documents, np.int64)
        self.best: list[int | None] = [None] * documents
        self._most_similar: list[_Pair] = []

    def add(self, a: int, b: int, match: Match) -> None:
        value = match.jaccard
        self.count += 1
        self.bins[min(int(value * BINS), BINS - 1)] += 1
        for row, other in ((a, b), (b, a)):
            self.sources[row] += 1
            if value > self.highest[row]:
                self.highest[row], self.best[row] = value, other
        sizes = {"size_a": match.size, "size_b": match.size_of_document}
        self._most_similar.append(((-value, a, b), match_view(match) | sizes))
        if len(self._most_similar) >= 10 * MAX_PAIRS:
            self._most_similar = self.most_similar()

    def most_similar(self) -> list[_Pair]:
        return sorted(self._most_similar, key=itemgetter(0))[:MAX_PAIRS]

    def to_dict(self) -> dict[str, Any]:
        shown = self.most_similar()
        columns: dict[str, list[Any]] = {
            "a": [a for (_, a, _), _ in shown],
            "b": [b for (_, _, b), _ in shown],
            **{
                name: [measures[name] for _, measures in shown]
                for name in (*_MEASURES, "size_a", "size_b")
            },
        }
        return {"count": self.count, "columns": columns}


def _documents(documents: Sequence[Document], found: _Found, count: int) -> dict[str, Any]:
    columns = described_columns(documents) | {
        "highest": found.highest.tolist(),
        "sources": found.sources.tolist(),
        "best": found.best,
        "text": [0] * len(documents),
    }
    return {"count": count, "columns": columns}


def _left_out(count: int) -> list[str]:
    if count <= MAX_PAIRS:
        return []
    return [f"{count:,} pairs were found; the {MAX_PAIRS:,} most similar are listed."]


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
