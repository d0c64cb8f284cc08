"""Do p-values keep their promise? P(p <= alpha) under its own null, for each null.

Texts are drawn under the null itself, so that every small p-value is a false one. Randomised
p-values, in which ties are broken at random, must be uniform (Kolmogorov-Smirnov).

    python -m benchmarks.statistics.p_values --rounds 20000
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import kstest

import likewise
from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from likewise.statistics.chance import simulated_chance
from likewise.statistics.shuffles import shuffled_similarities
from likewise.statistics.urn import UrnLaw

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

ALPHAS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8)
TRIALS = 199


@dataclass(frozen=True)
class Promise:
    """How often p was at most alpha under the null."""

    null: str
    rounds: int
    shares: dict[float, float]
    worst_z: float  # of P(p <= alpha) - alpha over its error, for any alpha at all
    uniform_p: float  # Kolmogorov-Smirnov test of the randomised p-values


Draw = Callable[[int, "Generator"], tuple[float, float]]


def promise(null: str, rounds: int, draw: Draw) -> Promise:
    """`draw(round, random)` gives a p-value and a randomised one."""
    random = np.random.Generator(np.random.PCG64(1))
    drawn = np.array([draw(number, random) for number in range(rounds)])
    p_values, randomised = drawn[:, 0], drawn[:, 1]
    seen, counts = np.unique(p_values, return_counts=True)
    inside = seen < 1
    share = np.cumsum(counts)[inside] / rounds
    alpha = seen[inside]
    error = np.sqrt(alpha * (1 - alpha) / rounds)
    return Promise(
        null=null,
        rounds=rounds,
        shares={alpha: float((p_values <= alpha).mean()) for alpha in ALPHAS},
        worst_z=float(((share - alpha) / error).max()) if len(alpha) else 0.0,
        uniform_p=float(kstest(randomised, "uniform").pvalue),
    )


def shuffled(null: str, profile: str) -> Draw:
    """Two texts of the same words in random order, held against shuffles of them."""

    def draw(number: int, random: Generator) -> tuple[float, float]:
        a, b = (" ".join(_words(random, 60)) for _ in range(2))
        if null == "letters":
            a, b = ("".join(random.permutation(list(text))) for text in (a, b))
        observed, similarities = shuffled_similarities(
            a, b, profile=profile, null=null, trials=TRIALS, seed=number, threads=1
        )
        return _both(null, observed, similarities, random)

    return draw


def randomised_p_value(observed: float, drawn: NDArray[np.float64], uniform: float) -> float:
    """A p-value that is uniform under the null model, ties broken by `uniform` from [0, 1)."""
    above = int(np.count_nonzero(drawn > observed))
    ties = 1 + int(np.count_nonzero(drawn == observed))
    return (above + uniform * ties) / (len(drawn) + 1)


def _both(
    null: str, observed: float, drawn: NDArray[np.float64], random: Generator
) -> tuple[float, float]:
    chance = simulated_chance(null, observed, drawn)
    return chance.p_value, randomised_p_value(observed, drawn, random.random())


def urn(number: int, random: Generator) -> tuple[float, float]:
    """Two random subsets of an urn."""
    law = _URN
    shared = int(random.hypergeometric(law.size_a, law.urn - law.size_a, law.size_b))
    at_least, above = law.p_value(shared), law.p_value(shared + 1)
    return at_least, above + random.random() * (at_least - above)


_URN = UrnLaw(40, 60, 100)


def corpus(number: int, random: Generator) -> tuple[float, float]:
    """A pair of a collection of unrelated texts, held against the other pairs."""
    texts = [" ".join(_words(random, 40)) for _ in range(16)]
    found = likewise.find_pairs(
        texts, profile="word:2", threshold=1e-9, exact=True, chance="corpus", threads=1
    )
    similarity = {(pair.a, pair.b): pair for pair in found}
    pair = similarity.get((0, 1))
    p_value = 1.0 if pair is None or pair.p_value is None else pair.p_value
    observed = 0.0 if pair is None else pair.jaccard
    others = [p.jaccard for key, p in similarity.items() if key != (0, 1)]
    others += [0.0] * (119 - len(others))
    return p_value, randomised_p_value(observed, np.array(others), random.random())


def _words(random: Generator, count: int) -> list[str]:
    """Words whose frequencies fall as in language."""
    return [f"w{min(30, rank)}" for rank in random.zipf(1.5, count)]


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--rounds", type=int, default=20_000, help="pairs drawn for each null")
    given = parser.parse_args()
    rounds = 300 if given.tiny else given.rounds
    known = machine.facts()
    nulls: dict[str, Draw] = {
        "words, word:2": shuffled("words", "word:2"),
        "words, char:5": shuffled("words", "char:5"),
        "letters, char:3": shuffled("letters", "char:3,count=bag"),
        "urn, 40 and 60 of 100": urn,
        "corpus, 16 texts": corpus,
    }
    rows = []
    for name, draw in nulls.items():
        rows.append(promise(name, rounds, draw))
        settings.say(str(rows[-1]))
    head = ["null", "pairs", *(f"P(p ≤ {a:g})" for a in ALPHAS), "worst z", "uniform (KS)"]
    table = markdown(
        head,
        [
            [
                row.null,
                f"{row.rounds:,}",
                *(f"{row.shares[a]:.4f}" for a in ALPHAS),
                f"{row.worst_z:+.2f}",
                f"p = {row.uniform_p:.2g}",
            ]
            for row in rows
        ],
    )
    text = (
        "# P(p ≤ α) under its own null\n\n"
        "Worst z: the largest excess of P(p ≤ α) over α, in standard errors, over every α at which "
        "a p-value can lie; up to about 3 is what chance makes of so many α. Uniform: the "
        "Kolmogorov–Smirnov test of the p-values with ties broken at random.\n\n"
        f"{table}\n\n{machine.summary(known)}"
    )
    facts = {"machine": known, "rows": [asdict(row) for row in rows]}
    settings.save(settings.results(given), "p-values", facts, text)


if __name__ == "__main__":
    main()
