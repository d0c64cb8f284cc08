"""A process that interrupts another one at given moments.

Not a thread, since work may keep the interpreter's lock. For each line with a number of seconds it
waits, sends SIGINT to its parent, and answers with the time and the CPU time of the parent then.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time


class Sender:
    """The other end, in the process that is interrupted."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.interrupts.sender"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def send_after(self, seconds: float) -> None:
        """Have SIGINT come that much later."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")

    def sent(self) -> tuple[float, float]:
        """Return when it was sent: by `time.monotonic` and by `time.process_time`."""
        assert self._process.stdout is not None
        now, cpu = map(float, self._process.stdout.readline().split())
        return now, cpu

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def _serve(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        time.sleep(float(line))
        cpu = time.clock_gettime((~parent << 3) | 2)  # Linux: the CPU clock of that process
        now = time.monotonic()
        os.kill(parent, signal.SIGINT)
        print(now, cpu, flush=True)


if __name__ == "__main__":
    _serve(os.getppid())
