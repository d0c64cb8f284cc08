"""What two made texts share, by the origins of their words; slow and plain on purpose."""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.truth.made import Made

# The law of `docs/concepts/chance.md`: per pair of places, runs of at least 1, 2, ... 6 words, and
# the factor for each further word; for letters of scripts without spaces a law of its own.
PROSE = ((6.6e-3, 1.3e-4, 10**-5.5, 10**-6.5, 10**-7.5, 10**-8.5), 0.25, 1.0)
LETTERS = ((8e-3, 4e-4, 1e-4, 3e-5, 1e-5, 3e-6), 0.4, 0.05)
LEAST = 12  # words of a passage; in scripts without spaces twice as many letters
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


@dataclass(frozen=True)
class Planted:
    """A passage that was planted: its words in both texts, and which of them are matched."""

    a: tuple[int, int]
    b: tuple[int, int]
    pairs: tuple[tuple[int, int], ...]
    kind: str
    score: int


def planted(a: Made, b: Made) -> list[Planted]:
    """A passage for each two pieces that have enough words of one origin."""
    in_b: dict[Any, list[int]] = defaultdict(list)
    for j, origin in enumerate(b.origins):
        if origin is not None and not b.excluded[j]:
            in_b[origin].append(j)
    matches: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for i, origin in enumerate(a.origins):
        if origin is not None and not a.excluded[i]:
            for j in in_b[origin]:
                matches[a.pieces[i], b.pieces[j]].append((i, j))
    least = 2 * LEAST if is_unspaced(a, b) else LEAST
    return [_passage(pairs) for _, pairs in sorted(matches.items()) if len(pairs) >= least]


def _passage(pairs: list[tuple[int, int]]) -> Planted:
    first, second = zip(*sorted(pairs), strict=True)
    a, b = (first[0], first[-1] + 1), (min(second), max(second) + 1)
    ordered = all(before < behind for before, behind in pairwise(second))
    verbatim = ordered and len(pairs) == a[1] - a[0] == b[1] - b[0]
    kind = "verbatim" if verbatim else "edited" if ordered else "reordered"
    return Planted(a, b, tuple(sorted(pairs)), kind, _score(sorted(pairs)))


def _score(pairs: list[tuple[int, int]]) -> int:
    """The best stretch: matched words less those changed between them."""
    best = score = 0
    before = None
    for i, j in pairs:
        if before is None or j <= before[1]:
            score = 0
        else:
            score = max(0, score - max(i - before[0], j - before[1]) + 1)
        score, before = score + 1, (i, j)
        best = max(best, score)
    return best


def longest_run(pairs: Iterable[tuple[int, int]]) -> int:
    """Words in a row that are matched with words in a row."""
    best = run = 0
    before = None
    for i, j in pairs:
        run = run + 1 if before == (i - 1, j - 1) else 1
        best, before = max(best, run), (i, j)
    return best


def short_runs(a: Made, b: Made) -> int:
    """N2: common runs of two words or more that can be extended on neither side."""
    one, other = _matched_words(a), _matched_words(b)
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for j in range(len(other) - 1):
        places[other[j], other[j + 1]].append(j)
    return sum(
        not (i and j and one[i - 1] == other[j - 1])
        for i in range(len(one) - 1)
        for j in places.get((one[i], one[i + 1]), ())
    )


def _matched_words(made: Made) -> list[str]:
    return [
        unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())
        for word, excluded in zip(made.words, made.excluded, strict=True)
        if not excluded
    ]


def chance(n: int, m: int, run: int, short: int, *, unspaced: bool) -> float:
    """The probability that unrelated texts of n and m words share a run as long."""
    rates, tail, least = LETTERS if unspaced else PROSE
    rate = rates[run - 1] if run <= len(rates) else rates[-1] * tail ** (run - len(rates))
    excess = max(least, ((short + 5) / (rates[1] * n * m + 5)) ** 2)
    return -math.expm1(-max(0, n - run + 1) * max(0, m - run + 1) * rate * excess)


def is_unspaced(*texts: Made) -> bool:
    return any(
        sum(unicodedata.name(word[0], "").startswith(_UNSPACED) for word in text.words)
        >= 0.4 * max(1, len(text.words))
        for text in texts
    )


def expected(a: Made, b: Made) -> dict[str, Any]:
    """All figures of a pair, as they are written in `pairs.toml`."""
    passages = planted(a, b)
    short = short_runs(a, b)
    unspaced = is_unspaced(a, b)
    told, chances = [], []
    for one in passages:
        p = None
        least = (2 if unspaced else 1) * LEAST
        if one.kind != "reordered" or longest_run(one.pairs) >= least:
            p = chance(len(a), len(b), one.score, short, unspaced=unspaced)
            chances.append(p)
        told.append(
            {"a": list(one.a), "b": list(one.b), "words": len(one.pairs), "kind": one.kind,
             "score": one.score, "p": "none" if p is None else _digits(p)}
        )  # fmt: skip
    both = [len({match[side] for one in passages for match in one.pairs}) for side in (0, 1)]
    return {
        "size": [len(a), len(b)],
        "matched": both,
        "percent": [
            round(100 * words / size, 1) if size else 0.0
            for words, size in zip(both, (len(a), len(b)), strict=True)
        ],
        "short_runs": short,
        "p": "none" if not chances else _digits(min(chances)),
        "passages": told,
    }


def _digits(value: float) -> float:
    return float(f"{value:.5g}")
