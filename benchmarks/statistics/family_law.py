"""Does the bound for a run that k unrelated texts share keep its promise? P(p <= alpha).

Texts with shuffled words have nothing in common but their words; real ones come from k sources that
have nothing to do with each other. Beside the bound, the smallest probability of a pair, which is a
bound too, shows what is won.

    python -m benchmarks.texts.unrelated_texts
    python -m benchmarks.statistics.family_law

With --tiny only the sample essays are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

import numpy as np
from numpy.random import Generator

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.statistics.run_law import Text, own_texts, read
from likewise.statistics.family_runs import family_run_chance, longest_run_of_all
from likewise.statistics.shared_runs import count_short_runs, pair_run_chance

ALPHAS = (0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6)
COUNTS = (2, 3, 4, 5)
MIN_TEXTS = 100  # of a source that sets are drawn from
LENGTHS = ((300, 300), (2_000, 300), (2_000, 2_000), (20_000, 20_000))
"""Words of the first text, and of each of the others."""


@dataclass(frozen=True)
class Row:
    """How often the bounds were at most alpha in sets of one kind."""

    kind: str
    sets_of: str
    texts: int
    sets: int
    bound: dict[float, float]
    pairs: dict[float, float]
    longest: int


def p_values(texts: Sequence[Text]) -> tuple[float, float, int]:
    """The bound, the smallest probability of a pair, and the longest run that all share."""
    words = [text.words for text in texts]
    run = longest_run_of_all(words)
    unspaced = any(text.unspaced for text in texts)
    pairs = list(combinations(range(len(texts)), 2))
    short = {(i, j): count_short_runs(words[i], words[j]) for i, j in pairs}
    bound = family_run_chance([len(own) for own in words], run, short, unspaced=unspaced)
    least = min(
        pair_run_chance(
            len(words[i]), len(words[j]), run, short[i, j][0], equal_share=short[i, j][1],
            unspaced=unspaced,
        )
        for i, j in pairs
    )  # fmt: skip
    return bound, least, run


def row(kind: str, sets_of: str, sets: Sequence[Sequence[Text]]) -> Row:
    found = np.array([p_values(texts) for texts in sets])
    bound, pairs = ({a: float((p <= a).mean()) for a in ALPHAS} for p in found.T[:2])
    return Row(kind, sets_of, len(sets[0]), len(sets), bound, pairs, int(found[:, 2].max()))


def cut(text: Text, words: int, random: Generator) -> Text:
    """A stretch of a text."""
    begin = int(random.integers(len(text.words) - words + 1))
    return Text(
        text.name, text.language, text.source, text.genre, text.words[begin : begin + words],
        text.unspaced,
    )  # fmt: skip


def joined(texts: Sequence[Text]) -> dict[str, Text]:
    """Each genre as one long text."""
    made = {}
    for genre in sorted({text.genre for text in texts}):
        own = [text for text in texts if text.genre == genre]
        words = np.concatenate([text.words for text in own])
        made[genre] = Text(genre, own[0].language, genre, genre, words, own[0].unspaced)
    return made


def rows_of(texts: Sequence[Text], language: str, sets: int, random: Generator) -> Iterator[Row]:
    """Sets of one language, shuffled and real."""
    genres = joined(texts)
    everything = np.concatenate([text.words for text in genres.values()])
    unspaced = any(text.unspaced for text in texts)
    for count in COUNTS:
        for first, other in LENGTHS:
            sizes = [first, *[other] * (count - 1)]
            times = max(20, min(sets, sets * 2_000 // max(sizes)))
            name = f"{language} {first:,}" + f" × {other:,}" * (count - 1)
            if sum(sizes) <= len(everything):
                shuffled = []
                for _ in range(times):
                    drawn = random.choice(everything, sum(sizes), replace=False)
                    parts = np.split(drawn, np.cumsum(sizes)[:-1])
                    shuffled.append([Text("", language, "", "", own, unspaced) for own in parts])
                yield row("shuffled", name, shuffled)
            long = [text for text in genres.values() if len(text.words) >= 2 * max(sizes)]
            if len(long) >= count:
                yield row("unrelated", name, [
                    [cut(long[i], size, random) for i, size in zip(
                        random.permutation(len(long))[:count], sizes, strict=True)]
                    for _ in range(times)
                ])  # fmt: skip


def source_rows(texts: Sequence[Text], sets: int, random: Generator) -> Iterator[Row]:
    """Texts of one source, drawn at random: on one subject, or by the same people."""
    by_source: dict[str, list[Text]] = {}
    for text in texts:
        by_source.setdefault(f"{text.language} {text.source}", []).append(text)
    for name, own in by_source.items():
        if len(own) >= MIN_TEXTS:
            for count in COUNTS:
                yield row("one source", name, [
                    [own[i] for i in random.choice(len(own), count, replace=False)]
                    for _ in range(sets)
                ])  # fmt: skip


def essay_rows(sets: int, random: Generator) -> Iterator[Row]:
    """Essays of one class, on the same questions: those that share a planted passage left out."""
    texts, related = own_texts()
    essays = [text for text in texts if text.genre == "essay"]
    for count in COUNTS:
        chosen: list[list[Text]] = []
        while len(chosen) < sets:
            drawn = [essays[i] for i in random.permutation(len(essays))[:count]]
            names = combinations([text.name for text in drawn], 2)
            if not any(frozenset(pair) in related for pair in names):
                chosen.append(drawn)
        yield row("one class", "en essays, unrelated", chosen)


def table(rows: Sequence[Row]) -> str:
    head = ["", "texts", "sets", *(f"P(p ≤ {a:g})" for a in ALPHAS), "longest run"]
    lines = [
        [
            own.sets_of, str(own.texts), f"{own.sets:,}",
            *(f"{own.bound[a]:.2g} ({own.pairs[a]:.2g})" for a in ALPHAS), str(own.longest),
        ]
        for own in rows
    ]  # fmt: skip
    return markdown(head, lines)


def summed_up(rows: Sequence[Row]) -> str:
    """P(p <= alpha) by the number of texts."""
    lines = []
    for kind in ("shuffled", "unrelated", "one class", "one source"):
        for count in COUNTS:
            own = [one for one in rows if one.kind == kind and one.texts == count]
            sets = sum(one.sets for one in own)
            if sets:
                shares = [sum(one.bound[a] * one.sets for one in own) / sets for a in ALPHAS]
                lines.append([kind, str(count), f"{sets:,}", *(f"{s:.2g}" for s in shares)])
    return markdown(["sets", "texts", "number", *(f"P(p ≤ {a:g})" for a in ALPHAS)], lines)


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--sets", type=int, default=1_000, help="sets of each kind and length")
    parser.add_argument("--languages", nargs="+", default=["en", "fr"])
    given = parser.parse_args()
    sets = 50 if given.tiny else given.sets
    random = np.random.default_rng(given.seed)
    known = machine.facts()
    rows = list(essay_rows(sets, random))
    if not given.tiny:
        texts = list(read(given.data / "unrelated"))
        for language in given.languages:
            own = [text for text in texts if text.language == language]
            for found in rows_of(own, language, sets, random) if own else ():
                settings.say(f"{found.kind}: {found.sets_of}: {found.bound}")
                rows.append(found)
            rows += source_rows(own, 5 * sets, random)
    titles = {"shuffled": "Shuffled words", "unrelated": "Real texts, each of another kind",
              "one class": "Essays of one class",
              "one source": "One source: texts on one subject or by the same people"}  # fmt: skip
    parts = [
        f"## {title}\n\n{table(own)}"
        for kind, title in titles.items()
        if (own := [one for one in rows if one.kind == kind])
    ]
    text = (
        "# The probability of a run that k texts share: P(p ≤ α) for unrelated texts\n\n"
        "p bounds the probability that unrelated texts all share a run as long as the longest that "
        "these share. In brackets the same for the smallest probability of a pair.\n\n"
        f"{summed_up(rows)}\n\n" + "\n\n".join(parts) + f"\n\n{machine.summary(known)}"
    )
    facts = {"machine": known, "rows": [asdict(one) for one in rows]}
    settings.save(settings.results(given), "family-law", facts, text)


if __name__ == "__main__":
    main()
