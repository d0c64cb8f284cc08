"""A `Comparison` as text, JSON and rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from likewise.comparison.comparison import Comparison, Edits, Overlap
from likewise.comparison.measures import WORD_MEASURES
from likewise.documents.document import Document
from likewise.files import USUAL_WIDTH
from likewise.output.chance import level_words, p_text, p_words
from likewise.output.passages import (
    View,
    passage_lines,
    passage_record,
    reworded_lines,
    shared_words,
)
from likewise.output.rows import Rows, Value
from likewise.output.table import aligned, small
from likewise.run import counted

Sides = tuple[Document, Document]
"""The texts that were compared, if they are in memory: passages are shown from them."""

MAX_SHOWN_PASSAGES = 20  # those with the most shared words


def comparison_text(
    comparison: Comparison, a: str, b: str, sides: Sides | None = None, width: int = USUAL_WIDTH
) -> str:
    """The comparison of texts called a and b, with one table per topic."""
    names = [f"a  {a}", f"b  {b}"]
    profile = f"profile {comparison.profile}"
    if comparison.shingles.size_a == comparison.shingles.size_b == 0:
        lines = [*names, f"   {_nothing(sides)}: there is nothing to compare", "", profile]
        return "\n".join(lines) + "\n"
    lines = [
        *names,
        f"   {_same(comparison)}",
        *_oddities(comparison),
        "",
        _in_short(comparison),
        _overlaps(comparison),
        _other_measures(comparison),
        *_passages(comparison, sides, width),
        "",
        profile,
    ]
    return "\n".join(lines) + "\n"


def _nothing(sides: Sides | None) -> str:
    """Why neither text has a shingle."""
    if sides is not None and not any(side.text.strip() for side in sides):
        return "both texts are empty"
    return "both texts are empty, or the profile removes all of them"


def _same(comparison: Comparison) -> str:
    """Whether the texts are the same, in words."""
    if comparison.identical:
        return "the same text, character for character"
    if not comparison.same_prepared:
        return "different texts"
    if words := comparison.lookalike_words:
        contain = "word contains" if words == 1 else "words contain"
        return f"the same text as displayed, but {words:,} {contain} look-alike letters"
    return "the same text except for case, punctuation or spaces"


def _oddities(comparison: Comparison) -> list[str]:
    """Texts whose similarity means little."""
    k, unit = comparison.profile.k, comparison.profile.unit
    edits = comparison.word_edits if unit == "word" else comparison.character_edits
    notes = []
    for name, size, length in (
        ("a", comparison.shingles.size_a, edits.length_a),
        ("b", comparison.shingles.size_b, edits.length_b),
    ):
        if size == 0:
            notes.append(
                f"   {name} has no shingles: it is empty, or the profile removes all of it"
            )
        elif length < k:
            notes.append(f"   {name} is shorter than {k} {unit}s, so it is a single shingle")
    return notes


def _in_short(comparison: Comparison) -> str:
    """The similarity, its estimate by a sketch, and the chance level."""
    profile = comparison.profile
    repeats = ", repeats counted" if profile.count == "bag" else ""
    exact = f"Jaccard of the shingles {profile.unit}:{profile.k}{repeats}, exact"
    rows = [["similarity", f"{comparison.similarity:.4f}", exact]]
    if estimate := comparison.estimate:
        interval = f"{estimate.low:.4f} to {estimate.high:.4f}"
        rows.append(
            [
                "estimated",
                f"{estimate.value:.4f}",
                f"by a sketch; {100 * estimate.level:g}% interval {interval}",
            ]
        )
    if chance := comparison.chance:
        rows.append(["by chance", small(chance.expected), level_words(chance)])
        rows.append(["p-value", p_text(chance.p_value), p_words(chance)])
    else:
        rows.append(["by chance", "-", comparison.not_computed["chance"]])
    return aligned(["in short", "value", ""], rows, ["value"])


def _overlaps(comparison: Comparison) -> str:
    profile = comparison.profile
    rows = [
        _overlap_row(f"shingles {profile.unit}:{profile.k}", comparison.shingles),
        _overlap_row("shingles, repeats counted", comparison.shingle_bag),
    ]
    if comparison.words:
        rows.insert(0, _overlap_row("words", comparison.words))
    numeric = ["a", "b", "in common", "Jaccard", "Dice", "of a", "of b"]
    return aligned(["shared", *numeric], rows, numeric)


def _other_measures(comparison: Comparison) -> str:
    rows = [
        _measure_row(measure.label, getattr(comparison, name), measure.note)
        for name, measure in WORD_MEASURES.items()
    ]
    for name in ("word_edits", "character_edits"):
        edits, reason = getattr(comparison, name), comparison.not_computed.get(name)
        rows.append(_edit_row(name.replace("_", " "), edits, reason))
    return aligned(["other measures", "value", ""], rows, ["value"])


def _passages(comparison: Comparison, sides: Sides | None, width: int) -> Iterator[str]:
    """The passages that both texts share."""
    shared = comparison.shared_passages
    if shared is None:
        yield f"shared passages  {comparison.not_computed['passages']}"
        return
    yield shared_words(shared)
    if sides is None:
        return
    found = shared.passages
    longest = sorted(found, key=lambda passage: -passage.words)[:MAX_SHOWN_PASSAGES]
    for passage in found:
        if passage in longest:
            yield ""
            yield from passage_lines(passage, *sides, View(width=width))
    if left := len(found) - len(longest):
        yield f"\n… and {counted(left, 'shorter passage')}"
    yield from reworded_lines(shared.reworded, *sides, View(width=width))


def _overlap_row(name: str, overlap: Overlap) -> list[str]:
    numbers = overlap.jaccard, overlap.dice, overlap.containment_a, overlap.containment_b
    counts = overlap.size_a, overlap.size_b, overlap.shared
    return [name, *(f"{n:,}" for n in counts), *(f"{x:.4f}" for x in numbers)]


def _measure_row(label: str, value: float | None, note: str) -> list[str]:
    return [label, "-" if value is None else f"{value:.4f}", note]


def _edit_row(name: str, edits: Edits, reason: str | None) -> list[str]:
    if edits.similarity is None:
        return [name, "-", reason or str(edits.to_dict()["reason"])]
    return [
        name,
        f"{edits.similarity:.4f}",
        f"{counted(edits.distance or 0, 'edit')} for {edits.length_a:,} and {edits.length_b:,}",
    ]


def comparison_json(comparison: Comparison, a: str, b: str, sides: Sides | None = None) -> str:
    """One line of JSON: the names of the texts and every measure.

    Passages have the page, the line and the text of both sides, as `likewise passages` gives them.
    """
    made: dict[str, Any] = {"a": a, "b": b} | comparison.to_dict()
    if comparison.passages is not None and sides is not None:
        for name, found in (("passages", comparison.passages), ("reworded", comparison.reworded)):
            made[name] = [passage_record(passage, *sides) for passage in found or ()]
    return json.dumps(made, ensure_ascii=False) + "\n"


def comparison_rows(comparison: Comparison) -> Rows:
    """One row per measure: name and value, or why it has none; passages are counted."""
    rows: list[tuple[Value, ...]] = []
    measures = comparison.to_dict()
    reasons = dict(measures.pop("not_computed"))
    for name in measures:
        if name.startswith("passage_") or name == "reworded":
            reasons[name] = reasons.get("passages")
    for name, found in (("passages", comparison.passages), ("reworded", comparison.reworded)):
        measures[name] = None if found is None else len(found)
    for name, value in measures.items():
        if isinstance(value, dict):
            reason = value.pop("reason", None)
            rows += [(f"{name}.{part}", _text(v), reason) for part, v in value.items()]
        else:
            rows.append((name, _text(value), reasons.get(name)))
    columns = ("measure", "value", "reason")
    return Rows(columns, rows, len(rows), many="measures", kinds=(str, str, str))


def _text(value: object) -> str | None:
    """Measures are numbers, words and yes or no, so the column is of text; floats in full."""
    return None if value is None else repr(value) if isinstance(value, float) else str(value)
