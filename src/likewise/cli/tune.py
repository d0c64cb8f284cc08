"""Chooses bands and rows for a threshold and a recall, and shows the probability of finding a
pair by its similarity, next to that of a common rule of thumb: five bands, and rows chosen by the
threshold.

example:
  likewise tune --threshold 0.8
  likewise tune --threshold 0.5 --recall 0.999 --values 256 --plot curve.svg
"""

from __future__ import annotations

import argparse
from typing import BinaryIO

from likewise.cli.options import OUTPUT
from likewise.cli.parser import Parser
from likewise.cli.results import write_result
from likewise.errors import UsageError


def add_options(parser: Parser) -> None:
    parser.add("--threshold --recall --values --bands --rows --plot")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.output.tuning import tuning_rows, tuning_text
    from likewise.statistics.bands import (
        check_recall,
        check_threshold,
        choose_layout,
        layout_by_hand,
        tweets_layout,
    )

    threshold, recall = options.threshold, options.recall
    check_threshold(threshold)
    check_recall(recall)
    layout = layout_by_hand(options.bands, options.rows, options.values)
    layout = layout or choose_layout(threshold, recall, options.values)
    if layout is None:
        raise UsageError(
            f"no bands of {options.values} values find {recall:g} of the pairs at {threshold:g}",
            hint="use more --values or a lower --recall (`likewise pairs` would search exactly)",
        )
    rule = tweets_layout(threshold) if threshold < 1 else None

    def plot(stream: BinaryIO, format_: str) -> None:
        from likewise.output.tuning import plot_s_curve

        others = [(f"rule of thumb: {rule}", rule)] if rule else []
        plot_s_curve(layout, threshold, recall, others, stream, format_)

    write_result(
        options,
        lambda: tuning_text(layout, rule, threshold, recall),
        lambda: tuning_rows(layout, rule, threshold),
        plot,
    )
    return 0
