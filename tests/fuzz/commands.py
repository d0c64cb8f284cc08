"""Commands on damaged files, as a user runs them: a result or a message, never a bug report."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import NoReturn

from likewise.cli import bug, main
from likewise.documents.document import FIELDS
from tests.fuzz import folders, tables
from tests.fuzz.mutations import mutate, words
from tests.fuzz.outcomes import LostError, Outcome


def commands(rng: Random) -> Outcome:
    """A command on a folder of damaged texts and tables, or on one of them."""
    _raise_bugs()
    files = {f"{n}.txt": mutate(rng, words(rng, 60).encode()) for n in range(rng.randint(1, 3))}
    files["t.csv"] = mutate(rng, tables.make_csv(rng, ","), 2)
    files["t.jsonl"] = mutate(rng, tables.make_jsonl(rng), 2)
    if rng.random() < 0.2:
        files["t.parquet"] = mutate(rng, tables.make_parquet(rng), 2)
    names = rng.sample(("file", "id", *FIELDS), 3)
    meta = mutate(rng, tables.make_csv(rng, ",", names), 1)
    path = folders.write_files(
        files if rng.random() < 0.7 else dict([rng.choice([*files.items()])])
    )
    (path / "out").mkdir()
    (path / "out" / "meta.csv").write_bytes(meta)
    source = str(path / rng.choice(sorted(files))) if rng.random() < 0.4 else str(path)
    return _run(_arguments(rng, source, path / "out"))


def _arguments(rng: Random, source: str, out: Path) -> list[str]:
    form = rng.choice(("csv", "jsonl", "table", "parquet"))
    match rng.randrange(6):
        case 0:
            return ["pairs", source, "--threshold", "0.3", "--format", form, "-o", f"{out}/pairs"]
        case 1:
            return ["passages", source, "--format", form, "-o", f"{out}/passages"]
        case 2:
            return ["pairs", source, "--metadata", f"{out}/meta.csv", "--quiet"]
        case 3:
            return ["compare", source, f"{out}/meta.csv", "--format", form, "-o", f"{out}/compared"]
        case 4:
            more = rng.choice(([], ["--annotate"], ["--skip-bad"], ["--keep", "longest"]))
            return ["dedup", source, "-o", f"{out}/kept{Path(source).suffix}", "--no-resume", *more]
        case _:
            return ["report", source, "-o", f"{out}/report.html"]


def _run(arguments: list[str]) -> Outcome:
    errors = io.StringIO()
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(errors):
        status = main.run([*arguments, "--no-cache"])
    if status == 0:
        return "ok"
    if status not in (1, 2) or "likewise: error: " not in errors.getvalue():
        raise LostError(f"exit status {status} of {json.dumps(arguments)}: {errors.getvalue()}")
    return "clear error"


@cache
def _raise_bugs() -> None:
    def raise_bug(error: BaseException, arguments: object) -> NoReturn:
        raise error

    bug.record = raise_bug
