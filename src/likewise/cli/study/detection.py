"""Makes copies of documents in which only a share of the lines is kept and the others are taken
from anywhere in the collection, and checks whether each copy becomes a candidate of its original.
The observed rate is shown next to the expected ones: if the similarity were the share kept, if it
were kept/(2-kept), and at the similarity measured for each copy.

A SOURCE is a file, a folder, a glob or - for stdin, as for `likewise pairs`. Documents with fewer
than five lines that contain words are skipped.

example:
  likewise study detection papers/
  likewise study detection essays/ --unit sentence --profile word:3 --tries 500
  likewise study detection papers/ --shares 0.9 0.7 --layouts 20x5 32x4 --plot found.svg
"""

from __future__ import annotations

import argparse
import re
from typing import cast

from likewise.cli.inputs import Inputs
from likewise.cli.options import OUTPUT, READING, choice, real, shared, sources, whole
from likewise.cli.parser import Option, Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.results import write_result
from likewise.errors import UsageError
from likewise.statistics.bands import Layout


def layout(text: str) -> Layout:
    """50x2 as a layout; whether a signature can have that many values is checked later."""
    match = re.fullmatch(r"([0-9]{1,9})[xX]([0-9]{1,9})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not bands x rows such as 50x2")
    try:
        return Layout(int(match[1]), int(match[2]))
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


OPTIONS = {
    "SOURCE": sources("the collection; must come first"),
    "--profile": shared("--profile", default="papers"),
    "--shares": real("Q", "probability of keeping a line", (0.8, 0.6, 0.5, 0.4, 0.2), nargs="+"),
    "--layouts": Option(
        "bands x rows", "BxR", layout, otherwise="50x2 25x4 20x5 10x10", more={"nargs": "+"}
    ),
    "--tries": whole("N", "number of copies for each share and layout", 50),
    "--unit": choice(
        ("line", "sentence"),
        "unit to keep or replace; use sentence for text without line breaks",
        "line",
    ),
    "--estimator": choice(
        ("sketch", "permutations"),
        "the sketch used by searches, or classical MinHash",
        "sketch",
    ),
}


def add_options(parser: Parser) -> None:
    parser.add("SOURCE --profile")
    parser.add("--shares --layouts --tries --unit --estimator --seed --threads", group="experiment")
    parser.add(READING, group="reading")
    parser.add("--plot")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.study.detection import LAYOUTS, check_detection, detect_copies
    from likewise.study.reports.detection import detection_rows, detection_text, plot_detection
    from likewise.text.profile import Profile
    from likewise.threads import thread_count

    layouts = options.layouts or LAYOUTS
    check_detection(
        options.shares, layouts, options.tries, options.estimator, options.unit, options.seed
    )
    Profile.of(options.profile)
    thread_count(options.threads)
    with Progress(options.quiet) as progress:
        inputs = Inputs(options, progress)
        batches = inputs.open(options.sources)
        texts = [text for batch in batches for text in cast("list[str]", batch.texts.to_pylist())]
        experiment = arguments_for(detect_copies, options, layouts=layouts, progress=progress)
        detection = detect_copies(texts, **experiment)
    write_result(
        options,
        lambda: detection_text(detection),
        lambda: detection_rows(detection),
        lambda stream, format_: plot_detection(detection, stream, format_),
    )
    return inputs.report()
