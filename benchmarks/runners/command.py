"""The command line, run inside this process so that its peak memory can be read afterwards."""

from __future__ import annotations

import os
import runpy
import sys
from typing import TYPE_CHECKING

from benchmarks.runners.contender import Answer, Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.runners.stopwatch import Stopwatch


def pairs(paths: Sequence[str], task: Task, watch: Stopwatch) -> Answer:
    """Run ``likewise pairs`` on the one file in ``paths`` and count the lines it wrote.

    The stages' times go to stderr (``--stats``), which the parent process reads.
    """
    (source,) = paths
    out = f"{source}.pairs.jsonl"
    argv = ["likewise", "pairs", source, "--threshold", str(task.threshold)]
    argv += ["--format", "jsonl", "--stats", "-o", out]
    if task.threads is not None:
        argv += ["--threads", str(task.threads)]
    sys.argv = argv
    with watch.stage("command"):
        try:
            runpy.run_module("likewise", run_name="__main__", alter_sys=True)
        except SystemExit as end:
            if end.code not in (None, 0):
                raise RuntimeError(f"{' '.join(argv)} ended with status {end.code}") from end
    with open(out, "rb") as lines:
        count = sum(1 for _ in lines)
    os.remove(out)
    return Answer(count=count)
