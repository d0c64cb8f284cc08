"""Lists, for each document of SOURCE, the similar documents of the index, the most similar first.
It compares whole documents; `likewise index passages` finds copied parts. With --measure
containment, it lists the documents that contain a document of SOURCE, or are contained in it,
however much longer one of the two is. Every match is verified on the full sets of shingles; if the
index stores no texts, it is an estimate with an interval. Nothing is added without --add.

example:
  likewise index query essays.db new.txt
  likewise index query essays.db 2019/ --top 3 --format jsonl
  likewise index query essays.db 2019/ --threshold 0.2 --scan
  likewise index query essays.db quotation.txt --measure containment --top 10
  likewise index query essays.db new.txt --where group=2025 --where group=2026
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from likewise.cli.copied_parts import copied_parts_hint
from likewise.cli.index.adding import add_batches, report_added
from likewise.cli.index.conditions import condition, matching
from likewise.cli.inputs import Inputs
from likewise.cli.messages import notify
from likewise.cli.options import OUTPUT, READING, choice, flag, shared, sources, whole
from likewise.cli.parser import Option, Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.results import shown_rows, write_result

if TYPE_CHECKING:
    from likewise.documents import Batch
    from likewise.index.index import Index
    from likewise.output.rows import Rows

    Row = tuple[Any, ...]

OPTIONS = {
    "SOURCE": sources("the documents to check"),
    "--measure": choice(
        ("jaccard", "containment"),
        "jaccard: documents that are similar as a whole; containment: documents that contain one "
        "of SOURCE or are contained in it, by the share of the shorter one that is in the longer",
        "jaccard",
    ),
    "--threshold": shared("--threshold", default=None, otherwise="as set in the index"),
    "--top": whole("N", "list at most N similar documents for each"),
    "--where": Option(
        "search only documents whose metadata have this value, such as group=2026; repeat it to "
        "allow several values of a field, or to name several fields",
        "FIELD=VALUE",
        condition,
        otherwise="all documents",
        more={"action": "append"},
    ),
    "--scan": flag(
        "compare with every document: slower, but also finds matches below the threshold of the "
        "index"
    ),
    "--level": shared(
        "--level", help="confidence level of the intervals, if the index stores no texts"
    ),
}


def add_options(parser: Parser) -> None:
    parser.add("DB SOURCE")
    parser.add("--measure --threshold --top --where --scan --add --level --threads", group="search")
    parser.add(READING, group="reading")
    parser.add("--metadata --metadata-column")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.cli.index.containment_recall import recall_notes
    from likewise.index.containment_query import count_words
    from likewise.index.index import Index
    from likewise.text.displayed import LookAlikes, displayed_column

    with Index(options.database) as index, Progress(options.quiet) as progress:
        where = matching(options.where)
        query: Any = partial(index.query, **arguments_for(index.query, options, where=where))
        query([])  # raises before any reading
        inputs = Inputs(options, progress, "read and compare", "files")
        reader = inputs.open(options.sources)
        # With --add, sources are read a second time, which is impossible for stdin.
        batches: Iterable[Batch] = reader
        if options.add and "-" in options.sources:
            batches = list(reader)
        lookalikes = LookAlikes()
        size = 0
        lengths: list[int] = []  # in words
        rows: list[Row] = []
        for batch in batches:
            size += batch.texts.nbytes
            _, words = displayed_column(batch.texts, index.settings.profile)
            lookalikes.count(words[words > 0].tolist())
            for id_, matches in zip(batch.ids, query(batch.texts), strict=True):
                rows += [(id_, *match.row(options.measure)) for match in matches]
            if options.measure == "containment":
                lengths += count_words(list(map(str, batch.texts.to_pylist())))
        checked, stored = reader.documents, len(index)
        write_result(options, None, lambda: _rows(rows, options))
        added = add_batches(index, batches, options) if options.add else None
        status = inputs.report()
        if added is None:  # otherwise printed below, for the added documents
            notify(options, *lookalikes.notes())
        notify(options, _summary(index, rows, checked, stored, options))
        if options.measure == "containment":
            notify(options, *recall_notes(index.settings, options, lengths))
        if index.settings.min_words is not None and options.measure == "jaccard":
            found = len({row[0] for row in rows}) == checked
            hint = copied_parts_hint(options, found=found, documents=checked, size=size)
            notify(options, *hint)
        if options.measure == "jaccard":
            _report_skipped_entries(index, options)
        if added is not None:
            report_added(index, added, options)
    return status


def _rows(rows: list[Row], options: argparse.Namespace) -> Rows:
    from likewise.documents.document import FIELDS
    from likewise.index.matches import COLUMNS, KINDS
    from likewise.output.rows import Rows

    columns = {"query": str, **dict(zip(COLUMNS, KINDS, strict=True))}
    return Rows(
        tuple(columns), rows, len(rows), shown_rows(options), "matches", tuple(columns.values()),
        optional={"low", "high", "shared", *FIELDS},
    )  # fmt: skip


def _summary(
    index: Index, rows: list[Row], checked: int, stored: int, options: argparse.Namespace
) -> str:
    from likewise.run import counted

    settings = index.settings
    threshold = settings.threshold if options.threshold is None else options.threshold
    how = "compared with every document"
    if not options.scan and options.measure == "containment":
        how = f"by runs of {settings.min_words} words, and rare words"
    elif not options.scan:
        how = settings.layout.described(settings.threshold)
    if not settings.keep_text:
        how += f"; estimates with {100 * options.level:g}% intervals, as no texts are stored"
    found = len({row[0] for row in rows})
    matches = f"{found:,} {'has' if found == 1 else 'have'} matches" if found else "no matches"
    least = f"{options.measure} {threshold:g}"
    return (
        f"checked {counted(checked, 'document')}: {matches} at {least} or more among "
        f"{counted(stored, 'document')} ({settings.profile}; {how})"
    )


def _report_skipped_entries(index: Index, options: argparse.Namespace) -> None:
    from likewise.index.postings.segments import MAX_DOCUMENTS_PER_BAND

    if (skipped := index.crowded_out) and not options.scan:
        notify(
            options,
            f"some bands are shared by more than {MAX_DOCUMENTS_PER_BAND:,} documents; "
            f"{skipped:,} entries were skipped, so some similar documents may be missing "
            "(--scan compares with all)",
        )
