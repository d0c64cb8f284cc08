"""A trial: one contender, one corpus, one fresh process; what it found and what it took."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness import memory

if TYPE_CHECKING:
    from benchmarks.runners.contender import Contender

ROOT = Path(__file__).resolve().parents[2]
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Limits:
    """When to give a trial up: the machine is shared."""

    seconds: float = 3600.0
    resident_mb: float = 18_000.0


@dataclass(frozen=True)
class Trial:
    """Times in seconds, memory in 10^6 bytes. ``failure`` is empty when the run ended well."""

    contender: str
    documents: int
    threads: int | None
    failure: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    setup_seconds: float = 0.0
    process_seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0
    before_mb: float = 0.0
    peak_anonymous_mb: float = 0.0
    peak_is_of_the_run: bool = True
    count: int = 0
    stderr: str = ""
    pairs: frozenset[tuple[int, int]] = frozenset()
    marked: frozenset[int] = frozenset()

    def facts(self) -> dict[str, Any]:
        """Return what belongs in a result file: everything but the rows found."""
        facts = asdict(self)
        del facts["pairs"], facts["marked"]
        if not self.failure:
            del facts["stderr"]
        return facts


def run(
    contender: Contender,
    corpus: Path,
    documents: int,
    *,
    threads: int | None = None,
    threshold: float = 0.8,
    keep: bool = True,
    limits: Limits | None = None,
) -> Trial:
    """Run ``contender`` on the first ``documents`` of ``corpus`` in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="benchmark-") as name:
        folder = Path(name)
        job = {
            "contender": contender.name,
            "corpus": str(corpus.resolve()),
            "documents": documents,
            "threads": threads,
            "threshold": threshold,
            "keep": keep,
            "result": str(folder / "result.json"),
            "rows": str(folder / "rows.bin"),
        }
        (folder / "job.json").write_text(json.dumps(job))
        watched = _watch(folder, limits or Limits())
        trial = Trial(contender.name, documents, threads, **watched)
        if trial.failure:
            return trial
        measured = json.loads((folder / "result.json").read_text())
        rows = np.fromfile(folder / "rows.bin", dtype=np.int64)
        return Trial(
            contender.name, documents, threads, **watched, **measured, **_found(contender, rows)
        )


def _watch(folder: Path, limits: Limits) -> dict[str, Any]:
    """Start the process, sample its anonymous memory, end it at its limits."""
    start, anonymous, failure = time.perf_counter(), 0.0, ""
    with (folder / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.runners", str(folder / "job.json")],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        status = Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            now = memory.fields(status)
            # Apart from VmHWM, which also counts pages of mapped files that can be dropped.
            anonymous = max(anonymous, now.get("RssAnon", 0.0))
            if now.get("VmRSS", 0.0) > limits.resident_mb:
                failure = f"ended at {limits.resident_mb:,.0f} MB resident"
            elif time.perf_counter() - start > limits.seconds:
                failure = f"ended after {limits.seconds:,.0f} s"
            if failure:
                process.kill()
                process.wait()
                break
            time.sleep(POLL_SECONDS)
    spent = time.perf_counter() - start
    said = (folder / "stderr").read_text(errors="replace")
    if process.returncode and not failure:
        last = said.strip().splitlines()[-1:] or [""]
        failure = f"status {process.returncode}: {last[0]}"
    if not (failure or (folder / "result.json").exists()):
        failure = "ended without a result"
    return {
        "failure": failure,
        "process_seconds": spent,
        "peak_anonymous_mb": anonymous,
        "stderr": said[-10_000:],
    }


def _found(contender: Contender, rows: np.ndarray[Any, np.dtype[np.int64]]) -> dict[str, Any]:
    if contender.gives != "pairs":
        return {"marked": frozenset(rows.tolist())}
    ordered = np.sort(rows.reshape(-1, 2), axis=1)
    return {"pairs": frozenset(map(tuple, ordered.tolist()))}
