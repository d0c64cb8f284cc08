"""A standalone cluster: the same answers, also where machines are lost in the middle of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likewise
from tests.dedup.test_containment import nested
from tests.spark.conftest import Cluster
from tests.spark.corpora import edited_texts, in_order, local_annotations, shuffled_ids
from tests.spark.test_decontamination import EVALS, TEXTS
from tests.spark.test_parts import PAGES

# Says when both workers hold a part of a table of a run, and waits until it may go on.
DRIVER = """
import json, sys, time
from pyspark.sql import SparkSession
from likewise.spark import Decontamination, Deduplication, PartDeduplication
from likewise.spark.tables import Tables

url, jobs, out, options = sys.argv[1], *map(json.loads, sys.argv[2:5])
builder = SparkSession.builder.master(url)
for name, value in options.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("OFF")
keep = Tables.keep
waiting_at = None

def tell(self, df, name):
    global waiting_at
    kept = keep(self, df, name)
    if name == waiting_at:
        waiting_at = None
        kept.count()
        print("at", name, executors(), flush=True)
        sys.stdin.readline()
    return kept

def executors():
    return spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1

Tables.keep = tell
found = {}
for what, source, waiting_at in jobs:
    deadline = time.monotonic() + 120
    while executors() < 2 and time.monotonic() < deadline:
        time.sleep(0.2)
    rows = spark.read.parquet(source).repartition(4)
    if what == "cut":
        evals = json.load(open(source + ".json"))
        done = Decontamination(rows, evals, action="cut", max_documents=15, planted=20)
        df = done.rows()
    elif what in ("line", "passage"):
        done = PartDeduplication(rows, unit=what, min_words=6, in_one_task=0)
        df = done.annotated().drop("text")
    else:
        done = Deduplication(rows, in_one_task=0, measure=what)
        df = done.annotated().drop("text")
    found[what] = {"rows": [list(row) for row in df.collect()], "counts": done.stats.counts}
    done.release()
with open(out, "w") as file:
    json.dump(found, file)
spark.stop()
"""

OPTIONS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": "4",
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def expected_rows(what: str, ids: list[str], texts: list[str | None]) -> list[Any]:
    """What one machine gives."""
    if what == "cut":
        ordered, given, _ = in_order(ids, texts)
        made = likewise.decontaminate(
            given, EVALS, ids=ordered, action="cut", max_documents=15, planted=20
        )
        return [[ordered[row], text] for row, text in zip(made.kept, made.texts, strict=True)]
    if what in ("line", "passage"):
        parts = likewise.deduplicate(texts, ids=ids, unit=cast("Any", what), min_words=6)
        rows = parts.to_arrow().select(["kept", "removed"]).to_pylist()
        return [[id_, row["kept"], row["removed"]] for id_, row in zip(ids, rows, strict=True)]
    return [list(row) for row in local_annotations(ids, texts, measure=what)]


JOBS = {
    "jaccard": (edited_texts(1000, 31), "candidates"),
    "containment": (nested(400, 5), "candidates"),
    "line": (PAGES, "scanned"),
    "passage": (PAGES, "fingerprints-1"),
    "cut": (TEXTS, "matches"),
}


@pytest.mark.slow
def test_a_cluster_that_loses_machines_gives_the_same_answer(
    cluster: Cluster, tmp_path: Path
) -> None:
    """In each of several runs a worker is killed that has a part of a table, and replaced."""
    jobs, ids = [], {}
    for what, (texts, table) in JOBS.items():
        path = tmp_path / f"{what}.parquet"
        ids[what] = shuffled_ids(len(texts), 32)
        pq.write_table(pa.table({"id": ids[what], "text": pa.array(texts, pa.string())}), path)
        jobs.append((what, str(path), table))
    (tmp_path / "cut.parquet.json").write_text(json.dumps(EVALS))
    out = tmp_path / "found.json"
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", DRIVER, cluster.url, json.dumps(jobs),
         json.dumps(str(out)), json.dumps(OPTIONS)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"SPARK_LOCAL_DIRS": str(tmp_path / "driver-scratch")},
    ) as driver:  # fmt: skip
        assert driver.stdout is not None
        assert driver.stdin is not None
        told = []
        for line in driver.stdout:
            told.append(line.split())
            cluster.replace_worker()
            driver.stdin.write("\n")
            driver.stdin.flush()
        _, error = driver.communicate(timeout=300)
    assert driver.returncode == 0, error
    assert told == [["at", table, "2"] for _, table in JOBS.values()]  # both have a part of it
    found: dict[str, Any] = json.loads(out.read_text())
    for what, (texts, _) in JOBS.items():
        expected = expected_rows(what, ids[what], list(texts))
        assert sorted(found[what]["rows"], key=repr) == sorted(expected, key=repr), what
