"""Requests a second that a server answers: questions alone, and questions with additions between.

Each run has a server of its own (`likewise serve`), on a copy of one index, and a client on the
same machine (`server_client`) that asks over several connections at once. What it asks about are
documents that are not stored, of which a fifth are near-copies of others; every tenth request, if
additions are mixed in, stores one more.

    python -m benchmarks.server.load --documents 100000 --seconds 20
"""

from __future__ import annotations

import importlib.metadata
import itertools
import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown, short
from benchmarks.server.client import Requests, request
from benchmarks.texts import corpus
from likewise import Index

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

AT_ONCE = 20_000  # documents of one transaction, when the index is made
MAX_REQUESTS_PER_SECOND = 6_000  # prepared before the run
PACKAGES = ("fastapi", "starlette", "uvicorn", "uvloop", "httptools", "pydantic")
WARM_SECONDS = 2.0


@dataclass(frozen=True)
class Kind:
    """A mix of requests: the share of those that store."""

    name: str
    adds: float


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=100_000, help="in the index")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each run")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--adds", type=float, default=0.1, help="share of requests that store")
    parser.add_argument("--repeat", type=int, default=3, help="rounds")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.seconds, given.repeat = 1_000, 1.0, 1
    known = machine.facts()
    kinds = [Kind("questions", 0.0), Kind(f"{given.adds:.0%} additions", given.adds)]
    runs: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="likewise-load-") as folder:
        made = Path(folder) / "made.db"
        texts = _build(made, given)
        for turn in range(given.repeat):
            for workers, kind in itertools.product(given.workers, kinds):
                run = _run(Path(folder), made, texts, workers, kind, given)
                runs.append(run)
                settings.say(
                    f"round {turn + 1}: {workers} workers, {kind.name}: {run['rate']:,.0f}/s, "
                    f"errors: {run['errors']}"
                )
    packages = {name: importlib.metadata.version(name) for name in PACKAGES}
    settings.save(
        settings.results(given),
        "server-load",
        {"machine": known, "packages": packages, "documents": given.documents,
         "seconds": given.seconds, "connections": given.connections, "runs": runs},
        _report(runs, known, packages, given),
    )  # fmt: skip
    if any(run["errors"] for run in runs):
        sys.exit("a request was not answered as it should have been")


def _build(path: Path, given: argparse.Namespace) -> list[str]:
    """Makes the index; documents that are not in it, to be asked about and stored."""
    spare = int(given.documents + MAX_REQUESTS_PER_SECOND * given.seconds + 10_000)
    pages = (page.text for page in corpus.stream(corpus.Recipe(spare, given.seed, given.words)))
    with Index.create(path) as index:
        for begin in range(0, given.documents, AT_ONCE):
            count = min(AT_ONCE, given.documents - begin)
            index.add(list(itertools.islice(pages, count)), range(begin, begin + count))
        settings.say(f"{len(index):,} documents in the index")
    return list(pages)


def _run(
    folder: Path, made: Path, texts: Sequence[str], workers: int, kind: Kind,
    given: argparse.Namespace,
) -> dict[str, Any]:  # fmt: skip
    """One server, loaded; what it answered, and how quickly."""
    copy = folder / "served.db"
    with Index(made) as index:
        index.copy_to(copy)
    server = _Server(copy, workers)
    try:
        warm = list(itertools.islice(_requests(texts, Kind("", 0.0), given.seed), 20_000))
        _ask(folder, server, warm, WARM_SECONDS, given.connections)
        wanted = int(MAX_REQUESTS_PER_SECOND * given.seconds)
        requests = list(itertools.islice(_requests(texts, kind, given.seed + 1), wanted))
        before = server.cpu_seconds()
        told = _ask(folder, server, requests, given.seconds, given.connections)
        used = server.cpu_seconds() - before
    finally:
        server.stop()
    stored = told["seconds"].get("addition", [])
    with Index(copy) as index:
        lost = given.documents + len(stored) - len(index)
        problems = index.verify() if given.tiny else []
    for path in folder.glob("served.db*"):
        path.unlink()
    answered = sum(told["statuses"].values())
    return {
        "workers": workers,
        "kind": kind.name,
        "rate": answered / told["took"],
        "errors": answered - told["statuses"].get("200", 0) + abs(lost) + len(problems),
        "cpu_microseconds": 1e6 * used / answered,
        "kinds": {
            name: {
                "count": len(seconds),
                "rate": len(seconds) / told["took"],
                **{f"p{share}": 1e3 * _percentile(seconds, share) for share in (50, 99)},
            }
            for name, seconds in told["seconds"].items()
        },
    }


def _requests(texts: Sequence[str], kind: Kind, seed: int) -> Iterator[tuple[str, bytes]]:
    rng = random.Random(seed)
    for i, text in enumerate(itertools.cycle(texts)):
        if rng.random() < kind.adds:
            document = {"id": f"new-{seed}-{i}", "text": text}
            yield "addition", request("POST", "/api/documents", {"documents": [document]})
        else:
            yield "question", request("POST", "/api/query", {"text": text})


def _ask(
    folder: Path, server: _Server, requests: Requests, seconds: float, connections: int
) -> dict[str, Any]:
    path = folder / "requests"
    path.write_bytes(pickle.dumps(requests))
    subprocess.run(
        [sys.executable, "-m", "benchmarks.server.client", server.host, str(server.port),
         str(path), str(seconds), str(connections)],
        check=True, timeout=seconds + 60,
    )  # fmt: skip
    told: dict[str, Any] = json.loads((folder / "requests.told").read_text())
    return told


class _Server:
    """`likewise serve` in processes of its own."""

    def __init__(self, index: Path, workers: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "likewise", "serve", "--index", str(index), "--port", "0",
             "--workers", str(workers), "--quiet"],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stderr is not None
        line = self._process.stderr.readline()
        found = re.search(r"http://(\S+):(\d+)", line)
        if found is None:
            raise SystemExit(f"the server does not start: {line}")
        self.host, self.port = found[1], int(found[2])

    def cpu_seconds(self) -> float:
        """Processor time of all its processes so far."""
        ticks = os.sysconf("SC_CLK_TCK")
        total = 0.0
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if self._process.pid in (int(path.parent.name), int(fields[1])):
                total += (int(fields[11]) + int(fields[12])) / ticks
        return total

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        _, said = self._process.communicate(timeout=60)
        if self._process.returncode or said:
            raise SystemExit(f"the server ended with {self._process.returncode}: {said}")


def _percentile(values: Sequence[float], share: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


def _report(
    runs: list[dict[str, Any]], known: dict[str, Any], packages: dict[str, str],
    given: argparse.Namespace,
) -> str:  # fmt: skip
    head = ["workers, requests", "requests/s", "least", "most", "questions/s", "p50 ms", "p99 ms",
            "additions/s", "p50 ms", "p99 ms", "server's CPU µs", "errors"]  # fmt: skip
    rows = []
    names = dict.fromkeys((run["workers"], run["kind"]) for run in runs)
    for workers, kind in names:
        same = [run for run in runs if (run["workers"], run["kind"]) == (workers, kind)]
        middle = sorted(same, key=lambda run: run["rate"])[len(same) // 2]
        cells = [f"{workers}, {kind}", short(middle["rate"])]
        cells += [short(choose(run["rate"] for run in same)) for choose in (min, max)]
        for name in ("question", "addition"):
            told = middle["kinds"].get(name)
            cells += ["–"] * 3 if told is None else [short(told[k]) for k in ("rate", "p50", "p99")]
        cells += [short(middle["cpu_microseconds"]), str(sum(run["errors"] for run in same))]
        rows.append(cells)
    return "\n\n".join(
        (
            "# A server under load",
            f"`likewise serve` on {given.documents:,} documents of {given.words} words (word"
            f" 3-shingles, made for similarities from 0.5 on, SQLite), asked over"
            f" {given.connections} connections from the same machine for {given.seconds:g} s;"
            f" the middle of {given.repeat} rounds, with the least and the most requests a second."
            " *Questions* ask about one text, *additions* store one document, which is on disk when"
            " it is answered. The client takes a share of the same processors.",
            machine.summary(known)
            + f"\n- Server: {', '.join(f'{name} {at}' for name, at in packages.items())}",
            markdown(head, rows),
        )
    )


if __name__ == "__main__":
    main()
