"""Bias and spread of the sketch's estimate against the binomial law.

Each pair of sets is made of words of its own, hashed under one of many seeds, so that every pair is
an independent trial. The sets of a pair are sketched as three parts (only in a, shared, only in b)
and merged, which gives the same signatures as sketching them whole.

    python -m benchmarks.statistics.accuracy --pairs 100000
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

import likewise
from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from likewise._core import Texts, clopper_pearson

if TYPE_CHECKING:
    from numpy.typing import NDArray

VALUES = 128
SIZES = (5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
SIMILARITIES = (0.2, 0.5, 0.8)
BLOCK_WORDS = 4_000_000  # words made at once
BLOCK_VALUES = 8_000_000  # numbers of signatures
SEEDS = 64


@dataclass(frozen=True)
class Accuracy:
    """How estimates of one similarity, for sets of one size, came out."""

    size: int
    jaccard: float
    pairs: int
    bias: float
    z: float  # bias over its standard error
    spread: float  # standard deviation over the binomial one
    coverage: float  # share of 95 % intervals that hold the truth


def measure(size: int, similarity: float, pairs: int) -> Accuracy:
    """Estimates of pairs of sets of `size` words with about this Jaccard similarity."""
    shared = max(1, round(2 * size * similarity / (1 + similarity)))
    union = 2 * size - shared
    jaccard = shared / union
    limits = np.array([clopper_pearson(n, VALUES, 0.95) for n in range(VALUES + 1)])
    agreeing = agreements(size, shared, pairs, VALUES)
    estimates = np.arange(VALUES + 1) / VALUES
    mean = float((estimates * agreeing).sum() / pairs)
    deviation = math.sqrt(float(((estimates - mean) ** 2 * agreeing).sum() / (pairs - 1)))
    holds = (limits[:, 0] <= jaccard) & (jaccard <= limits[:, 1])
    return Accuracy(
        size=size,
        jaccard=jaccard,
        pairs=pairs,
        bias=mean - jaccard,
        z=(mean - jaccard) / (deviation / math.sqrt(pairs)),
        spread=deviation / math.sqrt(jaccard * (1 - jaccard) / VALUES),
        coverage=float(agreeing[holds].sum() / pairs),
    )


def agreements(
    size: int, shared: int, pairs: int, values: int, union: int | None = None
) -> NDArray[np.int64]:
    """How many of the pairs had 0, 1, … agreeing values.

    The first set of a pair has `size` words; the second as many, or what is left of the union.
    """
    all_words = 2 * size - shared if union is None else union
    found = np.zeros(values + 1, dtype=np.int64)
    done = 0
    block = max(1, min(BLOCK_WORDS // all_words, BLOCK_VALUES // values, math.ceil(pairs / SEEDS)))
    while done < pairs:
        count = min(block, pairs - done)
        seed = 1 + done // block % SEEDS
        agreeing = _agreements(done, count, size, shared, all_words, values, seed)
        found += np.bincount(agreeing, minlength=values + 1)
        done += count
    return found


def _agreements(
    first: int, count: int, size: int, shared: int, union: int, values: int, seed: int
) -> NDArray[np.int64]:
    own = size - shared
    data = _words(first * union, count * union)
    ends = np.array([own, own + shared, union]) + np.arange(count)[:, None] * union
    offsets = np.concatenate([[0], ends.ravel()]) * _WIDTH
    texts = Texts.from_buffers(data, offsets.astype(np.int64), True)
    parts = likewise.sketch(texts, profile=f"word:1,seed={seed}", values=values).values
    only_a, both, only_b = parts[0::3], parts[1::3], parts[2::3]
    return (np.minimum(only_a, both) == np.minimum(only_b, both)).sum(axis=1)


_WIDTH = 9  # eight letters and a space


def _words(first: int, count: int) -> NDArray[np.uint8]:
    """Words that are numbers written with 26 letters, one after another."""
    numbers = np.arange(first, first + count, dtype=np.uint64)
    text = np.full((count, _WIDTH), ord(" "), dtype=np.uint8)
    for place in range(_WIDTH - 1):
        numbers, letter = np.divmod(numbers, 26)
        text[:, place] = letter + ord("a")
    return np.ascontiguousarray(text.ravel())


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--pairs", type=int, default=100_000, help="for each row of the table")
    given = parser.parse_args()
    sizes, pairs = SIZES, given.pairs
    if given.tiny:
        sizes, pairs = (5, 50), 2_000
    known = machine.facts()
    rows = []
    for size in sizes:
        for similarity in SIMILARITIES if size <= 1_000 else (0.5,):
            rows.append(measure(size, similarity, pairs))
            settings.say(str(rows[-1]))
    head = ["elements", "Jaccard", "pairs", "bias", "z", "sd / binomial sd", "95 % interval holds"]
    table = markdown(
        head,
        [
            [
                f"{row.size:,}",
                f"{row.jaccard:.4f}",
                f"{row.pairs:,}",
                f"{row.bias:+.5f}",
                f"{row.z:+.2f}",
                f"{row.spread:.3f}",
                f"{row.coverage:.4f}",
            ]
            for row in rows
        ],
    )
    worst = max(abs(row.z) for row in rows)
    text = (
        f"# The sketch against the binomial law, {VALUES} values\n\n"
        f"Largest |z| of {len(rows)} rows: {worst:.2f} (under no bias, one in twenty rows passes "
        f"1.96).\n\n{table}\n\n{machine.summary(known)}"
    )
    facts = {"machine": known, "rows": [asdict(row) for row in rows]}
    settings.save(settings.results(given), "accuracy", facts, text)


if __name__ == "__main__":
    main()
