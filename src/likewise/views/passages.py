"""Passages of two documents as they are shown: places in characters and words, and what changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from likewise.evidence.differences import differences
from likewise.evidence.passage import Passage
from likewise.views.shown_text import ShownText


def passages_view(a: ShownText, b: ShownText, passages: Iterable[Passage]) -> list[dict[str, Any]]:
    """Passages of a and b, as a sees them; `changed` are words that b has not in the same order,
    and `other_changed` those of b."""
    return [_passage(a, b, passage) for passage in passages]


def _passage(a: ShownText, b: ShownText, passage: Passage) -> dict[str, Any]:
    first, last = a.word_places(passage.a_start, passage.a_end)
    other_first, other_last = b.word_places(passage.b_start, passage.b_end)
    found = differences(a.matching.text, b.matching.text, passage)
    return {
        "start": passage.a_start,
        "end": passage.a_end,
        "first": first,
        "last": last,
        "other_start": passage.b_start,
        "other_end": passage.b_end,
        "other_first": other_first,
        "other_last": other_last,
        "words": passage.words,
        "run": passage.run,
        "similarity": round(passage.similarity, 4),
        "kind": passage.kind,
        "changed": [[d.a_start, d.a_end] for d in found if d.kind != "equal" and d.a_words],
        "other_changed": [[d.b_start, d.b_end] for d in found if d.kind != "equal" and d.b_words],
    }
