"""One cell of the table of speed, in this fresh process: add, open again, add singly, ask.

    python -m benchmarks.index.cell JOB.json

JOB is made by ``benchmarks.index.speed``. Only adding and asking are timed: texts are read and
altered, and answers checked, between the measurements.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.harness import memory
from benchmarks.index.collection import KINDS, Collection
from benchmarks.index.holders import make

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.index.collection import Question
    from benchmarks.index.holders import Found, Holder

WARM_UP = 200  # documents that are added to another holder, so that everything is imported
FIRST = 10  # questions of a kind that are not counted


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    collection = Collection(
        Path(job["corpus"]), job["documents"], batch=job["batch"], asked=job["asked"],
        groups=job["groups"], singles=job["singles"],
    )  # fmt: skip
    where = job["kind"], job["place"], job["threshold"], job["keep_text"]
    warm = make(*where, "warm")
    warm.add(collection.singles[:WARM_UP], list(map(str, range(WARM_UP)))[: job["singles"]])
    warm.query(collection.singles[0])
    Path(job["result"]).write_text(json.dumps(_measured(make(*where, "main"), collection)))


def _measured(holder: Holder, collection: Collection) -> dict[str, Any]:
    before = memory.resident()
    memory.reset_peak()
    batches = [
        (len(texts), _seconds(partial(holder.add, texts, ids)))
        for texts, ids in collection.batches()
    ]
    adding = memory.peak()
    gc.collect()
    after = memory.resident()
    holder.reopen()
    held = holder.sizes()
    memory.reset_peak()
    first = _seconds(partial(holder.query, collection.singles[0]))
    singles = [
        _seconds(partial(holder.add, [text], [f"single{number}"]))
        for number, text in enumerate(collection.singles)
    ]
    questions = {kind: list(collection.questions(kind)) for kind in KINDS}
    asked = {kind: _asked(holder, part) for kind, part in questions.items()}
    return {
        **_rates(batches),
        **held,
        "given_bytes": collection.bytes,
        "first_query_ms": first * 1e3,
        "single_ms": _times(singles),
        "query_ms": {kind: _times(seconds) for kind, (seconds, _, _) in asked.items()},
        "questions": sum(map(len, questions.values())),
        "expected": sum(len(one.expected) for part in questions.values() for one in part),
        "missed": sum(missed for _, missed, _ in asked.values()),
        "wrong": sum(wrong for _, _, wrong in asked.values()),
        "before_mb": before,
        "after_mb": after,
        "peak_adding_mb": adding,
        "peak_asking_mb": memory.peak(),
    }


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _asked(holder: Holder, questions: list[Question]) -> tuple[list[float], int, int]:
    """Return the seconds of each question, and how many documents were missed and wrong."""
    for question in questions[:FIRST]:
        holder.query(question.text)
    spent, missed, wrong = [], 0, 0
    for question in questions:
        start = time.perf_counter()
        found = holder.query(question.text)
        spent.append(time.perf_counter() - start)
        missed += len(question.expected.keys() - {id_ for id_, _ in found})
        wrong += _wrong(found, question.expected)
    return spent, missed, wrong


def _wrong(found: Found, expected: dict[str, float]) -> int:
    """Count what is not similar, and what is with another similarity than the exact one."""
    return sum(
        id_ not in expected or (told is not None and told != expected[id_]) for id_, told in found
    )


def _rates(batches: list[tuple[int, float]]) -> dict[str, Any]:
    total = sum(count for count, _ in batches)
    last: list[tuple[int, float]] = []
    for count, seconds in reversed(batches):
        if sum(held for held, _ in last) + count > max(total // 10, batches[-1][0]):
            break
        last.append((count, seconds))
    return {
        "documents_a_second": total / sum(seconds for _, seconds in batches),
        # A single batch is no tenth.
        "last_tenth_a_second": _rate(last) if len(batches) >= 10 else None,
        "slowest_batch_s": max(seconds for _, seconds in batches),
        "batch_seconds": [round(seconds, 4) for _, seconds in batches],
    }


def _rate(batches: list[tuple[int, float]]) -> float:
    return sum(count for count, _ in batches) / sum(seconds for _, seconds in batches)


def _times(seconds: list[float]) -> dict[str, float]:
    p50, p99 = np.quantile(seconds, [0.5, 0.99]) * 1e3
    return {"p50": float(p50), "p99": float(p99), "most": max(seconds) * 1e3}


if __name__ == "__main__":
    main()
