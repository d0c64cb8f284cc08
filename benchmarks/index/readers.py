"""Eight processes read an index while one writes: is every answer one that may be true?

Each answer is held against what the documents are known to be at that moment
(``benchmarks.index.groups``): those that nobody touches with their exact similarity, those that are
written in the old or in the new state, all that is written in one call together.

    python -m benchmarks.index.readers --seconds 60
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness import machine, postgres_server, settings
from benchmarks.harness.postgres_server import PostgresServer
from benchmarks.harness.table import markdown, short
from benchmarks.index.groups import STATES, Group, Page
from benchmarks.index.traffic import Seen, Shared, read, write
from likewise.index.index import Index

if TYPE_CHECKING:
    import argparse

STORES = ("sqlite", "postgresql")
# (threads, one Index for all of them) of each reading process
READERS = ((1, False),) * 4 + ((2, True),) * 2 + ((2, False),) * 2
PATIENCE = 180.0  # seconds for a process to start, or to end after the time is up


@dataclass
class Together:
    """All that happened on one store."""

    store: str
    seconds: float = 0.0
    readers: Seen = field(default_factory=Seen)
    writer: Seen = field(default_factory=Seen)
    problems: list[str] = field(default_factory=list)

    @property
    def bad(self) -> bool:
        both = self.readers, self.writer
        return bool(self.problems) or any(s.errors_counted or s.wrong_counted for s in both)

    def facts(self) -> dict[str, Any]:
        return {
            "store": self.store,
            "seconds": self.seconds,
            "problems": self.problems,
            "readers": _facts(self.readers),
            "writer": _facts(self.writer),
        }


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--seconds", type=float, default=60.0, help="on each store")
    parser.add_argument("--pages", type=int, default=1_000, help="documents that stay")
    parser.add_argument("--groups", type=int, default=200, help="of three documents that change")
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    parser.add_argument("--scratch", type=Path, help="folder for the indexes (default: TMPDIR)")
    given = parser.parse_args()
    if given.tiny:
        given.seconds, given.pages, given.groups = 2.0, 100, 20
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
            if store == "postgresql":
                started = stack.enter_context(PostgresServer(given.scratch))
                server = started.facts()
                path = f"{started.url}#readers"
            else:
                folder = stack.enter_context(tempfile.TemporaryDirectory(dir=given.scratch))
                path = str(Path(folder) / "index.db")
            rows.append(_on_store(store, path, given))
    settings.save(
        settings.results(given),
        "index-readers",
        {
            "machine": known,
            "postgresql": server,
            "left_out": left_out,
            "stores": [row.facts() for row in rows],
        },
        _report(rows, known, server, left_out, given),
    )
    if any(row.bad for row in rows):
        sys.exit(1)


def _on_store(store: str, path: str, given: argparse.Namespace) -> Together:
    pages = [Page(number) for number in range(given.pages)]
    groups = [Group(number) for number in range(given.groups)]
    with Index.create(path, threshold=0.5) as index:
        index.add([page.text for page in pages], [page.id for page in pages])
        index.add(
            [text for group in groups for text in group.versions[0]],
            [id_ for group in groups for id_ in group.ids],
        )
    fresh = multiprocessing.get_context("spawn")
    shared = Shared(
        path=path,
        pages=given.pages,
        begun=fresh.RawArray("q", given.groups),
        done=fresh.RawArray("q", given.groups),
        ready=fresh.Barrier(len(READERS) + 2, timeout=PATIENCE),
        stop=fresh.Event(),
    )
    wrote, heard = fresh.Queue(), fresh.Queue()
    processes = [fresh.Process(target=write, args=(shared, given.seed, wrote))]
    processes += [
        fresh.Process(target=read, args=(shared, number, threads, share, heard))
        for number, (threads, share) in enumerate(READERS)
    ]
    told = Together(store)
    for process in processes:
        process.start()
    try:
        shared.ready.wait()
        settings.say(f"{store}: {len(READERS)} readers and a writer for {given.seconds:g} s")
        start = time.perf_counter()
        processes[0].join(given.seconds)  # ends early only after an error
        shared.stop.set()
        told.seconds = time.perf_counter() - start
        told.writer.add(wrote.get(timeout=PATIENCE))
        for _ in READERS:
            told.readers.add(heard.get(timeout=PATIENCE))
    except (queue.Empty, OSError, RuntimeError) as error:
        told.problems.append(f"a process did not answer: {type(error).__name__}")
    finally:
        shared.stop.set()
        for process in processes:
            process.join(PATIENCE if not told.problems else 1.0)
            if process.is_alive():
                told.problems.append(f"a process hung; it was killed (status {process.exitcode})")
                process.kill()
    told.problems += _at_the_end(path, pages, groups, shared)
    settings.say(
        f"{store}: {told.readers.wrong_counted} wrong answers, {told.readers.errors_counted} errors"
    )
    return told


def _at_the_end(path: str, pages: list[Page], groups: list[Group], shared: Shared) -> list[str]:
    """Hold what is stored against the last state of everything."""
    expected = {page.id: page.text for page in pages}
    for group in groups:
        state = shared.done[group.number] % STATES
        if state < STATES - 1:
            expected |= dict(zip(group.ids, group.versions[state], strict=True))
    with Index(path) as index:
        problems = [f"at the end: {said}" for said in index.verify()]
        found = {
            document.id: document.text
            for document in index.documents()
            if not document.id.startswith("filler")
        }
    if found != expected:
        ids = [id_ for id_ in found.keys() | expected.keys() if found.get(id_) != expected.get(id_)]
        problems.append(f"at the end: {len(ids)} documents are not what they should be: {ids[:5]}")
    return problems


def _facts(seen: Seen) -> dict[str, Any]:
    return {
        "calls": {kind: len(seconds) for kind, seconds in sorted(seen.seconds.items())},
        "milliseconds": {
            kind: dict(zip(("p50", "p99", "most"), _times(seconds), strict=True))
            for kind, seconds in sorted(seen.seconds.items())
        },
        "documents": seen.documents,
        "errors": seen.errors_counted,
        "wrong": seen.wrong_counted,
        "told": [*seen.errors, *seen.wrong],
    }


def _times(seconds: list[float]) -> tuple[float, float, float]:
    p50, p99 = np.quantile(seconds, [0.5, 0.99]) * 1e3
    return float(p50), float(p99), max(seconds) * 1e3


def _report(
    rows: list[Together],
    known: dict[str, Any],
    server: dict[str, str],
    left_out: list[str],
    given: argparse.Namespace,
) -> str:
    head = ["store", "reads", "wrong answers", "errors of readers", "writes", "documents written",
            "errors of the writer", "problems at the end"]  # fmt: skip
    table, times = [], []
    for row in rows:
        reads, writes = (sum(map(len, seen.seconds.values())) for seen in (row.readers, row.writer))
        table.append([row.store, f"{reads:,}", f"{row.readers.wrong_counted}",
                      f"{row.readers.errors_counted}", f"{writes:,}", f"{row.writer.documents:,}",
                      f"{row.writer.errors_counted}", f"{len(row.problems)}"])  # fmt: skip
        for who, seen in (("reads", row.readers), ("writes", row.writer)):
            times += [
                [f"{row.store}, {who}: {kind}", f"{len(seconds):,}", *map(short, _times(seconds))]
                for kind, seconds in sorted(seen.seconds.items())
            ]
    threads = sum(count for count, _ in READERS)
    parts = [
        "# Readers beside a writer",
        f"{len(READERS)} processes with {threads} threads read for {given.seconds:g} s on each"
        " store, some threads with an `Index` of their own and some with one for all; one process"
        f" adds, replaces, removes and compacts. {given.pages:,} documents are never touched and"
        f" must be found with their exact similarity; {given.groups:,} groups of three documents"
        " are written, and an answer must be one of the states that they had between the last"
        " change acknowledged before the question and the last begun after it, the same for all"
        " three. Reads and writes share the cores: the times are those of a busy machine.",
        machine.summary(known),
    ]
    if server:
        parts[-1] += "\n" + postgres_server.summary(server)
    parts += [
        markdown(head, table),
        "Milliseconds of one call:",
        markdown(["call", "calls", "p50", "p99", "most"], times),
    ]
    parts += [f"Left out: {said}." for said in left_out]
    told = [
        f"- {row.store}: {said}"
        for row in rows
        for said in (*row.problems, *row.writer.errors, *row.readers.errors, *row.readers.wrong)
    ]
    parts.append("\n".join(["Problems:", *told]) if told else "No problems.")
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
