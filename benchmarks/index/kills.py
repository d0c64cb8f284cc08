"""Processes that write to an index are killed at random moments: is anything lost, or half there?

A process adds, replaces and removes documents and says what it has begun and what is done
(``benchmarks.index.writer``). It is killed (SIGKILL) in a phase drawn beforehand. Then every
document must be there with its exact text, or wholly not; what was acknowledged must be there; the
call under way must have happened as a whole or not at all; ``Index.verify()`` must say nothing.
On PostgreSQL every tenth kill also crashes the server.

    python -m benchmarks.index.kills --kills 100
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, postgres_server, settings
from benchmarks.harness.postgres_server import PostgresServer
from benchmarks.harness.table import markdown, short
from benchmarks.index.kill import PATIENCE, TARGETS, Run, killed
from benchmarks.index.writer import PHASES, Content, State, content
from likewise.index.index import Index

if TYPE_CHECKING:
    import argparse

STORES = ("sqlite", "postgresql")
SHARES = 10  # one kill in so many crashes the server too
SAMPLE = 20  # documents that are looked up after each kill
TOLD = 5  # of each kind of problem


@dataclass
class Kills:
    """All that happened on one store."""

    store: str
    kills: int = 0
    fell_in: Counter[str] = field(default_factory=Counter)
    acknowledged: Counter[str] = field(default_factory=Counter)
    documents_acknowledged: int = 0
    pending_there: int = 0
    pending_not_there: int = 0
    nothing_pending: int = 0
    server_crashes: int = 0
    documents_checked: int = 0
    most_documents: int = 0
    most_segments: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--kills", type=int, default=100, help="on each store")
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    parser.add_argument("--scratch", type=Path, help="folder for the indexes (default: TMPDIR)")
    given = parser.parse_args()
    if given.tiny:
        given.kills = 4
    known = machine.facts()
    rows, left_out, server = [], [], {}
    for store in given.stores:
        absent = postgres_server.missing() if store == "postgresql" else ""
        if absent:
            if os.environ.get("CI"):
                parser.error(absent)
            left_out.append(f"{store}: {absent}")
            settings.say(f"left out, {left_out[-1]}")
            continue
        with ExitStack() as stack:
            started = None
            if store == "postgresql":
                started = stack.enter_context(PostgresServer(given.scratch))
                server = started.facts()
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=given.scratch))
            rows.append(_on_store(store, Path(folder), started, given))
    settings.save(
        settings.results(given),
        "index-kills",
        {
            "machine": known,
            "postgresql": server,
            "left_out": left_out,
            "stores": [vars(row) for row in rows],
        },
        _report(rows, known, server, left_out),
    )
    if any(row.problems for row in rows):
        sys.exit(1)


def _on_store(
    store: str, folder: Path, server: PostgresServer | None, given: argparse.Namespace
) -> Kills:
    start = time.perf_counter()
    path = str(folder / "index.db") if server is None else f"{server.url}#kills"
    Index.create(path).close()
    chance = random.Random(f"{given.seed} {store}")
    told = Kills(store)
    state: State = {}
    lasting: dict[str, float] = {}  # what a phase takes, the latest weighing most
    targets = list(TARGETS)
    for number in range(given.kills):
        if number % len(targets) == 0:
            chance.shuffle(targets)
        run = killed(path, folder, state, targets[number % len(targets)], lasting, chance)
        told.kills += 1
        told.fell_in[run.phase] += 1
        if server is not None:
            crash = number % SHARES == SHARES - 1
            told.server_crashes += crash
            _settle(server, crash)
        found = _check(path, state, run, told, chance)
        if found is None:
            break  # what is there is not known any more
        state = found
        settings.say(
            f"{store}: kill {number + 1} in {run.phase}, {len(run.acknowledged)} calls done, "
            f"{len(state):,} documents, {len(told.problems)} problems"
        )
    with Index(path) as index:
        told.problems += [f"at the end: {said}" for said in index.verify()]
        if not told.problems and index.ids() != [document.id for document in index.documents()]:
            told.problems.append("at the end: ids() and documents() do not agree")
    told.seconds = time.perf_counter() - start
    return told


def _settle(server: PostgresServer, crash: bool) -> None:
    """Wait for the sessions of the killed process: until they end, its call is not decided."""
    if crash:
        server.crash()
        server.start()
    end = time.monotonic() + PATIENCE
    while server.clients():
        if time.monotonic() > end:
            raise RuntimeError(f"a session outlives its process by {PATIENCE:.0f} s")
        time.sleep(0.02)


def _check(path: str, state: State, run: Run, told: Kills, chance: random.Random) -> State | None:
    """Hold the index against what was acknowledged; return what it holds, None if unknown."""
    where = f"kill {told.kills} in {run.phase}"
    if run.hung:
        told.problems.append(f"{where}: the process hung for {PATIENCE:.0f} s")
    if run.status != -signal.SIGKILL:
        told.problems.append(f"{where}: the process ended by itself, with status {run.status}")
    for operation in run.acknowledged:
        told.acknowledged[operation.kind] += 1
        told.documents_acknowledged += len(operation.documents)
        state = operation.after(state)
    with Index(path) as index:
        told.problems += [f"{where}: {said}" for said in index.verify()]
        told.most_segments = max(told.most_segments, int(index.info()["segments"]))
        found = {
            document.id: Content(document.text or "", document.metadata, document.page_starts)
            for document in index.documents()
        }
        told.documents_checked += len(found)
        told.most_documents = max(told.most_documents, len(found))
        wrong = _differences(found, state)
        if run.pending is None or not run.pending.documents:
            told.nothing_pending += 1
        elif wrong:
            state = run.pending.after(state)
            wrong = _differences(found, state)
            told.pending_there += 1
        else:
            told.pending_not_there += 1
        told.problems += [f"{where}: {said}" for said in wrong]
        if len(index) != len(found):
            told.problems.append(f"{where}: {len(index)} documents, {len(found)} listed")
        told.problems += [f"{where}: {said}" for said in _not_found(index, state, chance)]
    return None if wrong else state


def _differences(found: dict[str, Content], state: State) -> list[str]:
    said = [f"{id_} is missing" for id_ in sorted(state.keys() - found.keys())][:TOLD]
    said += [f"{id_} should not be there" for id_ in sorted(found.keys() - state.keys())][:TOLD]
    other = (
        f"{id_} is not what version {version} was"
        for id_, version in sorted(state.items())
        if id_ in found and found[id_] != content(id_, version)
    )
    return said + [line for line, _ in zip(other, range(TOLD), strict=False)]


def _not_found(index: Index, state: State, chance: random.Random) -> list[str]:
    """Look some documents up by their own text: what is the same agrees in every band."""
    drawn = chance.sample(list(state), min(SAMPLE, len(state)))
    ids = [id_ for id_ in drawn if content(id_, state[id_]).text]
    answers = index.query([content(id_, state[id_]).text for id_ in ids])
    return [
        f"{id_} is not found by its own text"
        for id_, matches in zip(ids, answers, strict=True)
        if not any(match.id == id_ and match.jaccard == 1.0 for match in matches)
    ]


def _report(
    rows: list[Kills], known: dict[str, Any], server: dict[str, str], left_out: list[str]
) -> str:
    head = ["store", "kills", "problems", "calls acknowledged", "documents in them",
            "call under way: whole", "not at all", "none", "server crashes", "documents checked",
            "most at once", "most segments", "seconds"]  # fmt: skip
    table = [
        [row.store, f"{row.kills}", f"{len(row.problems)}", f"{row.acknowledged.total():,}",
         f"{row.documents_acknowledged:,}", f"{row.pending_there}", f"{row.pending_not_there}",
         f"{row.nothing_pending}", f"{row.server_crashes}", f"{row.documents_checked:,}",
         f"{row.most_documents:,}", f"{row.most_segments}", short(row.seconds)]
        for row in rows
    ]  # fmt: skip
    phases = [name for name in (*TARGETS[:1], "ready", "begin", *PHASES, "done")
              if any(row.fell_in[name] for row in rows)]  # fmt: skip
    parts = [
        "# Killed writers",
        "A process that adds, replaces and removes documents (batches of 1 to 2,000, a compaction"
        " now and then) is killed with SIGKILL again and again, each time in a phase drawn"
        " beforehand, and the index is then held against what it had acknowledged: every document"
        " by its text, metadata and pages, and `Index.verify()`. *Call under way*: what had begun"
        " and was not acknowledged was found done as a whole, or not at all; anything between is a"
        " problem. Kills leave the machine running: they say nothing about a loss of power.",
        machine.summary(known),
    ]
    if server:
        parts[-1] += "\n" + postgres_server.summary(server)
    parts += [
        markdown(head, table),
        "Where the kills fell, by the last thing that was heard of the process:",
        markdown(
            ["store", *phases], [[r.store, *(f"{r.fell_in[p]}" for p in phases)] for r in rows]
        ),
    ]
    parts += [f"Left out: {said}." for said in left_out]
    problems = [f"- {row.store}: {said}" for row in rows for said in row.problems]
    parts.append("\n".join(["Problems:", *problems]) if problems else "No problems.")
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
