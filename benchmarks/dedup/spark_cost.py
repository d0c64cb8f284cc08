"""What deduplication on Spark costs: processor time and bytes shuffled a document, by step.

Pages of real-looking text, a fifth of them near-copies (``pages.py``), from Parquet to
Parquet. Every run is a fresh process on this machine with two cores. Processor time is that of all
processes of the run, Java and Python; shuffled bytes are those that Spark's event log has.

    python -m benchmarks.dedup.spark_cost pan13-train.tar.xz --documents 25000 50000 100000
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.dedup import pages
from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown, short
from benchmarks.harness.trial import ROOT

STEPS = ("scan", "copies", "candidates", "verify", "clusters", "decide", "write")

RUN = """
import json, os, sys
from contextlib import contextmanager
from pathlib import Path
from likewise.run import Stats

TICK = os.sysconf("SC_CLK_TCK")

def used():
    parents, ticks = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            ticks[int(entry.name)] = sum(map(int, fields[11:15]))
    total, found = 0, [os.getpid()]
    while found:
        pid = found.pop()
        total += ticks.get(pid, 0)
        found += [child for child, parent in parents.items() if parent == pid]
    return total / TICK

source, out, log, cores = sys.argv[1:]
processor, timed = {}, Stats.timed

@contextmanager
def watched(self, stage):
    before = used()
    with timed(self, stage):
        yield
    processor[stage] = processor.get(stage, 0.0) + used() - before

Stats.timed = watched
from pyspark.sql import SparkSession
spark = (
    SparkSession.builder.master(f"local[{cores}]")
    .config("spark.driver.memory", "4g").config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.sql.shuffle.partitions", 16).config("spark.ui.showConsoleProgress", "false")
    .config("spark.eventLog.enabled", "true").config("spark.eventLog.dir", f"file://{log}")
    .config("spark.eventLog.compress", "false").config("spark.eventLog.rolling.enabled", "false")
    .config("spark.sql.autoBroadcastJoinThreshold", -1)  # what is small here is large elsewhere
    .config("spark.ui.enabled", "false").getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")
from likewise.spark import Deduplication
# The first work of a session starts Java's compiler and Python's workers: not ours to count.
Deduplication(spark.read.parquet(source).limit(200)).release()
processor.clear()
spark.sparkContext.setJobDescription("begin")
spark.range(1).count()
done = Deduplication(spark.read.parquet(source), in_one_task=0, filter_from=0)
with done._step("write"):
    done.kept().write.parquet(out)
spark.stop()
stats = done.stats
print(json.dumps({"processor": processor, "seconds": stats.seconds, "counts": stats.counts}))
"""


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("--documents", type=int, nargs="+", default=[25_000, 50_000, 100_000])
    parser.add_argument("--page-words", type=int, default=500, help="of a page, on average")
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.page_words = [300], 60
    elif given.corpus is None:
        parser.error("name the corpus, or run --tiny")
    known = machine.facts()
    chain = pages.chain_of(given.corpus, given.tiny)
    rows = []
    for size in given.documents:
        source = pages.ensure(chain, given.data, size, given.page_words)
        settings.say(f"{size:,} pages")
        rows.append({"documents": size} | _run(source, given.cores))
    facts = {"machine": known, "rows": rows}
    settings.save(settings.results(given), "spark-cost", facts, _report(facts, given.cores))


def _run(source: Path, cores: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log"
        log.mkdir()
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", RUN, str(source), f"{name}/out", str(log),
             str(cores)],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
            env=os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
                              "SPARK_LOCAL_DIRS": f"{name}/scratch"},
        )  # fmt: skip
        facts: dict[str, Any] = json.loads(done.stdout)
        facts["shuffled"], facts["rows_shuffled"] = _shuffled(next(log.iterdir()))
    return facts


def _shuffled(log: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Bytes and rows that the tasks of each step have written for others; the last run's."""
    step_of: dict[int, str] = {}
    found: dict[str, Counter[str]] = defaultdict(Counter)
    with log.open() as events:
        for line in events:
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                told = (event.get("Properties") or {}).get("spark.job.description") or ""
                step = told.removeprefix("likewise: ")
                if step == "begin":  # what came before was to get warm
                    found.clear()
                for stage in event["Stage IDs"]:
                    step_of[stage] = step
            elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                written = event["Task Metrics"]["Shuffle Write Metrics"]
                step = step_of.get(event["Stage ID"], "")
                found["bytes"][step] += written["Shuffle Bytes Written"]
                found["rows"][step] += written["Shuffle Records Written"]
    return dict(found["bytes"]), dict(found["rows"])


def _report(facts: dict[str, Any], cores: int) -> str:
    parts = [
        "# What deduplication on Spark costs",
        machine.summary(facts["machine"]),
        f"From Parquet to Parquet in `local[{cores}]`, with the Bloom filter and with rounds of "
        "stars; no join by broadcast, as on collections that are too large for it.",
    ]
    for row in facts["rows"]:
        n = row["documents"]
        lines = [
            [
                step,
                short(row["seconds"].get(step)),
                short(1e6 * row["processor"].get(step, 0.0) / n),
                short(row["shuffled"].get(step, 0) / n),
                short(row["rows_shuffled"].get(step, 0) / n),
            ]
            for step in STEPS
        ]
        lines.append(
            [
                "all",
                short(sum(row["seconds"].values())),
                short(1e6 * sum(row["processor"].values()) / n),
                short(sum(row["shuffled"].values()) / n),
                short(sum(row["rows_shuffled"].values()) / n),
            ]
        )
        head = ["step", "seconds", "processor, µs a document", "shuffled bytes a document",
                "shuffled rows a document"]  # fmt: skip
        parts += [f"## {n:,} documents", markdown(head, lines), f"Counts: {row['counts']}"]
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
