"""`likewise study timing`: time by stage, by shingle length and by number of values."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.cli.options import (
    Parser,
    add_goal,
    add_profile,
    add_reading,
    add_repeats,
    add_threads,
    whole_number,
)
from likewise.cli.progress import Progress
from likewise.cli.reading import open_reader, tell_reading
from likewise.cli.study.writing import add_result, check_result, write_result

if TYPE_CHECKING:
    from likewise.documents import Batch, Reader

DESCRIPTION = """\
Times the search for pairs in a collection: each stage, several shingle lengths and several
signature sizes. Every setting is run several times, and the fastest run counts.

A SOURCE is a file, a folder, a glob or - for stdin, as for `likewise pairs`. All texts are kept in
memory."""

EXAMPLE = """\
  likewise study timing tweets.txt --profile tweets
  likewise study timing papers/ --lengths 3 5 10 --values-list 64 128 --plot times.svg"""


def parser() -> Parser:
    """The options of the experiment."""
    made = Parser("study timing", DESCRIPTION, EXAMPLE)
    made.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="the collection; must come first"
    )
    add_profile(made)
    group = made.add_argument_group("experiment")
    group.add_argument(
        "--lengths",
        nargs="+",
        type=whole_number,
        default=[2, 3, 4, 5, 6, 8, 10],
        metavar="K",
        help="shingle lengths (default: 2 3 4 5 6 8 10)",
    )
    group.add_argument(
        "--values-list",
        nargs="+",
        type=whole_number,
        default=[32, 64, 128, 256, 512],
        metavar="N",
        help="numbers of values per signature (default: 32 64 128 256 512)",
    )
    add_goal(group, 0.5)
    add_repeats(group, 3, "number of runs per setting; the fastest counts")
    add_threads(group)
    add_reading(made)
    add_result(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, searches over and over, and prints; the exit status."""
    options = parser().parse(arguments)
    from likewise.study.reports.timing import plot_timing, timing_rows, timing_text
    from likewise.study.timing import TimingPlan, time_search

    plan = TimingPlan.checked(
        lengths=options.lengths,
        values=options.values_list,
        threshold=options.threshold,
        recall=options.recall,
        profile=options.profile,
        repeats=options.repeats,
        threads=options.threads,
    )
    check_result(options)
    with Progress(options.quiet) as progress:
        reader = open_reader(options.sources, options, progress)
        batches, seconds = _read(reader, options)
        timing = time_search(batches, plan, read_seconds=seconds, progress=progress)
    write_result(
        options,
        lambda: timing_text(timing),
        lambda: timing_rows(timing),
        lambda stream, format_: plot_timing(timing, stream, format_),
    )
    return tell_reading([reader], options)


def _read(reader: Reader, options: argparse.Namespace) -> tuple[list[Batch], float]:
    """The collection, and the fastest time to read it; stdin can be read once only."""
    times = []
    batches: list[Batch] = []
    for _ in range(1 if "-" in options.sources else options.repeats):
        start = time.perf_counter()
        batches = list(reader)
        times.append(time.perf_counter() - start)
    return batches, min(times)
