"""Similar documents of a text, as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from likewise.index.matches import Intervals, Match
from likewise.server.index_client import IndexClient
from likewise.server.json_response import as_json
from likewise.server.schemas.query import SearchOptions


def match_answers(client: IndexClient, texts: Sequence[str], search: SearchOptions) -> list[bytes]:
    """For each text its similar documents as JSON, in the form of `schemas.query.Answer`."""
    found = client.query(texts, search)
    return [as_json({"matches": list(map(_match, matches))}) for matches in found]


def _match(match: Match) -> dict[str, Any]:
    intervals = None
    if match.intervals is not None:
        bounds = {
            name: {"low": one.low, "high": one.high}
            for name, one in match.intervals._asdict().items()
        }
        intervals = {"level": match.intervals.jaccard.level, **bounds}
    return {
        "id": match.id,
        "verified": match.intervals is None,
        **{name: getattr(match, name) for name in Intervals._fields},
        "shared": match.shared,
        "size": match.size,
        "size_of_document": match.size_of_document,
        "intervals": intervals,
        "metadata": match.metadata,
    }


def match_search(client: IndexClient, search: SearchOptions) -> dict[str, Any]:
    """The search, in the form of `schemas.query.Promise`."""
    settings = client.settings
    threshold = settings.threshold if search.threshold is None else search.threshold
    return {
        "profile": str(settings.profile),
        "threshold": threshold,
        "top": search.top,
        "recall": 1.0 if search.scan else settings.layout.recall(threshold),
        "scan": search.scan,
    }
