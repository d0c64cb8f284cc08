"""The command line, run inside this process so that its peak memory can be read afterwards."""

from __future__ import annotations

import os
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
    arguments = ["pairs", source, "--threshold", str(task.threshold)]
    arguments += ["--format", "jsonl", "--stats", "-o", out]
    if task.threads is not None:
        arguments += ["--threads", str(task.threads)]
    with watch.stage("command"):
        from likewise.cli.main import run

        status = run(arguments)
    if status:
        raise RuntimeError(f"likewise {' '.join(arguments)} ended with status {status}")
    with open(out, "rb") as lines:
        count = sum(1 for _ in lines)
    os.remove(out)
    return Answer(count=count)
