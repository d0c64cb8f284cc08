"""Passages and passage families on Spark: the same rows as the local search?

The documents of `passages.families` are searched by `likewise.passages` and, in local mode with as
many threads as processors, by `likewise.spark`. All rows of both are compared. In local mode Spark
can only be slower: its steps are jobs, and texts pass between Java and Python. What it adds is that
no machine needs all of the data.

    python -m benchmarks.passages.families_spark --documents 2000
"""

from __future__ import annotations

import os
import time
from typing import Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.passages.families import planted
from likewise.passages.families.find import find_families
from likewise.passages.find import find_passages


def compared(documents: int, count: int, seed: int) -> dict[str, Any]:
    """Both searches of the same documents, with their times and whether all rows are equal."""
    from pyspark.sql import SparkSession

    from likewise.spark import PassageSearch

    texts = planted(documents, count, seed).texts
    start = time.perf_counter()
    passages = find_passages(texts)
    between = time.perf_counter()
    families = find_families(passages)
    local = {"passages": between - start, "families": time.perf_counter() - between}
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    spark = (
        SparkSession.builder.master(f"local[{os.cpu_count()}]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "3g")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.ui.enabled", "false")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    df = spark.createDataFrame(list(enumerate(texts)), "id long, text string").repartition(4)
    start = time.perf_counter()
    search = PassageSearch(df)
    found = search.passages().toArrow()
    between = time.perf_counter()
    found_families = search.families().toArrow()
    on_spark = {"passages": between - start, "families": time.perf_counter() - between}
    result = {
        "documents": documents,
        "passages": found.num_rows,
        "witnesses": found_families.num_rows,
        "same_passages": _rows(found) == _rows(passages.to_arrow()),
        "same_families": _rows(found_families) == _rows(families.to_arrow()),
        "local_seconds": local,
        "spark_seconds": on_spark,
    }
    search.release()
    spark.stop()
    return result


def _rows(table: Any) -> list[tuple[Any, ...]]:
    names = table.schema.names
    return sorted(zip(*(table.column(name).to_pylist() for name in names), strict=True), key=repr)


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=2_000)
    given = parser.parse_args()
    documents, families = (120, 2) if given.tiny else (given.documents, given.documents // 50)
    known = machine.facts()
    result = compared(documents, families, given.seed)
    settings.save(
        settings.results(given), "families-spark", {"machine": known, "run": result},
        _report(result, known),
    )  # fmt: skip


def _report(result: dict[str, Any], known: dict[str, Any]) -> str:
    rows = [
        [
            what, f"{result[count]:,}", "all equal" if result[same] else "different",
            f"{result['local_seconds'][what]:.1f} s", f"{result['spark_seconds'][what]:.1f} s",
        ]
        for what, count, same in (
            ("passages", "passages", "same_passages"), ("families", "witnesses", "same_families"),
        )
    ]  # fmt: skip
    return "\n\n".join(
        [
            "# Passages and families on Spark",
            *(__doc__ or "").split("\n\n")[1:-1],
            f"## {result['documents']:,} documents",
            markdown(["", "rows", "compared", "local", "Spark"], rows),
            machine.summary(known),
        ]
    )


if __name__ == "__main__":
    main()
