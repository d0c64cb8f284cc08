"""Excluded text, passages and pairs in words, each kind by name, whether it was excluded or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from likewise.passages.matching_text import count_excluded
from likewise.run import counted

if TYPE_CHECKING:
    from likewise.passages.settings import Exclusions
    from likewise.survey.shown_text import ShownText

_NOUNS = {
    "quotation": ("quotation", "quotations"),
    "bibliography": ("bibliography", "bibliographies"),
    "phrase": ("phrase", "phrases"),
    "template": ("stretch", "stretches"),
    "common text": ("stretch", "stretches"),
}


def exclusions_view(
    exclude: Exclusions, texts: Iterable[ShownText], counts: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Each with its name, whether it is on, its value, and what it excluded, in words.

    `counts` are those of the searches.
    """
    excluded = {
        reason: f"{parts:,} {_NOUNS[reason][parts != 1]} in {counted(documents, 'document')}"
        for reason, (parts, documents) in count_excluded(text.matching for text in texts).items()
    }
    for name, noun in (
        ("too_short", "passage"), ("below_min_share", "pair"), ("of_the_same", "pair"),
        ("in_too_many", "passage"),
    ):  # fmt: skip
        if counts.get(name):
            excluded[name] = counted(counts[name], noun)
    few = exclude.max_sources
    # Name, whether it is on, its value, and the reason of what it excludes.
    rows: list[tuple[str, object, str | None, str]] = [
        ("quotations", exclude.quotations, None, "quotation"),
        ("bibliography", exclude.bibliography, None, "bibliography"),
        ("phrases", exclude.phrases, counted(len(exclude.phrases), "phrase"), "phrase"),
        ("template text", exclude.templates, counted(len(exclude.templates), "template"),
         "template"),
        ("common text", exclude.common_text == "exclude", "text that many documents have",
         "common text"),
        ("short passages", exclude.min_passage, f"fewer than {exclude.min_passage:,} words",
         "too_short"),
        ("pairs that share little", exclude.min_share, f"less than {exclude.min_share:.3g}",
         "below_min_share"),
        ("same author or group", exclude.same, " and ".join(exclude.same), "of_the_same"),
        ("passages in many documents", few is not None, f"more than {few or 0:,} others",
         "in_too_many"),
    ]  # fmt: skip
    return [
        {
            "name": name,
            "on": bool(on),
            "value": value if on else None,
            "left_out": excluded.get(reason, "nothing") if on else None,
        }
        for name, on, value, reason in rows
    ]
