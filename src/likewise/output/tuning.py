"""The recall of a `Layout` by similarity: a table, rows, and the S-curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from likewise.output.figure import BLUE, GREY, ORANGE, RED, figure
from likewise.output.rows import Columns, Rows
from likewise.output.table import aligned
from likewise.statistics.bands import Layout


def similarities_around(threshold: float) -> list[float]:
    """Every tenth, and steps of 0.05 and 0.02 on both sides of the threshold."""
    near = [threshold + step for step in (-0.1, -0.05, -0.02, 0.0, 0.02, 0.05, 0.1)]
    tenths = [i / 10 for i in range(1, 10)]
    return sorted({round(s, 4) for s in (*near, *tenths) if 0 < s <= 1})


def tuning_text(layout: Layout, tweets: Layout | None, threshold: float, recall: float) -> str:
    """The layout and a table of its recall."""
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
    """One row per similarity."""
    columns: Columns = {
        "bands": (int, lambda _: layout.bands),
        "rows": (int, lambda _: layout.rows),
        "similarity": (float, lambda similarity: similarity),
        "found": (float, layout.recall),
        "found_by_rule_of_thumb": (float, tweets.recall if tweets else lambda _: None),
    }
    return Rows.of(similarities_around(threshold), columns)


def plot_s_curve(
    layout: Layout,
    threshold: float,
    recall: float,
    others: Sequence[tuple[str, Layout]],
    stream: BinaryIO,
    format_: str,
) -> None:
    """The probability of finding a pair by its similarity, with the false areas."""
    with figure(stream, format_) as axes:
        grid = [i / 500 for i in range(501)]
        curve = [layout.recall(s) for s in grid]
        at_threshold = layout.recall(threshold)
        named = f"{layout}: {at_threshold:.4f} at {threshold:g} ({recall:g} wanted)"
        axes.plot(grid, curve, color=BLUE, linewidth=2.2, label=named, zorder=3)
        for name, other in others:
            values = [other.recall(s) for s in grid]
            axes.plot(grid, values, color=GREY, linewidth=1.3, linestyle="--", label=name)
        below = [s <= threshold for s in grid]
        above = [s >= threshold for s in grid]
        false_positive, false_negative = layout.false_areas(threshold)
        axes.fill_between(
            grid, 0, curve, where=below, color=ORANGE, alpha=0.25,
            label=f"false positives: {false_positive:.3f}",
        )  # fmt: skip
        axes.fill_between(
            grid, curve, 1, where=above, color=RED, alpha=0.35,
            label=f"false negatives: {false_negative:.4f}",
        )  # fmt: skip
        axes.axvline(threshold, color="black", linewidth=0.9)
        axes.plot([threshold], [at_threshold], "o", color=BLUE, zorder=4)
        axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="Jaccard similarity of a pair",
                 ylabel="chance to become a candidate")  # fmt: skip
        axes.legend(loc="upper left", frameon=False, fontsize=9)
