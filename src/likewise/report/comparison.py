"""A `Comparison` for people, and as rows for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from likewise.report.chance import level_words, p_text, p_words, small
from likewise.report.output import USUAL_WIDTH
from likewise.report.passages import DocumentText, View, passage_lines, passage_record
from likewise.report.rows import Rows, Value
from likewise.report.table import aligned
from likewise.search.stats import counted

if TYPE_CHECKING:
    from likewise.evidence.comparison import Comparison, Edits, Overlap

Sides = tuple[DocumentText, DocumentText]
"""The texts that were compared, if they are in memory: passages are shown from them."""

SHOWN_PASSAGES = 20  # those with most shared words


def comparison_text(
    comparison: Comparison, a: str, b: str, sides: Sides | None = None, width: int = USUAL_WIDTH
) -> str:
    """The comparison of texts called a and b, in words and one table a topic."""
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
        *_oddities(comparison),
        "",
        _in_short(comparison),
        _overlaps(comparison),
        _other_measures(comparison),
        *_passages(comparison, sides, width),
        "",
        f"profile {comparison.profile}",
    ]
    return "\n".join(lines) + "\n"


def _oddities(comparison: Comparison) -> list[str]:
    """What a similarity of such texts does not mean much for."""
    k, unit = comparison.profile.k, comparison.profile.unit
    edits = comparison.word_edits if unit == "word" else comparison.character_edits
    told = []
    for name, size, length in (
        ("a", comparison.shingles.size_a, edits.length_a),
        ("b", comparison.shingles.size_b, edits.length_b),
    ):
        if size == 0:
            told.append(f"   {name} has no shingles: it is empty, or the profile leaves nothing")
        elif length < k:
            told.append(f"   {name} is shorter than {k} {unit}s, and so one shingle as a whole")
    return told


def _in_short(comparison: Comparison) -> str:
    """The similarity, what a sketch makes of it, and what chance would."""
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
        _cosine_row("cosine of word counts", comparison.count_cosine, "blind to word order"),
        _cosine_row("cosine by TF-IDF", comparison.tf_idf_cosine, "idf = log(1 + N/df), N = 2"),
        _edit_row("word edits", comparison.word_edits, comparison.not_computed.get("word_edits")),
        _edit_row(
            "character edits",
            comparison.character_edits,
            comparison.not_computed.get("character_edits"),
        ),
    ]
    return aligned(["other measures", "value", ""], rows, ["value"])


def _passages(comparison: Comparison, sides: Sides | None, width: int) -> Iterator[str]:
    """What both texts share in one stretch, and how much of each that is."""
    found = comparison.passages
    if found is None:
        yield f"shared passages  {comparison.not_computed['passages']}"
        return
    if not found:
        yield "no shared passages"
        return
    yield (
        f"{counted(len(found), 'shared passage')}: {comparison.passage_share_a:.0%} of a, "
        f"{comparison.passage_share_b:.0%} of b"
    )
    if sides is None:
        return
    longest = sorted(found, key=lambda passage: -passage.words)[:SHOWN_PASSAGES]
    for passage in found:
        if passage in longest:
            yield ""
            yield from passage_lines(passage, *sides, View(width=width))
    if left := len(found) - len(longest):
        yield f"\n… and {counted(left, 'shorter passage')}"


def _overlap_row(name: str, overlap: Overlap) -> list[str]:
    numbers = overlap.jaccard, overlap.dice, overlap.containment_a, overlap.containment_b
    counts = overlap.size_a, overlap.size_b, overlap.shared
    return [name, *(f"{n:,}" for n in counts), *(f"{x:.4f}" for x in numbers)]


def _cosine_row(name: str, cosine: float | None, what: str) -> list[str]:
    return [name, "-" if cosine is None else f"{cosine:.4f}", what]


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
        made["passages"] = [passage_record(passage, *sides) for passage in comparison.passages]
    return json.dumps(made, ensure_ascii=False) + "\n"


def comparison_rows(comparison: Comparison) -> Rows:
    """One row a measure: name and value, or the reason why it has none; passages are counted."""
    rows: list[tuple[Value, ...]] = []
    measures = comparison.to_dict()
    reasons = dict(measures.pop("not_computed"))
    for share in ("passage_share_a", "passage_share_b"):
        reasons[share] = reasons.get("passages")
    if comparison.passages is not None:
        measures["passages"] = len(comparison.passages)
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
