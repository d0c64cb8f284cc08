"""A `Detection` as text, rows and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from likewise.output.figure import BLUE, GREY, ORANGE, RED, figure
from likewise.output.rows import Columns, Rows
from likewise.output.table import aligned
from likewise.run import counted
from likewise.statistics.bands import Layout
from likewise.study.altered import MIN_UNITS
from likewise.study.detection import ESTIMATORS, Cell, Detection

DOUBT = 0.01  # a smaller p-value is reported as a difference


def detection_text(detection: Detection) -> str:
    """A table per layout, and a conclusion."""
    unit, cells = detection.unit, detection.cells
    lines = [
        f"{counted(detection.documents, 'document')} with {counted(detection.units, unit)} that "
        f"have words; {_copies(cells[0].tries)} for each share and layout",
    ]
    if detection.passed_over:
        lines.append(
            f"skipped, with fewer than {MIN_UNITS} such {unit}s: "
            f"{counted(detection.passed_over, 'document')}"
        )
    lines += [
        f"profile {detection.profile}",
        f"candidates by {ESTIMATORS[detection.estimator]}",
        "",
    ]
    header = [
        "kept", "similarity", "+-", "at kept", "at kept/(2-kept)", "at similarity", "seen", "z",
    ]  # fmt: skip
    for layout in _layouts(cells):
        lines.append(str(layout))
        rows = [_row(cell) for cell in cells if cell.layout == layout]
        lines.append(aligned(header, rows, header))
    lines += [
        f"kept: probability that a {unit} is kept; similarity: Jaccard, measured for every copy,",
        "with its standard deviation (+-). Next, the expected share of copies found: if the",
        "similarity were the share kept, if it were kept/(2-kept), and at the measured similarity.",
        "seen: the share that was found; z: its distance from the latter in standard deviations.",
        "",
        _conclusion(detection),
    ]
    return "\n".join(lines) + "\n"


def _row(cell: Cell) -> list[str]:
    similarity = cell.jaccard_mean, cell.jaccard_spread
    numbers = *similarity, cell.ideal, cell.one_sided, cell.expected, cell.seen
    z = "-" if cell.z is None else f"{cell.z:+.2f}"
    return [f"{cell.share:g}", *(f"{number:.3f}" for number in numbers), z]


def _conclusion(detection: Detection) -> str:
    cells = detection.cells
    made = sum(cell.tries for cell in cells)
    found = sum(cell.found for cell in cells)
    expected = sum(cell.tries * cell.expected for cell in cells)
    one_sided = sum(cell.tries * cell.one_sided for cell in cells)
    ideal = sum(cell.tries * cell.ideal for cell in cells)
    share = detection.p_value
    rarely = "less than 0.1%" if share < 0.001 else f"{share:.1%}"
    agrees = "differs from" if share < DOUBT else "agrees with"
    fit = (
        f"The result {agrees} the measured similarities: by chance alone, the deviation over all\n"
        f"cells is at least this large in {rarely} of such experiments."
    )
    if share < DOUBT and detection.estimator == "sketch":
        fit += (
            "\nThe values of a short text's sketch are not quite independent; with --estimator\n"
            "permutations they are."
        )
    return (
        f"Found {found:,} of {_copies(made)}. Expected: {expected:,.1f} at the measured "
        f"similarities, {one_sided:,.1f}\nat kept/(2-kept), and {ideal:,.1f} if the similarity "
        f"were the share kept.\n{fit}"
    )


def _copies(number: int) -> str:
    return "1 copy" if number == 1 else f"{number:,} copies"


def _layouts(cells: Sequence[Cell]) -> list[Layout]:
    return list(dict.fromkeys(cell.layout for cell in cells))


def detection_rows(detection: Detection) -> Rows:
    """One row per cell; `p_value` is that of all of them."""
    columns: Columns = {
        "estimator": (str, lambda cell: detection.estimator),
        "unit": (str, lambda cell: detection.unit),
        "bands": (int, "layout.bands"),
        "rows": (int, "layout.rows"),
        "kept": (float, "share"),
        "tries": (int, "tries"),
        "found": (int, "found"),
        "jaccard_mean": (float, "jaccard_mean"),
        "jaccard_sd": (float, "jaccard_spread"),
        "expected_at_kept": (float, "ideal"),
        "expected_one_sided": (float, "one_sided"),
        "expected": (float, "expected"),
        "seen": (float, "seen"),
        "z": (float, "z"),
        "p_value": (float, lambda cell: detection.p_value),
    }
    return Rows.of(detection.cells, columns, "cells")


def plot_detection(detection: Detection, stream: BinaryIO, format_: str) -> None:
    """A panel per layout: seen, with 95 % intervals, and the three expectations by share kept."""
    import numpy as np

    from likewise._core import clopper_pearson

    layouts = _layouts(detection.cells)
    columns = 1 if len(layouts) == 1 else 2
    rows = -(-len(layouts) // columns)
    size = (4.2 * columns + 0.6, 3.3 * rows + 0.4)
    grid = [i / 200 for i in range(201)]
    with figure(stream, format_, columns=columns, rows=rows, size=size) as made:
        panels = np.atleast_1d(made).ravel()
        for axes, layout in zip(panels, layouts, strict=False):
            cells = sorted(
                (cell for cell in detection.cells if cell.layout == layout),
                key=lambda cell: cell.share,
            )
            shares = [cell.share for cell in cells]
            seen = np.array([cell.seen for cell in cells])
            limits = np.array([clopper_pearson(cell.found, cell.tries, 0.95) for cell in cells])
            errors = np.abs(limits.T - seen)
            ideal = [layout.recall(q) for q in grid]
            one_sided = [layout.recall(q / (2 - q)) for q in grid]
            axes.plot(grid, ideal, color=GREY, linestyle="--", label="if similarity = kept")
            axes.plot(grid, one_sided, color=ORANGE, label="at kept / (2 − kept)")
            axes.plot(
                shares, [cell.expected for cell in cells], color=BLUE, marker="s",
                markerfacecolor="none", label="at the measured similarity",
            )  # fmt: skip
            axes.errorbar(
                shares, seen, yerr=errors, color=RED, marker="o", linestyle="none", capsize=3,
                label="seen, 95 % interval", zorder=4,
            )  # fmt: skip
            axes.set(xlim=(0, 1), ylim=(-0.03, 1.03), title=str(layout))
            axes.set(xlabel=f"share of {detection.unit}s kept", ylabel="share of copies found")
        for axes in panels[len(layouts) :]:
            axes.set_axis_off()
        panels[0].legend(loc="lower right", frameon=False, fontsize=8)
