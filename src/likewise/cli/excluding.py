"""What is left out of matching, from the command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from likewise.cli.options import number, whole_number
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.evidence.matching_text import Exclusions

FIELDS = ("author", "group")


def add_exclusions(parser: argparse.ArgumentParser) -> None:
    """Each is off unless it is asked for; what was left out is told."""
    group = parser.add_argument_group("left out")
    group.add_argument(
        "--no-quotations", action="store_true", help="what stands between quotation marks"
    )
    group.add_argument(
        "--no-bibliography", action="store_true", help="the list of references at the end"
    )
    group.add_argument("--phrases", metavar="FILE", help="phrases, one a line, wherever they stand")
    group.add_argument(
        "--template",
        action="append",
        metavar="FILE",
        help="what is taken from this file, which everybody was given; may be repeated",
    )
    group.add_argument(
        "--min-passage",
        type=whole_number,
        default=0,
        metavar="N",
        help="passages of fewer than N shared words, however they were found",
    )
    group.add_argument(
        "--min-share",
        type=number,
        default=0.0,
        metavar="S",
        help="pairs that share less than this of both documents, as in 0.05",
    )
    group.add_argument(
        "--max-sources",
        type=whole_number,
        metavar="N",
        help="passages that a document shares with more than N others",
    )
    group.add_argument(
        "--other",
        action="append",
        choices=FIELDS,
        help="pairs of documents with the same author or group, by --metadata; may be repeated",
    )


def exclusions_of(options: argparse.Namespace) -> Exclusions:
    """What the options ask for; files are read."""
    from likewise.cli.texts import read_one
    from likewise.evidence.matching_text import Exclusions

    if options.other and options.metadata is None:
        raise UsageError(
            f"which documents have the same {options.other[0]} is told by a table",
            hint="--metadata TABLE",
        )
    phrases = read_one(options.phrases, options).splitlines() if options.phrases else []
    return Exclusions(
        quotations=options.no_quotations,
        bibliography=options.no_bibliography,
        phrases=tuple(phrase for phrase in phrases if phrase.strip()),
        templates=tuple(read_one(name, options) for name in options.template or ()),
        min_passage=options.min_passage,
        min_share=options.min_share,
        same=tuple(dict.fromkeys(options.other or ())),
        max_sources=options.max_sources,
    )
