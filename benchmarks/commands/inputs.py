"""What the commands read: pages with near-copies as a table, texts and HTML files, an index."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path
from textwrap import fill

import pyarrow as pa
from pyarrow import parquet

from benchmarks.texts.corpus import Recipe, stream

MAX_FILES = 2_000


def make_inputs(folder: Path, documents: int, words: int, seed: int) -> None:
    """Writes pages.parquet, more.parquet, texts/, html/, a.txt, b.txt, ids.txt, stored.db and
    exported.parquet."""
    texts = [page.text for page in stream(Recipe(documents, seed, words))]
    for name, start, end in (("pages", 0, documents), ("more", documents // 2, documents)):
        table = pa.table({
            "id": pa.array(range(start, end), pa.int64()), "text": texts[start:end],
        })  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, folder / f"{name}.parquet")
    for kind, markup in (("texts", "{}"), ("html", "<html><body><p>{}</p></body></html>")):
        (folder / kind).mkdir()
        for number, text in enumerate(islice(texts, MAX_FILES)):
            end = "txt" if kind == "texts" else "html"
            (folder / kind / f"{number}.{end}").write_text(markup.format(fill(text)))
    half = documents // 4
    (folder / "a.txt").write_text("\n".join(texts[:half]))
    (folder / "b.txt").write_text("\n".join(texts[half // 2 : half // 2 + half]))
    (folder / "ids.txt").write_text("".join(f"{number}\n" for number in range(documents // 2)))
    _likewise(folder, "index create stored.db pages.parquet --quiet")
    _likewise(folder, "index export stored.db exported.parquet --quiet")


def _likewise(folder: Path, command: str) -> None:
    subprocess.run([sys.executable, "-m", "likewise", *command.split()], cwd=folder, check=True)
