"""Run one contender on one corpus in this fresh process and write what it took.

    python -m benchmarks.runners JOB.json

JOB is made by ``harness.trial``. Only the standard library is imported before the contender, so
that the memory measured is the contender's.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from array import array
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.harness import memory
from benchmarks.runners import COMMAND, CONTENDERS
from benchmarks.runners.contender import Answer, Contender, Task
from benchmarks.runners.stopwatch import SETUP, Stopwatch

WARM_UP = 200  # documents: enough to import and to start threads, too few to matter


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    contender = COMMAND if job["contender"] == COMMAND.name else CONTENDERS[job["contender"]]
    task = Task(job["threshold"], job["threads"], job["keep"])
    result, answer = _measure(contender, task, job)
    _write_rows(answer, Path(job["rows"]))
    Path(job["result"]).write_text(json.dumps(result))


def _measure(
    contender: Contender, task: Task, job: dict[str, Any]
) -> tuple[dict[str, Any], Answer]:
    run = contender.load()
    if contender is COMMAND:
        texts = [job["corpus"]]
    else:
        texts = _load(Path(job["corpus"]), job["documents"])
        run(texts[:WARM_UP], task, Stopwatch())
    gc.collect()
    watch = Stopwatch()
    before = memory.resident()
    reset = memory.reset_peak()
    cpu, wall = time.process_time(), time.perf_counter()
    answer = run(texts, task, watch)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = memory.peak()
    setup = watch.seconds.pop(SETUP, 0.0)
    return {
        "seconds": wall - setup,
        "cpu_seconds": cpu - setup,  # setup is plain one-threaded Python
        "setup_seconds": setup,
        "stages": watch.seconds,
        "peak_mb": peak,
        "before_mb": before,
        "peak_is_of_the_run": reset,
        "count": answer.count,
    }, answer


def _load(path: Path, documents: int) -> list[str]:
    # Line by line: reading the file whole would leave a peak twice the texts' size.
    with path.open(encoding="ascii", newline="\n") as lines:
        texts = [line[:-1] for line in islice(lines, documents)]
    if len(texts) != documents:
        raise ValueError(f"{path} has {len(texts)} documents, {documents} wanted")
    return texts


def _write_rows(answer: Answer, path: Path) -> None:
    rows = array("q", answer.marked or ())
    for a, b in answer.pairs or ():
        rows.append(int(a))
        rows.append(int(b))
    with path.open("wb") as out:
        rows.tofile(out)


if __name__ == "__main__":
    main()
