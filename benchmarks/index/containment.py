"""Short texts in long documents of an index: what a search by containment finds, and how fast.

Long documents of made-up text, each with a copy of a short text in it: of its words, so many are
replaced at random that the expected containment is the threshold. What is found without comparing
all documents is put beside the recall that the command states, and beside all documents compared.

    python -m benchmarks.index.containment --documents 1500 --longest 80000
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import likewise
from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from likewise.index.containment_query import ContainmentQuery
from likewise.statistics.estimate import binomial_estimate

LENGTHS = (20, 50, 200)
THRESHOLDS = (0.5, 0.6, 0.8, 0.9, 1.0)
SHORTEST = 500  # words of a document
VOCABULARY = 50_000
SHINGLE = 3  # words
FOUND_WITH = 0.01  # a threshold below all copies: what counts is whether they are looked at


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=1_500)
    parser.add_argument(
        "--longest", type=int, default=80_000, help="words of the longest documents"
    )
    parser.add_argument("--scanned", type=int, default=3, help="queries that compare all documents")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.longest, given.scanned = 60, 2_000, 1
    known = machine.facts()
    with tempfile.TemporaryDirectory() as name:
        rows, sizes = _measure(Path(name), given)
    facts: dict[str, Any] = {
        "machine": known, "documents": given.documents, "longest": given.longest, **sizes,
        "rows": rows,
    }  # fmt: skip
    settings.save(settings.results(given), "index-containment", facts, _report(facts))
    if wrong := [row for row in rows if row["high"] < row["stated"] or row["differ"]]:
        sys.exit(f"fewer are found than stated, or others than by comparing all: {wrong}")


def _measure(folder: Path, given: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """An index with a copy in each document, and the queries of each length and threshold."""
    rng = random.Random(0)
    vocabulary = [f"w{i}" for i in range(VOCABULARY)]
    weights = [1 / (i + 10) for i in range(VOCABULARY)]
    cases = [(length, threshold) for length in LENGTHS for threshold in THRESHOLDS]
    texts = [rng.choices(vocabulary, weights, k=length) for length, _ in cases]
    words = 0
    start = time.perf_counter()
    with likewise.Index.create(folder / "index.db") as index:
        for number in range(given.documents):
            case = number % len(cases)
            replaced = 1 - cases[case][1] ** (1 / SHINGLE)
            copy = [w if rng.random() >= replaced else f"new{number}" for w in texts[case]]
            share = number // len(cases) / max(1, given.documents // len(cases) - 1)
            length = round(SHORTEST * (given.longest / SHORTEST) ** share)
            own = rng.choices(vocabulary, weights, k=length)
            place = rng.randrange(length)
            words += length
            index.add([" ".join([*own[:place], *copy, *own[place:]])], [f"{case}-{number}"])
        sizes = {"all_words": words, "adding_s": time.perf_counter() - start}
        rows = [
            _row(index, case, " ".join(texts[case]), *cases[case], given)
            for case in range(len(cases))
        ]
    return rows, sizes


def _row(
    index: likewise.Index, case: int, text: str, length: int, threshold: float, given: Any
) -> dict[str, Any]:
    copies = len(range(case, given.documents, len(LENGTHS) * len(THRESHOLDS)))
    options: dict[str, Any] = {"measure": "containment", "threshold": FOUND_WITH, "threads": 1}
    start = time.process_time()
    (found,) = index.query([text], **options)
    seconds = time.process_time() - start
    own = [match for match in found if match.id.startswith(f"{case}-")]
    # At the threshold that a user gives: with those that all documents compared give.
    options["threshold"] = threshold
    (listed,) = index.query([text], **options)
    differ = scan_seconds = None
    if case < given.scanned:
        start = time.process_time()
        (every,) = index.query([text], scan=True, **options)
        scan_seconds = time.process_time() - start
        by_id = {match.id: match for match in every}
        differ = sum(by_id.get(match.id) != match for match in listed)
    recalls = ContainmentQuery(index.settings, threshold).recalls()
    assert recalls is not None
    stated = float(recalls[length])
    measured = binomial_estimate(len(own), copies, 0.999)
    return {
        "words": length, "threshold": threshold, "copies": copies, "found": len(own),
        "measured": measured.value, "low": measured.low, "high": measured.high, "stated": stated,
        "listed": len(listed), "differ": differ or 0, "query_ms": 1000 * seconds,
        "scan_ms": None if scan_seconds is None else 1000 * scan_seconds,
    }  # fmt: skip


def _report(facts: dict[str, Any]) -> str:
    rows = [
        [str(row["words"]), f"{row['threshold']:g}", str(row["copies"]), f"{row['measured']:.1%}",
         f"{row['low']:.1%} to {row['high']:.1%}", f"{row['stated']:.1%}",
         f"{row['query_ms']:,.0f}",
         "" if row["scan_ms"] is None else f"{row['scan_ms']:,.0f}"]
        for row in facts["rows"]
    ]  # fmt: skip
    table = markdown(
        ["words of the text", "containment", "documents with a copy", "found", "99.9 % interval",
         "stated: at least", "query, ms", "all documents compared, ms"],
        rows,
    )  # fmt: skip
    return (
        "# Containment in an index\n\n"
        f"{facts['documents']:,} documents of {SHORTEST} to {facts['longest']:,} words "
        f"({facts['all_words']:,} in all), each with a copy of one of {len(rows)} short texts. Of "
        "each copy, words were replaced at random until its expected containment is the one in the "
        "table. *Found* is the share of these documents that `likewise index query --measure "
        "containment` looks at and verifies without comparing all of them, with the exact interval "
        "of the binomial law; *stated* is the recall by the law of sampled runs of 12 words, from "
        "which the command computes what it prints. It is a lower bound, because rare words lead "
        "to further documents. Times are processor times of one query.\n\n"
        f"{table}\n\n{machine.summary(facts['machine'])}\n"
    )


if __name__ == "__main__":
    main()
