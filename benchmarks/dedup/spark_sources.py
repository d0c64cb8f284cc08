"""Documents in nested folders and several formats, read by both engines: the same documents, and
the same ones kept.

One run for each source: a folder of each format, a pattern, and everything together.

    python -m benchmarks.dedup.spark_sources --documents 20000
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown, short
from benchmarks.harness.trial import ROOT

SOURCES = {
    "everything": "",
    "JSON Lines (`.jsonl`, `.json`, `.jsonl.gz`)": "json",
    "CSV and TSV, three headers": "csv",
    "Parquet, two schemas": "pq",
    "Parquet, `pq/**/*.parquet`": "pq/**/*.parquet",
    "Parquet in `lang=…/day=…`": "hive",
}
# Small tables: what compiles and plans for large ones only takes time.
SUBMIT = (
    "--driver-java-options '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' "
    "--conf spark.sql.adaptive.enabled=false --conf spark.sql.codegen.wholeStage=false "
    "--conf spark.sql.shuffle.partitions=2 --conf spark.default.parallelism=2 pyspark-shell"
)
ENGINES = {"local": [], "spark": ["--engine", "spark", "--master", "local[2]"]}


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=80)
    given = parser.parse_args()
    chosen = dict(SOURCES)
    if given.tiny:
        given.documents, given.files = 400, 16
        chosen = {"everything": ""}
        KINDS[:] = KINDS[1:4] + KINDS[-2:]
    known = machine.facts()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _make(folder / "in", given.documents, given.files)
        rows = [_compare(title, folder, source) for title, source in chosen.items()]
    facts = {"machine": known, "documents": given.documents, "files": given.files, "rows": rows}
    settings.save(settings.results(given), "spark-sources", facts, _report(facts))
    if not all(row["equal"] for row in rows):
        sys.exit("the engines do not agree")
    if rows[0]["local"]["documents"] != given.documents:
        sys.exit(f"{rows[0]['local']['documents']} documents were read of {given.documents}")


def _texts(count: int) -> Iterator[str]:
    """Texts, a third of them copies of earlier ones with a few words changed."""
    draw = random.Random(1)
    words = [f"w{number}" for number in range(5000)]
    texts: list[str] = []
    for _ in range(count):
        if texts and draw.random() < 0.35:
            own = draw.choice(texts[-500:]).split()
            for _ in range(draw.randrange(3)):
                own[draw.randrange(len(own))] = draw.choice(words)
        else:
            own = draw.choices(words, k=draw.randrange(20, 80))
        texts.append(" ".join(own))
        yield texts[-1]


def _make(folder: Path, documents: int, files: int) -> None:
    texts = _texts(documents)
    numbers = iter(range(documents))
    for at in range(files):
        rows = []
        for _ in range(documents // files + (at < documents % files)):
            number = next(numbers)
            rows.append({"id": f"{number * 7919 % documents}", "text": next(texts)})
        name, write = KINDS[at % len(KINDS)]
        path = folder / name.format(at)
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, rows)


def _jsonl(path: Path, rows: list[dict[str, str]]) -> None:
    lines = [json.dumps(row | {"url": None}) for row in rows]
    content = "\n".join([*lines, ""]).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def _csv(names: tuple[str, ...], delimiter: str = ",") -> Callable[[Path, Any], None]:
    def write(path: Path, rows: list[dict[str, str]]) -> None:
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, names, restval="x, y", delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(out.getvalue(), encoding="utf-8", newline="")

    return write


def _parquet(**more: object) -> Callable[[Path, Any], None]:
    def write(path: Path, rows: list[dict[str, str]]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist([row | more for row in rows]), path)

    return write


KINDS: list[tuple[str, Callable[[Path, Any], None]]] = [
    ("json/{0}.jsonl", _jsonl),
    ("json/deep/er/part-{0}.json", _jsonl),
    ("json/[odd] names %41/{0} \u00fc.jsonl.gz", _jsonl),
    ("csv/{0}.csv", _csv(("id", "text"))),
    ("csv/deep/{0}.csv", _csv(("text", "note", "id"))),
    ("csv/deep/er/{0}.tsv", _csv(("id", "text"), "\t")),
    ("pq/{0}.parquet", _parquet()),
    ("pq/a/b/c/{0}.parquet", _parquet(score=0.5, note="more")),
    ("hive/lang=en/day=2026-01-{0:02}/part-0.parquet", _parquet()),
    ("hive/lang=a b/day=2026-02-{0:02}/part-0.parquet", _parquet()),
]


def _compare(title: str, folder: Path, source: str) -> dict[str, Any]:
    row: dict[str, Any] = {"source": title}
    rows = []
    for engine in ENGINES:
        out = folder / engine
        row[engine] = _run(engine, folder, str(folder / "in" / source), out)
        rows.append(_kept(out))
        shutil.rmtree(out, ignore_errors=True)
    row["equal"] = bool(rows[0]) and rows[0] == rows[1] and all(
        row["local"].get(name) == row["spark"].get(name) for name in ("documents", "kept")
    )  # fmt: skip
    return row


def _run(engine: str, folder: Path, source: str, out: Path) -> dict[str, Any]:
    told = folder / f"{engine}.json"
    environment = {name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"}
    start = time.perf_counter()
    done = subprocess.run(
        [
            sys.executable, "-m", "likewise", "dedup", source, "-o", str(out), "--report",
            str(told), "--quiet", *ENGINES[engine],
        ],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
        env=environment | {"PYSPARK_SUBMIT_ARGS": SUBMIT},
    )  # fmt: skip
    seconds = time.perf_counter() - start
    if done.returncode:
        settings.say(done.stderr[-2000:])
        return {"seconds": seconds}
    counts = json.loads(told.read_text())["counts"]
    return {"seconds": seconds, "documents": counts["documents"], "kept": counts["kept"]}


def _kept(out: Path) -> list[tuple[str, str]]:
    """The ids and texts in an output, read by the local engine."""
    from likewise.documents.tables.source import open_rows

    if not out.exists():
        return []
    return sorted(
        pair
        for batch in open_rows(out).batches()
        if batch.ids is not None
        for pair in zip(batch.ids.to_pylist(), batch.texts.to_pylist(), strict=True)
    )


def _report(facts: dict[str, Any]) -> str:
    def figures(row: dict[str, Any], name: str) -> list[str]:
        return [f"{row[engine].get(name, 0):,}" for engine in ENGINES]

    rows = [
        [
            row["source"], *figures(row, "documents"), *figures(row, "kept"),
            "yes" if row["equal"] else "NO",
            *(short(row[engine]["seconds"]) for engine in ENGINES),
        ]
        for row in facts["rows"]
    ]  # fmt: skip
    return "\n\n".join([
        "# The same documents on Spark",
        f"{facts['documents']:,} documents in {facts['files']} files in nested folders: JSON "
        "Lines, gzip, CSV with several headers, TSV, Parquet of two schemas, Parquet in folders "
        "`key=value`, names with spaces, brackets and `%`. `likewise dedup` on one machine and "
        "with `--engine spark` in local mode, in an environment that is not activated. The ids and "
        "texts of all kept rows are compared. Seconds include the start of Java.",
        markdown(
            ["source", "read locally", "on Spark", "kept locally", "on Spark", "same rows",
             "seconds locally", "on Spark"],
            rows,
        ),
        machine.summary(facts["machine"]),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
