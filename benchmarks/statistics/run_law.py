"""Does the probability of a shared run keep its promise? P(p <= alpha) for unrelated texts.

Shuffled texts have nothing in common but their words. Real ones come from sources that have nothing
to do with each other, in many languages. Texts on one subject, or of one kind, are shown apart:
there, small p-values are expected. The constants of prose come from other texts. Those of scripts
without spaces were read off samples of these, so their rows are no test; Debian's own manuals in
Japanese and Chinese, which were not used, kept the promise with all but the Debian handbook.

    python -m benchmarks.texts.unrelated_texts
    python -m benchmarks.statistics.run_law --pan pan13-train.tar.xz --gospels FOLDER

With --tiny only the sample essays and the King James Version are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.texts import real_texts
from benchmarks.texts.unrelated_texts import GENRES
from likewise.statistics.shared_runs import (
    common_runs,
    count_short_runs,
    is_unspaced,
    pair_run_chance,
)
from likewise.text.words import words_of

ALPHAS = (0.5, 0.1, 0.05, 0.01, 1e-3, 1e-4, 1e-6)
MIN_ALPHA = 0.01  # down to which P(p <= alpha) <= alpha is promised for real texts
LENGTHS = ((50, 50), (50, 5_000), (300, 300), (300, 100_000), (2_000, 2_000), (10_000, 10_000),
           (100_000, 100_000))  # fmt: skip
MAX_PLACES = 4e11  # pairs of words that one row of shuffled texts looks at, which takes a minute
MAX_TEXTS = 300  # of a source
MIN_WORDS = 50

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class Text:
    """The words of a text, and whom it must not be paired with as unrelated."""

    name: str
    language: str
    source: str
    genre: str
    words: Hashes
    unspaced: bool


@dataclass(frozen=True)
class Row:
    """How often p was at most alpha in pairs of one kind."""

    kind: str  # shuffled | unrelated | one genre | one source
    pairs_of: str
    pairs: int
    shares: dict[float, float]
    worst: float  # the largest P(p <= alpha) / alpha of any alpha from MIN_ALPHA up
    worst_z: float  # the same as the largest excess in standard errors
    longest: int  # run


def text_of(name: str, language: str, source: str, genre: str, text: str) -> Text:
    words = words_of(text)
    return Text(name, language, source, genre, words.hashes, is_unspaced(words.letters))


def p_value(a: Text, b: Text) -> tuple[float, int]:
    """p of the longest run that two texts share, and its length."""
    runs = common_runs(a.words, b.words)
    short, equal = count_short_runs(a.words, b.words)
    sizes, unspaced = (len(a.words), len(b.words)), a.unspaced or b.unspaced
    p = pair_run_chance(*sizes, len(runs), short, equal_share=equal, unspaced=unspaced)
    return p, len(runs)


def row(kind: str, pairs_of: str, found: list[tuple[float, int]], least: float) -> Row:
    p = np.sort([p for p, _ in found])
    # Every alpha at which a p-value lies, with the share of p-values up to it.
    alpha, counts = np.unique(p, return_counts=True)
    share = np.cumsum(counts) / len(p)
    inside = (alpha >= least) & (alpha < 1)
    alpha, share = alpha[inside], share[inside]
    # The bound must hold just above the least alpha too, where no p-value may lie.
    alpha = np.append(alpha, max(least, 1 / len(p)))
    share = np.append(share, (p <= alpha[-1]).mean())
    error = np.sqrt(alpha * (1 - alpha) / len(p))
    return Row(
        kind, pairs_of, len(p), {a: float((p <= a).mean()) for a in ALPHAS},
        float((share / alpha).max()), float(((share - alpha) / error).max()),
        max(run for _, run in found),
    )  # fmt: skip


def read(given: Path) -> Iterator[Text]:
    """The texts of `benchmarks.texts.unrelated_texts`."""
    random = np.random.default_rng(1)
    for folder in sorted(given.glob("*/*")):
        paths = sorted(folder.glob("*.txt"))
        if len(paths) > MAX_TEXTS:
            paths = [paths[i] for i in sorted(random.choice(len(paths), MAX_TEXTS, replace=False))]
        for path in paths:
            text = text_of(
                path.name, folder.parent.name, folder.name, GENRES[folder.name],
                path.read_text(encoding="utf-8"),
            )  # fmt: skip
            if len(text.words) >= MIN_WORDS:
                yield text


def own_texts() -> tuple[list[Text], set[frozenset[str]]]:
    """What is always there: sample essays and the King James Version; and which essays share."""
    essays, related = real_texts.essays()
    made = [text_of(e.name, "en", e.name.split("-")[0], "essay", e.text) for e in essays]
    made += [text_of(book.name, "en", "kjv", "bible", book.text) for book in real_texts.bible()]
    return made, related


def drawn(first: list[Text], second: list[Text], most: int, random: Generator) -> Iterator[
    tuple[Text, Text]
]:  # fmt: skip
    """Random pairs of two lists of texts, or of one; all of them where there are no more."""
    same = first is second
    if len(first) * len(second) <= most:
        for at, a in enumerate(first):
            for b in second[at + 1 :] if same else second:
                yield a, b
        return
    for _ in range(most):
        i, j = (int(random.integers(len(texts))) for texts in (first, second))
        if not same or i != j:
            yield first[i], second[j]


def real_rows(
    texts: list[Text], related: set[frozenset[str]], most: int, random: Generator
) -> Iterator[Row]:
    """Each two sources of one language, and each source by itself."""
    by_source: dict[tuple[str, str], list[Text]] = {}
    for text in texts:
        by_source.setdefault((text.language, text.source), []).append(text)
    for (language, source), own in by_source.items():
        found = [
            p_value(a, b)
            for a, b in drawn(own, own, most, random)
            if frozenset((a.name, b.name)) not in related
        ]
        if len(found) >= 100:
            yield row("one source", f"{language} {source}", found, MIN_ALPHA)
    for (x, own), (y, other) in combinations(by_source.items(), 2):
        if x[0] != y[0]:
            continue
        found = [p_value(a, b) for a, b in drawn(own, other, most, random)]
        questions = own[0].genre == other[0].genre == "essay"
        kind = "unrelated" if questions or own[0].genre != other[0].genre else "one genre"
        if len(found) >= 100 or (questions and found):
            yield row(kind, f"{x[0]} {x[1]} × {y[1]}", found, MIN_ALPHA)


def shuffled_rows(texts: list[Text], rounds: int, longest: int, random: Generator) -> Iterator[Row]:
    """Words of a language's texts in random order, cut into texts of given lengths."""
    for language in sorted({text.language for text in texts}):
        own = [text for text in texts if text.language == language]
        pool = np.concatenate([text.words for text in own])
        unspaced = np.mean([text.unspaced for text in own]) > 0.5
        for sizes in LENGTHS:
            if max(sizes) > longest or sum(sizes) > len(pool):
                continue
            times = int(min(rounds, max(100, MAX_PLACES / (sum(sizes) * 1e4) / 10)))
            found = []
            for _ in range(times):
                words = random.choice(pool, sum(sizes), replace=False, shuffle=True)
                a, b = words[: sizes[0]], words[sizes[0] :]
                found.append(
                    p_value(*(Text("", language, "", "", half, bool(unspaced)) for half in (a, b)))
                )
            yield row("shuffled", f"{language} {sizes[0]:,} × {sizes[1]:,} words", found, 0.0)


def long_rows(texts: list[Text], rounds: int, random: Generator) -> Iterator[Row]:
    """Texts of unequal length, made of whole sources of different genre."""
    for language in sorted({text.language for text in texts}):
        own = [text for text in texts if text.language == language]
        genres = {
            genre: np.concatenate([text.words for text in own if text.genre == genre])
            for genre in sorted({text.genre for text in own})
        }
        unspaced = bool(np.mean([text.unspaced for text in own]) > 0.5)
        for sizes in LENGTHS:
            found = []
            for x, y in combinations(genres, 2):
                for a, b in ((x, y), (y, x)):
                    if len(genres[a]) < 2 * sizes[0] or len(genres[b]) < 2 * sizes[1]:
                        continue
                    for _ in range(max(2, rounds // max(1, sum(sizes) // 300))):
                        cut = [
                            genres[name][begin : begin + size]
                            for name, size in zip((a, b), sizes, strict=True)
                            for begin in (int(random.integers(len(genres[name]) - size)),)
                        ]
                        found.append(
                            p_value(*(Text("", language, "", "", c, unspaced) for c in cut))
                        )
            if len(found) >= 20:
                name = f"{language} {sizes[0]:,} × {sizes[1]:,} words, all genres"
                yield row("unrelated", name, found, MIN_ALPHA)


def pan_row(path: Path) -> Row:
    corpus = real_texts.pan(path)
    found = [
        p_value(*(text_of(name, "en", "pan", "", corpus.texts[name]) for name in (pair.a, pair.b)))
        for pair in corpus.pairs
        if pair.kind == "none"
    ]
    return row("one genre", "en PAN 2013, pairs without copying (many on one subject)", found, 0.01)


def summed_up(rows: list[Row]) -> str:
    """The rows of unrelated real texts in a few words."""
    real = [row for row in rows if row.kind == "unrelated"]
    held = [row for row in real if row.worst_z <= 3]
    pairs = sum(row.pairs for row in real)
    parts = [
        f"P(p ≤ {a:g}) = {sum(row.shares[a] * row.pairs for row in real) / max(1, pairs):.2g}"
        for a in ALPHAS
    ]
    return (
        f"All {pairs:,} pairs of unrelated real texts together: {'; '.join(parts)}. "
        f"P(p ≤ α) ≤ α for every α ≥ {MIN_ALPHA} within three standard errors in {len(held)} of "
        f"{len(real)} rows."
    )


def tables(rows: list[Row]) -> str:
    head = ["pairs of", "pairs", *(f"P(p ≤ {a:g})" for a in ALPHAS), "worst P/α", "z", "longest"]
    titles = {
        "shuffled": "Shuffled words (worst of every α)",
        "unrelated": "Real texts of different kinds (worst of α ≥ 0.01)",
        "one genre": "Different sources of one kind",
        "one source": "One source: texts on one subject or by the same people",
    }
    parts = []
    for kind, title in titles.items():
        own = [row for row in rows if row.kind == kind]
        lines = [
            [row.pairs_of, f"{row.pairs:,}", *(f"{row.shares[a]:.2g}" for a in ALPHAS),
             f"{row.worst:.2f}", f"{row.worst_z:+.1f}", f"{row.longest}"]
            for row in own
        ]  # fmt: skip
        if lines:
            parts.append(f"## {title}\n\n{markdown(head, lines)}")
    return "\n\n".join(parts)


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--pairs", type=int, default=2_000, help="pairs of each two sources")
    parser.add_argument("--rounds", type=int, default=2_000, help="pairs of shuffled texts")
    parser.add_argument("--pan", type=Path, help="PAN 2013, folder or .tar.xz")
    parser.add_argument("--gospels", type=Path, help="folder with lsg/")
    given = parser.parse_args()
    most, rounds = (300, 200) if given.tiny else (given.pairs, given.rounds)
    random = np.random.default_rng(given.seed)
    known = machine.facts()
    texts, related = own_texts()
    if not given.tiny:
        texts += read(given.data / "unrelated")
        if given.gospels:
            books = sorted((given.gospels / "lsg").glob("*.txt"))
            texts += [text_of(p.stem, "fr", "lsg", "bible", p.read_text("utf-8")) for p in books]
    rows = []
    made = [
        shuffled_rows(texts, rounds, 2_000 if given.tiny else 100_000, random),
        real_rows(texts, related, most, random),
        *([] if given.tiny else [long_rows(texts, rounds // 10, random)]),
        *([iter([pan_row(given.pan)])] if given.pan else []),
    ]
    for each in made:
        for found in each:
            settings.say(
                f"{found.kind}: {found.pairs_of}: {found.worst:.2f} z {found.worst_z:+.1f}"
            )
            rows.append(found)
    text = (
        "# The probability of a shared run: P(p ≤ α) for unrelated texts\n\n"
        "p is that of the longest run of words that two texts share, by the law for a pair alone. "
        "Worst P/α: the largest P(p ≤ α) / α over every α at which a p-value lies; z: the largest "
        "excess in standard errors. Pairs share texts, so that z is larger than it would be for "
        "independent pairs.\n\n"
        f"{summed_up(rows)}\n\n{tables(rows)}\n\n{machine.summary(known)}"
    )
    facts = {"machine": known, "rows": [asdict(row) for row in rows]}
    settings.save(settings.results(given), "run-law", facts, text)


if __name__ == "__main__":
    main()
