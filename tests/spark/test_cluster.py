"""A standalone cluster: the same answer, also where a machine is lost in the middle of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.dedup.test_containment import nested
from tests.spark.conftest import Cluster
from tests.spark.corpora import edited_texts, local_annotations, shuffled_ids

# Says when both workers hold candidates, and goes on to verify them.
DRIVER = """
import json, sys
from pyspark.sql import SparkSession
from likewise.spark import Deduplication
from likewise.spark.tables import Tables

url, source, out = sys.argv[1:4]
options, measure = json.loads(sys.argv[4]), sys.argv[5]
builder = SparkSession.builder.master(url)
for name, value in options.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("OFF")
keep = Tables.keep

def tell(self, df, name):
    kept = keep(self, df, name)
    if name == "candidates":
        kept.count()
        print("at", name, executors(), flush=True)
    return kept

def executors():
    return spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1

Tables.keep = tell
rows = spark.read.parquet(source).repartition(4)
done = Deduplication(rows, in_one_task=0, measure=measure)
columns = ("id", "cluster", "kept", "similar_to", "similarity")
rows = [[row[name] for name in columns] for row in done.annotated().collect()]
with open(out, "w") as file:
    json.dump({"rows": rows, "executors": executors()}, file)
done.release()
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


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["jaccard", "containment"])
def test_a_cluster_that_loses_a_machine_gives_the_same_answer(
    cluster: Cluster, tmp_path: Path, measure: Any
) -> None:
    texts = edited_texts(1000, 31) if measure == "jaccard" else [*nested(400, 5)]
    ids = shuffled_ids(len(texts), 32)
    pq.write_table(pa.table({"id": ids, "text": texts}), tmp_path / "pages.parquet")
    out = tmp_path / "found.json"
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", DRIVER, cluster.url,
         str(tmp_path / "pages.parquet"), str(out), json.dumps(OPTIONS), measure],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"SPARK_LOCAL_DIRS": str(tmp_path / "driver-scratch")},
    ) as driver:  # fmt: skip
        assert driver.stdout is not None
        for line in driver.stdout:
            if line.startswith("at candidates"):
                assert line.split()[2] == "2"  # both workers have a part of it
                cluster.kill("worker-1")
                break
        _, told = driver.communicate(timeout=300)
    assert driver.returncode == 0, told
    expected = [list(row) for row in local_annotations(ids, texts, measure=measure)]
    result: dict[str, Any] = json.loads(out.read_text())
    assert result["executors"] == 1
    assert sorted(result["rows"], key=lambda row: repr(tuple(row))) == expected
