"""datatrove's documented recipe of four steps, on a folder of Parquet; run by its own Python.

PYTHON datatrove_dedup.py SOURCE WORK OUT
"""

import sys
from pathlib import Path

from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import (
    MinhashConfig,
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupFilter,
)
from datatrove.pipeline.readers import ParquetReader
from datatrove.pipeline.writers.jsonl import JsonlWriter
from datatrove.utils.hashing import HashConfig

TASKS = 2


def main() -> None:
    source, work, out = sys.argv[1:4]
    config = MinhashConfig(
        hash_config=HashConfig(precision=64), num_buckets=14, hashes_per_bucket=8, n_grams=5
    )
    logs = Path(work) / "logs"

    def reader() -> ParquetReader:
        return ParquetReader(source, text_key="text", id_key="id")

    steps = [
        ([reader(), MinhashDedupSignature(f"{work}/signatures", config=config)], TASKS),
        ([MinhashDedupBuckets(f"{work}/signatures", f"{work}/buckets", config=config)],
         config.num_buckets),
        ([MinhashDedupCluster(f"{work}/buckets", f"{work}/remove", config=config)], 1),
        ([reader(), MinhashDedupFilter(f"{work}/remove"), JsonlWriter(out)], TASKS),
    ]  # fmt: skip
    for number, (pipeline, tasks) in enumerate(steps):
        LocalPipelineExecutor(
            pipeline=pipeline, tasks=tasks, workers=2, logging_dir=str(logs / str(number))
        ).run()


if __name__ == "__main__":
    main()
