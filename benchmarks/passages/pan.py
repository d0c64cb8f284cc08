"""Aligning on the text alignment corpus of PAN 2013: plagdet by kind of copying.

The corpus is a folder (or a .tar.xz of it) with src/, susp/ and one folder for each kind of copying
that holds `pairs` and the truth in XML. Suspicious texts are split in two halves by a hash of their
names; settings were chosen on one half, and results are those of the other. Word rates of the
collection are counted in the half that is not scored.

    python -m benchmarks.passages.pan pan13-train.tar.xz

With --tiny a corpus of a few made pairs stands in.
"""

from __future__ import annotations

import hashlib
import random
import tarfile
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.passages.plagdet import Score, Stretches, score
from likewise.errors import UsageError
from likewise.passages.alignment import AlignmentSettings, align, align_pairs
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.pair_passages import alignment_settings
from likewise.passages.passage import Passage
from likewise.text.word_frequencies import Frequencies

KINDS = {
    "01-no-plagiarism": "none",
    "02-no-obfuscation": "verbatim",
    "03-random-obfuscation": "shuffled",
    "04-translation-obfuscation": "translated",
    "05-summary-obfuscation": "summary",
}
PUBLISHED = {"verbatim": 0.934, "all": 0.878}
"""The best published, on the test corpus of the competition."""

SETTINGS = {
    "general": AlignmentSettings(),
    # What is known of this corpus alone: the least length.
    "pan": AlignmentSettings(least_words=25),
    # As the commands are set: every run of 12 words is a passage.
    "12 words": alignment_settings(DEFAULT_MIN_WORDS),
}


@dataclass(frozen=True)
class Pair:
    a: str
    b: str
    kind: str


@dataclass(frozen=True)
class Corpus:
    texts: dict[str, str]
    pairs: list[Pair]
    cases: list[Stretches]

    @classmethod
    def read(cls, folder: Path) -> Corpus:
        root = next((found.parent for found in folder.rglob("susp")), None)
        if root is None:
            raise SystemExit(f"{folder}: no folder susp/ in it")
        names = [*root.glob("src/*.txt"), *root.glob("susp/*.txt")]
        texts = {path.name: path.read_bytes().decode("utf-8") for path in sorted(names)}
        pairs, cases = [], []
        for name, kind in KINDS.items():
            for line in (root / name / "pairs").read_text().splitlines():
                if line.strip():
                    a, b = line.split()
                    pairs.append(Pair(a, b, kind))
            for path in sorted((root / name).glob("*.xml")):
                cases.extend(_cases(path))
        return cls(texts, pairs, cases)

    def half(self, held_out: bool) -> list[Pair]:
        """The pairs of one half of the suspicious texts."""
        return [pair for pair in self.pairs if _is_held_out(pair.a) == held_out]

    def rates(self, pairs: Iterable[Pair]) -> Frequencies:
        names = sorted({name for pair in pairs for name in (pair.a, pair.b)})
        return Frequencies.of_collection(self.texts[name] for name in names)


def _cases(path: Path) -> Iterator[Stretches]:
    tree = ET.parse(path).getroot()
    for feature in tree.iter("feature"):
        if feature.get("name") != "plagiarism" or not feature.get("source_reference"):
            continue
        a, a_size, b, b_size = (
            int(feature.get(name) or 0)
            for name in ("this_offset", "this_length", "source_offset", "source_length")
        )
        pair = (tree.get("reference"), feature.get("source_reference"))
        yield Stretches(pair, a, a + a_size, b, b + b_size)


def _is_held_out(name: str) -> bool:
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 1


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """The folder of a corpus, unpacked for the time being if it is an archive."""
    if path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory() as folder, tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
        yield Path(folder)


def tiny_corpus() -> Corpus:
    """A few pairs of made texts, one of each kind."""
    draw = random.Random(1)
    vocabulary = [
        "".join(draw.choices("abcdefghijklmnop", k=draw.randint(2, 9))) for _ in range(4000)
    ]

    def sentences(words: list[str]) -> str:
        return " ".join(" ".join(words[i : i + 12]) + "." for i in range(0, len(words), 12))

    texts: dict[str, str] = {}
    pairs, cases = [], []
    for number in range(40):
        kind = list(KINDS.values())[number % len(KINDS)]
        a, b = f"susp{number}", f"src{number}"
        source = [draw.choice(vocabulary) for _ in range(600)]
        copy = list(source[120:240])
        if kind == "shuffled":
            draw.shuffle(copy)
        elif kind == "translated":
            copy = [word if draw.random() < 0.6 else draw.choice(vocabulary) for word in copy]
        elif kind == "summary":
            copy = draw.sample(source, 120)
        before, behind = (sentences(draw.choices(vocabulary, k=240)) for _ in range(2))
        middle = "" if kind == "none" else sentences(copy)
        texts[a] = f"{before} {middle} {behind}"
        texts[b] = " ".join(map(sentences, (source[:120], source[120:240], source[240:])))
        pairs.append(Pair(a, b, kind))
        if kind == "none":
            continue
        start = len(before) + 1
        first = len(sentences(source[:120])) + 1
        spans = (0, len(texts[b])) if kind == "summary" else (
            first, first + len(sentences(source[120:240])))  # fmt: skip
        cases.append(Stretches((a, b), start, start + len(middle), *spans))
    return Corpus(texts, pairs, cases)


def evaluated(
    corpus: Corpus, pairs: list[Pair], rates: Frequencies | None, asked: AlignmentSettings
) -> dict[str, Any]:
    """Scores by kind, share of pairs without copying that have a detection, and time a pair."""
    names = sorted({name for pair in pairs for name in (pair.a, pair.b)})
    place = {name: i for i, name in enumerate(names)}
    texts = [corpus.texts[name] for name in names]
    start = time.perf_counter()
    found = align_pairs(
        texts, [(place[p.a], place[p.b]) for p in pairs], rates=rates, settings=asked, threads=1
    )
    seconds = time.perf_counter() - start
    detections = [
        Stretches((pair.a, pair.b), p.a_start, p.a_end, p.b_start, p.b_end)
        for pair, passages in zip(pairs, found, strict=True)
        for p in _detections(passages)
    ]
    kind_of = {(pair.a, pair.b): pair.kind for pair in pairs}
    cases = [case for case in corpus.cases if case.pair in kind_of]
    scores: dict[str, Score] = {}
    for kind in list(KINDS.values())[1:]:
        scores[kind] = score(
            [case for case in cases if kind_of[case.pair] == kind],
            [one for one in detections if kind_of[one.pair] == kind],
        )
    scores["all"] = score(cases, detections)
    innocent = [found[i] for i, pair in enumerate(pairs) if pair.kind == "none"]  # any passage
    met = _by_pair(detections)
    missed = [c for c in cases if not any(c.shared(d) for d in met.get(c.pair, []))]
    return {
        "scores": {kind: vars(one) | {"plagdet": one.plagdet} for kind, one in scores.items()},
        "innocent pairs": len(innocent),
        "innocent pairs with a detection": sum(map(bool, innocent)),
        "cases": len(cases),
        "cases missed": {
            kind: sum(kind_of[case.pair] == kind for case in missed)
            for kind in list(KINDS.values())[1:]
        },
        "kinds told": _kinds_told(pairs, found),
        "milliseconds a pair": 1000 * seconds / len(pairs),
    }  # fmt: skip


def _detections(passages: list[Passage]) -> Iterator[Passage]:
    """Passages as the competition counts them.

    Reworded ones are detections where the suspicious text draws on the source, and passages within
    them are part of them: both would be detections of one case.
    """
    reworded = [one for one in passages if one.kind == "reworded" and one.a_words < one.b_words]
    yield from reworded
    for one in passages:
        size = one.a_end - one.a_start
        inside = (min(one.a_end, r.a_end) - max(one.a_start, r.a_start) for r in reworded)
        if one.kind != "reworded" and not any(2 * shared >= size for shared in inside):
            yield one


def _by_pair(detections: Iterable[Stretches]) -> dict[Any, list[Stretches]]:
    grouped: dict[Any, list[Stretches]] = {}
    for one in detections:
        grouped.setdefault(one.pair, []).append(one)
    return grouped


def _kinds_told(pairs: list[Pair], found: list[list[Any]]) -> dict[str, dict[str, int]]:
    told: dict[str, dict[str, int]] = {}
    for pair, passages in zip(pairs, found, strict=True):
        for passage in passages:
            of_kind = told.setdefault(pair.kind, {})
            of_kind[passage.kind] = of_kind.get(passage.kind, 0) + 1
    return told


def table(results: dict[str, dict[str, Any]]) -> str:
    kinds = [*list(KINDS.values())[1:], "all"]
    best = [f"{PUBLISHED[kind]:.3f}" if kind in PUBLISHED else "" for kind in kinds]
    rows = [["published best (test corpus)", *best, *[""] * 5]]
    for name, result in results.items():
        all_kinds = result["scores"]["all"]
        innocent = result["innocent pairs"]
        fired = result["innocent pairs with a detection"]
        rows.append([
            name,
            *(f"{result['scores'][kind]['plagdet']:.3f}" for kind in kinds),
            *(f"{all_kinds[part]:.3f}" for part in ("precision", "recall", "granularity")),
            f"{fired} of {innocent}", f"{result['milliseconds a pair']:.1f}",
        ])  # fmt: skip
    head = ["plagdet", *kinds, "precision", "recall", "granularity", "detections without copying",
            "ms a pair"]  # fmt: skip
    return markdown(head, rows)


def told_table(result: dict[str, Any]) -> str:
    kinds = ["verbatim", "edited", "reordered", "reworded"]
    rows = [
        [
            kind,
            *(str(counts.get(told, 0)) for told in kinds),
            str(result["cases missed"].get(kind, "")),
        ]
        for kind, counts in sorted(result["kinds told"].items())
    ]
    return markdown(["pairs of kind", *(f"told {kind}" for kind in kinds), "cases missed"], rows)


def long_times(corpus: Corpus, sizes: Iterable[int]) -> list[list[str]]:
    """Suspicious texts, one after another, against sources, up to a number of characters each; at
    the last size also texts that are awkward to align."""
    sides = [sorted({getattr(pair, side) for pair in corpus.pairs}) for side in ("a", "b")]
    rows = []

    def add(name: str, a: str, b: str) -> None:
        start = time.perf_counter()
        found = align(a, b)
        seconds = f"{time.perf_counter() - start:.2f}"
        rows.append([name, f"{max(len(a), len(b)):,}", seconds, f"{len(found):,}"])

    for size in sizes:
        a, b = ("\n\n".join(corpus.texts[name] for name in names)[:size] for names in sides)
        add("suspicious texts and sources", a, b)
    half = len(a) // 2
    add("a text and itself", a, a)
    add("a text and itself, with one word more", a, f"{a[:half]} more {a[half:]}")
    add("a text and itself, its words put in order", a, " ".join(sorted(a.split())))
    add("one word repeated, and once more", "word " * (size // 5), "word " * (size // 5 + 1))
    add("two words in turn", "one two " * (size // 8), "two one " * (size // 8))
    pages = a[:3000] * (size // 3000)
    add("a page repeated, and one word more", pages, f"more {pages}")
    return rows


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="folder or .tar.xz")
    given = parser.parse_args()
    known = machine.facts()
    if given.tiny:
        corpus = tiny_corpus()
    elif given.corpus is None:
        parser.error("which corpus? a folder or .tar.xz, or --tiny")
    else:
        with opened(given.corpus) as folder:
            corpus = Corpus.read(folder)
    sources: dict[str, Callable[[bool], Frequencies | None]] = {
        "the collection's rates": lambda held_out: corpus.rates(corpus.half(not held_out)),
        "rates of English": lambda _: Frequencies.of_language("en"),
        "no rates": lambda _: None,
    }
    results: dict[str, dict[str, Any]] = {}
    for half, held_out in (("held out", True), ("tuning half", False)):
        pairs = corpus.half(held_out)
        for source, make in sources.items():
            try:
                rates = make(held_out)
            except UsageError as error:
                settings.say(f"{source}: {error}")
                continue
            for name, asked in SETTINGS.items():
                label = f"{half}, {source}, {name} settings"
                results[label] = evaluated(corpus, pairs, rates, asked)
                settings.say(f"{label}: {results[label]['scores']['all']['plagdet']:.4f}")
    first = next(iter(results.values()))
    long = long_times(corpus, [10_000] if given.tiny else [100_000, 1_000_000, 10_000_000])
    text = "\n\n".join([
        "# Text alignment on PAN 2013",
        f"{len(corpus.pairs):,} pairs; held out are those of {len(corpus.half(True)):,}.",
        table(results),
        "## What is told, held out, the collection's rates, general settings",
        told_table(first),
        "## Long texts, one thread",
        markdown(["texts", "characters of each", "seconds", "passages"], long),
        machine.summary(known),
    ])  # fmt: skip
    settings.save(
        settings.results(given), "pan", {"machine": known, "results": results, "long": long}, text
    )


if __name__ == "__main__":
    main()
