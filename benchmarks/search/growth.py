"""Time a document and resident bytes a document as the collection grows.

Two ways in: a list of ``str`` (``find_pairs``) and a file (``likewise pairs FILE``), which need not
hold the texts.

    python -m benchmarks.search.growth --documents 10000 100000 1000000 --format parquet
"""

from __future__ import annotations

import json
import re
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, plot, settings, trial
from benchmarks.harness.table import markdown, short
from benchmarks.runners import COMMAND, CONTENDERS
from benchmarks.texts import corpus

if TYPE_CHECKING:
    import argparse

    from benchmarks.harness.trial import Trial

STAGES = ("read", "shingle", "sketch", "candidates", "verify")

# "  sketch  0.123 s", '"sketch": 0.123', "sketch=12 ms": whichever the command prints
STAGE_TIME = re.compile(
    rf"\b({'|'.join(STAGES)})\b[\"']?\s*[:=]?\s*([0-9.]+(?:e-?[0-9]+)?)\s*(ms|µs|us|)"
)
UNITS = {"": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6}


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--threads", type=int, help="of likewise (default: its own)")
    parser.add_argument("--repeat", type=int, default=3, help="rounds")
    parser.add_argument("--format", choices=["jsonl", "parquet"], default="jsonl")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.repeat = [1_000, 2_000], 1
    if not COMMAND.installed():
        parser.error("likewise is not installed here: pip install it, then run again")
    known = machine.facts()
    trials = _rounds(given)
    rows = [_row(name, size, done) for (name, size), done in trials.items()]
    folder = settings.results(given)
    settings.save(
        folder,
        "growth",
        {
            "machine": known,
            "format": given.format,
            "rows": rows,
            "trials": [
                done.facts() | {"stderr": done.stderr} for all_ in trials.values() for done in all_
            ],
        },
        _report(rows, known, given),
    )
    _draw(rows, folder / "growth.svg")


def _rounds(given: argparse.Namespace) -> dict[tuple[str, int], list[Trial]]:
    """Run every size by both ways, round after round."""
    ways = (CONTENDERS["likewise"], ".txt"), (COMMAND, f".{given.format}")
    trials: dict[tuple[str, int], list[Trial]] = {}
    for turn in range(given.repeat):
        for size in given.documents:
            recipe = corpus.Recipe(size, given.seed, given.words)
            for contender, suffix in ways:
                done = trial.run(
                    contender,
                    corpus.ensure(recipe, given.data, suffix),
                    size,
                    threads=given.threads,
                    threshold=given.threshold,
                    # Listing a million pairs in Python would hide what the search took.
                    keep=False,
                    limits=settings.limits(given),
                )
                outcome = done.failure or f"{done.seconds:.3f} s, {done.peak_mb:,.0f} MB"
                settings.say(f"round {turn + 1}: {contender.title}, {size:,} documents: {outcome}")
                trials.setdefault((contender.name, size), []).append(done)
    return trials


def _row(name: str, size: int, done: list[Trial]) -> dict[str, Any]:
    failure = next((one.failure for one in done if one.failure), "")
    row: dict[str, Any] = {"way": name, "documents": size, "failure": failure}
    if failure:
        return row
    stages = [_stages(one) for one in done]
    names = dict.fromkeys(stage for one in stages for stage in one)
    return row | {
        "pairs": done[0].count,
        "microseconds": median(one.seconds for one in done) / size * 1e6,
        "stage_microseconds": {
            stage: median(one.get(stage, 0.0) for one in stages) / size * 1e6 for stage in names
        },
        "cpu_microseconds": median(one.cpu_seconds for one in done) / size * 1e6,
        "peak_mb": median(one.peak_mb for one in done),
        "peak_bytes": median(one.peak_mb for one in done) * 1e6 / size,
        "added_bytes": median(one.peak_mb - one.before_mb for one in done) * 1e6 / size,
        "anonymous_bytes": median(one.peak_anonymous_mb for one in done) * 1e6 / size,
    }


def _stages(done: Trial) -> dict[str, float]:
    """Return the stages' seconds; those of the command are read from its ``--stats``."""
    if done.contender != COMMAND.name:
        return done.stages
    for line in (done.stderr, *done.stderr.splitlines()):
        try:
            said = json.loads(line)
            return {name: float(value) for name, value in said["seconds"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
    return {
        name: float(value) * UNITS[unit] for name, value, unit in STAGE_TIME.findall(done.stderr)
    }


def _report(rows: list[dict[str, Any]], known: dict[str, Any], given: argparse.Namespace) -> str:
    first = {row["way"]: row for row in reversed(rows) if not row["failure"]}
    head = ["way", "documents", "pairs", *(f"{stage} µs" for stage in STAGES), "total µs"]
    head += [
        "× of the smallest",
        "CPU µs",
        "peak MB",
        "peak B/doc",
        "added B/doc",
        "anonymous B/doc",
    ]
    table = []
    for row in rows:
        cells = [row["way"], f"{row['documents']:,}"]
        if row["failure"]:
            table.append([*cells, row["failure"]])
            continue
        cells.append(f"{row['pairs']:,}")
        cells += [short(row["stage_microseconds"].get(stage)) for stage in STAGES]
        growth = row["microseconds"] / first[row["way"]]["microseconds"]
        cells += [short(row["microseconds"]), short(growth), short(row["cpu_microseconds"])]
        measures = "peak_mb", "peak_bytes", "added_bytes", "anonymous_bytes"
        table.append([*cells, *(short(row[name]) for name in measures)])
    return "\n\n".join(
        (
            "# Growth",
            f"Microseconds and resident bytes a document, medians of {given.repeat} rounds; J ≥"
            f" {given.threshold}, word 3-shingles, threads: {given.threads or 'default'}."
            f" `likewise`: `find_pairs` on a list of `str` that is in memory already;"
            f" `{COMMAND.name}`: `likewise pairs FILE.{given.format}`, reading and writing"
            " included. *Peak* is the whole process, *added* leaves out what was resident before"
            " (texts, imports), *anonymous* leaves out mapped files (sampled every"
            f" {trial.POLL_SECONDS * 1e3:.0f} ms).",
            machine.summary(known),
            markdown(head, table),
        )
    )


def _draw(rows: list[dict[str, Any]], path: Any) -> None:
    ways = {
        name: {row["documents"]: row for row in rows if row["way"] == name and not row["failure"]}
        for name in (CONTENDERS["likewise"].name, COMMAND.name)
    }
    listed = ways[CONTENDERS["likewise"].name]
    # A size at which one way failed has no place in a plot of both.
    sizes = [size for size in listed if size in ways[COMMAND.name]]
    if not sizes:
        return
    names = dict.fromkeys(stage for size in sizes for stage in listed[size]["stage_microseconds"])
    stages = {
        name: [listed[size]["stage_microseconds"].get(name, 0.0) for size in sizes]
        for name in names
    }
    memory = {
        "list of str, whole process": [listed[size]["peak_bytes"] for size in sizes],
        "list of str, added": [listed[size]["added_bytes"] for size in sizes],
        "command on a file, whole process": [
            ways[COMMAND.name][size]["peak_bytes"] for size in sizes
        ],
    }
    plot.growth(path, sizes, stages, memory)


if __name__ == "__main__":
    main()
