"""Collections for the tests: copies, edited copies, chains, nulls and short texts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from likewise.dedup.files.run import run
from likewise.dedup.files.staged_run import Reading, RunOptions
from likewise.dedup.report import Report
from likewise.dedup.settings import DedupSettings


def texts(count: int, seed: int = 0, words: int = 60) -> list[str | None]:
    """About half of them edited copies of earlier ones, some without a text."""
    rng = random.Random(seed)
    made: list[str | None] = []
    for _ in range(count):
        kind = rng.random()
        earlier = [text for text in made if text]
        if kind < 0.05:
            made.append(rng.choice([None, "", "...", "short"]))
        elif kind < 0.55 and earlier:
            copied = rng.choice(earlier).split()
            for _ in range(rng.randrange(4)):
                copied[rng.randrange(len(copied))] = f"w{rng.randrange(3000)}"
            made.append(" ".join(copied))
        else:
            made.append(" ".join(f"w{rng.randrange(3000)}" for _ in range(words)))
    return made


def table(found: Sequence[str | None], **columns: Any) -> pa.Table:
    return pa.table(
        {
            "id": pa.array([f"d{i}" for i in range(len(found))], pa.string()),
            "text": pa.array(list(found), pa.string()),
            **columns,
        }
    )


def write_parquet(path: Path, found: Sequence[str | None], **columns: Any) -> Path:
    parquet.write_table(table(found, **columns), path, row_group_size=50)
    return path


def dedup(source: Path | Sequence[Path], out: Path, **options: Any) -> Report:
    """Runs with settings and options mixed."""
    names = ("profile", "measure", "threshold", "recall", "keep", "chains", "max_bucket", "threads",
             "values")  # fmt: skip
    settings = {name: options.pop(name) for name in names if name in options}
    reading = {
        name: options.pop(name) for name in ("text", "id", "skip_bad", "shape") if name in options
    }
    files = {name: options.pop(name) for name in ("against", "save_signatures") if name in options}
    return run(
        source, out, DedupSettings.checked(**settings),
        RunOptions(reading=Reading(**reading), **options), **files,
    )  # fmt: skip
