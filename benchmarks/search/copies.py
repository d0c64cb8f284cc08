"""Many copies of one page: must cost what as many different pages cost, not their square.

Half of the collection is one page again and again, at random places among the others; the other
run has as many documents and no copies. All pairs of 100,000 copies would be five billion rows, so
the pairs are counted, not listed, and a run that outgrows ``--limit-gb`` is ended and reported.

    python -m benchmarks.search.copies --copies 100000 --others 100000
"""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, settings, trial
from benchmarks.harness.summary import Summary
from benchmarks.harness.table import markdown, short
from benchmarks.runners import CONTENDERS
from benchmarks.texts import corpus

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from benchmarks.harness.trial import Trial

OURS = CONTENDERS["likewise"]


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--copies", type=int, default=100_000)
    parser.add_argument("--others", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=3, help="rounds")
    parser.add_argument("--threads", type=int, help="of likewise (default: its own)")
    given = parser.parse_args()
    if given.tiny:
        given.copies, given.others, given.repeat = 500, 500, 1
    if not OURS.installed():
        parser.error("likewise is not installed here: pip install it, then run again")
    known = machine.facts()
    documents = given.copies + given.others
    recipe = corpus.Recipe(documents, given.seed, given.words, copies=0.0)
    distinct = corpus.ensure(recipe, given.data)
    collections = {
        f"{documents:,} different pages": distinct,
        f"{given.copies:,} copies of one page among {given.others:,} others": _with_copies(
            distinct, given
        ),
    }
    rows = {name: Summary(OURS, done) for name, done in _rounds(collections, given).items()}
    settings.save(
        settings.results(given),
        "copies",
        {
            "machine": known,
            "corpus": corpus.facts(distinct),
            "threshold": given.threshold,
            "rows": {name: row.facts() for name, row in rows.items()},
        },
        _report(rows, known, given),
    )


def _with_copies(distinct: Path, given: argparse.Namespace) -> Path:
    """Write the collection with copies beside the one without, if it is not there yet."""
    path = distinct.with_name(f"{distinct.stem}-page{given.copies}.txt")
    if path.exists():
        return path
    places = [True] * given.copies + [False] * given.others
    random.Random(given.seed).shuffle(places)
    aside = path.with_suffix(".part")
    with distinct.open() as lines, aside.open("w") as out:
        page = next(lines)
        others = islice(lines, given.others)
        out.writelines(page if copied else next(others) for copied in places)
    return aside.replace(path)


def _rounds(
    collections: dict[str, Path], given: argparse.Namespace
) -> dict[str, tuple[Trial, ...]]:
    trials: dict[str, tuple[Trial, ...]] = dict.fromkeys(collections, ())
    for turn in range(given.repeat):
        for name, path in collections.items():
            done = trial.run(
                OURS,
                path,
                given.copies + given.others,
                threads=given.threads,
                threshold=given.threshold,
                keep=False,
                limits=settings.limits(given),
            )
            outcome = done.failure or f"{done.seconds:.3f} s, {done.peak_mb:,.0f} MB"
            settings.say(f"round {turn + 1}: {name}: {outcome}")
            trials[name] += (done,)
    return trials


def _report(rows: dict[str, Summary], known: dict[str, Any], given: argparse.Namespace) -> str:
    base = next(iter(rows.values()))
    head = ["collection", "pairs", "total s", "best s", "CPU s", "× time", "peak MB", "added MB"]
    table = []
    for name, row in rows.items():
        if row.failure:
            table.append([name, row.failure])
            continue
        times = None if base.failure else row.seconds / base.seconds
        cells = [name, f"{row.trials[0].count:,}"]
        cells += [short(value) for value in (row.seconds, row.best, row.cpu_seconds, times)]
        table.append([*cells, short(row.peak_mb), short(row.added_mb)])
    return "\n\n".join(
        (
            "# Many copies of one page",
            f"`find_pairs` at J ≥ {given.threshold}, word 3-shingles, threads:"
            f" {given.threads or 'default'}; medians of {given.repeat} rounds. *Pairs* is"
            " `len(pairs)`; they are not listed.",
            machine.summary(known),
            markdown(head, table),
        )
    )


if __name__ == "__main__":
    main()
