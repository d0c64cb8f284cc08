"""One cell of the tables of passages in the index, in this fresh process: add, open again, ask.

    python -m benchmarks.index.passages_cell JOB.json

JOB is made by ``benchmarks.index.passages``. Only adding and asking are timed: texts are read, and
answers checked, between the measurements.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness import memory
from benchmarks.index.cell import _rates, _seconds, _times
from benchmarks.index.holders import Likewise
from benchmarks.index.passages_questions import KINDS, Collection

if TYPE_CHECKING:
    from benchmarks.index.passages_questions import Question

MIN_WORDS = 12
THRESHOLD = 0.5
WARM_UP = 200  # documents that are added to another index, so that everything is imported
FIRST = 10  # questions of a kind that are not counted
TOLD = 20  # missed passages of which it is told what was looked at
COUNTS = ("by_runs", "by_rare_words", "candidates", "set_aside", "left_out")


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    collection = Collection(
        Path(job["corpus"]), Path(job["strangers"]), job["documents"], batch=job["batch"],
        asked=job["asked"], singles=job["singles"], seed=job["seed"],
    )  # fmt: skip
    warm = _index(job, "warm")
    singles = collection.singles[:WARM_UP]
    warm.add(singles, [str(number) for number in range(len(singles))])
    if job["passages"]:
        warm.passages(singles[0])
    measured = _measured(_index(job, "main"), collection, job["passages"])
    Path(job["result"]).write_text(json.dumps(measured))


def _index(job: dict[str, Any], name: str) -> Likewise:
    place = job["place"]
    path = f"{place}#{name}" if job["store"] == "postgresql" else str(Path(place) / f"{name}.db")
    return Likewise(path, THRESHOLD, True, MIN_WORDS if job["passages"] else None)


def _measured(index: Likewise, collection: Collection, passages: bool) -> dict[str, Any]:
    memory.reset_peak()
    batches = [
        (len(texts), _seconds(partial(index.add, texts, ids)))
        for texts, ids in collection.batches()
    ]
    made = _rates(batches) | {"peak_adding_mb": memory.peak()}
    index.reopen()
    memory.reset_peak()
    if passages:  # before anything else is asked of it, which would be held in memory then
        first = next(collection.questions("none")).text
        made["first_query_ms"] = 1e3 * _seconds(partial(index.passages, first))
    made |= index.sizes() | {"given_bytes": collection.bytes}
    made["single_ms"] = _times([
        _seconds(partial(index.add, [text], [f"single{number}"]))
        for number, text in enumerate(collection.singles)
    ])  # fmt: skip
    if passages:
        made["kinds"] = {kind: _asked(index, list(collection.questions(kind))) for kind in KINDS}
        made["peak_asking_mb"] = memory.peak()
    return made


def _asked(index: Likewise, questions: list[Question]) -> dict[str, Any]:
    for question in questions[:FIRST]:
        index.passages(question.text)
    spent, busy, counts = [], 0.0, Counter[str]()
    missed: list[dict[str, Any]] = []
    for number, question in enumerate(questions):
        start, start_busy = time.perf_counter(), time.process_time()
        answer = index.passages(question.text)
        spent.append(time.perf_counter() - start)
        busy += time.process_time() - start_busy
        looked_at = {name: answer.stats.counts.get(name, 0) for name in COUNTS}
        counts.update(looked_at)
        found = {pair.b for pair in answer}
        others = found - question.planted
        counts["planted"] += len(question.planted)
        counts["found"] += len(question.planted & found)
        counts["others"] += len(others)
        texts = [answer.documents[id_].text or "" for id_ in others]
        counts["others_with_run"] += sum(_share_run(question.text, text) for text in texts)
        for id_ in sorted(question.planted - found):
            missed.append({"question": number, "document": id_, **looked_at})
    return {
        "ms": _times(spent),
        "cpu_ms": 1e3 * busy / len(questions),
        **{name: counts[name] for name in ("planted", "found", "others", "others_with_run")},
        "average": {name: counts[name] / len(questions) for name in COUNTS},
        "missed": missed[:TOLD],
    }


def _share_run(a: str, b: str) -> bool:
    """Say whether two texts have a run of words in common, as a few lines of Python see words."""
    runs = []
    for text in (a, b):
        words = re.findall(r"[^\W_]+", text.lower())
        runs.append({tuple(words[i : i + MIN_WORDS]) for i in range(len(words) - MIN_WORDS + 1)})
    return bool(runs[0] & runs[1])


if __name__ == "__main__":
    main()
