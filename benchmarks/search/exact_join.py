"""The exact join against SetSimilaritySearch's.

python -m benchmarks.search.exact_join --documents 50000
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, settings, trial
from benchmarks.harness.summary import Summary
from benchmarks.harness.table import markdown, short
from benchmarks.runners import CONTENDERS
from benchmarks.search.truth import SLOW_LIMIT, Truth
from benchmarks.texts import corpus

if TYPE_CHECKING:
    import argparse

    from benchmarks.harness.trial import Trial
    from benchmarks.runners.contender import Contender

OURS, THEIRS = CONTENDERS["likewise-exact"], CONTENDERS["setsimilaritysearch"]


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=50_000)
    parser.add_argument("--repeat", type=int, default=3, help="rounds")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="of likewise")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.repeat = 1_000, 1
    known = machine.facts()
    recipe = corpus.Recipe(given.documents, given.seed, given.words)
    path = corpus.ensure(recipe, given.data)
    programme: list[tuple[Contender, int | None]] = [(OURS, count) for count in given.threads]
    programme = [entry for entry in [*programme, (THEIRS, None)] if entry[0].installed()]
    trials: dict[tuple[Contender, int | None], list[Trial]] = {entry: [] for entry in programme}
    for turn in range(given.repeat):
        for contender, threads in programme:
            done = trial.run(
                contender,
                path,
                given.documents,
                threads=threads,
                threshold=given.threshold,
                limits=settings.limits(given),
            )
            outcome = done.failure or f"{done.seconds:.3f} s, {done.count:,} pairs"
            settings.say(f"round {turn + 1}: {contender.title}: {outcome}")
            trials[contender, threads].append(done)
    rows = [Summary(entry[0], tuple(done)) for entry, done in trials.items()]
    facts = corpus.facts(path)
    ended = [one for row in rows for one in row.trials if not one.failure]
    truth = Truth.of(path, given.documents, given.threshold, ended[0] if ended else None)
    agreement = _agreement(rows, truth)
    settings.save(
        settings.results(given),
        "exact-join",
        {
            "machine": known,
            "corpus": facts,
            "threshold": given.threshold,
            "agreement": agreement,
            "rows": [row.facts() for row in rows],
        },
        _report(rows, known, facts, agreement, given),
    )


def _agreement(rows: list[Summary], truth: Truth | None) -> str:
    """Say whether all runs gave the same pairs, and whether the slow index gives them too."""
    answers = {one.pairs for row in rows for one in row.trials if not one.failure}
    if not answers or truth is None:
        return "No run ended."
    said = "All runs gave the same pairs." if len(answers) == 1 else _difference(rows)
    slow = "agrees" if truth.agrees else "**disagrees**"
    reach = min(truth.documents, SLOW_LIMIT)
    return f"{said} The slow inverted index {slow} on the first {reach:,} documents."


def _difference(rows: list[Summary]) -> str:
    counts = "; ".join(
        f"{row.contender.title} {len(row.trials[0].pairs):,}" for row in rows if not row.failure
    )
    return f"**The runs gave different pairs**: {counts}."


def _report(
    rows: list[Summary],
    known: dict[str, Any],
    facts: dict[str, Any],
    agreement: str,
    given: argparse.Namespace,
) -> str:
    theirs = next((row for row in rows if row.contender == THEIRS and not row.failure), None)
    head = ["contender", "version", "threads", "total s", "best s", "CPU s", "documents/s"]
    head += ["pairs", "times faster", "peak MB", "of it added MB"]
    table = []
    for row in rows:
        cells = [row.contender.title, row.contender.version(), str(row.threads or "default")]
        if row.failure:
            table.append([*cells, row.failure])
            continue
        cells += [short(value) for value in (row.seconds, row.best, row.cpu_seconds, row.rate)]
        faster = theirs.seconds / row.seconds if theirs else None
        cells += [f"{row.trials[0].count:,}", short(faster)]
        table.append([*cells, short(row.peak_mb), short(row.added_mb)])
    return "\n\n".join(
        (
            "# Exact join",
            f"{facts['documents']:,} documents, seed {facts['seed']}, word 3-shingles, J ≥"
            f" {given.threshold}; from a list of `str` to a list of pairs, shingling included;"
            f" medians of {given.repeat} rounds.",
            machine.summary(known),
            markdown(head, table),
            agreement,
        )
    )


if __name__ == "__main__":
    main()
