"""Passages in the index: adding, asking, and what they take, on both stores.

Documents of about 250 words, in which each word follows the one before as in the corpus of PAN
2013, are added with passages and, for the difference, without; then texts of 500 words are asked
about, in which passages of stored documents are planted. Every cell is a fresh process
(``benchmarks.index.passages_cell``) on a fresh store. Last, the corpus itself: every suspicious
document asked of an index of all sources.

    python -m benchmarks.index.passages pan13-train.tar.xz --documents 10000 100000 1000000
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.harness import machine, postgres_server, settings
from benchmarks.harness.postgres_server import PostgresServer
from benchmarks.harness.trial import ROOT
from benchmarks.index import passages_report as index_passages_report
from benchmarks.index.passages_pan import retrieval
from benchmarks.index.passages_questions import ASKED_WORDS, KINDS, VERBATIM
from benchmarks.index.speed import _durable_write
from benchmarks.passages.pan import Corpus, opened, tiny_corpus
from benchmarks.texts import chain

if TYPE_CHECKING:
    import argparse

    from benchmarks.index.passages_report import Row

STORES = ("sqlite", "postgresql")
LENGTH_SPREAD = 0.25  # standard deviation of the logarithm of a document's length


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--only", nargs="+", choices=(*STORES, "pan"), default=(*STORES, "pan"))
    parser.add_argument("--batch", type=int, default=10_000, help="documents in one transaction")
    parser.add_argument("--asked", type=int, default=300, help="questions of each kind")
    parser.add_argument("--singles", type=int, default=1_000, help="documents added one by one")
    parser.add_argument("--scratch", type=Path, help="folder for the stores (default: TMPDIR)")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.batch, given.asked, given.singles = [1_000], 100, 20, 20
    if min(given.documents) < 12 * given.asked:
        parser.error(f"{given.asked} questions need {12 * given.asked:,} documents")
    known = machine.facts()
    corpus = _corpus(given, parser)
    stores, left_out = _here(given, parser)
    texts, strangers = _texts(corpus, given)
    facts: dict[str, Any] = {
        "machine": known,
        "corpus": chain.facts(texts),
        "strangers": chain.facts(strangers),
        "batch": given.batch,
        "asked": given.asked,
        "singles": given.singles,
        "durable_write_ms": _durable_write(given.scratch),
        "servers": {},
        "left_out": left_out,
        "rows": [],
    }
    rows: list[Row] = facts["rows"]
    for size in sorted(given.documents):
        for store in stores:
            for passages in (True, False):
                row = {"store": store, "passages": passages, "documents": size}
                row |= _cell(row, texts, strangers, given, facts["servers"])
                rows.append(row)
                settings.say(index_passages_report.line(row))
    if "pan" in given.only:
        facts["pan"] = retrieval(corpus, given.scratch)
    settings.save(
        settings.results(given), "index-passages", facts, index_passages_report.text(facts)
    )
    if not all(map(_right, rows)):
        sys.exit("a planted run was not found, or a cell failed")


def _right(row: Row) -> bool:
    if row["failure"] or not row["passages"]:
        return not row["failure"]
    return all(row["kinds"][kind]["found"] == row["kinds"][kind]["planted"] for kind in VERBATIM)


def _corpus(given: argparse.Namespace, parser: argparse.ArgumentParser) -> Corpus:
    if given.tiny:
        return tiny_corpus()
    if given.corpus is None:
        parser.error("name the corpus, or run --tiny")
    with opened(given.corpus) as folder:
        return Corpus.read(folder)


def _here(
    given: argparse.Namespace, parser: argparse.ArgumentParser
) -> tuple[list[str], list[str]]:
    """Return the stores that can run here, and why the other cannot."""
    stores = [store for store in STORES if store in given.only]
    reason = postgres_server.missing() if "postgresql" in stores else ""
    if not reason:
        return stores, []
    if os.environ.get("CI"):
        parser.error(reason)
    settings.say(f"left out, postgresql: {reason}")
    return [store for store in stores if store != "postgresql"], [f"postgresql: {reason}"]


def _texts(corpus: Corpus, given: argparse.Namespace) -> tuple[Path, Path]:
    """Return the files of documents, and of texts to ask about."""
    words = chain.Chain(" ".join(corpus.texts.values()).split())
    settings.say("documents are made, if they are not there yet")
    texts = chain.ensure(
        words, given.data, max(given.documents) + given.singles, words=given.words,
        spread=LENGTH_SPREAD, seed=given.seed,
    )  # fmt: skip
    strangers = chain.ensure(
        words, given.data, len(KINDS) * given.asked, words=ASKED_WORDS, spread=0.0,
        seed=given.seed,
    )  # fmt: skip
    return texts, strangers


def _cell(
    row: Row, texts: Path, strangers: Path, given: argparse.Namespace, servers: dict[str, Any]
) -> dict[str, Any]:
    """Run one cell in a process of its own, on a store that is new and goes with it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=given.scratch)))
        place = str(folder)
        if row["store"] == "postgresql":
            postgres = stack.enter_context(PostgresServer(given.scratch))
            servers["postgresql"] = postgres.facts()
            place = postgres.url
        job = row | {
            "corpus": str(texts.resolve()),
            "strangers": str(strangers.resolve()),
            "place": place,
            "batch": given.batch,
            "asked": given.asked,
            "singles": given.singles,
            "seed": given.seed,
            "result": str(folder / "result.json"),
        }
        (folder / "job.json").write_text(json.dumps(job))
        failure = _run(folder, given.timeout)
        if failure:
            return {"failure": failure}
        measured: dict[str, Any] = json.loads((folder / "result.json").read_text())
        return {"failure": ""} | measured


def _run(folder: Path, seconds: float) -> str:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.index.passages_cell", str(folder / "job.json")],
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"ended after {seconds:,.0f} s"
    last = done.stderr.strip().splitlines()[-1:] or [""]
    return f"status {done.returncode}: {last[0]}" if done.returncode else ""


if __name__ == "__main__":
    main()
