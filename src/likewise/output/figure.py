"""Figures by Matplotlib, to SVG, PNG or PDF; the same figure gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from likewise.errors import UsageError

PLOT_FORMATS = ("svg", "png", "pdf")
BLUE, ORANGE, RED, GREEN, GREY = "#1f5fa8", "#d9822b", "#b3273a", "#2f7d4f", "#8a8f98"
COLOURS = (BLUE, ORANGE, GREEN, RED, GREY, "#6a4c93", "#00798c")


def check_plot(path: str) -> str:
    """The format that a file's name asks for; raises if there is none, or no Matplotlib."""
    format_ = Path(path).suffix.lstrip(".").lower()
    if format_ not in PLOT_FORMATS:
        raise UsageError(
            f"{path}: a plot must be a file of type {', '.join(PLOT_FORMATS)}",
            hint="name a file that ends in .svg or .png",
        )
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError(
            "plots require Matplotlib, which is not installed", hint="pip install 'likewise[plot]'"
        ) from None
    return format_


@contextmanager
def figure(
    stream: BinaryIO,
    format_: str,
    *,
    columns: int = 1,
    rows: int = 1,
    size: tuple[float, float] = (7.2, 4.6),
) -> Iterator[Any]:
    """Axes to draw in (an array of them where there are several), written out at the end."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    # Text as text and a fixed salt: the same plot gives the same bytes.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "likewise"}):
        made, axes = plt.subplots(rows, columns, figsize=size, layout="constrained")
        try:
            yield axes
            for one in made.axes:
                for side in ("top", "right"):
                    one.spines[side].set_visible(False)
            metadata = {"Date": None} if format_ == "svg" else None
            made.savefig(stream, format=format_, dpi=150, metadata=metadata)
        finally:
            plt.close(made)
