"""Deduplication by containment: planted copies, brute force, and skewed collections.

Pages of made-up text, among which parts of others are planted: verbatim, edited, nested in each
other, in pages that end with the same imprint, and compilations of many. What was removed is
compared with what was planted and, in a part small enough, with a comparison of all pairs. Then
collections that would be quadratic if all pairs were compared.

    python -m benchmarks.dedup.containment --documents 10000 100000
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown, short
from benchmarks.harness.trial import ROOT

THRESHOLD = 0.8
PAGE_WORDS = 300
IMPRINT = 60
ROWS = 5_000  # of a row group
VOCABULARY = 50_000
KINDS = {
    "page": "a page of its own",
    "verbatim": "a part of a page, word by word",
    "edited": "a part of a page, one word in 40 replaced",
    "nested": "a part of a part: page ⊃ chapter ⊃ paragraph",
    "longer": "a page with as much again of its own",
    "half": "half of it is part of a page, half its own",
    "compilation": "twenty pages in one; they are removed",
}
REMOVED = {"verbatim", "edited", "nested"}


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--brute-force", type=int, default=2_000, help="documents")
    parser.add_argument("--skewed", type=int, default=20_000, help="documents")
    parser.add_argument("--memory", nargs="+", default=["400MB", "4GB"])
    given = parser.parse_args()
    if given.tiny:
        given.documents, given.brute_force, given.skewed = [300], 150, 1_100
        given.memory = ["400MB"]
    known = machine.facts()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        planted = [row for n in given.documents for row in _planted(n, folder, given.memory)]
        facts: dict[str, Any] = {
            "machine": known, "planted": planted, "threshold": THRESHOLD,
            "brute_force": [_brute_force(given.brute_force, t) for t in (0.5, 0.8, 1.0)],
            "skewed": [_skewed(kind, given.skewed, folder) for kind in SKEWED],
        }  # fmt: skip
    settings.save(settings.results(given), "dedup-containment", facts, _report(facts))
    wrong = [row for row in planted if row["lost"] or row["left"] or row["again"]]
    missed = [row for row in facts["brute_force"] if row["missed"] or row["wrong"]]
    if wrong or missed or not all(row["equal"] for row in planted):
        sys.exit("something was lost, left or missed")


class Writer:
    """Words drawn with the frequencies of a language: few very often."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.words = [f"w{i}" for i in range(VOCABULARY)]
        self.weights = [1 / (i + 10) for i in range(VOCABULARY)]

    def text(self, count: int) -> list[str]:
        return self.rng.choices(self.words, self.weights, k=count)

    def edited(self, words: list[str], every: int) -> list[str]:
        made = list(words)
        for at in range(self.rng.randrange(every), len(made), every):
            made[at] = self.text(1)[0]
        return made


def _collection(count: int, seed: int = 0) -> tuple[list[str], list[str], set[int]]:
    """Texts, their kinds, and which of them must go, in random order."""
    writer = Writer(seed)
    rng = writer.rng
    imprint = writer.text(IMPRINT)
    rows: list[tuple[str, str, bool]] = []
    while len(rows) < count:
        page = writer.text(PAGE_WORDS)
        begin = rng.randrange(PAGE_WORDS // 2)
        part = page[begin : begin + PAGE_WORDS // 2]
        kind = rng.choice(["page", "verbatim", "edited", "nested", "longer", "half"])
        compiled = rng.random() < 0.005
        marked = [*page, *imprint] if rng.random() < 0.5 else page
        rows.append(("page", " ".join(marked), kind == "longer" or compiled))
        if kind == "verbatim":
            rows.append((kind, " ".join(part), True))
        elif kind == "edited":
            rows.append((kind, " ".join(writer.edited(part, 40)), True))
        elif kind == "nested":
            rows.append((kind, " ".join(part), True))
            rows.append((kind, " ".join(part[10:60]), True))
        elif kind == "longer":
            rows.append((kind, " ".join([*marked, *writer.text(PAGE_WORDS)]), compiled))
        elif kind == "half":
            rows.append((kind, " ".join([*part, *writer.text(len(part))]), False))
        if compiled:
            others = [writer.text(PAGE_WORDS) for _ in range(19)]
            rows += [("page", " ".join(words), True) for words in others]
            whole = rows[-20][1] if kind == "longer" else " ".join(marked)
            text = " ".join([whole, *(" ".join(words) for words in others)])
            rows.append(("compilation", text, False))
    rng.shuffle(rows)
    texts, kinds = [text for _, text, _ in rows], [kind for kind, _, _ in rows]
    return texts, kinds, {i for i, (_, _, goes) in enumerate(rows) if goes}


def _planted(count: int, folder: Path, memories: list[str]) -> list[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts, kinds, expected = _collection(count)
    source = folder / f"{count}.parquet"
    table = pa.table({"id": list(range(len(texts))), "text": texts})
    pq.write_table(table, source, row_group_size=ROWS)  # larger ones are cut where memory is little
    rows = []
    for memory in memories:
        out = folder / f"{count}-{memory}.parquet"
        told, seconds = _dedup(source, out, ["--memory", memory])
        kept = set(pq.read_table(out)["id"].to_pylist())
        removed = set(range(len(texts))) - kept
        again, _ = _dedup(out, folder / "again.parquet", ["--overwrite"])
        by_kind = {
            kind: [
                sum(kinds[i] == kind for i in chosen)
                for chosen in (range(len(texts)), expected, removed)
            ]
            for kind in KINDS
        }
        rows.append({
            "documents": len(texts), "memory": memory, "seconds": seconds,
            "peak_mb": told["peak_memory"] / 1e6, "expected": len(expected),
            "removed": len(removed), "left": len(expected - removed),
            "lost": len(removed - expected), "again": again["counts"]["removed"],
            "kinds": by_kind, "candidates": told["counts"]["candidates"],
            "verified": told["counts"]["verified"],
            "equal": out.read_bytes() == (folder / f"{count}-{memories[0]}.parquet").read_bytes(),
        })  # fmt: skip
    return rows


def _dedup(source: Path, out: Path, options: list[str]) -> tuple[dict[str, Any], float]:
    told = out.with_suffix(".json")
    start = time.perf_counter()
    subprocess.run(
        [
            sys.executable, "-m", "likewise", "dedup", str(source), "-o", str(out), "--measure",
            "containment", "--threshold", str(THRESHOLD), "--report", str(told), "--quiet",
            *options,
        ],
        cwd=ROOT, check=True,
    )  # fmt: skip
    facts: dict[str, Any] = json.loads(told.read_text())
    return facts, time.perf_counter() - start


def _brute_force(count: int, threshold: float) -> dict[str, Any]:
    """All pairs of sets: which documents are in a kept one, and are any missed?"""
    import likewise
    from likewise import _core
    from likewise.text.profile import Profile

    texts, _, _ = _collection(count, seed=1)
    rules = Profile.of("word:3").rules()
    hashes, offsets = _core.shingle_hashes(_core.Texts.from_strings(texts), rules)
    sets = [frozenset(hashes[a:b].tolist()) for a, b in pairwise(offsets.tolist())]
    made = likewise.deduplicate(texts, measure="containment", threshold=threshold)
    kept = list(made)
    similar_to = made.to_arrow()["similar_to"].to_pylist()
    wrong = missed = 0
    for i, own in enumerate(sets):
        if made.kept[i]:
            missed += any(len(own & sets[j]) >= threshold * len(own) for j in kept if j != i)
        else:
            target = similar_to[i]
            wrong += not (made.kept[target] and len(own & sets[target]) / len(own) >= threshold)
    return {
        "threshold": threshold, "documents": len(texts), "removed": len(texts) - len(kept),
        "missed": missed, "wrong": wrong,
    }  # fmt: skip


SKEWED = {
    "template 50%": "each page half a template, half its own",
    "template 90%": "each page is 90% template",
    "template, some pages empty": "half of the pages are hardly more than the template",
    "book": "all essays, and a book that contains all of them",
    "growing log": "versions of a text that only grows, by a word each",
}


def _skewed_texts(kind: str, count: int) -> tuple[list[str], int]:
    """Texts, and how many should be kept."""
    writer = Writer(2)
    if kind == "book":
        essays = [" ".join(writer.text(100)) for _ in range(count)]
        return [*essays, " ".join(essays)], 1
    if kind == "growing log":
        versions = min(count, 5_000)
        log = writer.text(versions + 100)
        return [" ".join(log[: 100 + i]) for i in range(versions)], 1
    template = writer.text(180)
    sizes = {"template 50%": (180,), "template 90%": (20,)}.get(kind, (10, 300))
    own = [sizes[i % len(sizes)] for i in range(count)]
    texts = [" ".join([*template, *writer.text(size)]) for size in own]
    if kind == "template 90%":
        return texts, 1
    return texts, sum(size > 100 for size in own)


def _skewed(kind: str, count: int, folder: Path) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts, expected = _skewed_texts(kind, count)
    source, out = folder / "skewed.parquet", folder / "skewed-out.parquet"
    pq.write_table(
        pa.table({"id": list(range(len(texts))), "text": pa.array(texts, pa.large_string())}),
        source,
    )
    told, seconds = _dedup(source, out, ["--overwrite"])
    again, _ = _dedup(out, folder / "again.parquet", ["--overwrite"])
    counts = told["counts"]
    return {
        "kind": kind, "documents": len(texts), "seconds": seconds, "expected": expected,
        "kept": counts["kept"], "again": again["counts"]["removed"],
        "candidates": counts["candidates"], "boilerplate": counts["boilerplate"],
    }  # fmt: skip


def _report(facts: dict[str, Any]) -> str:
    planted = [
        [
            f"{row['documents']:,}", row["memory"], short(row["seconds"]), short(row["peak_mb"]),
            *(f"{row[name]:,}" for name in ("candidates", "expected", "removed")),
            *(f"{row[name]:,}" for name in ("left", "lost", "again")),
        ]
        for row in facts["planted"]
    ]  # fmt: skip
    last = facts["planted"][-1]
    kinds = [[KINDS[kind], *(f"{n:,}" for n in numbers)] for kind, numbers in last["kinds"].items()]
    brute = [
        [f"{row['threshold']:g}", *(f"{row[name]:,}" for name in ("documents", "removed"))]
        + [f"{row[name]:,}" for name in ("missed", "wrong")]
        for row in facts["brute_force"]
    ]
    skewed = [
        [SKEWED[row["kind"]], f"{row['documents']:,}", short(row["seconds"])]
        + [f"{row[name]:,}" for name in ("candidates", "boilerplate", "expected", "kept", "again")]
        for row in facts["skewed"]
    ]
    same = all(row["equal"] for row in facts["planted"])
    return "\n\n".join([
        "# Deduplication by containment",
        f"`likewise dedup --measure containment --threshold {facts['threshold']:g}`, Parquet to "
        "Parquet, start of the process included.",
        "## Planted copies",
        "Left: planted copies that were not removed. Lost: documents that were removed although "
        "nothing contains them. Again: removed by a second run on the output. With different "
        f"memory, the output is {'the same byte for byte' if same else 'NOT THE SAME'}.",
        markdown(["documents", "memory", "seconds", "peak MB", "candidates", "planted", "removed",
                  "left", "lost", "again"], planted),
        f"Of the {last['documents']:,} documents:",
        markdown(["kind", "documents", "planted", "removed"], kinds),
        "## Against all pairs",
        "Missed: kept documents that another kept one contains. Wrong: documents removed for one "
        "that is not kept or does not contain them.",
        markdown(["threshold", "documents", "removed", "missed", "wrong"], brute),
        "## Skewed collections",
        "Boilerplate: documents for which not all others were compared.",
        markdown(["collection", "documents", "seconds", "candidates", "boilerplate",
                  "expected to be kept", "kept", "again"], skewed),
        machine.summary(facts["machine"]),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
