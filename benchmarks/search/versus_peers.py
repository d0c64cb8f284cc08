"""The same corpus through likewise and through its peers, in interleaved rounds.

python -m benchmarks.search.versus_peers --documents 200000 --slow-documents 20000 --repeat 3
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, plot, settings, trial
from benchmarks.harness.summary import Summary, find
from benchmarks.harness.table import markdown, share, short
from benchmarks.runners import CONTENDERS
from benchmarks.runners.contender import Contender
from benchmarks.search.truth import Truth
from benchmarks.texts import corpus

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.harness.trial import Trial

STAGES = ("shingle", "sketch", "candidates", "verify")

# One line of the programme: who, on how many documents, with how many threads.
Entry = tuple[Contender, int, int | None]


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument(
        "--slow-documents", type=int, help="size for slow peers (default: the same for all)"
    )
    parser.add_argument("--repeat", type=int, default=3, help="rounds")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="of likewise")
    parser.add_argument("--only", nargs="+", choices=list(CONTENDERS), help="contenders to run")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.slow_documents, given.repeat = 1_000, 500, 1
    known = machine.facts()
    recipe = corpus.Recipe(given.documents, given.seed, given.words)
    path = corpus.ensure(recipe, given.data)
    rows = _summaries(_rounds(_programme(given), path, given), path, given.threshold)
    folder = settings.results(given)
    settings.save(
        folder,
        "versus-peers",
        {
            "machine": known,
            "corpus": corpus.facts(path),
            "threshold": given.threshold,
            "repeat": given.repeat,
            "rows": [row.facts() for row in rows],
        },
        _report(rows, known, corpus.facts(path), given),
    )
    _draw(rows, folder / "versus-peers.svg")


def _programme(given: argparse.Namespace) -> list[Entry]:
    """Return what one round runs, in order.

    Where slow peers get fewer documents, likewise runs on that many too: ratios are always taken
    at equal sizes.
    """
    wanted = [CONTENDERS[name] for name in given.only or CONTENDERS]
    for contender in wanted:
        if not contender.installed():
            settings.say(f"left out, not installed: {contender.title}")
    present = [contender for contender in wanted if contender.installed()]
    fewer = given.slow_documents or given.documents
    programme: list[Entry] = []
    for contender in present:
        sizes = [given.documents]
        if contender.slow:
            sizes = [fewer]
        elif contender.ours and any(other.slow for other in present):
            sizes = sorted({given.documents, fewer}, reverse=True)
        threads: Sequence[int | None] = given.threads if contender.ours else [None]
        programme += [(contender, size, count) for size in sizes for count in threads]
    return programme


def _rounds(
    programme: list[Entry], path: Path, given: argparse.Namespace
) -> dict[Entry, list[Trial]]:
    """Run the whole programme again and again, so that noise falls on all alike."""
    trials: dict[Entry, list[Trial]] = {entry: [] for entry in programme}
    for turn in range(given.repeat):
        for entry in programme:
            contender, documents, threads = entry
            done = trial.run(
                contender,
                path,
                documents,
                threads=threads,
                threshold=given.threshold,
                limits=settings.limits(given),
            )
            outcome = done.failure or f"{done.seconds:.3f} s, {done.count:,} found"
            settings.say(
                f"round {turn + 1}: {contender.title}, {documents:,} documents,"
                f" threads {threads or 'default'}: {outcome}"
            )
            trials[entry].append(done)
    return trials


def _summaries(trials: dict[Entry, list[Trial]], path: Path, threshold: float) -> list[Summary]:
    truths: dict[int, Truth | None] = {}
    for documents in {entry[1] for entry in trials}:
        joins = [
            done[0]
            for (contender, size, _), done in trials.items()
            if contender.name == "likewise-exact" and size == documents
        ]
        truths[documents] = Truth.of(path, documents, threshold, joins[0] if joins else None)
    return [
        Summary(contender, tuple(done), truths[documents])
        for (contender, documents, _), done in trials.items()
    ]


def _report(
    rows: list[Summary],
    known: dict[str, Any],
    facts: dict[str, Any],
    given: argparse.Namespace,
) -> str:
    sizes = sorted({row.documents for row in rows}, reverse=True)
    parts = [
        "# likewise and its peers",
        f"Corpus: {facts['documents']:,} documents of"
        f" {facts['bytes'] / facts['documents']:,.0f} bytes on average, seed {facts['seed']};"
        " a run on fewer takes the first ones."
        f" Word 3-shingles, J ≥ {given.threshold}, 128 values. Seconds are medians of"
        f" {given.repeat} interleaved rounds, each run in a fresh process, from a list of `str`"
        " to a list of pairs.",
        machine.summary(known),
    ]
    for documents in sizes:
        parts.append(f"## {documents:,} documents")
        parts.append(_table([row for row in rows if row.documents == documents], given))
        truth = next((row.truth for row in rows if row.documents == documents), None)
        parts.append(_truth_line(truth))
    notes = {row.contender.title: row.contender.note for row in rows}
    parts.append("\n".join(f"- {title}: {note}." for title, note in notes.items()))
    return "\n\n".join(parts)


def _table(rows: list[Summary], given: argparse.Namespace) -> str:
    documents = rows[0].documents
    bases = {count: find(rows, "likewise", documents, count) for count in given.threads}
    head = ["contender", "version", "threads", *STAGES, "other", "total s", "best s", "CPU s"]
    head += ["documents/s"]
    head += [f"× wall, ours at {count}" for count in bases]
    head += ["× CPU, ours at 1", "recall", "precision", "peak MB", "of it added MB"]
    return markdown(head, [_cells(row, bases) for row in rows])


def _cells(row: Summary, bases: dict[int, Summary | None]) -> list[str]:
    threads = str(row.threads or "default")
    cells = [row.contender.title, row.contender.version(), threads]
    if row.failure:
        return [*cells, row.failure]
    stages = row.stages
    cells += [short(stages.get(stage)) for stage in STAGES]
    # What no named stage holds: glue, freeing, making the list of pairs.
    cells.append(short(row.seconds - sum(stages.get(stage, 0.0) for stage in STAGES)))
    cells += [short(row.seconds), short(row.best), short(row.cpu_seconds), short(row.rate)]
    for base in bases.values():
        cells.append(_ratio(row, base))
    base = bases.get(1)
    cells.append(short(row.cpu_seconds / base.cpu_seconds if base else None))
    recall, precision = row.score() or (None, None)
    # An answer of documents instead of pairs is scored on documents.
    of = "" if row.contender.gives == "pairs" else " (documents)"
    cells += [share(recall) + of, share(precision) + of]
    return [*cells, short(row.peak_mb), short(row.added_mb)]


def _ratio(row: Summary, base: Summary | None) -> str:
    if base is None:
        return "–"
    middle, least, most = row.ratios(base)
    if len(row.trials) == 1:
        return short(middle)
    return f"{short(middle)} ({short(least)}–{short(most)})"


def _truth_line(truth: Truth | None) -> str:
    if truth is None:
        return "Recall and precision are not known here: the exact join did not run."
    checks = {True: "; slow index and exact join agree", False: "; **they disagree**", None: ""}
    check = checks[truth.agrees]
    return f"Truth: {len(truth.pairs):,} pairs, by {truth.origin}{check}."


def _draw(rows: list[Summary], path: Path) -> None:
    good = [row for row in rows if not row.failure]
    largest: dict[str, int] = {}
    for row in good:
        name = row.contender.name
        largest[name] = max(row.documents, largest.get(name, 0))
    rates: dict[str, float] = {}
    ours: set[str] = set()
    for row in good:
        if row.documents != largest[row.contender.name]:
            continue
        label = row.contender.title
        if row.threads:
            label += f", {row.threads} thread{'s' if row.threads > 1 else ''}"
        label += f" ({row.documents:,})"
        rates[label] = row.rate
        if row.contender.ours:
            ours.add(label)
    if rates:
        plot.bars(path, "Near-duplicate pairs, word 3-shingles (documents)", rates, ours)


if __name__ == "__main__":
    main()
