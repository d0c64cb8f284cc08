"""Recall for pairs that lie just at the threshold, and precision of all that is reported.

Each pair is made of words of its own, so that its similarity is known exactly and no other pair
exists: sets of 30 to 600 words whose Jaccard similarity is the least fraction at or above the
threshold. The recall asked for must be had there, where it is lowest.

    python -m benchmarks.search.recall --pairs 20000
"""

from __future__ import annotations

import math
import random
from dataclasses import asdict, dataclass

import likewise
from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown

THRESHOLDS = (0.3, 0.5, 0.7, 0.8, 0.9)


@dataclass(frozen=True)
class Recall:
    """What a search found of planted pairs."""

    threshold: float
    wanted: float
    layout: str
    pairs: int
    found: int
    below: int  # reported pairs whose true similarity is under the threshold, or not planted
    largest_excess: float  # how far a planted similarity lies above the threshold, at most

    @property
    def recall(self) -> float:
        return self.found / self.pairs


def measure_recall(threshold: float, *, recall: float, pairs: int, seed: int) -> Recall:
    """Plants pairs just at the threshold and counts those that are found."""
    chance = random.Random(f"{seed} {threshold}")
    texts, planted = [], {}
    for pair in range(pairs):
        size, shared = _sizes_at(threshold, chance)
        words = [f"p{pair}w{i}" for i in range(2 * size - shared)]
        first, second = words[:size], words[size - shared :]
        chance.shuffle(second)
        planted[2 * pair, 2 * pair + 1] = shared / len(words)
        texts += [" ".join(first), " ".join(second)]
    result = likewise.find_pairs(texts, profile="word:1", threshold=threshold, recall=recall)
    reported = [(pair.a, pair.b) for pair in result]
    return Recall(
        threshold=threshold,
        wanted=recall,
        layout=result.stats.settings["search"],
        pairs=pairs,
        found=sum(names in planted for names in reported),
        below=sum(planted.get(names, 0.0) < threshold for names in reported),
        largest_excess=max(planted.values()) - threshold,
    )


def _sizes_at(threshold: float, chance: random.Random) -> tuple[int, int]:
    """Size of both sets and of what they share, for a similarity at most 0.005 above."""
    while True:
        size = chance.randint(30, 600)
        shared = math.ceil(2 * size * threshold / (1 + threshold) - 1e-9)
        if threshold <= shared / (2 * size - shared) <= threshold + 0.005:
            return size, shared


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--pairs", type=int, default=20_000, help="pairs at each threshold")
    parser.add_argument("--recall", type=float, default=0.99, help="asked for")
    given = parser.parse_args()
    if given.tiny:
        given.pairs = 500
    known = machine.facts()
    rows = []
    for threshold in THRESHOLDS:
        rows.append(
            measure_recall(threshold, recall=given.recall, pairs=given.pairs, seed=given.seed)
        )
        settings.say(f"{threshold}: {rows[-1].recall:.4f}")
    head = ["threshold", "search", "pairs", "asked", "found", "reported below"]
    table = markdown(
        head,
        [
            [
                f"{row.threshold:g}",
                row.layout,
                f"{row.pairs:,}",
                f"{row.wanted:g}",
                f"{row.recall:.4f}",
                str(row.below),
            ]
            for row in rows
        ],
    )
    excess = max(row.largest_excess for row in rows)
    text = (
        "# Recall just at the threshold\n\n"
        f"Planted pairs of 30 to 600 words, Jaccard at most {excess:.4f} above the threshold.\n"
        f"\n{table}\n\n{machine.summary(known)}"
    )
    facts = {"machine": known, "rows": [asdict(row) | {"recall": row.recall} for row in rows]}
    settings.save(settings.results(given), "recall", facts, text)


if __name__ == "__main__":
    main()
