"""`likewise study detection`: documents with a share of lines replaced, and who is found again."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import cast

from likewise.cli.options import (
    Parser,
    add_profile,
    add_reading,
    add_seed,
    add_threads,
    number,
    whole_number,
)
from likewise.cli.progress import Progress
from likewise.cli.reading import open_reader, tell_reading
from likewise.cli.study.writing import add_result, check_result, write_result

DESCRIPTION = """\
Makes copies of documents in which only a share of the lines is kept and the others are taken from
anywhere in the collection, and checks whether each copy becomes a candidate of its original. The
observed rate is shown next to the expected ones: if the similarity were the share kept, if it were
kept/(2-kept), and at the similarity measured for each copy.

A SOURCE is a file, a folder, a glob or - for stdin, as for `likewise pairs`. Documents with fewer
than five lines that contain words are skipped."""

EXAMPLE = """\
  likewise study detection papers/
  likewise study detection essays/ --unit sentence --profile word:3 --tries 500
  likewise study detection papers/ --shares 0.9 0.7 --layouts 20x5 32x4 --plot found.svg"""


def parser() -> Parser:
    """The options of the experiment."""
    made = Parser("study detection", DESCRIPTION, EXAMPLE)
    made.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="the collection; must come first"
    )
    add_profile(made, "papers")
    group = made.add_argument_group("experiment")
    group.add_argument(
        "--shares",
        nargs="+",
        type=number,
        default=[0.8, 0.6, 0.5, 0.4, 0.2],
        metavar="Q",
        help="probability of keeping a line (default: 0.8 0.6 0.5 0.4 0.2)",
    )
    group.add_argument(
        "--layouts",
        nargs="+",
        type=_bands_and_rows,
        default=[(50, 2), (25, 4), (20, 5), (10, 10)],
        metavar="BxR",
        help="bands x rows (default: 50x2 25x4 20x5 10x10)",
    )
    group.add_argument(
        "--tries",
        type=whole_number,
        default=50,
        metavar="N",
        help="number of copies for each share and layout (default: 50)",
    )
    group.add_argument(
        "--unit",
        choices=("line", "sentence"),
        default="line",
        help="unit to keep or replace; use sentence for text without line breaks (default: line)",
    )
    group.add_argument(
        "--estimator",
        choices=("sketch", "permutations"),
        default="sketch",
        help="the sketch used by searches, or classical MinHash (default: sketch)",
    )
    add_seed(group)
    add_threads(group)
    add_reading(made)
    add_result(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, makes copies, looks for them and prints; the exit status."""
    options = parser().parse(arguments)
    from likewise.statistics.bands import Layout
    from likewise.study.detection import check_detection, detect_copies
    from likewise.study.reports.detection import detection_rows, detection_text, plot_detection
    from likewise.text.profile import Profile
    from likewise.threads import thread_count

    layouts = [Layout(bands, rows) for bands, rows in options.layouts]
    check_detection(
        options.shares, layouts, options.tries, options.estimator, options.unit, options.seed
    )
    profile, threads = Profile.of(options.profile), thread_count(options.threads)
    check_result(options)
    with Progress(options.quiet) as progress:
        reader = open_reader(options.sources, options, progress)
        texts = [text for batch in reader for text in cast("list[str]", batch.texts.to_pylist())]
        detection = detect_copies(
            texts,
            shares=options.shares,
            layouts=layouts,
            tries=options.tries,
            profile=profile,
            estimator=options.estimator,
            unit=options.unit,
            seed=options.seed,
            threads=threads,
            progress=progress,
        )
    write_result(
        options,
        lambda: detection_text(detection),
        lambda: detection_rows(detection),
        lambda stream, format_: plot_detection(detection, stream, format_),
    )
    return tell_reading([reader], options)


def _bands_and_rows(text: str) -> tuple[int, int]:
    """50x2 as (50, 2); whether a signature can have so many values is checked later."""
    found = re.fullmatch(r"([0-9]{1,9})[xX]([0-9]{1,9})", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not bands x rows such as 50x2")
    return int(found[1]), int(found[2])
