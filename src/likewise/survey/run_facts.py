"""Settings, counts and times of a run in words that need no manual."""

from __future__ import annotations

from typing import Any

from likewise.run import Stats
from likewise.survey.settings import RunFacts, SurveySettings

_SETTINGS = {
    "profile": "profile",
    "threshold": "minimum similarity",
    "recall": "recall at that similarity",
    "search": "search for similar pairs",
    "null_pairs": "maximum number of pairs for the chance level",
    "seed": "random seed",
    "threads": "threads",
}
_PASSAGE_SETTINGS = {
    "min_words": "minimum words in a run",
    "max_documents": "maximum documents per run",
}
_COUNTS = {
    "documents": "documents",
    "under_review": "documents under review",
    "archive": "documents in the archive",
    "bytes": "bytes of text",
    "empty": "documents that are empty or too short to compare",
    "copies": "exact copies of another document",
    "candidates": "candidates for similar pairs",
    "similar_pairs": "pairs at or above the minimum similarity",
    "pairs_by_passages_only": "pairs found by shared passages only",
    "pairs": "pairs found",
    "comparable": "pairs that could have been found",
    "null_pairs": "pairs examined for the chance level",
    "related_null_pairs": "of these related, and not used",
}
_PASSAGE_COUNTS = {
    "candidates": "candidates for passages",
    "pairs": "pairs with shared passages",
    "passages": "passages",
    "set_aside": "runs ignored because too many documents have them",
    "chance_run": "longest run in unrelated texts, in words",
}
_STAGES = {
    "read": "read",
    "index": "search the index",
    "prepare": "prepare texts",
    "sketch": "cut and sketch",
    "copies": "exact copies",
    "candidates": "candidates for similar pairs",
    "exact join": "exact search",
    "verify": "verify pairs",
    "order": "order pairs",
    "chance": "chance level",
    "scores": "scores of documents",
    "families": "passage families",
}
_PASSAGE_STAGES = {
    "words": "count words",
    "candidates": "candidates for passages",
    "align": "align passages",
}


def run_view(
    settings: SurveySettings, facts: RunFacts, own: Stats, similar: Stats, passages: Stats
) -> dict[str, Any]:
    """`own` are the times of what is around the two searches, `similar` and `passages`."""
    seconds = {**facts.seconds, **own.seconds, **similar.seconds}
    return {
        "command": facts.command,
        "settings": [
            *_named(similar.settings, _SETTINGS),
            *_named(passages.settings, _PASSAGE_SETTINGS),
            ["maximum pairs listed", settings.max_pairs],
        ],
        "counts": [
            *_named(similar.counts, _COUNTS),
            *_named(passages.counts, _PASSAGE_COUNTS),
        ],
        "seconds": [
            [name, round(value, 3)]
            for name, value in (
                *_named(seconds, _STAGES),
                *_named(passages.seconds, _PASSAGE_STAGES),
            )
            if facts.timed
        ],
        "notes": [*facts.notes, *similar.notes, *passages.notes],
        "skipped": [list(one) for one in facts.skipped],
    }


def _named(values: dict[str, Any], names: dict[str, str]) -> list[list[Any]]:
    """The values that are known, with their labels."""
    return [[label, values[name]] for name, label in names.items() if values.get(name) is not None]
