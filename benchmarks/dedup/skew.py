"""One page very often, and one shingle in every document: neither engine blows up.

Pages of real-looking text that all begin with the same words, of which one occurs 300,000 times,
deduplicated on one machine and on Spark; both must keep the same.

    python -m benchmarks.dedup.skew pan13-train.tar.xz --copies 300000 --others 100000
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.dedup import pages
from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown, short
from benchmarks.harness.trial import ROOT

if TYPE_CHECKING:
    from benchmarks.texts.chain import Chain

OPENING = "all rights reserved by the publisher"
IN_A_FILE = 50_000
ENGINES = {"local": [], "spark": ["--engine", "spark", "--master", "local[2]"]}


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("--copies", type=int, default=300_000)
    parser.add_argument("--others", type=int, default=100_000)
    parser.add_argument("--page-words", type=int, default=100, help="of a page, on average")
    parser.add_argument("--only", nargs="+", choices=ENGINES, default=list(ENGINES))
    given = parser.parse_args()
    if given.tiny:
        given.copies, given.others, given.page_words = 3_000, 300, 30
    elif given.corpus is None:
        parser.error("name the corpus, or run --tiny")
    known = machine.facts()
    chain = pages.chain_of(given.corpus, given.tiny)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _make(chain, folder / "pages", given.copies, given.others, given.page_words)
        rows = [_run(engine, folder) for engine in given.only]
        kept = [_kept(folder / engine) for engine in given.only]
    facts: dict[str, Any] = {
        "machine": known, "copies": given.copies, "others": given.others, "rows": rows,
        "kept": [len(ids) for ids in kept], "equal": all(ids == kept[0] for ids in kept),
    }  # fmt: skip
    settings.save(settings.results(given), "dedup-skew", facts, _report(facts))
    if not facts["equal"] or any(row["failure"] for row in rows):
        sys.exit("a run failed, or the engines do not agree")


def _make(chain: Chain, folder: Path, copies: int, others: int, words: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    made = (f"{OPENING} {text}" for _, text, _ in pages.pages(chain, others + 1, words, 1))
    texts = [*[next(made)] * copies, *islice(made, others)]
    # Far apart, as copies of a page are.
    step = 7919
    ids = sorted(range(len(texts)), key=lambda number: (number * step % len(texts), number))
    for start in range(0, len(ids), IN_A_FILE):
        some = ids[start : start + IN_A_FILE]
        table = pa.table({"id": pa.array(some), "text": pa.array([texts[at] for at in some])})
        pq.write_table(table, folder / f"part-{start // IN_A_FILE:03}.parquet")


def _run(engine: str, folder: Path) -> dict[str, Any]:
    told = folder / f"{engine}.json"
    start = time.perf_counter()
    done = subprocess.run(
        [
            sys.executable, "-m", "likewise", "dedup", str(folder / "pages"), "-o",
            str(folder / engine), "--text", "text", "--id", "id", "--report", str(told), "--quiet",
            *ENGINES[engine],
        ],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
        env=os.environ | {"PYSPARK_PYTHON": sys.executable},
    )  # fmt: skip
    row: dict[str, Any] = {"engine": engine, "seconds": time.perf_counter() - start, "failure": ""}
    if done.returncode:
        row["failure"] = (done.stderr.strip().splitlines() or ["failed"])[-1]
        settings.say(done.stderr[-2000:])
    elif told.exists():
        row["counts"] = json.loads(told.read_text())["counts"]
    return row


def _kept(folder: Path) -> list[int]:
    import pyarrow.parquet as pq

    ids: list[int] = []
    for path in sorted(folder.rglob("*.parquet")):
        ids += pq.read_table(path, columns=["id"])["id"].to_pylist()
    return sorted(ids)


def _report(facts: dict[str, Any]) -> str:
    rows = [
        [
            row["engine"], row["failure"] or short(row["seconds"]),
            *(f"{row.get('counts', {}).get(name, 0):,}" for name in ("candidates", "kept")),
        ]
        for row in facts["rows"]
    ]  # fmt: skip
    return "\n\n".join([
        "# Deduplication of skewed pages",
        f"One page {facts['copies']:,} times and {facts['others']:,} others, all with the same "
        "opening words; Parquet to Parquet, start of the process included. Both engines kept "
        + ("the same pages." if facts["equal"] else "OTHER PAGES."),
        markdown(["engine", "seconds", "candidates", "kept"], rows),
        machine.summary(facts["machine"]),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
