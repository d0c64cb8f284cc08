"""A `Layout` in numbers: what it finds, around the threshold and over the whole range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.output.rows import Rows
from likewise.output.table import aligned

if TYPE_CHECKING:
    from likewise.statistics.bands import Layout


def similarities_around(threshold: float) -> list[float]:
    """Every tenth, and steps of 0.05 and 0.02 on both sides of the threshold."""
    near = [threshold + step for step in (-0.1, -0.05, -0.02, 0.0, 0.02, 0.05, 0.1)]
    tenths = [i / 10 for i in range(1, 10)]
    return sorted({round(s, 4) for s in (*near, *tenths) if 0 < s <= 1})


def tuning_text(layout: Layout, tweets: Layout | None, threshold: float, recall: float) -> str:
    """What a person wants to know of a layout."""
    false_positive, false_negative = layout.false_areas(threshold)
    lines = [
        f"{layout}, {layout.bands * layout.rows} values of a signature",
        f"finds {layout.recall(threshold):.4f} of the pairs at {threshold:g} ({recall:g} wanted)",
        f"steepest near {layout.step():.3f}; false positive area {false_positive:.4f}, "
        f"false negative area {false_negative:.4f}",
        "",
    ]
    header = ["similarity", "found"]
    if tweets:
        header.append(f"rule of thumb ({tweets})")
    rows = []
    for similarity in similarities_around(threshold):
        row = [f"{similarity:g}", f"{layout.recall(similarity):.4f}"]
        if tweets:
            row.append(f"{tweets.recall(similarity):.4f}")
        rows.append(row)
    return "\n".join(lines) + "\n" + aligned(header, rows, header)


def tuning_rows(layout: Layout, tweets: Layout | None, threshold: float) -> Rows:
    """The same for programs: one row a similarity."""
    columns = ("bands", "rows", "similarity", "found", "found_by_rule_of_thumb")
    rows = [
        (
            layout.bands,
            layout.rows,
            similarity,
            layout.recall(similarity),
            tweets.recall(similarity) if tweets else None,
        )
        for similarity in similarities_around(threshold)
    ]
    return Rows(columns, rows, len(rows), kinds=(int, int, float, float, float))
