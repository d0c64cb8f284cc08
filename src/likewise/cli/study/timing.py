"""Times the search for pairs in a collection: each stage, several shingle lengths and several
signature sizes. Every setting is run several times, and the fastest run counts.

A SOURCE is a file, a folder, a glob or - for stdin, as for `likewise pairs`. All texts are kept in
memory.

example:
  likewise study timing tweets.txt --profile tweets
  likewise study timing papers/ --lengths 3 5 10 --values-list 64 128 --plot times.svg
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from likewise.cli.inputs import Inputs
from likewise.cli.options import OUTPUT, READING, shared, sources, whole
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.results import write_result

if TYPE_CHECKING:
    from likewise.documents import Batch, Reader

OPTIONS = {
    "SOURCE": sources("the collection; must come first"),
    "--lengths": whole("K", "shingle lengths", (2, 3, 4, 5, 6, 8, 10), nargs="+"),
    "--values-list": whole(
        "N",
        "numbers of values per signature",
        (32, 64, 128, 256, 512),
        nargs="+",
        dest="values",
    ),
    "--threshold": shared("--threshold", default=0.5),
    "--repeats": whole("N", "number of runs per setting; the fastest counts", 3),
}


def add_options(parser: Parser) -> None:
    parser.add("SOURCE --profile")
    parser.add(
        "--lengths --values-list --threshold --recall --repeats --threads", group="experiment"
    )
    parser.add(READING, group="reading")
    parser.add("--plot")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.study.reports.timing import plot_timing, timing_rows, timing_text
    from likewise.study.timing import TimingPlan, time_search

    plan = TimingPlan.checked(**arguments_for(TimingPlan.checked, options))
    with Progress(options.quiet) as progress:
        inputs = Inputs(options, progress)
        batches, seconds = _read(inputs.open(options.sources), options)
        timing = time_search(batches, plan, read_seconds=seconds, progress=progress)
    write_result(
        options,
        lambda: timing_text(timing),
        lambda: timing_rows(timing),
        lambda stream, format_: plot_timing(timing, stream, format_),
    )
    return inputs.report()


def _read(reader: Reader, options: argparse.Namespace) -> tuple[list[Batch], float]:
    """The collection, and the fastest time to read it; stdin can be read only once."""
    times = []
    batches: list[Batch] = []
    for _ in range(1 if "-" in options.sources else options.repeats):
        start = time.perf_counter()
        batches = list(reader)
        times.append(time.perf_counter() - start)
    return batches, min(times)
