"""`likewise index create`: a new index, empty or with documents."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from likewise.cli.index.adding import add_batches, tell_added
from likewise.cli.index.database import add_database, promise
from likewise.cli.options import (
    Parser,
    add_goal,
    add_metadata,
    add_min_words,
    add_profile,
    add_quiet,
    add_reading,
    add_threads,
    add_values,
)
from likewise.cli.progress import Progress, tell
from likewise.cli.reading import open_metadata, open_reader, tell_reading

if TYPE_CHECKING:
    from likewise.index.settings import IndexSettings

DESCRIPTION = """\
Creates an index and adds the documents of SOURCE, if given. The profile, threshold, recall and
number of values are stored in the index and cannot be changed later. A text file is one document;
with --lines, each of its lines is one."""

EXAMPLE = """\
  likewise index create essays.db samples/essays
  likewise index create tweets.db --profile tweets --threshold 0.7 --no-passages
  likewise index create private.db essays/ --no-text"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index create", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("sources", nargs="*", metavar="SOURCE", help="the documents to add")
    add_profile(made)
    add_goal(made, 0.5)
    add_values(made)
    made.add_argument(
        "--no-text",
        dest="keep_text",
        action="store_false",
        help="do not store texts: results are estimates with intervals, without passages",
    )
    passages = made.add_mutually_exclusive_group()
    add_min_words(passages, "12; none with --no-text")
    passages.add_argument(
        "--no-passages",
        dest="passages",
        action="store_false",
        help="search for similar documents only: the index is smaller and faster to add to",
    )
    add_threads(made)
    add_reading(made)
    add_metadata(made)
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Makes it and adds to it; the exit status."""
    options = parser().parse(arguments)
    from likewise.index.index import Index
    from likewise.index.settings import IndexSettings

    goal = {
        "profile": options.profile,
        "threshold": options.threshold,
        "recall": options.recall,
        "values": options.values,
        "keep_text": options.keep_text,
        "min_words": _min_words(options),
    }
    settings = IndexSettings.checked(**goal)
    metadata = open_metadata(options)
    with Progress(options.quiet) as progress:
        reader = None
        if options.sources:
            reader = open_reader(
                options.sources, options, progress, "read and add", metadata, "files"
            )
        batches = iter(reader or ())
        # Sources that cannot be read at all are found before there is a file.
        first = [batch for batch in [next(batches, None)] if batch is not None]
        with Index.create(options.database, **goal) as index:
            tell(_made(options.database, settings), options.quiet)
            added = add_batches(
                index, chain(first, batches), threads=options.threads, quiet=options.quiet
            )
            if reader is None:
                return 0
            status = tell_reading([reader], options, metadata)
            tell_added(index, options.database, added, options.quiet)
    return status


def _min_words(options: argparse.Namespace) -> int | None:
    """For passages, where they are wanted and texts are kept; given without texts it is refused."""
    from likewise.passages.fingerprints import DEFAULT_MIN_WORDS

    if options.min_words is not None:
        return int(options.min_words)
    return DEFAULT_MIN_WORDS if options.passages and options.keep_text else None


def _made(name: str, settings: IndexSettings) -> str:
    texts = "" if settings.keep_text else "; stores no texts"
    passages = ""
    if settings.min_words is not None:
        passages = f"; passages by runs of {settings.min_words} identical words and by rare words"
    return (
        f"{name}: created for jaccard {settings.threshold:g} or more "
        f"({settings.profile}; {promise(settings)}{texts}){passages}"
    )
