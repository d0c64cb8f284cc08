"""Options that several commands share, and how numbers are read from them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NoReturn

from likewise.errors import UsageError
from likewise.text.profile import DEFAULT_PROFILE


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are ours: one line, a hint, exit status 2."""

    def __init__(self, command: str, description: str, example: str) -> None:
        super().__init__(
            prog=f"likewise {command}",
            description=description,
            epilog=f"example:\n{example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        hint = f"{self.prog} --help lists the options"
        if "SOURCE" in message and "--against" in self._option_string_actions:
            hint = "name the collection first, then --against OTHER"
        raise UsageError(message, hint=hint)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        # Sources may stand before and after options.
        return self.parse_intermixed_args(arguments)


def add_profile(parser: argparse.ArgumentParser, default: str = DEFAULT_PROFILE) -> None:
    parser.add_argument(
        "--profile",
        default=default,
        metavar="PROFILE",
        help="how text becomes shingles: word:3, char:5, tweets, gospels, papers, or with changes "
        f"as in word:3,case=keep (default: {default})",
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("reading")
    group.add_argument("--text", metavar="COLUMN", help="column that contains the text")
    group.add_argument("--id", metavar="COLUMN", help="column that contains the id")
    shape = group.add_mutually_exclusive_group()
    shape.add_argument("--lines", action="store_true", help="read one document per line")
    shape.add_argument("--whole", action="store_true", help="read one document per file")
    group.add_argument(
        "--encoding", metavar="NAME", help="encoding of all files (default: detected)"
    )
    add_no_cache(group)
    group.add_argument(
        "--strict", action="store_true", help="exit status 1 if a document was skipped"
    )


def add_no_cache(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--no-cache",
        action="store_true",
        help="extract the text of PDF and other documents again, and do not cache it",
    )


def add_metadata(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--metadata",
        metavar="TABLE",
        help="a .csv, .tsv, .jsonl or .parquet file with the title, author, date and group of "
        "each document, by id or file name",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    from likewise.output.rows import FORMATS

    group = parser.add_argument_group("output")
    group.add_argument(
        "--format", choices=FORMATS, default="table", help="output format (default: table)"
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of stdout")
    add_quiet(group)


def add_quiet(group: argparse._ActionsContainer) -> None:
    group.add_argument("--quiet", action="store_true", help="print no progress and no notes")


def add_goal(group: argparse._ActionsContainer, threshold: float | None, told: float = 0.8) -> None:
    """What is to be found: threshold and recall. `told` is what stands in for None."""
    group.add_argument(
        "--threshold",
        type=number,
        default=threshold,
        metavar="T",
        help=f"minimum similarity (default: {threshold or told:g})",
    )
    group.add_argument(
        "--recall",
        type=number,
        default=0.99,
        metavar="R",
        help="share of pairs at the threshold that must be found (default: 0.99)",
    )


def add_values(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--values",
        type=whole_number,
        default=128,
        metavar="K",
        help="number of values per signature (default: 128)",
    )


def add_min_words(group: argparse._ActionsContainer, otherwise: str = "") -> None:
    """`otherwise` is what holds where it is not given; the usual number, if that is not said."""
    group.add_argument(
        "--min-words",
        type=whole_number,
        default=None if otherwise else 12,
        metavar="N",
        help=f"report every run of at least N identical words (default: {otherwise or 12})",
    )


def add_layout(group: argparse._ActionsContainer) -> None:
    """Bands and rows by hand."""
    group.add_argument(
        "--bands",
        type=whole_number,
        metavar="B",
        help="number of bands (default: chosen automatically)",
    )
    group.add_argument(
        "--rows",
        type=whole_number,
        metavar="R",
        help="number of rows per band (default: chosen automatically)",
    )


def add_level(
    group: argparse._ActionsContainer, what: str = "confidence level of the interval"
) -> None:
    group.add_argument(
        "--level", type=number, default=0.95, metavar="L", help=f"{what} (default: 0.95)"
    )


def add_seed(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--seed",
        type=whole_number,
        default=0,
        metavar="N",
        help="random seed; the same seed gives the same result (default: 0)",
    )


def add_trials(group: argparse._ActionsContainer, what: str = "number of shuffles") -> None:
    group.add_argument(
        "--trials",
        type=whole_number,
        metavar="N",
        help=f"{what} (default: 19 to 999 times, as the length allows)",
    )


def add_null_pairs(group: argparse._ActionsContainer, what: str) -> None:
    group.add_argument(
        "--null-pairs",
        type=whole_number,
        default=100_000,
        metavar="N",
        help=f"{what} (default: 100,000)",
    )


def add_repeats(group: argparse._ActionsContainer, default: int, what: str) -> None:
    group.add_argument(
        "--repeats",
        type=whole_number,
        default=default,
        metavar="N",
        help=f"{what} (default: {default})",
    )


def add_draws(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--draws",
        type=whole_number,
        default=10_000,
        metavar="N",
        help="number of shingles that sampling estimators draw from each text (default: 10,000)",
    )


def add_urn(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--urn",
        type=whole_number,
        metavar="N",
        help="size of the urn (default: the size of both texts together)",
    )


def add_plot(group: argparse._ActionsContainer) -> None:
    group.add_argument("--plot", metavar="FILE", help="write a plot to FILE (.svg, .png or .pdf)")


def add_threads(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--threads", type=whole_number, metavar="N", help="number of threads (default: all cores)"
    )


def whole_number(text: str) -> int:
    try:
        return int(text.replace("_", "").replace(",", ""))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}


def size_in_bytes(text: str) -> int:
    """256MB, 1.5GiB or a number of bytes."""
    found = re.fullmatch(r"([0-9.]+)\s*([kmg]i?)?b?", text.strip().lower())
    try:
        if found is None:
            raise ValueError
        return int(float(found[1]) * _UNITS[found[2] or ""])
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 256MB") from None
