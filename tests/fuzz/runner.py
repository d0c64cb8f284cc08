"""`run`: many inputs of one kind, in a process that may crash or hang.

The process writes a line per input. If it dies, or is silent for too long, that is the outcome of
the input it was at, and another process goes on after it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.kinds import Kind
from tests.fuzz.outcomes import Run, judge

HANG_SECONDS = 30.0


def run(
    kind: Kind,
    inputs: int,
    *,
    seed: int = 0,
    start: int = 0,
    seconds: float | None = None,
    hang: float = HANG_SECONDS,
) -> Run:
    """Run inputs of one kind, from number `start` on; stop early after `seconds`."""
    result = Run(kind.name, seed, start)
    began = time.monotonic()
    deadline = None if seconds is None else began + seconds
    while result.inputs < inputs and (deadline is None or time.monotonic() < deadline):
        ended = _run_process(kind, result, start + inputs, deadline, hang)
        if ended is not None and result.inputs < inputs:
            result.count(*ended)
    result.seconds = time.monotonic() - began
    return result


def _run_process(
    kind: Kind, result: Run, stop: int, deadline: float | None, hang: float
) -> tuple[str, str] | None:
    """Count what one process does; return how it failed, or None."""
    order = [kind.name, kind.function, kind.memory, result.seed, result.start + result.inputs, stop]
    with (
        tempfile.TemporaryDirectory(prefix="likewise-fuzz-") as scratch,
        subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.runner", json.dumps(order)],
            stdout=subprocess.PIPE,
            # The same input takes the same way again, and a process that dies leaves nothing.
            env={**os.environ, "PYTHONHASHSEED": "0", "TMPDIR": scratch},
        ) as child,
    ):
        try:
            for outcome, message, memory in _answers(child, hang):
                result.memory = max(result.memory, memory)
                result.count(outcome, message)
                if deadline is not None and time.monotonic() >= deadline:
                    return None
            status = child.wait(hang)
        except (TimeoutError, subprocess.TimeoutExpired):
            child.send_signal(signal.SIGABRT)  # faulthandler prints where it is
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(5)
            return "hang", f"no answer within {hang:g} s"
        finally:
            child.kill()
    if status < 0:
        return "crash", signal.Signals(-status).name
    return ("crash", f"exit status {status}") if status else None


def _answers(child: subprocess.Popen[bytes], hang: float) -> Iterator[tuple[str, str, int]]:
    assert child.stdout is not None
    rest = b""
    used = 0.0
    while True:
        while not select.select([child.stdout], [], [], hang)[0]:
            state, now = _state(child.pid)
            if state not in "RD" or now - used >= hang / 2:
                raise TimeoutError
        used = _state(child.pid)[1]
        block = os.read(child.stdout.fileno(), 1 << 16)
        if not block:
            return
        *lines, rest = (rest + block).split(b"\n")
        yield from map(json.loads, lines)


def _state(pid: int) -> tuple[str, float]:
    """Return the state of a process, and the processor time that it has used.

    On a busy machine a process may be ready to run ("R") and hardly ever do: that is no hang.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return "?", 0.0
    return fields[0], (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _serve(name: str, function: str, memory: int, seed: int, start: int, stop: int) -> None:
    """What the process does."""
    # What the code under test prints must not end up among the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    kind = Kind(name, function, memory)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    loaded = kind.load()
    for number in range(start, stop):
        outcome, message = judge(loaded, kind.random(seed, number))
        print(json.dumps((outcome, message, _peak())), file=answers, flush=True)


def _peak() -> int:
    """The largest memory of this process or of one that it has started, such as a server."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for pid in Path("/proc/thread-self/children").read_text().split():
        with contextlib.suppress(OSError):
            found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
            peak = max(peak, int(found[1]) if found else 0)
    return peak << 10


if __name__ == "__main__":
    _serve(*json.loads(sys.argv[1]))
