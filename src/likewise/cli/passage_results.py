"""Search and output of passages, for `likewise passages` and `likewise index passages`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from likewise.cli.exclusions import exclusions_of
from likewise.cli.messages import notify, print_stats
from likewise.cli.options import shared
from likewise.cli.parser import arguments_for
from likewise.errors import UsageError
from likewise.output.rows import FORMATS

if TYPE_CHECKING:
    from likewise.documents import Batch, Document
    from likewise.output.passages import Documents, View
    from likewise.passages.results import Passages

# Besides those of all commands: a network of documents, and a critical apparatus of families.
NETWORK, EDITION = "graphml", "tei"
OPTIONS = {
    "--format": shared("--format", more={"choices": (*FORMATS, NETWORK, EDITION)}),
}
RESULT_OPTIONS = "--scores --families --shared-by --not-by --context --differences --stats"
MAX_TABLE_PAIRS = 200  # of a table on stdout
MAX_CONTEXT_WORDS = 1000

Result = TypeVar("Result")


def prepare_search(
    search: Callable[..., Result], options: argparse.Namespace
) -> Callable[..., Result]:
    """A search with the options of the command; raises, before any reading, if they are wrong."""
    from likewise.threads import thread_count
    from likewise.whole_numbers import check_whole

    if options.differences and options.format not in ("table", "jsonl"):
        raise UsageError(
            f"--differences is not available with --format {options.format}",
            hint="use --format jsonl or table",
        )
    if options.differences and options.scores:
        raise UsageError("--scores prints no passages, so it cannot be combined with --differences")
    if options.families and options.scores:
        raise UsageError("--families and --scores print different results; use one of them")
    for name in ("shared_by", "not_by"):
        if getattr(options, name) and not options.families:
            raise UsageError(f"--{name.replace('_', '-')} requires --families")
    if options.format == EDITION and not options.families:
        raise UsageError(f"--format {EDITION} requires --families")
    if options.format == NETWORK and options.scores:
        raise UsageError(f"--scores is not available with --format {NETWORK}")
    check_whole("context", options.context, 0, MAX_CONTEXT_WORDS)
    if options.top is not None:
        check_whole("top", options.top, 1)
    thread_count(options.threads)
    rates = None
    if options.language is not None:
        from likewise.text.word_frequencies import Frequencies

        rates = Frequencies.of_language(options.language)
    exclude = exclusions_of(options)
    return partial(search, **arguments_for(search, options, exclude=exclude, rates=rates))


def read_documents(batches: Iterable[Batch]) -> dict[str, Document]:
    """All documents of a collection, by id and in order."""
    return {document.id: document for batch in batches for document in batch.documents()}


def columns_of(documents: Documents) -> tuple[list[str], list[Mapping[str, Any] | None]]:
    """Texts and metadata."""
    found = documents.values()
    return [document.text for document in found], [document.known for document in found]


def write_passages(
    passages: Passages, a: Documents, b: Documents, options: argparse.Namespace
) -> None:
    """Writes passages, or with --scores the scores of their documents, or families."""
    if options.families:
        write_families(passages, a, b, options)
        return
    from likewise.files import open_output
    from likewise.output.passages import passage_rows, passages_text
    from likewise.output.rows import write_rows
    from likewise.output.scores import score_rows, scores_text

    view = _view(options)
    lines: Iterator[str]
    if options.format == NETWORK:
        from likewise.output.graphml import passages_graphml

        with passages.stats.timed("write"), open_output(options.output) as stream:
            best = replace(passages, pairs=passages.pairs[: options.top])
            _write_lines(stream, passages_graphml(best, a, b))
        return
    if options.scores:
        scores = list(passages.scores().values())[: options.top]
        lines, rows = scores_text(scores, a, b, view.shown), score_rows(scores)
    else:
        best = replace(passages, pairs=passages.pairs[: options.top])
        lines = passages_text(best, a, b, view)
        rows = passage_rows(best, a, b, differences=options.differences)
    with passages.stats.timed("write"), open_output(options.output) as stream:
        if options.format == "table":
            _write_lines(stream, lines)
            return
        known = [{id_: d.known for id_, d in side.items() if d.known} for side in (a, b)]
        if options.metadata is not None or any(known):
            from likewise.output.described import described_pairs

            of = ("document", "source") if options.scores else ("a", "b")
            rows = described_pairs(rows, *known, of=of)
        write_rows(rows, options.format, stream, to_file=options.output is not None)


def write_families(
    passages: Passages, a: Documents, b: Documents, options: argparse.Namespace
) -> None:
    """Writes the families of the passages."""
    from likewise.files import open_output
    from likewise.output.families import families_summary, families_text, family_rows
    from likewise.output.graphml import families_graphml
    from likewise.output.rows import write_rows
    from likewise.output.tei import families_tei
    from likewise.passages.families.find import find_families

    documents = passages.searched
    assert documents is not None
    ids, first = list(documents.ids), documents.first_count
    found = find_families(
        passages,
        metadata=[a[id_].known for id_ in ids[:first]],
        against_metadata=[b[id_].known for id_ in ids[first:]],
        threads=options.threads,
    )
    found = found.shared_by(*options.shared_by or (), without=options.not_by or ())
    view = _view(options)
    best = replace(found, families=found.families[: options.top])
    with passages.stats.timed("write"), open_output(options.output) as stream:
        if options.format == "table":
            _write_lines(stream, families_text(best, a, b, view))
        elif options.format == NETWORK:
            _write_lines(stream, families_graphml(best, a, b))
        elif options.format == EDITION:
            _write_lines(stream, families_tei(best, a, b))
        else:
            rows = family_rows(best, a, b, differences=options.differences)
            write_rows(rows, options.format, stream, to_file=options.output is not None)
    passages.stats.seconds |= found.stats.seconds
    passages.stats.counts["families"] = len(found)
    notify(options, *found.notes, families_summary(found, options.top))


def _write_lines(stream: BinaryIO, lines: Iterable[str]) -> None:
    for line in lines:
        stream.write(line.encode("utf-8", "replace"))


def _view(options: argparse.Namespace) -> View:
    """A table on stdout has a limited number of pairs, unless --top is given."""
    from likewise.files import output_width
    from likewise.output.passages import View

    shown = None if options.output or options.top else MAX_TABLE_PAIRS
    return View(options.context, options.differences, output_width(options.output), shown)


def report_passages(passages: Passages, options: argparse.Namespace) -> None:
    """Prints notes and the summary."""
    from likewise.output.passages import notes, summary

    stats = passages.stats
    top = None if options.families else options.top
    stats.settings |= {"language": options.language, "top": top}
    notify(options, *notes(passages), summary(stats))
    print_stats(options, stats)
