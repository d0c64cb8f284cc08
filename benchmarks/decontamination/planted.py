"""Benchmark items planted in training documents: which are found, and what else?

Documents and items are walks over the words of the King James Version, so that they share its
phrases and no long runs. Copies of items are planted in training documents, `--copies` at each
level: verbatim, with lines re-wrapped, with markup around some words, and with 5, 10 and 20 % of
the words replaced. Items have 6 to 120 words, and each is planted once at most. Another tenth of
the items begins with one prompt of 16 words, which one training document in a hundred contains as
well: such a document contains no item.

A copy is *found* if its document is reported. A *false* document is reported and has no copy. The
baseline is the overlap of 13-grams as it is used in the literature (GPT-3 and others): lower case,
no punctuation, words apart by spaces; a document is reported if it has a 13-gram of an item, or a
whole item of 8 to 12 words; with `common` 13-grams that more than ten documents have are ignored.
It runs on all documents with copies and on `--baseline` others.

    python -m benchmarks.decontamination.planted --documents 1000000
"""

from __future__ import annotations

import json
import random
import string
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.texts.chain import Chain, ensure
from benchmarks.texts.real_texts import bible
from likewise.statistics.intervals import interval

LEVELS = {"verbatim": 0.0, "re-wrapped": 0.0, "markup": 0.0, "5 %": 0.05, "10 %": 0.1, "20 %": 0.2}
PROMPT = (
    "Choose the one correct answer from the options that follow below and then explain it briefly:"
)
GRAM, SHORTEST, MANY = 13, 8, 10
_PLAIN = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class Planted:
    """The files of a run, and which document has a copy at which level of which item."""

    train: Path
    benchmark: Path
    items: list[str]
    copies: dict[int, tuple[str, int]]
    prompted: set[int]
    words: int


def edited(text: str, level: str, vocabulary: Sequence[str], draw: random.Random) -> str:
    """A copy at one level."""
    words = text.split()
    if level == "re-wrapped":
        width = draw.randint(4, 9)
        return "\n".join(" ".join(words[at : at + width]) for at in range(0, len(words), width))
    if level == "markup":
        return " ".join(
            draw.choice(["<b>{}</b>", "<i class='x'>{}</i>", "**{}**", "\\emph{{{}}}"]).format(word)
            if draw.random() < 0.15
            else word
            for word in words
        )
    share = LEVELS[level]
    return " ".join(draw.choice(vocabulary) if draw.random() < share else word for word in words)


def plant(given: Any, documents: int, copies: int) -> Planted:
    """Writes training data and a benchmark."""
    draw = random.Random(given.seed)
    vocabulary = " ".join(book.text for book in bible()).split()
    chain = Chain(vocabulary)
    corpus = ensure(chain, given.data, documents, words=given.words, spread=0.5, seed=given.seed)
    total = 10 * len(LEVELS) * copies // 8
    lengths = np.array([draw.randint(6, 120) for _ in range(total)])
    items = list(chain.texts(lengths, np.random.default_rng([given.seed, 99])))
    prompts = total // 10
    items[-prompts:] = [f"{PROMPT} {item}" for item in items[-prompts:]]
    holders = draw.sample(range(documents), len(LEVELS) * copies)
    chosen = draw.sample(range(total - prompts), len(holders))
    levels = [level for level in LEVELS for _ in range(copies)]
    placed = {row: (level, item) for row, level, item in zip(holders, levels, chosen, strict=True)}
    prompted = set(draw.sample(sorted(set(range(documents)) - set(placed)), documents // 100))
    train = given.data / f"train-{documents}.jsonl"
    count = 0
    with train.open("w") as out, corpus.open() as lines:
        for row, line in zip(range(documents), lines, strict=False):
            text = line.rstrip("\n")
            added = PROMPT if row in prompted else ""
            if row in placed:
                level, item = placed[row]
                added = edited(items[item], level, vocabulary, draw)
            if added:
                at = text.find(" ", draw.randrange(len(text)))
                text = f"{text[:at]} {added} {text[at:]}" if at >= 0 else f"{text} {added}"
            count += text.count(" ") + 1
            out.write(json.dumps({"id": row, "text": text}) + "\n")
    benchmark = given.data / "walks.jsonl"
    benchmark.write_text(
        "".join(json.dumps({"id": at, "text": item}) + "\n" for at, item in enumerate(items))
    )
    return Planted(train, benchmark, items, placed, prompted, count)


def search(planted: Planted, given: Any) -> dict[str, Any]:
    """The command: its time, its summary, and the documents that it reports."""
    out, report = given.data / "clean.jsonl", given.data / "hits.jsonl"
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "likewise", "decontaminate", planted.train, "--against",
         planted.benchmark, "-o", out, "--overwrite", "--report", report, "--stats"],
        stderr=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    hits = [json.loads(line) for line in report.read_text().splitlines()]
    rows = {int(hit["document"]) for hit in hits if hit["verdict"] == "hit"}
    with out.open() as lines:
        kept = sum(1 for _ in lines)
    right = {
        int(hit["document"])
        for hit in hits
        if int(hit["item"]) == planted.copies.get(int(hit["document"]), ("", -1))[1]
    }
    return {"seconds": seconds, "rows": rows, "right": right, "kept": kept, "said": done.stderr}


def tokens(text: str) -> list[str]:
    return text.lower().translate(_PLAIN).split()


def grams(words: Sequence[str], size: int) -> Iterator[str]:
    return (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))


def overlap(planted: Planted, others: int, draw: random.Random) -> dict[str, Any]:
    """The baseline on documents with copies and on some others."""
    known: set[str] = set()
    short: dict[int, set[str]] = {}
    for item in planted.items:
        words = tokens(item)
        known.update(grams(words, GRAM))
        if SHORTEST <= len(words) < GRAM:
            short.setdefault(len(words), set()).add(" ".join(words))
    chosen = set(planted.copies)
    with planted.train.open() as lines:
        count = sum(1 for _ in lines)
    chosen |= set(draw.sample(range(count), min(others, count)))
    found: dict[int, set[str]] = {}
    start = time.perf_counter()
    with planted.train.open() as lines:
        for row, line in enumerate(lines):
            if row not in chosen:
                continue
            words = tokens(json.loads(line)["text"])
            own = {gram for gram in grams(words, GRAM) if gram in known}
            for size, whole in short.items():
                own |= {gram for gram in grams(words, size) if gram in whole}
            if own:
                found[row] = own
    seconds = time.perf_counter() - start
    documents = Counter(gram for own in found.values() for gram in own)
    rare = {row for row, own in found.items() if any(documents[gram] <= MANY for gram in own)}
    return {"seconds": seconds, "documents": len(chosen), "rows": set(found), "common": rare,
            "chosen": chosen}  # fmt: skip


def measured(given: Any) -> dict[str, Any]:
    """One run of both, judged."""
    settings.say("writing the training data")
    planted = plant(given, given.documents, given.copies)
    settings.say(f"searching {given.documents:,} documents")
    ours = search(planted, given)
    settings.say("the baseline")
    theirs = overlap(planted, given.baseline, random.Random(given.seed))
    levels: dict[str, dict[str, list[int]]] = {}
    for row, (level, item) in planted.copies.items():
        size = "short" if len(planted.items[item].split()) < GRAM else "long"
        cell = levels.setdefault(f"{level}, {size}", {"all": [], "ours": [], "grams": []})
        cell["all"].append(1)
        cell["ours"].append(row in ours["right"])
        cell["grams"].append(row in theirs["common"])
    false = {
        name: {
            "documents": len(judged - set(planted.copies)),
            "searched": len(searched - set(planted.copies)),
            "prompted": len(judged & planted.prompted),
        }
        for name, judged, searched in (
            ("likewise", ours["rows"], set(range(given.documents))),
            ("13-grams", theirs["rows"], theirs["chosen"]),
            ("13-grams, common ones ignored", theirs["common"], theirs["chosen"]),
        )
    }
    return {
        "documents": given.documents, "words": planted.words, "items": len(planted.items),
        "copies": given.copies, "seconds": ours["seconds"], "kept": ours["kept"],
        "said": ours["said"], "baseline_seconds": theirs["seconds"],
        "baseline_documents": theirs["documents"],
        "levels": {name: {key: sum(values) for key, values in cell.items()}
                   for name, cell in levels.items()},
        "false": false,
    }  # fmt: skip


def report(result: dict[str, Any], known: dict[str, Any]) -> str:
    def recall(found: int, of: int) -> str:
        one = interval(found, of)
        return f"{one.value:.3f} ({one.low:.3f}–{one.high:.3f})"

    rows = [
        [name, f"{cell['all']:,}", recall(cell["ours"], cell["all"]),
         recall(cell["grams"], cell["all"])]
        for size in ("long", "short")
        for name, cell in result["levels"].items()
        if name.endswith(size)
    ]  # fmt: skip
    false = [
        [name, f"{one['documents']:,} of {one['searched']:,}", f"{one['prompted']:,}"]
        for name, one in result["false"].items()
    ]
    per_second = result["documents"] / result["seconds"]
    theirs = result["baseline_documents"] / max(1e-9, result["baseline_seconds"])
    parts = ["# Benchmark items in training data", *(__doc__ or "").split("\n\n")[1:-1]]
    parts += [
        f"{result['documents']:,} documents with {result['words']:,} words, {result['items']:,} "
        f"items. Long: items of at least {GRAM} words.",
        markdown(["copies", "planted", "likewise", "13-grams, common ones ignored"], rows),
        markdown(["documents reported without a copy", "false", "of these with the prompt"], false),
        f"likewise: {result['seconds']:.0f} s in all, {per_second:,.0f} documents/s, with reading, "
        f"alignment, the measurement of recall and writing. 13-grams, plain Python on one core: "
        f"{theirs:,.0f} documents/s ({result['baseline_documents']:,} documents), without writing.",
        "What the command printed:",
        f"```text\n{result['said'].strip()}\n```",
        machine.summary(known),
    ]
    return "\n\n".join(parts)


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.set_defaults(words=60)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--copies", type=int, default=300, help="at each level")
    parser.add_argument("--baseline", type=int, default=100_000, help="documents without copies")
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.copies, given.baseline = 2_000, 10, 500
    known = machine.facts()
    result = measured(given)
    settings.save(
        settings.results(given), "decontaminate", {"machine": known, **result},
        report(result, known),
    )  # fmt: skip


if __name__ == "__main__":
    main()
