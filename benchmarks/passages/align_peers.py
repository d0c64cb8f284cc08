"""Aligning two texts: time a pair, and what is found, by us and by what people use for it.

Pairs of the held-out half of PAN 2013, some of each kind of copying, one thread. Each way gives
blocks of equal text; what joins blocks that are near each other on both sides is the same for all,
and what is shorter than the least words that we ask for is left out, as we do.

    python -m benchmarks.passages.align_peers pan13-train.tar.xz
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import importlib.metadata
import io
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown, short
from benchmarks.passages.pan import KINDS, Corpus, Pair, opened, tiny_corpus
from benchmarks.passages.plagdet import Stretches, score
from likewise.passages.alignment import align

MIN_WORDS = 12  # of a block of equal words
NEAR = 300  # characters between blocks that are one passage, on both sides
ROUNDS = 3


class Block(NamedTuple):
    """Characters of a and of b that are the same."""

    a_start: int
    a_end: int
    b_start: int
    b_end: int


Way = Callable[[str, str], Iterable[Block]]


def likewise_(a: str, b: str) -> Iterator[Block]:
    for found in align(a, b):
        yield Block(found.a_start, found.a_end, found.b_start, found.b_end)


def _words(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    found = list(re.finditer(r"\w+", text.lower()))
    return [one[0] for one in found], [one.span() for one in found]


def _by_words(
    a: str, b: str, matching: Callable[[list[str], list[str]], Iterable[tuple[int, int, int]]]
) -> Iterator[Block]:
    """Blocks of equal words, where `matching` gives them as (place in a, in b, words)."""
    (words_a, spans_a), (words_b, spans_b) = _words(a), _words(b)
    for i, j, size in matching(words_a, words_b):
        if size >= MIN_WORDS:
            yield Block(
                spans_a[i][0], spans_a[i + size - 1][1], spans_b[j][0], spans_b[j + size - 1][1]
            )


def difflib_words(a: str, b: str) -> Iterator[Block]:
    return _by_words(
        a, b, lambda x, y: difflib.SequenceMatcher(None, x, y, autojunk=False).get_matching_blocks()
    )


def cdifflib_words(a: str, b: str) -> Iterator[Block]:
    matcher = importlib.import_module("cdifflib").CSequenceMatcher
    return _by_words(a, b, lambda x, y: matcher(None, x, y, autojunk=False).get_matching_blocks())


def rapidfuzz_words(a: str, b: str) -> Iterator[Block]:
    measure = importlib.import_module("rapidfuzz.distance").LCSseq
    return _by_words(
        a, b, lambda x, y: (
            (one.src_start, one.dest_start, one.src_end - one.src_start)
            for one in measure.opcodes(x, y) if one.tag == "equal"
        ),
    )  # fmt: skip


def diff_match_patch(a: str, b: str) -> Iterator[Block]:
    """Of characters; a block counts if it has as many words."""
    diff = importlib.import_module("fast_diff_match_patch").diff
    i = j = 0
    for what, size in diff(a, b, timelimit=0, counts_only=True):
        if what == "=" and len(a[i : i + size].split()) >= MIN_WORDS:
            yield Block(i, i + size, j, j + size)
        i += 0 if what == "+" else size
        j += 0 if what == "-" else size


def text_matcher(a: str, b: str) -> Iterator[Block]:
    """Its own passages: three stems in a row, joined and widened."""
    matcher = importlib.import_module("text_matcher.matcher")
    with contextlib.redirect_stdout(io.StringIO()):
        texts = [matcher.Text(text, "", removeStopwords=False) for text in (a, b)]
        found = matcher.Matcher(*texts, removeStopwords=False).extended_matches
    for one in found:
        sides = ((texts[0].spans, one.a, one.sizeA), (texts[1].spans, one.b, one.sizeB))
        edges = [
            edge
            for spans, begin, size in sides
            for edge in (spans[begin][0], spans[min(begin + size, len(spans)) - 1][1])
        ]
        yield Block(*edges)


WAYS: dict[str, tuple[str, Way]] = {
    "likewise": ("", likewise_),
    "difflib, words": ("", difflib_words),
    "cdifflib, words": ("cdifflib", cdifflib_words),
    "RapidFuzz LCSseq, words": ("rapidfuzz", rapidfuzz_words),
    "fast-diff-match-patch, characters": ("fast-diff-match-patch", diff_match_patch),
    "text-matcher": ("text-matcher", text_matcher),
}


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("corpus", type=Path, nargs="?", help="of PAN 2013, a folder or .tar.xz")
    parser.add_argument("--pairs", type=int, default=40, help="of each kind of copying")
    given = parser.parse_args()
    if given.tiny:
        given.pairs, corpus = 2, tiny_corpus()
    elif given.corpus is None:
        parser.error("name the corpus, or run --tiny")
    else:
        with opened(given.corpus) as folder:
            corpus = Corpus.read(folder)
    known = machine.facts()
    pairs = [
        pair
        for kind in KINDS.values()
        for pair in islice((p for p in corpus.half(True) if p.kind == kind), given.pairs)
    ]
    results = {}
    for name, (package, way) in WAYS.items():
        version = _version(package)
        if version is None:
            if os.environ.get("CI"):
                parser.error(f"{package} is not installed")
            settings.say(f"left out, not installed: {package}")
            continue
        results[f"{name} {version}".strip()] = _measured(corpus, pairs, way)
        settings.say(name)
    facts = {"machine": known, "pairs": len(pairs), "results": results}
    settings.save(settings.results(given), "align-peers", facts, _report(facts))


def _version(package: str) -> str | None:
    """Of a peer; None if it is not here."""
    try:
        return importlib.metadata.version(package) if package else ""
    except importlib.metadata.PackageNotFoundError:
        return None


def _measured(corpus: Corpus, pairs: Sequence[Pair], way: Way) -> dict[str, Any]:
    """The least time of some rounds for each pair, and the score of what is found."""
    seconds = dict.fromkeys(KINDS.values(), 0.0)
    detections: list[Stretches] = []
    for pair in pairs:
        a, b = corpus.texts[pair.a], corpus.texts[pair.b]
        times = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            found = list(way(a, b))
            times.append(time.perf_counter() - start)
        seconds[pair.kind] += min(times)
        detections += [Stretches((pair.a, pair.b), *block) for block in _joined(found)]
    asked = {(pair.a, pair.b) for pair in pairs}
    cases = [case for case in corpus.cases if case.pair in asked]
    verbatim = {(pair.a, pair.b) for pair in pairs if pair.kind == "verbatim"}
    return {
        "milliseconds": {
            kind: 1000 * spent / max(1, sum(pair.kind == kind for pair in pairs))
            for kind, spent in seconds.items()
        },
        "mean milliseconds": 1000 * sum(seconds.values()) / len(pairs),
        "plagdet": score(cases, detections).plagdet,
        "plagdet verbatim": score(
            [case for case in cases if case.pair in verbatim],
            [one for one in detections if one.pair in verbatim],
        ).plagdet,
    }


def _joined(blocks: Iterable[Block]) -> list[Block]:
    """Blocks that are near each other on both sides as one."""
    made: list[Block] = []
    for block in sorted(blocks):
        last = made[-1] if made else None
        if last and (
            block.a_start - last.a_end <= NEAR and abs(block.b_start - last.b_end) <= NEAR
        ):
            made[-1] = Block(
                last.a_start, max(last.a_end, block.a_end),
                min(last.b_start, block.b_start), max(last.b_end, block.b_end),
            )  # fmt: skip
        else:
            made.append(block)
    return made


def _report(facts: dict[str, Any]) -> str:
    results = facts["results"]
    ours = results["likewise"]["mean milliseconds"]
    rows = [
        [
            name,
            *(short(one["milliseconds"][kind]) for kind in KINDS.values()),
            short(one["mean milliseconds"]),
            f"{short(one['mean milliseconds'] / ours)} ×",
            f"{one['plagdet verbatim']:.3f}",
            f"{one['plagdet']:.3f}",
        ]
        for name, one in results.items()
    ]
    head = ["milliseconds a pair", *KINDS.values(), "mean", "of our time", "plagdet, verbatim",
            "plagdet, all"]  # fmt: skip
    return "\n\n".join([
        "# Aligning two texts: others",
        f"{facts['pairs']} pairs of the held-out half of PAN 2013, one thread, best of {ROUNDS}.",
        markdown(head, rows),
        machine.summary(facts["machine"]),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
