"""The S-curve of a band layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from likewise.output.figure import BLUE, GREY, ORANGE, RED, figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likewise.statistics.bands import Layout


def plot_s_curve(
    layout: Layout,
    threshold: float,
    recall: float,
    others: Sequence[tuple[str, Layout]],
    stream: BinaryIO,
    format_: str,
) -> None:
    """The chance to find a pair by its similarity, with the false areas beside the step."""
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
