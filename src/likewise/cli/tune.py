"""`likewise tune`: bands and rows for a threshold, and what they find."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.options import Parser, add_goal, add_layout, add_output, add_plot, add_values
from likewise.errors import UsageError

DESCRIPTION = """\
Chooses bands and rows for a threshold and a recall, and shows the probability of finding a pair by
its similarity, next to that of a common rule of thumb: five bands, and rows chosen by the
threshold."""

EXAMPLE = """\
  likewise tune --threshold 0.8
  likewise tune --threshold 0.5 --recall 0.999 --values 256 --plot curve.svg"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("tune", DESCRIPTION, EXAMPLE)
    add_goal(made, 0.8)
    add_values(made)
    add_layout(made)
    add_plot(made)
    add_output(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Chooses, prints and draws; the exit status."""
    options = parser().parse(arguments)
    from likewise.files import check_output, open_output
    from likewise.output.rows import write_rows
    from likewise.output.tuning import tuning_rows, tuning_text
    from likewise.statistics.bands import (
        check_recall,
        check_threshold,
        choose_layout,
        layout_by_hand,
        tweets_layout,
    )

    check_output(options.output, binary=options.format == "parquet")
    check_threshold(options.threshold)
    check_recall(options.recall)
    layout = layout_by_hand(options.bands, options.rows, options.values)
    layout = layout or choose_layout(options.threshold, options.recall, options.values)
    if layout is None:
        raise UsageError(
            f"no bands of {options.values} values find {options.recall:g} of the pairs at "
            f"{options.threshold:g}",
            hint="use more --values or a lower --recall (`likewise pairs` would search exactly)",
        )
    tweets = tweets_layout(options.threshold) if options.threshold < 1 else None
    if options.plot:
        from likewise.output.figure import check_plot
        from likewise.output.tuning import plot_s_curve

        format_ = check_plot(options.plot)
        check_output(options.plot, binary=False)
        others = [(f"rule of thumb: {tweets}", tweets)] if tweets else []
        with open_output(options.plot) as stream:
            plot_s_curve(layout, options.threshold, options.recall, others, stream, format_)
    with open_output(options.output) as stream:
        if options.format == "table":
            text = tuning_text(layout, tweets, options.threshold, options.recall)
            stream.write(text.encode())
        else:
            write_rows(tuning_rows(layout, tweets, options.threshold), options.format, stream)
    return 0
