"""What was left out of a search, each kind by name, whether it was asked for or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from likewise.run import counted

if TYPE_CHECKING:
    from likewise.passages.matching_text import Exclusions
    from likewise.survey.shown_text import ShownText

_NOUNS = {
    "quotation": "quotation",
    "bibliography": "bibliography",
    "phrase": "phrase",
    "template": "stretch",
    "common text": "stretch",
}
_PLURALS = {"bibliography": "bibliographies", "stretch": "stretches"}


def exclusions_view(
    exclude: Exclusions, texts: Iterable[ShownText], counts: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Each with its name, whether it is on, its value, and what it left out, in words.

    `counts` are those of the searches.
    """
    parts = _parts(texts)
    few = exclude.max_sources
    return [
        _exclusion("quotations", exclude.quotations, None, parts.get("quotation")),
        _exclusion("bibliography", exclude.bibliography, None, parts.get("bibliography")),
        _exclusion(
            "phrases", exclude.phrases, counted(len(exclude.phrases), "phrase"), parts.get("phrase")
        ),
        _exclusion(
            "template text", exclude.templates, counted(len(exclude.templates), "template"),
            parts.get("template"),
        ),
        _exclusion(
            "common text", exclude.common_text == "exclude", "text that many documents have",
            parts.get("common text"),
        ),
        _exclusion(
            "short passages", exclude.min_passage, f"under {exclude.min_passage:,} words",
            _some(counts, "too_short", "passage"),
        ),
        _exclusion(
            "pairs that share little", exclude.min_share, f"under {exclude.min_share:.3g}",
            _some(counts, "below_min_share", "pair"),
        ),
        _exclusion(
            "same author or group", exclude.same, " and ".join(exclude.same),
            _some(counts, "of_the_same", "pair"),
        ),
        _exclusion(
            "passages in many documents", few is not None, f"over {few or 0:,} others",
            _some(counts, "in_too_many", "passage"),
        ),
    ]  # fmt: skip


def _exclusion(name: str, on: object, value: str | None, left_out: str | None) -> dict[str, Any]:
    return {
        "name": name,
        "on": bool(on),
        "value": value if on else None,
        "left_out": (left_out or "nothing") if on else None,
    }


def _some(counts: Mapping[str, int], name: str, noun: str) -> str | None:
    return counted(counts[name], noun) if counts.get(name) else None


def _parts(texts: Iterable[ShownText]) -> dict[str, str]:
    """By reason, how many parts of how many documents."""
    ranges: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for text in texts:
        for reason, found in text.matching.excluded.items():
            ranges[reason] += len(found)
            documents[reason] += 1
    return {
        reason: f"{_many(count, _NOUNS[reason])} in {counted(documents[reason], 'document')}"
        for reason, count in ranges.items()
    }


def _many(count: int, noun: str) -> str:
    if count != 1 and noun in _PLURALS:
        return f"{count:,} {_PLURALS[noun]}"
    return counted(count, noun)
