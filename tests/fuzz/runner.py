"""`run`: many inputs of one kind, in a process that may crash or hang.

The process writes a line per input. If it dies, or is silent for too long, the input that it was
at is a finding, and another process goes on after it.
"""

from __future__ import annotations

import json
import resource
import select
import signal
import subprocess
import sys
import time

from tests.fuzz import outcomes
from tests.fuzz.kinds import load
from tests.fuzz.outcomes import Finding, Tally, judge, make_random


def run(kind: str, inputs: int, seed: int = 0, start: int = 0) -> Tally:
    """Run the inputs `start` to `start + inputs` of one kind."""
    tally = Tally(kind)
    began = time.monotonic()
    stop = start + inputs
    while start + tally.inputs < stop:
        done = tally.inputs
        ended = _run_child(tally, seed, start + done, stop)
        if start + tally.inputs < stop:
            at = start + tally.inputs
            tally.findings.append(Finding(kind, seed, at, ended))
            tally.inputs += 1
    tally.seconds = time.monotonic() - began
    return tally


def _run_child(tally: Tally, seed: int, start: int, stop: int) -> str:
    """Count what one process does; return how it ended."""
    command = [sys.executable, "-m", "tests.fuzz.runner", tally.kind, str(seed), str(start)]
    with subprocess.Popen([*command, str(stop)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        rest = b""
        while True:
            ready, _, _ = select.select([child.stdout], [], [], outcomes.HANG_SECONDS)
            if not ready:
                child.kill()
                tally.hangs += 1
                return f"no answer within {outcomes.HANG_SECONDS:g} s"
            block = child.stdout.read1(1 << 16)
            if not block:
                break
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                _count(tally, seed, start, *json.loads(line))
    if child.returncode < 0:
        return f"crash: {signal.Signals(-child.returncode).name}"
    return f"exit status {child.returncode}"


def _count(tally: Tally, seed: int, start: int, number: int, word: str, memory: int) -> None:
    tally.inputs += 1
    tally.memory = max(tally.memory, memory)
    if word == "read":
        tally.read += 1
    elif word == "refused":
        tally.refused += 1
    else:
        tally.findings.append(Finding(tally.kind, seed, number, word))


def _serve(name: str, seed: int, start: int, stop: int) -> None:
    """What the process does."""
    kind = load(name)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (outcomes.MEMORY_BYTES, outcomes.MEMORY_BYTES))
    for number in range(start, stop):
        outcome, what = judge(kind, make_random(name, seed, number))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
        print(json.dumps((number, outcome or what, memory)), flush=True)


if __name__ == "__main__":
    _serve(sys.argv[1], *map(int, sys.argv[2:5]))
