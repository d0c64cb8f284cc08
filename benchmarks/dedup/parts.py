"""Repeated lines, paragraphs and passages, from Parquet to Parquet: speed, and planted truth.

Pages of words drawn by frequency, in four scripts; some contain passages, paragraphs and lines of
others at places that are known. Each run is a fresh process of the command. The floor is pyarrow
alone: the same file read and written, in the same batches.

    python -m benchmarks.dedup.parts --documents 200000
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.harness.trial import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPTS = {"Latin": "abcdefghijklmnopqrstuvwxyz", "accents": "aàâbcçdeéèêfghiïjlmnoôpqrstuùvz",
           "Cyrillic": "абвгдежзийклмнопрстуфхцчшщыьэюя", "Chinese": ""}  # fmt: skip
UNITS = ("line", "paragraph", "passage")
WORDS = 20_000
PASSAGE, SENTENCE = 60, 12
FLOOR = """
import sys
from pyarrow import parquet
source = parquet.ParquetFile(sys.argv[1])
with parquet.ParquetWriter(sys.argv[2], source.schema_arrow, compression="snappy") as out:
    for group in range(source.num_row_groups):
        out.write_table(source.read_row_group(group))
"""


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--page-words", type=int, default=500, help="of a page, on average")
    parser.add_argument("--memory", default="4GB", help="budget of a run")
    parser.add_argument("--scripts", nargs="+", choices=SCRIPTS, default=["Latin", "Cyrillic"])
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.page_words, given.scripts = 300, 200, list(SCRIPTS)
    known = machine.facts()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for script in given.scripts:
            source = folder / f"{script}.parquet"
            planted = _make(source, script, given.documents, given.page_words)
            rows.append({"script": script, **_floor(source, folder)})
            for unit in UNITS:
                rows.append({"script": script, **_run(source, folder, unit, given.memory, planted)})
                settings.say(str(rows[-1]))
            source.unlink()
    facts = {"machine": known, "documents": given.documents, "rows": rows}
    settings.save(settings.results(given), "dedup-parts", facts, _report(facts))
    if any(row.get("wrong") or row.get("second") for row in rows):
        sys.exit("a planted part was not cut as it should be")


def _vocabulary(script: str, rng: np.random.Generator) -> list[str]:
    if script == "Chinese":  # every letter is a word
        return [chr(0x4E00 + at) for at in range(6000)]
    letters = np.array(list(SCRIPTS[script]))
    made: dict[str, None] = {}
    while len(made) < WORDS:
        made["".join(rng.choice(letters, rng.integers(2, 11)))] = None
    return list(made)


def _make(path: Path, script: str, documents: int, words: int) -> dict[str, dict[int, str]]:
    """Writes pages; returns by unit what is to be left of some of them."""
    rng = np.random.default_rng(8)
    vocabulary = np.array(_vocabulary(script, rng))
    upper = np.cumsum(1 / np.arange(1, len(vocabulary) + 1))
    gap = "" if script == "Chinese" else " "
    texts: list[str] = []
    expected: dict[str, dict[int, str]] = {unit: {} for unit in UNITS}

    def sentences() -> Iterator[str]:
        while True:
            drawn = np.searchsorted(upper, rng.random((10_000, SENTENCE)) * upper[-1])
            yield from (f"{gap.join(words)}." for words in vocabulary[drawn].tolist())

    sentence = sentences()

    for document in range(documents):
        # All own paragraphs of a page, of a few lines each.
        own = [
            "\n".join(next(sentence) for _ in range(rng.integers(2, 6)))
            for _ in range(max(2, int(rng.exponential(words / 48))))
        ]
        kind = document % 10
        if document >= 10 and kind in (3, 5, 7):
            donor = texts[document - kind - int(rng.integers(0, document // 10)) * 10]
            lines = donor.split("\n")
            if kind == 3:  # a line
                added = f"{lines[0]}\n"
                texts.append(f"{own[0]}\n{added}{own[1]}")
                expected["line"][document] = f"{own[0]}\n{own[1]}"
            elif kind == 5:  # a paragraph
                added = donor.split("\n\n")[0]
                texts.append(f"{own[0]}\n\n{added}\n\n{own[1]}")
                expected["paragraph"][document] = f"{own[0]}\n\n{own[1]}"
            else:  # words
                pieces = list(donor.replace("\n", "")) if not gap else donor.split()
                added = gap.join(pieces[:PASSAGE])
                # A word of its own on both sides: by chance the next words could be the same.
                before, after = f"{own[0]} q{document}", f"z{document} {own[1]}"
                texts.append(f"{before} {added} {after}")
                if len(pieces) >= PASSAGE:
                    expected["passage"][document] = f"{before} {after}"
        else:
            texts.append("\n\n".join(own))
    table = pa.table({"id": pa.array(range(documents)), "text": texts})
    parquet.write_table(table, path, row_group_size=10_000)
    return expected


def _floor(source: Path, folder: Path) -> dict[str, Any]:
    out = folder / "floor.parquet"
    row = _watched([sys.executable, "-c", FLOOR, str(source), str(out)])
    out.unlink()
    return {"unit": "pyarrow: read and write", "mb": _text_mb(source), **row}


def _text_mb(source: Path) -> float:
    column = parquet.read_table(source, columns=["text"])["text"]
    return float(column.nbytes) / 1e6


def _watched(command: list[str]) -> dict[str, Any]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": seconds, "cpu": cpu}


def _run(
    source: Path, folder: Path, unit: str, budget: str, planted: dict[str, dict[int, str]]
) -> dict[str, Any]:
    out, again, told = (folder / name for name in ("out.parquet", "again.parquet", "report.json"))
    command = [sys.executable, "-m", "likewise", "dedup", "--unit", unit, "--memory", budget,
               "--quiet", "--report", str(told)]  # fmt: skip
    row: dict[str, Any] = {"unit": unit, "mb": _text_mb(source)}
    row |= _watched([*command, str(source), "-o", str(out)])
    report = json.loads(told.read_text())
    row |= {"peak_mb": report["peak_memory"] / 1e6, **report["counts"], "stages": report["seconds"]}
    left = parquet.read_table(out)
    texts = dict(zip(left["id"].to_pylist(), left["text"].to_pylist(), strict=True))
    expected = planted[unit]
    wrong = [
        document
        for document, text in expected.items()
        if _plain(texts.get(document) or "", unit) != _plain(text, unit)
    ]
    row |= {"planted": len(expected), "wrong": len(wrong)}
    subprocess.run([*command, str(out), "-o", str(again)], cwd=ROOT, check=True)
    row["second"] = json.loads(told.read_text())["counts"]["removed_words"]
    out.unlink()
    again.unlink()
    return row


def _plain(text: str, unit: str) -> str:
    """Where a passage ends inside a sentence, a space or full stop may go with it."""
    return "".join(text.replace(".", " ").split()) if unit == "passage" else text


def _report(facts: dict[str, Any]) -> str:
    rows = [
        [
            row["script"], row["unit"], f"{row['mb']:,.0f}", f"{row['seconds']:.1f}",
            f"{row['mb'] / row['seconds']:.0f}", f"{row['cpu']:.1f}",
            f"{2 * row['mb'] / row['cpu']:.0f}",
            *(
                [f"{row['peak_mb']:,.0f}", f"{row['removed_words']:,}", f"{row['planted']:,}",
                 f"{row['wrong']:,}", f"{row['second']:,}"]
                if "planted" in row else [""] * 5
            ),
        ]
        for row in facts["rows"]
    ]  # fmt: skip
    names = ["script", "unit", "MB of text", "s", "MB/s", "CPU s", "MB/s on two idle cores",
             "peak MB", "words removed", "planted", "wrong", "removed by a second run"]  # fmt: skip
    return (
        "\n\n".join(
            (
                "# Repeated lines, paragraphs and passages",
                f"{facts['documents']:,} pages from Parquet to Parquet, in a fresh process, with "
                "the defaults of `--unit`. *Planted*: pages into which a line, a paragraph or "
                f"{PASSAGE} words of an earlier page were put; *wrong*: those of which something "
                "else is left than what was there before. *MB/s on two idle cores* is twice the "
                "text divided by the CPU seconds: what two cores would reach if both were busy "
                "all the time.",
                machine.summary(facts["machine"]),
                markdown(names, rows),
            )
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
