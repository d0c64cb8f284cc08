"""How often 95 % intervals hold the similarity: measured for MinHash and for the fast sketch.

Each pair of sets is made of words of its own, hashed under one of many seeds, so that every pair is
an independent trial. Two sets of a union of so many words have the Jaccard similarities below
exactly. MinHash counts, for each function, whether the least hash of the union belongs to a shared
word; the sketch is that of the product.

    python -m benchmarks.statistics.coverage --pairs 100000
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.statistics.accuracy import agreements
from likewise.statistics.binomial import BinomialLaw
from likewise.statistics.intervals import METHODS, interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

LEVEL = 0.95
UNIONS = (100, 1_000)
SIMILARITIES = (0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 0.99)
VALUES = (16, 128, 1_024)
BLOCK = 100  # pairs hashed at once by MinHash


@dataclass(frozen=True)
class Coverage:
    """How often the intervals of one method held one similarity."""

    estimator: str
    union: int
    jaccard: float
    values: int
    pairs: int
    method: str
    share: float


def coverages(
    estimator: str, union: int, jaccard: float, values: int, found: Counts
) -> list[Coverage]:
    """`found[n]` pairs had n agreeing values."""
    pairs = int(found.sum())
    made = []
    for method in METHODS:
        held = _holds(jaccard, values, method)
        share = float((found * held).sum() / pairs)
        made.append(Coverage(estimator, union, jaccard, values, pairs, method, share))
    return made


def _holds(jaccard: float, values: int, method: str) -> NDArray[np.bool_]:
    """For each number of agreeing values whether its interval holds the similarity."""
    made = (interval(n, values, LEVEL, method) for n in range(values + 1))
    return np.array([one.low <= jaccard <= one.high for one in made])


def by_law(jaccard: float, values: int) -> list[Coverage]:
    """What the binomial law says that the coverage is."""
    law = BinomialLaw(values, jaccard).pmf()
    return [
        Coverage("binomial law", 0, jaccard, values, 0, method, float(law[held].sum()))
        for method in METHODS
        for held in [_holds(jaccard, values, method)]
    ]


def minhash_agreements(pairs: int, seed: int = 1) -> dict[tuple[float, int], Counts]:
    """Agreeing values of pairs whose union has 100 words, for every similarity and size at once.

    Which word of the union has the least hash decides for all similarities: the shared words are
    the first hundredth of the union, the first tenth, and so on.
    """
    union = UNIONS[0]
    random = np.random.Generator(np.random.PCG64(seed))
    keys = random.integers(0, 2**64, max(VALUES), dtype=np.uint64)
    found = {(j, k): np.zeros(k + 1, np.int64) for j in SIMILARITIES for k in VALUES}
    for begin in range(0, pairs, BLOCK):
        count = min(BLOCK, pairs - begin)
        words = random.integers(0, 2**64, (count, 1, union), dtype=np.uint64)
        least = _mixed(words ^ keys[None, :, None]).argmin(axis=2)
        for jaccard in SIMILARITIES:
            agree = least < round(union * jaccard)
            for values in VALUES:
                counts = agree[:, :values].sum(axis=1)
                found[jaccard, values] += np.bincount(counts, minlength=values + 1)
    return found


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64, in place."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z ^= z >> np.uint64(shift)
        z *= np.uint64(factor)
    z ^= z >> np.uint64(31)
    return z


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--pairs", type=int, default=100_000, help="for each row of the table")
    given = parser.parse_args()
    pairs, unions = (given.pairs, UNIONS) if not given.tiny else (2_000, UNIONS[:1])
    known = machine.facts()
    rows = []
    for (jaccard, values), found in minhash_agreements(pairs).items():
        rows += coverages("MinHash", UNIONS[0], jaccard, values, found)
    settings.say("MinHash done")
    for union in unions:
        for jaccard in SIMILARITIES:
            for values in VALUES:
                shared = round(union * jaccard)
                found = agreements(union - (union - shared) // 2, shared, pairs, values, union)
                rows += coverages("fast sketch", union, jaccard, values, found)
        settings.say(f"fast sketch, union of {union} done")
    for jaccard in SIMILARITIES:
        for values in VALUES:
            rows += by_law(jaccard, values)
    exact = [row for row in rows if row.method == "clopper-pearson" and row.pairs]
    least = min(exact, key=lambda row: row.share)
    text = (
        f"# How often a 95 % interval holds the similarity\n\n"
        f"{pairs:,} pairs for each number; the error of a share near 0.95 is "
        f"{np.sqrt(0.95 * 0.05 / pairs):.4f}. The least coverage of Clopper–Pearson measured here: "
        f"{least.share:.4f} ({least.estimator}, union of {least.union:,}, Jaccard {least.jaccard}, "
        f"{least.values} values).\n\n{_table(rows)}\n\n{machine.summary(known)}"
    )
    facts = {"machine": known, "rows": [asdict(row) for row in rows]}
    settings.save(settings.results(given), "coverage", facts, text)


def _table(rows: list[Coverage]) -> str:
    cells = {(r.estimator, r.union, r.jaccard, r.values, r.method): r.share for r in rows}
    kinds = dict.fromkeys((r.estimator, r.union) for r in rows)
    head = ["estimator", "union", "values", "interval", *(f"J = {j}" for j in SIMILARITIES)]
    body = [
        [
            estimator,
            f"{union:,}" if union else "any",
            str(values),
            method,
            *(f"{cells[estimator, union, j, values, method]:.4f}" for j in SIMILARITIES),
        ]
        for estimator, union in kinds
        for values in VALUES
        for method in METHODS
    ]
    return markdown(head, body)


if __name__ == "__main__":
    main()
