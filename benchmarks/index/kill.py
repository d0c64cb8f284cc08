"""One kill: a process writes to an index, and is killed in the phase that is aimed at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.harness.trial import ROOT
from benchmarks.index.writer import PHASES, Operation, State

if TYPE_CHECKING:
    import random
    from pathlib import Path

# Where a kill is to fall: before the index is open, in a phase, at an acknowledgement, or anywhere.
TARGETS = ("start", *PHASES, "done", "anywhere")
PATIENCE = 120.0  # seconds, after which a process hangs


@dataclass
class Run:
    """A process until it was killed: what it acknowledged, and what was under way."""

    target: str
    phase: str = "start"
    acknowledged: list[Operation] = field(default_factory=list)
    pending: Operation | None = None
    hung: bool = False
    status: int = 0


def killed(
    path: str,
    folder: Path,
    state: State,
    target: str,
    lasting: dict[str, float],
    chance: random.Random,
) -> Run:
    """Let a process write, and kill it in the phase that is aimed at, or close to it."""
    (folder / "state.json").write_text(json.dumps(state))
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.index.writer", path, str(folder / "state.json"),
         str(chance.randrange(10**9))],
        cwd=ROOT, stdout=subprocess.PIPE, bufsize=0,
    )  # fmt: skip
    assert process.stdout is not None
    run = Run(target)
    watchdog = threading.Timer(PATIENCE, lambda: _give_up(process, run))
    watchdog.start()
    lines = _Lines(process.stdout.fileno())
    began = time.perf_counter()
    if target == "start":
        time.sleep(chance.uniform(0, lasting.get("start", 1.0)))
    else:
        wanted = f"phase {target}" if target in PHASES else target
        passing = chance.randrange(4)
        until = None if target != "anywhere" else began + chance.uniform(0.5, 4.0)
        for line in lines:
            now = time.perf_counter()
            lasting[run.phase] = (lasting.get(run.phase, now - began) + now - began) / 2
            began = now
            _note(run, line)
            if until is not None and now > until:
                time.sleep(chance.uniform(0, 0.05))
                break
            if line == wanted:
                passing -= 1
                # What comes in every call is let pass; what is rare is taken at once.
                if passing < 0 or target in ("merge", "vacuum"):
                    time.sleep(chance.uniform(0, lasting.get(target, 0.005)))
                    break
    process.kill()
    for line in lines:
        _note(run, line)
    run.status = process.wait()
    watchdog.cancel()
    process.stdout.close()
    return run


def _give_up(process: subprocess.Popen[bytes], run: Run) -> None:
    run.hung = True
    process.kill()


class _Lines:
    """Whole lines of a pipe as they come; what a kill cut off is left out."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._held = b""

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        while b"\n" not in self._held:
            part = os.read(self._descriptor, 1 << 16)
            if not part:
                raise StopIteration
            self._held += part
        line, _, self._held = self._held.partition(b"\n")
        return line.decode()


def _note(run: Run, line: str) -> None:
    word, _, rest = line.partition(" ")
    if word == "begin":
        run.pending = Operation.of(rest)
        run.phase = "begin"
    elif word == "phase":
        run.phase = rest
    elif word == "done" and run.pending is not None:
        run.acknowledged.append(run.pending)
        run.pending = None
        run.phase = "done"
    else:
        run.phase = word
