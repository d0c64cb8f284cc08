"""`likewise index query`: which documents of an index are similar to others."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from likewise.cli.copied_parts import copied_parts_hint
from likewise.cli.index.adding import add_batches, tell_added
from likewise.cli.index.database import add_database, check_target, promise
from likewise.cli.options import (
    Parser,
    add_level,
    add_metadata,
    add_output,
    add_reading,
    add_threads,
    number,
    whole_number,
)
from likewise.cli.pairs import TABLE_ROWS
from likewise.cli.progress import Progress, tell
from likewise.cli.reading import open_metadata, open_reader, tell_reading

if TYPE_CHECKING:
    from likewise.documents import Batch
    from likewise.index.index import Index
    from likewise.output.rows import Rows
    from likewise.text.displayed import LookAlikes

    Row = tuple[Any, ...]

DESCRIPTION = """\
Lists, for each document of SOURCE, the similar documents of the index, the most similar first. It
compares whole documents; `likewise index passages` finds copied parts. Every match is verified on
the full sets of shingles; if the index stores no texts, it is an estimate with an interval. Nothing
is added without --add."""

EXAMPLE = """\
  likewise index query essays.db new.txt
  likewise index query essays.db 2019/ --top 3 --format jsonl
  likewise index query essays.db 2019/ --threshold 0.2 --scan"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index query", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the documents to check")
    search = made.add_argument_group("search")
    search.add_argument(
        "--threshold",
        type=number,
        metavar="T",
        help="minimum similarity (default: as set in the index)",
    )
    search.add_argument(
        "--top", type=whole_number, metavar="N", help="list at most N similar documents for each"
    )
    search.add_argument(
        "--scan",
        action="store_true",
        help="compare with every document: slower, but also finds matches below the threshold of "
        "the index",
    )
    search.add_argument(
        "--add", action="store_true", help="add the documents after all have been checked"
    )
    add_level(search, "confidence level of the intervals, if the index stores no texts")
    add_threads(search)
    add_reading(made)
    add_metadata(made)
    add_output(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, asks, prints and adds; the exit status."""
    options = parser().parse(arguments)
    from likewise.files import open_output
    from likewise.index.index import Index
    from likewise.index.postings.segments import MAX_DOCUMENTS_PER_BAND
    from likewise.output.rows import write_rows
    from likewise.statistics.estimate import check_level
    from likewise.text.displayed import LookAlikes

    check_target(options.database, options.output, binary=options.format == "parquet")
    check_level(options.level)
    metadata = open_metadata(options)
    with Index(options.database) as index, Progress(options.quiet) as progress:
        _ask(index, [], options)  # a question that cannot be asked is refused before any reading
        reader = open_reader(
            options.sources, options, progress, "read and compare", metadata, "files"
        )
        # With --add sources are read a second time, which stdin cannot be.
        batches: Iterable[Batch] = reader
        if options.add and "-" in options.sources:
            batches = list(reader)
        lookalikes = LookAlikes()
        size = 0
        rows: list[Row] = []
        for batch in batches:
            size += batch.texts.nbytes
            rows += _rows_of(index, batch, options, lookalikes)
        asked, stored = reader.documents, len(index)
        with open_output(options.output) as stream:
            write_rows(_as_rows(rows, options), options.format, stream)
        added = None
        if options.add:
            added = add_batches(index, batches, threads=options.threads, quiet=options.quiet)
        status = tell_reading([reader], options, metadata)
        if not options.add:  # told below, with those that are added
            for note in lookalikes.notes():
                tell(note, options.quiet)
        tell(_summary(index, rows, asked, stored, options), options.quiet)
        if index.settings.min_words is not None:
            found = len({row[0] for row in rows}) == asked
            for message in copied_parts_hint(options, found=found, documents=asked, size=size):
                tell(message, options.quiet)
        if (crowded := index.crowded_out) and not options.scan:
            tell(
                f"some bands are shared by more than {MAX_DOCUMENTS_PER_BAND:,} documents; "
                f"{crowded:,} entries were skipped, so some similar documents may be missing "
                "(--scan compares with all)",
                options.quiet,
            )
        if added is not None:
            tell_added(index, options.database, added, options.quiet)
    return status


def _ask(index: Index, texts: Any, options: argparse.Namespace) -> list[list[Any]]:
    answers: list[list[Any]] = index.query(
        texts,
        threshold=options.threshold,
        top=options.top,
        scan=options.scan,
        level=options.level,
        threads=options.threads,
    )
    return answers


def _rows_of(
    index: Index, batch: Batch, options: argparse.Namespace, found: LookAlikes
) -> Iterable[Row]:
    from likewise.text.displayed import displayed_column

    _, words = displayed_column(batch.texts, index.settings.profile)
    found.count(words[words > 0].tolist())
    for id_, matches in zip(batch.ids, _ask(index, batch.texts, options), strict=True):
        for match in matches:
            yield (id_, *match.row())


def _as_rows(rows: list[Row], options: argparse.Namespace) -> Rows:
    from likewise.index.matches import COLUMNS, FIELDS, KINDS
    from likewise.output.rows import Rows

    columns = {"query": str, **dict(zip(COLUMNS, KINDS, strict=True))}
    shown = None if options.output else TABLE_ROWS
    return Rows(
        tuple(columns), rows, len(rows), shown, "matches", tuple(columns.values()),
        optional={"low", "high", "shared", *FIELDS},
    )  # fmt: skip


def _summary(
    index: Index, rows: list[Row], asked: int, stored: int, options: argparse.Namespace
) -> str:
    from likewise.run import counted

    settings = index.settings
    threshold = settings.threshold if options.threshold is None else options.threshold
    found = len({row[0] for row in rows})
    how = "compared with every document" if options.scan else promise(settings)
    if not settings.keep_text:
        how += f"; estimates with {100 * options.level:g}% intervals, as no texts are stored"
    matches = f"{found:,} {'has' if found == 1 else 'have'} matches" if found else "no matches"
    return (
        f"checked {counted(asked, 'document')}: {matches} at jaccard {threshold:g} or more among "
        f"{counted(stored, 'document')} ({settings.profile}; {how})"
    )
