"""Creates an index and adds the documents of SOURCE, if given. The profile, threshold, recall and
number of values are stored in the index and cannot be changed later. A text file is one document;
with --lines, each of its lines is one.

example:
  likewise index create essays.db samples/essays
  likewise index create tweets.db --profile tweets --threshold 0.7 --no-passages
  likewise index create private.db essays/ --no-text
"""

from __future__ import annotations

import argparse
from itertools import chain
from typing import TYPE_CHECKING

from likewise.cli.index.adding import add_batches, report_added
from likewise.cli.inputs import Inputs
from likewise.cli.messages import notify
from likewise.cli.options import READING_PLACES, shared, sources
from likewise.cli.parser import Option, Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.passages.settings import DEFAULT_MIN_WORDS

if TYPE_CHECKING:
    from likewise.index.settings import IndexSettings

OPTIONS = {
    "SOURCE": sources("the documents to add", "*"),
    "--threshold": shared("--threshold", default=0.5),
    "--no-text": Option(
        "do not store texts: results are estimates with intervals, without passages",
        more={"dest": "keep_text", "action": "store_false"},
    ),
    "--min-words": shared(
        "--min-words", default=None, otherwise=f"{DEFAULT_MIN_WORDS}; none with --no-text"
    ),
    "--no-passages": Option(
        "search for similar documents only: the index is smaller and faster to add to",
        more={"dest": "passages", "action": "store_false"},
    ),
}


def add_options(parser: Parser) -> None:
    parser.add("DB SOURCE --profile --threshold --recall --values --no-text")
    parser.add("--min-words|--no-passages --threads")
    parser.add(READING_PLACES, group="reading")
    parser.add("--metadata --metadata-column --quiet")


def run(options: argparse.Namespace) -> int:
    from likewise.index.index import Index
    from likewise.index.settings import IndexSettings

    if options.min_words is None and options.passages and options.keep_text:
        options.min_words = DEFAULT_MIN_WORDS
    create = arguments_for(Index.create, options, min_words=options.min_words)
    settings = IndexSettings.checked(**create)
    with Progress(options.quiet) as progress:
        inputs = Inputs(options, progress, "read and add", "files")
        batches = iter(inputs.open(options.sources) if options.sources else ())
        # Before the index is created, an error in the sources leaves no file.
        first = [batch for batch in [next(batches, None)] if batch is not None]
        with Index.create(options.database, **create) as index:
            notify(options, _created(options.database, settings))
            if not options.sources:
                return 0
            added = add_batches(index, chain(first, batches), options)
            status = inputs.report()
            report_added(index, added, options)
    return status


def _created(name: str, settings: IndexSettings) -> str:
    texts = "" if settings.keep_text else "; stores no texts"
    passages = ""
    if settings.min_words is not None:
        passages = f"; passages by runs of {settings.min_words} identical words and by rare words"
    search = settings.layout.described(settings.threshold)
    return (
        f"{name}: created for jaccard {settings.threshold:g} or more "
        f"({settings.profile}; {search}{texts}){passages}"
    )
