"""How quick the index is: adding and asking, on both stores, with texts and without.

Beside it datasketch's MinHashLSH, in memory and in Redis, at the sizes that it reaches in
``--peer-seconds``. Every cell is a fresh process (``benchmarks.index.cell``) on a fresh store.

    python -m benchmarks.index.speed --documents 10000 100000 1000000
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, postgres_server, redis_server, settings
from benchmarks.harness.postgres_server import PostgresServer
from benchmarks.harness.redis_server import RedisServer
from benchmarks.harness.trial import ROOT
from benchmarks.index import speed_report as index_speed_report
from benchmarks.index.collection import strangers
from benchmarks.index.speed_report import MEMORY, OURS, PEERS, REDIS
from benchmarks.texts import corpus

if TYPE_CHECKING:
    import argparse

    from benchmarks.index.speed_report import Row


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--only", nargs="+", choices=(*OURS, *PEERS), default=(*OURS, *PEERS))
    parser.add_argument("--batch", type=int, default=10_000, help="documents in one transaction")
    parser.add_argument("--asked", type=int, default=500, help="questions of each kind")
    parser.add_argument("--groups", type=int, default=100, help="of ten planted near copies")
    parser.add_argument("--singles", type=int, default=1_000, help="documents added one by one")
    parser.add_argument("--peer-seconds", type=float, default=300.0, help="for one cell of a peer")
    parser.add_argument("--scratch", type=Path, help="folder for the stores (default: TMPDIR)")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.batch, given.asked = [1_000], 100, 20
        given.groups, given.singles = 5, 20
    known = machine.facts()
    holders, left_out = _here(given, parser)
    extra = strangers(given.asked, given.groups, given.singles)
    recipe = corpus.Recipe(max(given.documents) + extra, given.seed, given.words, copies=0.0)
    texts = corpus.ensure(recipe, given.data)
    facts: dict[str, Any] = {
        "machine": known,
        "corpus": corpus.facts(texts),
        "threshold": given.threshold,
        "batch": given.batch,
        "asked": given.asked,
        "singles": given.singles,
        "peer_seconds": given.peer_seconds,
        "durable_write_ms": _durable_write(given.scratch),
        "servers": {},
        "left_out": left_out,
        "rows": [],
    }
    rows: list[Row] = facts["rows"]
    for size in sorted(given.documents):
        for holder in holders:
            for keep_text in (True, False) if holder in OURS else (False,):
                row = {"holder": holder, "text": keep_text, "documents": size}
                reason = _too_long(row, rows, given.peer_seconds)
                row |= {"failure": reason} if reason else _cell(row, texts, given, facts["servers"])
                rows.append(row)
                settings.say(index_speed_report.line(row))
    settings.save(settings.results(given), "index-speed", facts, index_speed_report.text(facts))
    if any(row.get("wrong") for row in rows if row["holder"] in OURS):
        sys.exit(1)


def _here(
    given: argparse.Namespace, parser: argparse.ArgumentParser
) -> tuple[list[str], list[str]]:
    """Return the holders that can run here, and why the others cannot."""
    reasons = dict.fromkeys(given.only, "")
    if "postgresql" in reasons:
        reasons["postgresql"] = postgres_server.missing()
        if reasons["postgresql"] and os.environ.get("CI"):
            parser.error(reasons["postgresql"])
    for peer in PEERS:
        if peer in reasons and importlib.util.find_spec("datasketch") is None:
            reasons[peer] = "datasketch is not installed"
    if REDIS in reasons:
        reasons[REDIS] = reasons[REDIS] or redis_server.missing()
    left_out = [f"{holder}: {reason}" for holder, reason in reasons.items() if reason]
    for said in left_out:
        settings.say(f"left out, {said}")
    return [holder for holder, reason in reasons.items() if not reason], left_out


def _too_long(row: Row, rows: list[Row], seconds: float) -> str:
    """Say so if a peer would take longer than it may, by its rate on fewer documents."""
    if row["holder"] in OURS:
        return ""
    for before in reversed(rows):
        if before["holder"] != row["holder"]:
            continue
        if before["failure"]:
            return f"left out: {before['documents']:,} documents took too long"
        wanted = row["documents"] / before["documents_a_second"]
        if wanted > seconds:
            return f"left out: about {wanted:,.0f} s to add, by its rate on fewer documents"
        return ""
    return ""


def _cell(
    row: Row, texts: Path, given: argparse.Namespace, servers: dict[str, Any]
) -> dict[str, Any]:
    """Run one cell in a process of its own, on a store that is new and goes with it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=given.scratch)))
        redis = None
        place = str(folder)
        if row["holder"] == "postgresql":
            postgres = stack.enter_context(PostgresServer(given.scratch))
            servers["postgresql"] = postgres.facts()
            place = postgres.url
        elif row["holder"] == REDIS:
            redis = stack.enter_context(RedisServer(given.scratch))
            servers["redis"] = redis.facts()
            place = str(redis.port)
        job = {
            "corpus": str(texts.resolve()),
            "documents": row["documents"],
            "kind": row["holder"],
            "keep_text": row["text"],
            "place": place,
            "threshold": given.threshold,
            "batch": given.batch,
            "asked": given.asked,
            "groups": given.groups,
            "singles": given.singles,
            "result": str(folder / "result.json"),
        }
        (folder / "job.json").write_text(json.dumps(job))
        failure = _run(folder, given.timeout if row["holder"] in OURS else 2 * given.peer_seconds)
        if failure:
            return {"failure": failure}
        measured: dict[str, Any] = json.loads((folder / "result.json").read_text())
        if redis is not None:
            measured["bytes"] = redis.bytes_used()
        if row["holder"] == MEMORY:
            measured["bytes"] = round((measured["after_mb"] - measured["before_mb"]) * 1e6)
        return {"failure": ""} | measured


def _run(folder: Path, seconds: float) -> str:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.index.cell", str(folder / "job.json")],
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"ended after {seconds:,.0f} s"
    last = done.stderr.strip().splitlines()[-1:] or [""]
    return f"status {done.returncode}: {last[0]}" if done.returncode else ""


def _durable_write(scratch: Path | None) -> float:
    """Return the milliseconds that 4 kB take to be durable here: the floor of a single add."""
    spent = []
    with tempfile.NamedTemporaryFile(dir=scratch) as file:
        for _ in range(50):
            start = time.perf_counter()
            os.write(file.fileno(), bytes(4096))
            os.fsync(file.fileno())
            spent.append(time.perf_counter() - start)
    return median(spent) * 1e3


if __name__ == "__main__":
    main()
