"""PAN 2013 as a search on an index: every suspicious document asked of all sources."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.index.cell import _times
from likewise.index.index import Index

if TYPE_CHECKING:
    from benchmarks.passages.pan import Corpus


def retrieval(corpus: Corpus, scratch: Path | None) -> dict[str, Any]:
    """Which share of the true sources is found, by kind of copying, on one thread."""
    sources = sorted({pair.b for pair in corpus.pairs})
    suspicious = sorted({pair.a for pair in corpus.pairs})
    pairs: set[tuple[str, str]] = set()
    counts: Counter[str] = Counter()
    spent = []
    with (
        tempfile.TemporaryDirectory(dir=scratch) as folder,
        Index.create(Path(folder) / "sources.db") as index,
    ):
        start = time.perf_counter()
        index.add([corpus.texts[name] for name in sources], sources)
        adding = time.perf_counter() - start
        size = index.info()["bytes"]
        for name in suspicious:
            start = time.perf_counter()
            found = index.passages([corpus.texts[name]], ids=[name], threads=1)
            spent.append(time.perf_counter() - start)
            pairs.update((pair.a, pair.b) for pair in found)
            counts.update(found.stats.counts)
    copies = {case.pair for case in corpus.cases}
    return {
        "suspicious": len(suspicious),
        "sources": len(sources),
        "adding_seconds": adding,
        "bytes": size,
        "seconds": sum(spent),
        "ms": _times(spent) | {"mean": 1e3 * sum(spent) / len(spent)},
        "kinds": _by_kind(corpus, copies, pairs),
        "others": len(pairs - copies),
        "counts": {
            name: counts[name] for name in ("by_runs", "by_rare_words", "candidates", "pairs")
        },
    }


def _by_kind(
    corpus: Corpus, copies: set[Any], found: set[tuple[str, str]]
) -> dict[str, dict[str, int]]:
    kinds: dict[str, dict[str, int]] = {}
    for pair in corpus.pairs:
        # Not every pair that is listed under a kind of copying holds a copy.
        if pair.kind != "none" and (pair.a, pair.b) not in copies:
            continue
        row = kinds.setdefault(pair.kind, {"pairs": 0, "found": 0})
        row["pairs"] += 1
        row["found"] += (pair.a, pair.b) in found
    return kinds
