"""Options and output that `likewise passages` and `likewise index passages` have in common."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from likewise.cli.options import whole_number
from likewise.cli.progress import tell
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.documents import Batch
    from likewise.output.passages import Documents, View
    from likewise.passages.results import Passages
    from likewise.survey.viewed_document import ViewedDocument
    from likewise.text.word_frequencies import Frequencies

TABLE_PAIRS = 200  # what a person may want to scroll through
MOST_CONTEXT = 1000


def add_search(group: argparse._ActionsContainer) -> None:
    """Options of the search, except the length of runs."""
    group.add_argument(
        "--runs-only",
        action="store_true",
        help="compare only documents that share a run of --min-words words: faster, but misses "
        "copies without one",
    )
    group.add_argument(
        "--language",
        metavar="CODE",
        help="use a word frequency list for this language, such as en, instead of estimating "
        "frequencies from word lengths; requires likewise[frequencies]",
    )
    group.add_argument(
        "--top",
        type=whole_number,
        metavar="N",
        help="print only the N pairs with the most shared words; with --scores, the N documents "
        "with the highest share",
    )


def add_view(parser: argparse.ArgumentParser) -> None:
    """Options of the output."""
    parser.add_argument(
        "--scores",
        action="store_true",
        help="print how much of each document is shared and with which others, instead of passages",
    )
    parser.add_argument(
        "--context",
        type=whole_number,
        default=8,
        metavar="N",
        help="in a table: words of context on each side of a passage (default: 8)",
    )
    parser.add_argument(
        "--differences",
        action="store_true",
        help="in a table and in jsonl: show replaced, removed and added words",
    )
    parser.add_argument(
        "--stats", action="store_true", help="print settings, counts and times to stderr"
    )


def check_view(options: argparse.Namespace) -> None:
    """Raises for invalid options, before anything is read."""
    from likewise.threads import thread_count
    from likewise.whole_numbers import check_whole

    if options.differences and options.format in ("csv", "parquet"):
        raise UsageError(
            f"--differences is not available with --format {options.format}",
            hint="use --format jsonl or table",
        )
    if options.differences and options.scores:
        raise UsageError("--scores prints no passages, so it cannot be combined with --differences")
    check_whole("context", options.context, 0, MOST_CONTEXT)
    if options.top is not None:
        check_whole("top", options.top, 1)
    thread_count(options.threads)


def rates_of(options: argparse.Namespace) -> Frequencies | None:
    """Those of the language that was named."""
    if options.language is None:
        return None
    from likewise.text.word_frequencies import Frequencies

    return Frequencies.of_language(options.language)


def read_documents(batches: Iterable[Batch]) -> dict[str, ViewedDocument]:
    """All documents of a collection, by id and in order."""
    from likewise.survey.viewed_document import documents_of

    return {document.id: document for batch in batches for document in documents_of(batch)}


def write_passages(
    passages: Passages, a: Documents, b: Documents, options: argparse.Namespace, stream: BinaryIO
) -> None:
    """Passages, or the scores of their documents, as the options ask."""
    from likewise.output.passages import passage_rows, passages_text
    from likewise.output.rows import write_rows
    from likewise.output.scores import score_rows, scores_text

    view = _view(options)
    lines: Iterator[str]
    if options.scores:
        scores = list(passages.scores().values())[: options.top]
        lines, rows = scores_text(scores, a, b, view.shown), score_rows(scores)
    else:
        best = replace(passages, pairs=passages.pairs[: options.top])
        lines = passages_text(best, a, b, view)
        rows = passage_rows(best, a, b, differences=options.differences)
    if options.format == "table":
        for text in lines:
            stream.write(text.encode("utf-8", "replace"))
        return
    known = [{id_: d.known for id_, d in side.items() if d.known} for side in (a, b)]
    if options.metadata is not None or any(known):
        from likewise.output.described import described_pairs

        of = ("document", "source") if options.scores else ("a", "b")
        rows = described_pairs(rows, *known, of=of)
    write_rows(rows, options.format, stream)


def _view(options: argparse.Namespace) -> View:
    """In a file, or where a number was asked for, all pairs."""
    from likewise.files import output_width
    from likewise.output.passages import View

    shown = None if options.output or options.top else TABLE_PAIRS
    return View(options.context, options.differences, output_width(options.output), shown)


def tell_passages(passages: Passages, options: argparse.Namespace) -> None:
    """Notes and the summary, on stderr."""
    from likewise.output.passages import notes, summary
    from likewise.output.stats import stats_text

    for message in notes(passages):
        tell(message, options.quiet)
    tell(summary(passages.stats), options.quiet)
    if options.stats:
        print(stats_text(passages.stats), end="", file=sys.stderr)
