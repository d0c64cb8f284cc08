"""Plots, by Matplotlib, to SVG, PNG or PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from likewise.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likewise.statistics.bands import Layout

PLOT_FORMATS = ("svg", "png", "pdf")
_BLUE, _ORANGE, _RED, _GREY = "#1f5fa8", "#d9822b", "#b3273a", "#8a8f98"


def check_plot(path: str) -> str:
    """The format that a file's name asks for; raises if there is none, or no Matplotlib."""
    format_ = Path(path).suffix.lstrip(".").lower()
    if format_ not in PLOT_FORMATS:
        raise UsageError(
            f"{path}: a plot is written as {', '.join(PLOT_FORMATS)}",
            hint="let the file's name end in .svg or .png",
        )
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError(
            "plots need Matplotlib, which is not installed", hint="pip install 'likewise[plot]'"
        ) from None
    return format_


def plot_s_curve(
    layout: Layout,
    threshold: float,
    recall: float,
    others: Sequence[tuple[str, Layout]],
    stream: BinaryIO,
    format_: str,
) -> None:
    """The chance to find a pair by its similarity, with the false areas beside the step."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    # Text as text and a fixed salt: the same plot gives the same bytes.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "likewise"}):
        figure, axes = plt.subplots(figsize=(7.2, 4.6), layout="constrained")
        grid = [i / 500 for i in range(501)]
        curve = [layout.recall(s) for s in grid]
        at_threshold = layout.recall(threshold)
        named = f"{layout}: {at_threshold:.4f} at {threshold:g} ({recall:g} wanted)"
        axes.plot(grid, curve, color=_BLUE, linewidth=2.2, label=named, zorder=3)
        for name, other in others:
            values = [other.recall(s) for s in grid]
            axes.plot(grid, values, color=_GREY, linewidth=1.3, linestyle="--", label=name)
        below = [s <= threshold for s in grid]
        above = [s >= threshold for s in grid]
        false_positive, false_negative = layout.false_areas(threshold)
        axes.fill_between(
            grid, 0, curve, where=below, color=_ORANGE, alpha=0.25,
            label=f"looked at in vain: {false_positive:.3f}",
        )  # fmt: skip
        axes.fill_between(
            grid, curve, 1, where=above, color=_RED, alpha=0.35,
            label=f"missed: {false_negative:.4f}",
        )  # fmt: skip
        axes.axvline(threshold, color="black", linewidth=0.9)
        axes.plot([threshold], [at_threshold], "o", color=_BLUE, zorder=4)
        axes.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="Jaccard similarity of a pair",
                 ylabel="chance to become a candidate")  # fmt: skip
        axes.legend(loc="upper left", frameon=False, fontsize=9)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        metadata = {"Date": None} if format_ == "svg" else None
        figure.savefig(stream, format=format_, dpi=150, metadata=metadata)
        plt.close(figure)
