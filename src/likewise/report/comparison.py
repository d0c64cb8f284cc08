"""A `Comparison` for people, and as rows for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from likewise.report.rows import Rows, Value
from likewise.report.table import aligned
from likewise.search.stats import counted

if TYPE_CHECKING:
    from likewise.evidence.comparison import Comparison, Edits, Overlap


def comparison_text(comparison: Comparison, a: str, b: str) -> str:
    """The comparison of texts called a and b, in words and one table a topic."""
    words, shingles = comparison.words, comparison.shingles
    estimate = comparison.estimate
    if comparison.identical:
        same = "the same text, character for character"
    elif comparison.same_prepared:
        same = "the same text but for case, punctuation or spaces"
    else:
        same = "different texts"
    lines = [
        f"a  {a}",
        f"b  {b}",
        f"   {same}",
        "",
        aligned(
            ["shared", "a", "b", "in common", "Jaccard", "Dice", "of a", "of b"],
            [
                _overlap_row("words", words),
                _overlap_row(
                    f"shingles {comparison.profile.unit}:{comparison.profile.k}", shingles
                ),
                _overlap_row("shingles, repeats counted", comparison.shingle_bag),
            ],
            ["a", "b", "in common", "Jaccard", "Dice", "of a", "of b"],
        ),
        aligned(
            ["other measures", "value", ""],
            [
                ["cosine of word counts", f"{comparison.count_cosine:.4f}", "blind to word order"],
                [
                    "cosine by TF-IDF",
                    f"{comparison.tf_idf_cosine:.4f}",
                    "idf = log(1 + N/df), N = 2",
                ],
                _edit_row("word edits", comparison.word_edits),
                _edit_row("character edits", comparison.character_edits),
                [
                    "sketch estimate",
                    f"{estimate.value:.4f}",
                    f"of Jaccard {shingles.jaccard:.4f}; {100 * estimate.level:g}% interval "
                    f"{estimate.low:.4f} to {estimate.high:.4f}",
                ],
            ],
            ["value"],
        ),
        f"profile {comparison.profile}",
    ]
    return "\n".join(lines) + "\n"


def _overlap_row(name: str, overlap: Overlap) -> list[str]:
    numbers = overlap.jaccard, overlap.dice, overlap.containment_a, overlap.containment_b
    counts = overlap.size_a, overlap.size_b, overlap.shared
    return [name, *(f"{n:,}" for n in counts), *(f"{x:.4f}" for x in numbers)]


def _edit_row(name: str, edits: Edits) -> list[str]:
    if edits.similarity is None:
        return [name, "-", str(edits.to_dict()["reason"])]
    return [
        name,
        f"{edits.similarity:.4f}",
        f"{counted(edits.distance or 0, 'edit')} for {edits.length_a:,} and {edits.length_b:,}",
    ]


def comparison_json(comparison: Comparison, a: str, b: str) -> str:
    """One line of JSON: the names of the texts and every measure."""
    return json.dumps({"a": a, "b": b} | comparison.to_dict(), ensure_ascii=False) + "\n"


def comparison_rows(comparison: Comparison) -> Rows:
    """One row a measure: name and value, or the reason why it has none."""
    rows: list[tuple[Value, ...]] = []
    for name, value in comparison.to_dict().items():
        if isinstance(value, dict):
            reason = value.pop("reason", None)
            rows += [(f"{name}.{part}", _text(v), reason) for part, v in value.items()]
        else:
            rows.append((name, _text(value), None))
    columns = ("measure", "value", "reason")
    return Rows(columns, rows, len(rows), many="measures", kinds=(str, str, str))


def _text(value: object) -> str | None:
    """Measures are numbers, words and yes or no, so the column is of text; floats in full."""
    return None if value is None else repr(value) if isinstance(value, float) else str(value)
