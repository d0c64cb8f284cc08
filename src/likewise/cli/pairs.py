"""`likewise pairs`: similar pairs inside a collection, or between two."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.cli.copied_parts import copied_parts_hint
from likewise.cli.options import (
    Parser,
    add_goal,
    add_layout,
    add_metadata,
    add_null_pairs,
    add_output,
    add_profile,
    add_reading,
    add_seed,
    add_threads,
    add_trials,
    add_values,
    size_in_bytes,
    whole_number,
)
from likewise.cli.progress import Progress, tell
from likewise.cli.reading import open_metadata, open_reader, tell_reading
from likewise.errors import UsageError
from likewise.statistics.null_models import SEARCH_NULLS

if TYPE_CHECKING:
    from likewise.documents import Reader
    from likewise.documents.metadata import Metadata, MetadataTable
    from likewise.output.rows import Rows
    from likewise.run import Stats
    from likewise.search.collection import Collection
    from likewise.search.pairs import Pairs
    from likewise.search.settings import Settings

DESCRIPTION = """\
Finds near-duplicates: pairs of documents that have most of their wording in common. It compares
whole documents; `likewise passages` and `likewise report` find copied parts.

A SOURCE is a file, a folder, a glob, a zip or - for stdin. Folders, zips and several files contain
one document per file (text, PDF, DOCX, ODT, EPUB, HTML); a single .txt file one per line; .jsonl,
.csv and .parquet (also .gz and .zst) one per row.
Every pair is verified on the full sets of shingles."""

EXAMPLE = """\
  likewise pairs samples/essays --threshold 0.5
  likewise pairs tweets.txt --profile tweets --threshold 0.55
  likewise pairs 2017/ --against 2018/ --profile papers"""

TABLE_ROWS = 1000  # what a person may want to scroll through


def parser() -> Parser:
    """The options of the command."""
    made = Parser("pairs", DESCRIPTION, EXAMPLE)
    made.add_argument("sources", nargs="+", metavar="SOURCE", help="the collection")
    made.add_argument(
        "--against",
        nargs="+",
        metavar="OTHER",
        help="find only pairs between SOURCE and OTHER; must follow SOURCE",
    )
    add_profile(made)
    search = made.add_argument_group("search")
    add_goal(search, None)
    search.add_argument(
        "--exact", action="store_true", help="search without sketches, so that no pair is missed"
    )
    search.add_argument(
        "--measure",
        choices=("jaccard", "containment"),
        default="jaccard",
        help="similarity measure; containment is the share of the smaller text that is in the "
        "larger, and is searched exactly (default: jaccard)",
    )
    search.add_argument(
        "--top",
        type=whole_number,
        metavar="N",
        help="print the N most similar pairs; without --threshold, however dissimilar",
    )
    add_layout(search)
    add_values(search)
    search.add_argument(
        "--max-bucket",
        type=whole_number,
        default=1000,
        metavar="N",
        help="do not compare all documents of a bucket larger than N with each other (default: "
        "1000)",
    )
    search.add_argument(
        "--max-copies",
        type=whole_number,
        default=100,
        metavar="N",
        help="pair more than N exact copies only with the first of them (default: 100)",
    )
    add_threads(search)
    search.add_argument(
        "--memory",
        type=size_in_bytes,
        default=1 << 30,
        metavar="SIZE",
        help="maximum text in memory; the rest goes to a scratch file (default: 1GiB)",
    )
    chance = made.add_argument_group("chance level")
    chance.add_argument(
        "--chance",
        choices=SEARCH_NULLS,
        help="add the chance level, p-value and q-value of each pair: by unrelated pairs of the "
        "collection, or by the pair's own words or letters in random order",
    )
    add_null_pairs(chance, "with corpus: number of random pairs to examine")
    add_trials(chance, "with words and letters: number of shuffles per pair")
    add_seed(chance)
    add_reading(made)
    add_metadata(made)
    add_output(made)
    made.add_argument("--clusters", action="store_true", help="print clusters instead of pairs")
    made.add_argument(
        "--stats", action="store_true", help="print settings, counts and times to stderr"
    )
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, searches and prints; the exit status."""
    options = parser().parse(arguments)
    if "-" in options.sources and "-" in (options.against or []):
        raise UsageError("only one of SOURCE and OTHER can be stdin")
    if options.clusters and options.chance:
        raise UsageError(
            "--chance applies to pairs, not to clusters", hint="remove --clusters or --chance"
        )
    if options.clusters and options.against:
        raise UsageError(
            "--clusters applies to a single collection", hint="remove --clusters or --against"
        )
    from likewise.files import check_output, open_output
    from likewise.output.described import described_pairs
    from likewise.output.rows import write_rows
    from likewise.run import Stats
    from likewise.search.find import search
    from likewise.search.settings import Settings
    from likewise.text.profile import Profile
    from likewise.threads import thread_count

    settings = Settings(
        profile=Profile.of(options.profile),
        threshold=options.threshold,
        recall=options.recall,
        exact=options.exact,
        measure=options.measure,
        top=options.top,
        bands=options.bands,
        rows=options.rows,
        values=options.values,
        max_bucket=options.max_bucket,
        max_copies=options.max_copies,
        chance=options.chance,
        null_pairs=options.null_pairs,
        trials=options.trials,
        seed=options.seed,
        threads=thread_count(options.threads),
    )
    check_output(options.output, binary=options.format == "parquet")
    stats = Stats(settings.to_dict())
    metadata = open_metadata(options)
    about: dict[str, Metadata] = {}
    with Progress(options.quiet) as progress:
        readers = [
            open_reader(sources, options, progress, "read and sketch", metadata)
            for sources in (options.sources, options.against)
            if sources
        ]
        collection = _collect(readers, settings, options.memory, stats, about)
        pairs = search(collection, settings, stats, progress)
        with stats.timed("write"), open_output(options.output) as stream:
            rows = _rows(pairs, options)
            if metadata is not None and not options.clusters:
                rows = described_pairs(rows, about)
            write_rows(rows, options.format, stream)
    stats.counts["skipped"] = sum(len(reader.skipped) for reader in readers)
    return _tell(readers, stats, options, metadata)


def _collect(
    readers: list[Reader],
    settings: Settings,
    memory: int,
    stats: Stats,
    about: dict[str, Metadata],
) -> Collection:
    """Reads everything, batch by batch, and scans each batch as it comes.

    What is known about documents goes to `about`, by their ids.
    """
    from likewise.search.find import new_collection

    collection = new_collection(settings, memory=memory)
    for number_, reader in enumerate(readers):
        if number_ == 1:
            collection.begin_second()
        batches = iter(reader)
        while True:
            with stats.timed("read"):
                batch = next(batches, None)
            if batch is None:
                break
            with stats.timed("sketch"):
                collection.add_batch(batch.ids, batch.texts)
            if batch.metadata is not None:
                found = zip(batch.ids, batch.metadata, strict=True)
                about.update({id_: known for id_, known in found if known is not None})
    return collection


def _rows(pairs: Pairs, options: argparse.Namespace) -> Rows:
    from likewise.output.rows import Rows

    if options.clusters:
        return _cluster_rows(pairs)
    shown = None if options.output else TABLE_ROWS
    return Rows(
        pairs.columns, pairs.rows(), len(pairs), shown, "pairs", pairs.kinds, pairs.to_arrow
    )


def _cluster_rows(pairs: Pairs) -> Rows:
    from likewise.output.rows import Rows

    clusters = pairs.clusters()
    rows = [
        (number_, len(cluster), member)
        for number_, cluster in enumerate(clusters)
        for member in cluster.members
    ]
    columns = {"cluster": int, "size": int, "id": str}
    return Rows(tuple(columns), rows, len(rows), None, "clusters", kinds=tuple(columns.values()))


def _tell(
    readers: list[Reader],
    stats: Stats,
    options: argparse.Namespace,
    metadata: MetadataTable | None,
) -> int:
    """Notes, skipped documents and the summary, on stderr; the exit status."""
    from likewise.output.stats import stats_text, summary

    status = tell_reading(readers, options, metadata)
    for message in stats.notes:
        tell(message, options.quiet)
    tell(summary(stats), options.quiet)
    counts = stats.counts
    for message in copied_parts_hint(
        options, found=counts["pairs"], documents=counts["documents"], size=counts["bytes"]
    ):
        tell(message, options.quiet)
    if options.stats:
        import sys

        print(stats_text(stats), end="", file=sys.stderr)
    return status
