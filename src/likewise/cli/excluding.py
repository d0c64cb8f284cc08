"""What is left out of matching, from the command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from likewise.cli.options import number, whole_number
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.passages.matching_text import Exclusions

FIELDS = ("author", "group")


def add_exclusions(parser: argparse.ArgumentParser) -> None:
    """Each is off unless it is asked for; the summary says what was excluded."""
    group = parser.add_argument_group("exclusions")
    group.add_argument(
        "--no-quotations", action="store_true", help="exclude text in quotation marks"
    )
    group.add_argument(
        "--no-bibliography", action="store_true", help="exclude the bibliography at the end"
    )
    group.add_argument(
        "--phrases", metavar="FILE", help="exclude the phrases of FILE, one per line"
    )
    group.add_argument(
        "--template",
        action="append",
        metavar="FILE",
        help="exclude text from FILE, such as the assignment that everyone was given; repeatable",
    )
    group.add_argument(
        "--min-passage",
        type=whole_number,
        default=0,
        metavar="N",
        help="exclude passages of fewer than N shared words",
    )
    group.add_argument(
        "--min-share",
        type=number,
        default=0.0,
        metavar="S",
        help="exclude pairs that share less than this of both documents, for example 0.05",
    )
    group.add_argument(
        "--max-sources",
        type=whole_number,
        metavar="N",
        help="exclude passages that a document shares with more than N others",
    )
    group.add_argument(
        "--other",
        action="append",
        choices=FIELDS,
        help="exclude pairs with the same author or group, by --metadata; repeatable",
    )


def add_common_text(parser: argparse.ArgumentParser) -> None:
    """For commands that see a whole collection."""
    parser.add_argument(
        "--common-text",
        choices=("keep", "exclude"),
        default="keep",
        help="exclude text that many of the documents have, such as an assignment, a masthead or a "
        "template (default: keep it and report it)",
    )


def exclusions_of(options: argparse.Namespace) -> Exclusions:
    """What the options ask for; files are read."""
    from likewise.cli.texts import read_one
    from likewise.passages.matching_text import Exclusions

    if options.other and options.metadata is None:
        raise UsageError(
            f"excluding documents with the same {options.other[0]} requires a metadata table",
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
        common_text=getattr(options, "common_text", "keep"),
    )
