"""Copied passages found in collections: planted among many documents, and PAN 2013 as a search.

*Planted:* documents of about 250 words, in which each word follows the one before as in real text
(the corpus of PAN 2013, or essays where that is not given); in some of them passages of one essay
are planted: found by asking for that essay, and, of a fifth of the documents, which of them share
passages with each other. *PAN:* every suspicious document against all sources at once; which share
of the true sources is found, by kind of copying: as candidates, and as passages.

    python -m benchmarks.passages.collections pan13-train.tar.xz --documents 100000
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.passages.pan import Corpus, opened, tiny_corpus
from benchmarks.texts.chain import Chain
from likewise.passages.find import find_passages

WORDS = 250
INSIDE = 5  # one of so many documents is held against the others of them
PLANTED = (12, 12, 12, 13, 14, 15, 16, 18, 20, 25, 30, 35, 40, 50, 60, 80, 100, 120, 150, 200)


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--one-run", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one_run:
        print(json.dumps(_search(json.loads(given.one_run.read_text()))))
        return
    if given.tiny:
        given.documents = 500
        corpus = tiny_corpus()
    elif given.corpus is None:
        parser.error("name the corpus, or run --tiny")
    else:
        with opened(given.corpus) as folder:
            corpus = Corpus.read(folder)
    known = machine.facts()
    planted = _planted(list(corpus.texts.values()), given.documents, given.seed)
    settings.say(f"planted: {planted['found']} of {planted['planted']}")
    retrieval = _retrieval(corpus)
    settings.save(
        settings.results(given),
        "passages",
        {"machine": known, "planted": planted, "pan": retrieval},
        _report(planted, retrieval, known),
    )
    if planted["found"] < planted["planted"]:
        raise SystemExit("a planted run was not found")


def _planted(texts: list[str], documents: int, seed: int) -> dict[str, Any]:
    """One essay against many documents, in a process of its own whose memory is watched."""
    rng = np.random.default_rng(seed)
    chain = Chain(" ".join(texts).split())
    settings.say(f"{documents:,} documents are made")
    made = list(chain.texts(np.full(documents, WORDS), rng))
    essay = next(chain.texts(np.array([sum(PLANTED) + WORDS]), rng)).split()
    holders = rng.choice(documents, len(PLANTED), replace=False).tolist()
    begin = 0
    for holder, words in zip(holders, PLANTED, strict=True):
        own = made[holder].split()
        at = int(rng.integers(0, len(own)))
        made[holder] = " ".join([*own[:at], *essay[begin : begin + words], *own[at:]])
        begin += words
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "planted.json"
        path.write_text(json.dumps({"essay": " ".join(essay), "documents": made}))
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.passages.collections", "--one-run", str(path)],
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
    told: dict[str, Any] = json.loads(done.stdout)
    found = {int(id_) for id_ in told.pop("found")}
    return {
        "documents": documents,
        "planted": len(PLANTED),
        "found": len(found & set(holders)),
        "others": len(found - set(holders)),
        **told,
    }


def _search(given: dict[str, Any]) -> dict[str, Any]:
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # what reading the texts took is forgotten
    made: dict[str, Any] = {"texts_mb": _memory("VmRSS")}
    start = time.perf_counter()
    found = find_passages([given["essay"]], against=given["documents"])
    made |= {
        "found": [pair.b for pair in found],
        "seconds": time.perf_counter() - start,
        "stages": found.stats.seconds,
        "counts": found.stats.counts,
        "peak_mb": _memory("VmHWM"),
    }
    own = given["documents"][: len(given["documents"]) // INSIDE]
    start = time.perf_counter()
    inside = find_passages(own)
    made["inside"] = {
        "documents": len(own),
        "seconds": time.perf_counter() - start,
        "stages": inside.stats.seconds,
        "counts": inside.stats.counts,
    }
    return made


def _memory(name: str) -> float:
    """What is resident now, or was at most, in MB."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) * 1024 / 1e6  # type: ignore[index]


def _retrieval(corpus: Corpus) -> dict[str, Any]:
    """All suspicious documents against all sources."""
    sources = sorted({pair.b for pair in corpus.pairs})
    suspicious = sorted({pair.a for pair in corpus.pairs})
    start = time.perf_counter()
    found = find_passages(
        [corpus.texts[name] for name in suspicious], ids=suspicious,
        against=[corpus.texts[name] for name in sources], against_ids=sources,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    pairs = {(pair.a, pair.b) for pair in found}
    kinds: dict[str, dict[str, int]] = {}
    copies = {case.pair for case in corpus.cases}
    for pair in corpus.pairs:
        # Not every pair that is listed under a kind of copying holds a copy.
        if pair.kind != "none" and (pair.a, pair.b) not in copies:
            continue
        row = kinds.setdefault(pair.kind, {"pairs": 0, "found": 0})
        row["pairs"] += 1
        row["found"] += (pair.a, pair.b) in pairs
    true = {(pair.a, pair.b) for pair in corpus.pairs if (pair.a, pair.b) in copies}
    return {
        "suspicious": len(suspicious),
        "sources": len(sources),
        "kinds": kinds,
        "others": len(pairs - true),
        "seconds": seconds,
        "counts": found.stats.counts,
    }


def _report(planted: dict[str, Any], pan: dict[str, Any], known: dict[str, Any]) -> str:
    rows = [
        [kind, f"{row['pairs']:,}", f"{row['found']:,}", f"{row['found'] / row['pairs']:.3f}"]
        for kind, row in pan["kinds"].items()
    ]
    counts, inside = pan["counts"], planted["inside"]
    return "\n\n".join(
        [
            "# Copied passages in collections",
            f"One essay against {planted['documents']:,} documents of {WORDS} words, in "
            f"{planted['planted']} of which a passage of {min(PLANTED)} to {max(PLANTED)} of its "
            f"words is planted: {planted['found']} found, and {planted['others']} documents more "
            f"that share one by the chance of the words; {planted['seconds']:.1f} s, "
            f"{planted['peak_mb']:,.0f} MB resident at most, of which "
            f"{planted['texts_mb']:,.0f} MB are the texts and Python.",
            f"{inside['documents']:,} of these documents with each other: "
            f"{inside['seconds']:.0f} s; candidates by runs "
            f"{inside['counts'].get('by_runs', 0):,}, by rare words "
            f"{inside['counts'].get('by_rare_words', 0):,}; pairs in which a passage was found "
            f"{inside['counts']['pairs']:,}.",
            f"PAN 2013 as a search: {pan['suspicious']:,} suspicious documents against "
            f"{pan['sources']:,} sources at once, {pan['seconds']:.0f} s; candidates by runs "
            f"{counts.get('by_runs', 0):,}, by rare words {counts.get('by_rare_words', 0):,}. "
            f"Pairs in which a passage was found: {counts['pairs']:,}, of which {pan['others']:,} "
            "are not among the pairs that the corpus lists (it lists few of those that exist).",
            markdown(["kind of copying", "pairs", "found", "share"], rows),
            machine.summary(known),
        ]
    )


if __name__ == "__main__":
    main()
