"""Finds near-duplicates: pairs of documents that have most of their wording in common. It
compares whole documents; `likewise passages` and `likewise report` find copied parts.

A SOURCE is a file, a folder, a glob, a zip or - for stdin. Folders, zips and several files contain
one document per file (text, PDF, DOCX, ODT, EPUB, HTML); a single .txt file one per line; .jsonl,
.csv and .parquet (also .gz and .zst) one per row.
Every pair is verified on the full sets of shingles.

example:
  likewise pairs samples/essays --threshold 0.5
  likewise pairs tweets.txt --profile tweets --threshold 0.55
  likewise pairs 2017/ --against 2018/ --profile papers
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from likewise.cli.copied_parts import copied_parts_hint
from likewise.cli.inputs import Inputs
from likewise.cli.messages import notify, print_stats
from likewise.cli.options import OUTPUT, READING, choice, flag, path, shared, size, whole
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.results import shown_rows, write_result
from likewise.errors import UsageError
from likewise.search.settings import MEASURES, Settings
from likewise.statistics.null_models import SEARCH_NULLS

if TYPE_CHECKING:
    from likewise.output.rows import Rows
    from likewise.run import Stats
    from likewise.search.collection import Collection
    from likewise.search.pairs import Pairs

OPTIONS = {
    "--against": path(
        "source", "OTHER", "find only pairs between SOURCE and OTHER; must follow SOURCE", nargs="+"
    ),
    "--exact": flag("search without sketches, so that no pair is missed"),
    "--measure": choice(
        MEASURES,
        "similarity measure; containment is the share of the smaller text that is in the larger, "
        "and is searched exactly",
    ),
    "--top": whole("N", "print the N most similar pairs; without --threshold, however dissimilar"),
    "--max-copies": whole("N", "pair more than N exact copies only with the first of them"),
    "--memory": size("maximum text in memory; the rest goes to a scratch file", 1 << 30),
    "--chance": choice(
        SEARCH_NULLS,
        "add the chance level, p-value and q-value of each pair: by unrelated pairs of the "
        "collection, or by the pair's own words or letters in random order",
    ),
    "--null-pairs": whole("N", "with corpus: number of random pairs to examine"),
    "--trials": shared("--trials", help="with words and letters: number of shuffles per pair"),
    "--clusters": flag("print clusters instead of pairs"),
}


def add_options(parser: Parser) -> None:
    parser.add("SOURCE --against --profile")
    parser.add(
        "--threshold --recall --exact --measure --top --bands --rows --values --max-bucket "
        "--max-copies --threads --memory",
        Settings,
        "search",
    )
    parser.add("--within --across")
    parser.add("--chance --null-pairs --trials --seed", Settings, "chance level")
    parser.add(READING, group="reading")
    parser.add("--metadata --metadata-column")
    parser.add(OUTPUT, group="output")
    parser.add("--clusters --stats")


def run(options: argparse.Namespace) -> int:
    from likewise.output.described import described_pairs
    from likewise.output.stats import summary
    from likewise.run import Stats
    from likewise.search.find import search
    from likewise.text.profile import Profile

    _check(options)
    profile = Profile.of(options.profile)
    settings = Settings(**arguments_for(Settings, options, profile=profile))
    stats = Stats(settings.to_dict())
    with Progress(options.quiet) as progress:
        inputs = Inputs(options, progress, "read and sketch")
        collection, metadata = _collect(inputs, settings, options.memory, stats)
        pairs = search(collection, settings, stats, progress)
        rows = _cluster_rows(pairs) if options.clusters else _pair_rows(pairs, options)
        if (inputs.metadata is not None or metadata) and not options.clusters:
            rows = described_pairs(rows, metadata)
        with stats.timed("write"):
            write_result(options, None, lambda: rows)
    counts = stats.counts
    counts["skipped"] = inputs.skipped()
    status = inputs.report()
    notify(options, *stats.notes, summary(stats))
    hint = copied_parts_hint(
        options, found=counts["pairs"], documents=counts["documents"], size=counts["bytes"]
    )
    notify(options, *hint)
    print_stats(options, stats)
    return status


def _check(options: argparse.Namespace) -> None:
    if options.clusters and options.chance:
        raise UsageError(
            "--chance applies to pairs, not to clusters", hint="remove --clusters or --chance"
        )
    if options.clusters and options.against:
        raise UsageError(
            "--clusters applies to a single collection", hint="remove --clusters or --against"
        )


def _collect(
    inputs: Inputs, settings: Settings, memory: int, stats: Stats
) -> tuple[Collection, dict[str, dict[str, str]]]:
    """All documents, each batch scanned as it is read; and their metadata by id."""
    from likewise.search.find import new_collection
    from likewise.search.groups import groups_of

    collection = new_collection(settings, memory=memory)
    metadata: dict[str, dict[str, str]] = {}
    for number, reader in enumerate(inputs.open_sides()):
        if number == 1:
            collection.begin_second()
        batches = inputs.batches(reader)
        while True:
            with stats.timed("read"):
                batch = next(batches, None)
            if batch is None:
                break
            with stats.timed("sketch"):
                collection.add_batch(batch.ids, batch.texts)
            if batch.metadata is not None:
                known = zip(batch.ids, batch.metadata, strict=True)
                metadata.update({id_: one for id_, one in known if one is not None})
    sides = collection.left, len(collection) - collection.left
    collection.groups = groups_of(*sides, **inputs.grouping.arguments())
    return collection, metadata


def _pair_rows(pairs: Pairs, options: argparse.Namespace) -> Rows:
    from likewise.output.rows import Rows

    return Rows(
        pairs.columns, pairs.rows(), len(pairs), shown_rows(options), "pairs", pairs.kinds,
        pairs.to_arrow,
    )  # fmt: skip


def _cluster_rows(pairs: Pairs) -> Rows:
    from likewise.output.rows import Rows

    rows = [
        (number, len(cluster), member)
        for number, cluster in enumerate(pairs.clusters())
        for member in cluster.members
    ]
    columns = {"cluster": int, "size": int, "id": str}
    return Rows(tuple(columns), rows, len(rows), None, "clusters", kinds=tuple(columns.values()))
