"""Planted passage families among documents of other text: are they found with their witnesses?

Documents are walks over the words of the King James Version, so that they share its phrases and no
long runs. In some of them passages of other such walks are planted, each kind `--families` times:

- *verbatim*: 30 to 150 words in 2 to 12 documents;
- *edited*: the same, where each document replaces one word in ten by another;
- *overlapping*: 3 to 6 documents have 60 to 140 words each of one passage of 200;
- *nested*: 2 documents have 150 to 200 words, and 2 to 6 others 40 to 60 of these;
- *template*: 40 words in 5 % of the documents (one family).

The truth is known word by word: a family is a stretch of at least 12 words that exactly the same
documents have. It is *found* if a family has exactly these documents and at least half of its words
in each, and *found with others* if a family of other documents has half of it in two or more. The
last column is the share of all planted words whose documents are known exactly. A false family
has planted words in fewer than two of its documents: words that documents share by chance.

Missed edited passages are in two documents without a run of 12 equal words: at 100,000 documents 8,
of which 7 are no candidates by their rare words (if they were compared, the passage would be found)
and one is a candidate without a passage. A template in more documents than `max_documents` is not
searched for: what the compared documents have of it is omitted, and counts as missed here.

    python -m benchmarks.passages.families --documents 2000 --large 100000
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.harness import machine, memory, settings
from benchmarks.harness.table import markdown
from benchmarks.texts.chain import Chain
from benchmarks.texts.real_texts import bible
from likewise.passages.families.find import find_families
from likewise.passages.families.results import Families
from likewise.passages.find import find_passages
from likewise.passages.settings import DEFAULT_MIN_WORDS
from likewise.text.words import words_of

WORDS = 250  # of a document, besides what is planted
KINDS = ("verbatim", "edited", "overlapping", "nested", "template")
EDITED = 0.1
TEMPLATE_SHARE = 0.05


@dataclass(frozen=True)
class Source:
    """A passage that is planted: its kind, and which of its words each document has."""

    kind: str
    ranges: dict[int, tuple[int, int]]

    def segments(self) -> Iterator[tuple[int, int, frozenset[int]]]:
        """Stretches of words, and the documents that have them."""
        edges = sorted({edge for own in self.ranges.values() for edge in own})
        for first, stop in pairwise(edges):
            holders = frozenset(
                number for number, (begin, end) in self.ranges.items() if begin <= first < end
            )
            yield first, stop, holders


@dataclass
class Planting:
    """Documents with planted passages; `places` has where each document has those of a source."""

    texts: list[str]
    sources: list[Source]
    places: list[dict[int, int]] = field(default_factory=list)


def planted(documents: int, families: int, seed: int) -> Planting:
    """Documents with planted families of each kind."""
    rng, draw = np.random.default_rng(seed), random.Random(seed)
    words = " ".join(book.text for book in bible()).split()
    chain = Chain(words)
    bases = [text.split() for text in chain.texts(np.full(documents, WORDS), rng)]
    pieces: dict[int, list[tuple[int, int, list[str]]]] = defaultdict(list)
    sources: list[Source] = []

    def walk(length: int) -> list[str]:
        return next(chain.texts(np.array([length]), rng)).split()

    def edited(own: list[str]) -> list[str]:
        return [draw.choice(words) if draw.random() < EDITED else word for word in own]

    def plant(kind: str, whole: list[str], ranges: dict[int, tuple[int, int]]) -> None:
        for number, (first, stop) in ranges.items():
            own = whole[first:stop]
            pieces[number].append((len(sources), first, edited(own) if kind == "edited" else own))
        sources.append(Source(kind, ranges))

    for _ in range(families):
        for kind in ("verbatim", "edited"):
            whole = walk(draw.randint(30, 150))
            holders = draw.sample(range(documents), draw.randint(2, 12))
            plant(kind, whole, dict.fromkeys(holders, (0, len(whole))))
        ranges = {}
        for number in draw.sample(range(documents), draw.randint(3, 6)):
            size = draw.randint(60, 140)
            first = draw.randint(0, 200 - size)
            ranges[number] = (first, first + size)
        plant("overlapping", walk(200), ranges)
        outer, inner = draw.randint(150, 200), draw.randint(40, 60)
        first = draw.randint(20, outer - inner - 20)
        holders = draw.sample(range(documents), 2 + draw.randint(2, 6))
        plant(
            "nested", walk(outer),
            dict.fromkeys(holders[:2], (0, outer))
            | dict.fromkeys(holders[2:], (first, first + inner)),
        )  # fmt: skip
    holders = draw.sample(range(documents), max(2, int(TEMPLATE_SHARE * documents)))
    plant("template", walk(40), dict.fromkeys(holders, (0, 40)))
    made = Planting([], sources, [{} for _ in sources])
    for number, base in enumerate(bases):
        own: list[str] = []
        cuts = sorted(draw.sample(range(1, 9), len(pieces[number])))
        last = 0
        for cut, (source, _, words_in) in zip(cuts, pieces[number], strict=True):
            own += base[last : cut * WORDS // 9]
            made.places[source][number] = len(words_of(" ".join(own)))
            own += words_in
            last = cut * WORDS // 9
        made.texts.append(" ".join(own + base[last:]))
    return made


def judged(made: Planting, families: Families[int]) -> dict[str, Any]:
    """How many planted families are found, by kind."""
    covering: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    holders = [frozenset(one.number for one in family.witnesses) for family in families]
    for at, family in enumerate(families):
        for one in family.witnesses:
            covering[one.number].append((one.first, one.stop, at))
    kinds: dict[str, dict[str, float]] = {
        kind: dict.fromkeys(("families", "found", "others", "words", "right"), 0) for kind in KINDS
    }
    touched: dict[int, set[int]] = defaultdict(set)
    for source, places in zip(made.sources, made.places, strict=True):
        row = kinds[source.kind]
        for first, stop, documents in source.segments():
            if len(documents) < 2:
                continue
            covered: dict[int, dict[int, int]] = defaultdict(dict)
            for number in documents:
                begin = places[number] + first - source.ranges[number][0]
                end = begin + stop - first
                for left, right, at in covering[number]:
                    words = min(end, right) - max(begin, left)
                    if words > 0:
                        covered[at][number] = covered[at].get(number, 0) + words
                        touched[at].add(number)
            row["words"] += (stop - first) * len(documents)
            for at, own in covered.items():
                if holders[at] == documents:
                    row["right"] += sum(min(words, stop - first) for words in own.values())
            if stop - first < DEFAULT_MIN_WORDS:
                continue
            row["families"] += 1
            half = {
                at: [number for number, words in own.items() if 2 * words >= stop - first]
                for at, own in covered.items()
            }
            if any(holders[at] == documents == frozenset(own) for at, own in half.items()):
                row["found"] += 1
            elif any(len(own) >= 2 for own in half.values()):
                row["others"] += 1
    false = sum(len(touched[at]) < 2 for at in range(len(families)))
    return {"kinds": kinds, "families": len(families), "false": false}


def search(documents: int, count: int, seed: int) -> dict[str, Any]:
    """One search, with its time and memory."""
    made = planted(documents, count, seed)
    memory.reset_peak()
    before = memory.resident()
    start = time.perf_counter()
    passages = find_passages(made.texts)
    between = time.perf_counter()
    families = find_families(passages)
    end = time.perf_counter()
    return {
        "documents": documents,
        "passages_seconds": between - start,
        "families_seconds": end - between,
        "texts_mb": before,
        "peak_mb": memory.peak(),
        "pairs": len(passages),
        "notes": families.notes,
        **judged(made, families),
    }


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--families", type=int, default=40, help="of each kind")
    parser.add_argument("--large", type=int, help="documents of a second, larger search")
    parser.add_argument("--one-run", type=int, nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one_run:
        print(json.dumps(search(*given.one_run, given.seed)))
        return
    if given.tiny:
        given.documents, given.families, given.large = 300, 6, None
    runs = [(given.documents, given.families)]
    if given.large:
        runs.append((given.large, given.families * given.large // given.documents))
    results = []
    for run in runs:
        settings.say(f"{run[0]:,} documents, {run[1]:,} planted families of each kind")
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.passages.families", "--seed", str(given.seed),
             "--one-run", *map(str, run)],
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        results.append(json.loads(done.stdout))
    known = machine.facts()
    settings.save(
        settings.results(given), "families", {"machine": known, "runs": results},
        _report(results, known),
    )  # fmt: skip


def _report(results: list[dict[str, Any]], known: dict[str, Any]) -> str:
    parts = ["# Passage families", *(__doc__ or "").split("\n\n")[1:-1]]
    for result in results:
        rows = [
            [
                kind, f"{row['families']:,}", f"{row['found']:,}", f"{row['others']:,}",
                f"{row['families'] - row['found'] - row['others']:,}",
                f"{row['right'] / max(1, row['words']):.3f}",
            ]
            for kind, row in result["kinds"].items()
        ]  # fmt: skip
        parts += [
            f"## {result['documents']:,} documents",
            markdown(
                ["kind", "planted", "found", "found with others", "missed", "words right"], rows
            ),
            f"{result['families']:,} families in all, {result['false']:,} of them false. Passages "
            f"of {result['pairs']:,} pairs in {result['passages_seconds']:.1f} s, their families "
            f"in {result['families_seconds']:.1f} s; {result['peak_mb']:,.0f} MB resident at most, "
            f"of which {result['texts_mb']:,.0f} MB are the texts and Python.",
            *result["notes"],
        ]
    return "\n\n".join([*parts, machine.summary(known)])


if __name__ == "__main__":
    main()
