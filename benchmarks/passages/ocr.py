"""Copied passages in scanned texts and in old spelling: how much of them is found.

Passages of running text are planted in two texts that are otherwise walks over the words of the
same source, so that they share its phrases and no long runs. One of the two is then altered, the
passages and all the rest of it:

- *line ends*: lines of 60 characters, three in ten of which end with a hyphen in a long word;
- *misread*: the same, and 5, 10 or 20 % of the characters are confused with those that look alike,
  lost, made up, joined to the next word or parted from it;
- *random*: 5, 10 or 20 % of the characters are replaced by any letter or a space;
- *old spelling*: rules for each language, such as long s, u for v, 'd for ed, and for ie, & for et.

A passage is *found* if at least half of its characters, on both sides, are in found passages that
pair them with each other. *Recall* is the share of all its characters that are, *matched* that of
its words that count as shared, *precision* the share of the found characters that were planted,
and *false* is the number of found passages without a planted character.

The default is measured beside `spelling="similar"`, which counts words of similar spelling, too.

Controls are pairs of texts without anything planted, walks and real texts, as they are and misread.

    python -m benchmarks.passages.ocr --gospels FOLDER --texts data/unrelated
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.passages.unrelated import drawn_pairs, whole_pairs
from benchmarks.texts import real_texts
from benchmarks.texts.chain import Chain
from benchmarks.texts.noise import Altered, broken_lines, misread, respelled, scanned, substituted
from benchmarks.texts.noise import unaltered as kept
from likewise.passages.find import find_passages
from likewise.passages.passage import Passage

PASSAGES = (30, 60, 120, 300, 1_000)  # words
HOSTS = {5_000: (8, 1), 50_000: (2, 4)}  # words: pairs of texts, passages of each length in a pair
CONTROLS = (50, 500, 5_000, 80_000)
SHARES = (0.05, 0.1, 0.2)
METHODS: dict[str, dict[str, Any]] = {"default": {}, "similar": {"spelling": "similar"}}

Alter = Callable[[str, random.Random], Altered]


def conditions(language: str) -> dict[str, Alter]:
    """The ways in which a text is altered."""
    made: dict[str, Alter] = {
        "none": lambda text, draw: kept(text),
        "line ends": broken_lines,
    }
    for share in SHARES:
        made[f"misread {share:.0%}"] = lambda text, draw, share=share: scanned(text, share, draw)
    for share in SHARES:
        made[f"random {share:.0%}"] = lambda text, draw, share=share: substituted(text, share, draw)

    def old(text: str, draw: random.Random) -> Altered:
        return respelled(text, language, draw)

    def old_scan(text: str, draw: random.Random) -> Altered:
        spelled = respelled(text, language, draw)
        return spelled.then(misread(spelled.text.replace("ſ", "f"), 0.05, draw))

    return made | {"old spelling": old, "old spelling, misread 5%": old_scan}


@dataclass(frozen=True)
class Planted:
    """Two texts, and where each passage is in both, in characters."""

    a: str
    b: str
    cases: list[tuple[int, tuple[int, int], tuple[int, int]]]  # words, place in a, place in b


def planted(words: list[str], size: int, each: int, lengths: tuple[int, ...], seed: int) -> Planted:
    """Two walks over the words, and in both some passages of each of these lengths."""
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    passages = []
    for length in [length for length in lengths for _ in range(each)]:
        begin = draw.randrange(len(words) - length)
        passages.append(words[begin : begin + length])
    sides = []
    for walk in Chain(words).texts(np.array([size, size]), rng):
        host = walk.split()
        cuts = sorted(draw.sample(range(size), len(passages)))
        order = draw.sample(range(len(passages)), len(passages))
        text, places, last = "", {}, 0
        for cut, number in zip(cuts, order, strict=True):
            text += " ".join(host[last:cut]) + " " * (cut > last)
            own = " ".join(passages[number])
            places[number] = len(text), len(text) + len(own)
            text += own + " "
            last = cut
        sides.append((text + " ".join(host[last:]), places))
    (a, in_a), (b, in_b) = sides
    return Planted(a, b, [(len(p), in_a[i], in_b[i]) for i, p in enumerate(passages)])


@dataclass
class Tally:
    """What was found of the planted passages of one length or condition."""

    cases: int = 0
    found: int = 0
    planted: int = 0  # characters of both sides
    recalled: int = 0
    words: int = 0
    matched: float = 0
    marked: int = 0  # characters of both sides in found passages
    right: int = 0  # of these in a planted one
    false: int = 0
    seconds: float = 0
    shown: list[str] = field(default_factory=list)

    def row(self) -> list[str]:
        return [
            f"{self.found} of {self.cases}", _share(self.recalled, self.planted),
            _share(self.matched, self.words), _share(self.right, self.marked), str(self.false),
        ]  # fmt: skip

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "shown"}


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _covered(place: tuple[int, int], ranges: list[tuple[int, int]]) -> int:
    """Characters of a place that some range has."""
    inside = sorted((max(place[0], b), min(place[1], e)) for b, e in ranges)
    covered, reached = 0, place[0]
    for begin, end in inside:
        covered += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return covered


def _overlap(x: tuple[int, int], y: tuple[int, int]) -> int:
    return max(0, min(x[1], y[1]) - max(x[0], y[0]))


def judge(
    cases: list[tuple[int, tuple[int, int], tuple[int, int]]],
    passages: list[Passage],
    tallies: dict[int, Tally],
) -> None:
    """Adds up what was found, for each length and (0) for all."""
    sides = [((p.a_start, p.a_end), (p.b_start, p.b_end)) for p in passages]
    for length, in_a, in_b in cases:
        own = [
            (passage, x, y)
            for passage, (x, y) in zip(passages, sides, strict=True)
            if _overlap(x, in_a) and _overlap(y, in_b)
        ]
        size = in_a[1] - in_a[0] + in_b[1] - in_b[0]
        covered = _covered(in_a, [x for _, x, _ in own]) + _covered(in_b, [y for _, _, y in own])
        matched = sum(passage.words * _overlap(x, in_a) / (x[1] - x[0]) for passage, x, _ in own)
        for tally in (tallies[length], tallies[0]):
            tally.cases += 1
            tally.found += 2 * covered >= size
            tally.planted += size
            tally.recalled += covered
            tally.words += length
            tally.matched += min(length, matched)
    for x, y in sides:
        own_cases = [
            (in_a, in_b) for _, in_a, in_b in cases if _overlap(x, in_a) and _overlap(y, in_b)
        ]
        tallies[0].marked += x[1] - x[0] + y[1] - y[0]
        tallies[0].right += sum(_overlap(x, in_a) + _overlap(y, in_b) for in_a, in_b in own_cases)
        tallies[0].false += not own_cases


def measure(language: str, words: list[str], given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Every condition, size of host and method in one language."""
    hosts = {400: (1, 1)} if given.tiny else HOSTS
    lengths = (30, 60) if given.tiny else PASSAGES
    for size, (pairs, each) in hosts.items():
        made = [planted(words, size, each, lengths, given.seed + i) for i in range(pairs)]
        for name, alter in conditions(language).items():
            tallies: dict[str, dict[int, Tally]] = {
                method: defaultdict(Tally) for method in METHODS
            }
            for number, one in enumerate(made):
                altered = alter(one.b, random.Random(f"{name} {number} {given.seed}"))
                cases = [
                    (length, in_a, altered.range_of(*in_b)) for length, in_a, in_b in one.cases
                ]
                for method, options in METHODS.items():
                    start = time.perf_counter()
                    found = find_passages([one.a], against=[altered.text], threads=1, **options)
                    tallies[method][0].seconds += time.perf_counter() - start
                    judge(cases, [p for pair in found for p in pair.passages], tallies[method])
            for method, by_length in tallies.items():
                settings.say(f"{language}, {size:,}, {name}, {method}: {by_length[0].row()}")
                yield {
                    "language": language, "host": size, "condition": name, "method": method,
                    "tallies": {str(key): tally.facts() for key, tally in by_length.items()},
                }  # fmt: skip


def controls(
    languages: dict[str, list[str]], given: argparse.Namespace
) -> Iterator[tuple[str, str, str, str]]:
    """Pairs that share nothing: their kind, the language of b, and the two texts."""
    draw, rng = random.Random(given.seed), np.random.default_rng(given.seed)
    sizes = (50, 400) if given.tiny else CONTROLS
    for language, words in languages.items():
        chain = Chain(words)
        for size in sizes:
            for other in sizes:
                a, b = chain.texts(np.array([size, other]), rng)
                yield f"walks, {language}", language, a, b
    essays, _ = real_texts.essays()
    real = essays + real_texts.bible()
    if given.gospels:
        real += real_texts.gospels(given.gospels)
    for pair in whole_pairs(draw, real, 6 if given.tiny else given.pairs):
        yield pair.kind, "English", *pair.texts
    if given.texts:
        latin = [one for one in real_texts.fetched(given.texts) if one.language in NAMES]
        for pair in drawn_pairs(draw, latin, given.pairs):
            yield pair.kind, NAMES[pair.kind[:2]], *pair.texts


NAMES = {"en": "English", "fr": "French", "de": "German"}


def measure_controls(
    languages: dict[str, list[str]], given: argparse.Namespace
) -> tuple[list[dict[str, Any]], list[str]]:
    """Passages of unrelated texts by kind of pair, condition and method, and some of them."""
    counts: dict[tuple[str, str, str], dict[str, Any]] = defaultdict(
        lambda: {"pairs": 0, "passages": 0, "reworded": 0, "words": 0, "seconds": 0.0}
    )
    shown: list[str] = []
    ways: dict[str, Alter] = {
        "none": lambda text, draw: kept(text),
        "misread 10%": lambda text, draw: scanned(text, 0.1, draw),
    }
    for number, (kind, language, a, b) in enumerate(controls(languages, given)):
        more = {"old spelling": conditions(language)["old spelling"]}
        for name, alter in (ways | more).items():
            altered = alter(b, random.Random(f"{name} {number}")).text
            for method, options in METHODS.items():
                start = time.perf_counter()
                found = find_passages([a], against=[altered], threads=1, **options)
                row = counts[kind, name, method]
                row["seconds"] += time.perf_counter() - start
                row["pairs"] += 1
                row["words"] += len(a.split()) + len(b.split())
                for pair in found:
                    row["passages"] += len(pair.passages)
                    row["reworded"] += len(pair.reworded)
                    for p in pair.passages:
                        texts = a[p.a_start : p.a_end], altered[p.b_start : p.b_end]
                        shown.append(
                            f"- {kind}, {name}, {method}: {p.kind}, {p.words} words, run {p.run}: "
                            + " | ".join(" ".join(text.split())[:160] for text in texts)
                        )
    names = ("kind", "condition", "method")
    return [dict(zip(names, key, strict=True)) | row for key, row in counts.items()], shown


def report(rows: list[dict[str, Any]], others: list[dict[str, Any]], shown: list[str]) -> list[str]:
    """The tables."""
    parts = []
    for language, host in dict.fromkeys((row["language"], row["host"]) for row in rows):
        table = []
        for row in rows:
            if (row["language"], row["host"]) == (language, host):
                tallies = {key: Tally(**facts) for key, facts in row["tallies"].items()}
                found = [
                    f"{tally.found}/{tally.cases}" for key, tally in tallies.items() if key != "0"
                ]
                cells = [row["condition"], row["method"], *tallies["0"].row(), *found]
                table.append([*cells, f"{tallies['0'].seconds:.2f}"])
                lengths = [f"{int(key):,}" for key in tallies if key != "0"]
        head = ["altered", "method", "found", "recall", "matched", "precision", "false"]
        parts += [
            f"## {language}, texts of {host:,} words",
            markdown([*head, *(f"{length} words" for length in lengths), "s"], table),
        ]
    table = [
        [row["kind"], row["condition"], row["method"], f"{row['pairs']:,}", f"{row['words']:,}",
         str(row["passages"]), str(row["reworded"]), f"{row['seconds']:.1f}"]
        for row in others
    ]  # fmt: skip
    head = ["pairs", "altered", "method", "number", "words", "passages", "reworded", "s"]
    return [*parts, "## Nothing planted", markdown(head, table), "\n".join(shown)]


def main() -> None:
    parser = settings.parser(__doc__ or "")
    real_texts.add_arguments(parser)
    parser.add_argument("--pairs", type=int, default=150, help="controls of each kind")
    given = parser.parse_args()
    known = machine.facts()
    languages = {"English": " ".join(book.text for book in real_texts.bible()).split()}
    if given.gospels:
        french = [one.text for one in real_texts.gospels(given.gospels) if one.language == "French"]
        languages["French"] = " ".join(french).split()
    if given.texts:
        fetched = real_texts.fetched(given.texts)
        german = [one for one in fetched if (one.language, one.genre) == ("de", "fiction")]
        if german:
            languages["German"] = " ".join(" ".join(one.texts) for one in german).split()
    rows = [row for name, words in languages.items() for row in measure(name, words, given)]
    others, shown = measure_controls(languages, given)
    text = "\n\n".join([
        "# Scanned and old texts",
        "Passages planted in two texts of which one is altered "
        "(`python -m benchmarks.passages.ocr` describes the columns).",
        *report(rows, others, shown[: given.show]),
        machine.summary(known),
    ])  # fmt: skip
    settings.save(
        settings.results(given), "ocr", {"machine": known, "planted": rows, "controls": others},
        text,
    )  # fmt: skip


if __name__ == "__main__":
    main()
