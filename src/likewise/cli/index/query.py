"""`likewise index query`: which documents of an index are similar to others."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

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
    from likewise.report.rows import Rows

    Row = tuple[Any, ...]

DESCRIPTION = """\
For each document of SOURCE the documents of the index that are similar to it, the most similar
first. Every answer is verified on the full sets of shingles; where the index keeps no texts, it is
an estimate with an interval. Nothing is added, unless with --add."""

EXAMPLE = """\
  likewise index query essays.db new.txt --whole
  likewise index query essays.db 2019/ --top 3 --format jsonl
  likewise index query essays.db 2019/ --threshold 0.2 --scan"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index query", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the documents to ask about")
    search = made.add_argument_group("search")
    search.add_argument(
        "--threshold",
        type=number,
        metavar="T",
        help="least similarity (default: that of the index)",
    )
    search.add_argument(
        "--top", type=whole_number, metavar="N", help="the N most similar of each at most"
    )
    search.add_argument(
        "--scan",
        action="store_true",
        help="look at every document: slower, and finds what is below the index's threshold",
    )
    search.add_argument(
        "--add", action="store_true", help="add the documents when all have been asked about"
    )
    add_level(search, "of the intervals, where no texts are kept")
    add_threads(search)
    add_reading(made)
    add_metadata(made)
    add_output(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, asks, prints and adds; the exit status."""
    options = parser().parse(arguments)
    from likewise.index.index import Index
    from likewise.index.segments import MAX_SHARED
    from likewise.report.output import open_output
    from likewise.report.rows import write_rows
    from likewise.statistics.estimate import check_level

    check_target(options.database, options.output, binary=options.format == "parquet")
    check_level(options.level)
    metadata = open_metadata(options)
    with Index(options.database) as index, Progress(options.quiet) as progress:
        _ask(index, [], options)  # a question that cannot be asked is refused before any reading
        reader = open_reader(options.sources, options, progress, "read and ask", metadata)
        # With --add sources are read a second time, which stdin cannot be.
        batches: Iterable[Batch] = reader
        if options.add and "-" in options.sources:
            batches = list(reader)
        rows = [row for batch in batches for row in _rows_of(index, batch, options)]
        asked, stored = reader.documents, len(index)
        with open_output(options.output) as stream:
            write_rows(_as_rows(rows, options), options.format, stream)
        added = None
        if options.add:
            added = add_batches(index, batches, threads=options.threads, quiet=options.quiet)
        status = tell_reading([reader], options, metadata)
        tell(_summary(index, rows, asked, stored, options), options.quiet)
        if (crowded := index.crowded_out) and not options.scan:
            tell(
                f"some bands are shared by over {MAX_SHARED:,} documents, and {crowded:,} entries "
                "were left out: of very many documents that are alike some may be missing; --scan "
                "looks at all",
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


def _rows_of(index: Index, batch: Batch, options: argparse.Namespace) -> Iterable[Row]:
    for id_, matches in zip(batch.ids, _ask(index, batch.texts, options), strict=True):
        for match in matches:
            yield (id_, *match.row())


def _as_rows(rows: list[Row], options: argparse.Namespace) -> Rows:
    from likewise.index.matches import COLUMNS, FIELDS, KINDS
    from likewise.report.rows import Rows

    columns = {"query": str, **dict(zip(COLUMNS, KINDS, strict=True))}
    shown = None if options.output else TABLE_ROWS
    return Rows(
        tuple(columns), rows, len(rows), shown, "matches", tuple(columns.values()),
        optional={"low", "high", "shared", *FIELDS},
    )  # fmt: skip


def _summary(
    index: Index, rows: list[Row], asked: int, stored: int, options: argparse.Namespace
) -> str:
    from likewise.search.stats import counted

    settings = index.settings
    threshold = settings.threshold if options.threshold is None else options.threshold
    found = len({row[0] for row in rows})
    how = "every document looked at" if options.scan else promise(settings)
    if not settings.keep_text:
        how += f"; estimates with {100 * options.level:g}% intervals, since no texts are kept"
    return (
        f"{counted(asked, 'document')} asked about, {found:,} with matches at jaccard "
        f"{threshold:g} or more among {counted(stored, 'document')} ({settings.profile}; {how})"
    )
