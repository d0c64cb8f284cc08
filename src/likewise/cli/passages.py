"""`likewise passages`: copied passages in a collection, or between two."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from likewise.cli.excluding import add_exclusions, exclusions_of
from likewise.cli.options import (
    Parser,
    add_metadata,
    add_min_words,
    add_output,
    add_reading,
    add_threads,
    whole_number,
)
from likewise.cli.progress import Progress, tell
from likewise.cli.reading import open_metadata, open_reader, tell_reading
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.documents import Reader
    from likewise.evidence.frequencies import Frequencies
    from likewise.evidence.matching_text import Exclusions
    from likewise.evidence.passages import Passages
    from likewise.report.passages import Documents, DocumentText, View

DESCRIPTION = """\
Finds passages that documents share, however small a part of them they are: copied word for word,
edited, put in another order or summarised.

A SOURCE is a file, a folder, a glob, a zip or - for stdin, as for `likewise pairs`. Every run of
--min-words equal words is found; copies without such a run are looked for by rare words that both
documents have. All texts are held in memory."""

EXAMPLE = """\
  likewise passages samples/essays
  likewise passages new/ --against archive/ --format jsonl -o passages.jsonl
  likewise passages samples/essays --scores
  likewise passages one.txt two.txt --differences"""

TABLE_PAIRS = 200  # what a person may want to scroll through
MOST_CONTEXT = 1000


def parser() -> Parser:
    """The options of the command."""
    made = Parser("passages", DESCRIPTION, EXAMPLE)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the collection")
    made.add_argument(
        "--against",
        nargs="+",
        metavar="OTHER",
        help="passages of SOURCE that come from OTHER only; stands behind SOURCE",
    )
    search = made.add_argument_group("search")
    add_min_words(search)
    search.add_argument(
        "--max-documents",
        type=whole_number,
        default=200,
        metavar="N",
        help="a run of words that more documents have is set aside (default: 200)",
    )
    search.add_argument(
        "--runs-only",
        action="store_true",
        help="look only at documents that share a run of --min-words words",
    )
    search.add_argument(
        "--language",
        metavar="CODE",
        help="take how rare a word is from a list for this language, such as en, and not from the "
        "documents; needs likewise[frequencies]",
    )
    search.add_argument(
        "--top",
        type=whole_number,
        metavar="N",
        help="the N pairs that share most words; with --scores the N documents that share most of "
        "theirs",
    )
    add_threads(search)
    add_exclusions(made)
    add_reading(made)
    add_metadata(made)
    add_output(made)
    made.add_argument(
        "--scores",
        action="store_true",
        help="instead of passages, how much of each document is shared, and with which others",
    )
    made.add_argument(
        "--context",
        type=whole_number,
        default=8,
        metavar="N",
        help="in a table: words around each passage (default: 8)",
    )
    made.add_argument(
        "--differences",
        action="store_true",
        help="in a table and in jsonl: what was replaced, left out and put in, word by word",
    )
    made.add_argument(
        "--stats", action="store_true", help="print settings, counts and times to stderr"
    )
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, searches and prints; the exit status."""
    options = parser().parse(arguments)
    _check(options)
    from likewise.report.output import check_output, open_output
    from likewise.search.stats import Stats

    check_output(options.output, binary=options.format == "parquet")
    rates = _rates(options)
    exclude = exclusions_of(options)
    metadata = open_metadata(options)
    reading = Stats()
    with Progress(options.quiet) as progress:
        readers = [
            open_reader(sources, options, progress, metadata=metadata)
            for sources in (options.sources, options.against)
            if sources
        ]
        with reading.timed("read"):
            sides = [_read(reader) for reader in readers]
        passages = _search(sides, rates, exclude, options, progress)
        with passages.stats.timed("write"), open_output(options.output) as stream:
            _write(passages, sides, options, stream)
    stats = passages.stats
    stats.seconds = reading.seconds | stats.seconds
    stats.counts["skipped"] = sum(len(reader.skipped) for reader in readers)
    status = tell_reading(readers, options, metadata)
    _tell(passages, options)
    return status


def _check(options: argparse.Namespace) -> None:
    """Raises, before anything is read, for options that are wrong."""
    from likewise.search.fingerprints import Winnowing
    from likewise.threads import thread_count
    from likewise.whole_numbers import check_whole

    if "-" in options.sources and "-" in (options.against or []):
        raise UsageError("only one of SOURCE and OTHER can be stdin")
    if options.differences and options.format in ("csv", "parquet"):
        raise UsageError(
            f"differences are a list, which {options.format} cannot hold",
            hint="--format jsonl has them, and the table shows them",
        )
    if options.differences and options.scores:
        raise UsageError("--scores are without passages, and so without --differences")
    Winnowing(options.min_words)
    check_whole("max_documents", options.max_documents, 2)
    check_whole("context", options.context, 0, MOST_CONTEXT)
    if options.top is not None:
        check_whole("top", options.top, 1)
    thread_count(options.threads)


def _rates(options: argparse.Namespace) -> Frequencies | None:
    if options.language is None:
        return None
    from likewise.evidence.frequencies import Frequencies

    return Frequencies.of_language(options.language)


def _read(reader: Reader) -> dict[str, DocumentText]:
    """All documents of a collection, by id and in order."""
    from likewise.report.passages import DocumentText

    held: dict[str, DocumentText] = {}
    for batch in reader:
        nothing = [None] * len(batch)
        pages, known = batch.page_starts or nothing, batch.metadata or nothing
        texts = map(str, batch.texts.to_pylist())
        documents = map(DocumentText, texts, pages, known)
        held.update(zip(batch.ids, documents, strict=True))
    return held


def _search(
    sides: Sequence[Documents],
    rates: Frequencies | None,
    exclude: Exclusions,
    options: argparse.Namespace,
    progress: Progress,
) -> Passages:
    from likewise.evidence.find import find_passages

    texts = [[document.text for document in side.values()] for side in sides]
    known = [[_known(document) for document in side.values()] for side in sides]
    two = len(sides) == 2
    passages = find_passages(
        texts[0],
        ids=sides[0],
        against=texts[1] if two else None,
        against_ids=sides[1] if two else None,
        min_words=options.min_words,
        max_documents=options.max_documents,
        edited=not options.runs_only,
        exclude=exclude,
        metadata=known[0],
        against_metadata=known[1] if two else None,
        rates=rates,
        threads=options.threads,
        progress=progress,
    )
    passages.stats.settings |= {"language": options.language, "top": options.top}
    return passages


def _known(document: DocumentText) -> dict[str, str] | None:
    return None if document.metadata is None else document.metadata.known()


def _write(
    passages: Passages, sides: Sequence[Documents], options: argparse.Namespace, stream: BinaryIO
) -> None:
    from likewise.report.passages import passage_rows, passages_text
    from likewise.report.rows import write_rows
    from likewise.report.scores import score_rows, scores_text

    a, b = sides[0], sides[-1]
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
    if options.metadata is not None:
        from likewise.report.described import described_pairs

        known = [{id_: d.metadata for id_, d in side.items() if d.metadata} for side in (a, b)]
        of = ("document", "source") if options.scores else ("a", "b")
        rows = described_pairs(rows, *known, of=of)
    write_rows(rows, options.format, stream)


def _view(options: argparse.Namespace) -> View:
    """In a file, or where a number was asked for, all pairs."""
    from likewise.report.output import output_width
    from likewise.report.passages import View

    shown = None if options.output or options.top else TABLE_PAIRS
    return View(options.context, options.differences, output_width(options.output), shown)


def _tell(passages: Passages, options: argparse.Namespace) -> None:
    """Notes and the summary, on stderr."""
    from likewise.report.passages import notes, summary
    from likewise.report.stats import stats_text

    for message in notes(passages):
        tell(message, options.quiet)
    tell(summary(passages.stats), options.quiet)
    if options.stats:
        print(stats_text(passages.stats), end="", file=sys.stderr)
