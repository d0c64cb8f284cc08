"""Whole commands on damaged tables, metadata, signatures and exports: a message, never a traceback.

Commands run in this process, on files in one folder.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from likewise.cli.bug import BUG_STATUS, DEBUG
from likewise.cli.main import run
from tests.fuzz import folders, tables
from tests.fuzz.mutations import mutate, words
from tests.fuzz.outcomes import Outcome

_ON_TABLES: Sequence[str] = (
    "pairs IN --format FORMAT",
    "pairs IN --exact --measure containment",
    "passages IN --format FORMAT",
    "report IN -o out.html",
    "dedup IN -o OUT",
    "dedup IN -o OUT --annotate --report out.json",
    "dedup IN -o OUT --skip-bad --save-signatures out.s",
    "index create out.db IN",
    "index add own.db IN",
    "index query own.db IN --format FORMAT",
    "index passages own.db IN --format FORMAT",
    "index remove own.db --from IN",
    "compare IN sound.csv",
    "study detection IN --tries 3",
    "pairs sound.csv --metadata IN",
    "pairs sound.csv --against IN",
    "passages sound.csv --phrases IN --template IN",
)

_PACK = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}


def table(rng: Random) -> Outcome:
    """Any command on a damaged table, which may be packed."""
    make = {
        "csv": lambda: tables.make_csv(rng, ","), "tsv": lambda: tables.make_csv(rng, "\t"),
        "jsonl": lambda: tables.make_jsonl(rng), "parquet": lambda: tables.make_parquet(rng),
    }  # fmt: skip
    kind = rng.choice(list(make))
    packing = rng.choice(("", "", ".gz", ".zst"))
    data = make[kind]()
    if rng.random() < 0.8:
        data = mutate(rng, data)
    data = _PACK[packing](data)
    name = f"in.{kind}{packing}"
    command = rng.choice(_ON_TABLES)
    command = command.replace("IN", name).replace("OUT", f"out.{kind}{packing}")
    command = command.replace("FORMAT", rng.choice(("table", "csv", "jsonl", "parquet")))
    return _run(command, {name: data})


def signatures(rng: Random) -> Outcome:
    """Saved signatures of an earlier run."""
    data = mutate(rng, _sound()["sound.signatures"], rng.choice((1, 2, 6)))
    return _run("dedup sound.csv -o out.csv --against in.s --save-signatures out.s", {"in.s": data})


def export(rng: Random) -> Outcome:
    """Documents exported from an index."""
    if rng.random() < 0.5:
        data = mutate(rng, _sound()["sound.parquet"], rng.choice((1, 2, 6)))
    else:
        data = _unusual_export(rng)
    return _run("index import own.db in.parquet", {"in.parquet": data})


def _unusual_export(rng: Random) -> bytes:
    """A file with the right columns and strange values."""
    deep = rng.choice((5, 900, 100_000))
    metadata = (None, "{}", "[]", "{", "NaN", "1" * 5000, f'{{"a": {"[" * deep}{"]" * deep}}}')
    starts = (None, [], [0], [5, 2], [-1], [None], [2**40], [0, 1, 10**9])
    rows = [
        {
            "id": rng.choice((str(row), "", "\0", "a" * 3000, words(rng, 2))),
            "text": rng.choice((words(rng, 20), "", None)),
            "metadata": rng.choice(metadata),
            "page_starts": rng.choice(starts),
        }
        for row in range(rng.randint(0, 4))
    ]
    types = (pa.string(), pa.string(), pa.string(), pa.list_(pa.int64()))
    schema = pa.schema(zip(("id", "text", "metadata", "page_starts"), types, strict=True))
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema), out)
    return out.getvalue()


@cache
def _sound() -> dict[str, bytes]:
    """Files that nothing is wrong with."""
    rng = Random(1)
    lines = [f'{row},"{" ".join(words(rng, 8).split())[:80]} {row % 3}"' for row in range(12)]
    csv = "\n".join(["id,text", *(line.replace('""', "") for line in lines)]).encode()
    folder = _fresh({"sound.csv": csv})
    for command in (
        "dedup sound.csv -o out.csv --save-signatures sound.signatures",
        "index create own.db sound.csv",
        "index export own.db sound.parquet",
    ):
        status, messages = _call(command)
        assert status == 0, messages
    names = ("sound.csv", "sound.signatures", "own.db", "sound.parquet")
    return {name: (folder / name).read_bytes() for name in names}


def _run(command: str, files: dict[str, bytes]) -> Outcome:
    _fresh({**_sound(), **files})
    status, messages = _call(command)
    if status == BUG_STATUS or "Traceback" in messages:
        raise AssertionError(f"likewise {command}: {messages[-1500:]}")
    return "ok" if status == 0 else "clear error"


def _fresh(files: dict[str, bytes]) -> Path:
    """The folder, with these files alone."""
    folder = folders.folder()
    os.chdir(folder)
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def _call(command: str) -> tuple[int, str]:
    """The exit status and the messages of a command."""
    os.environ[DEBUG] = "1"
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(command.split())
    return status, err.getvalue()
