"""The chance level of the pairs of a search: by unrelated pairs of the collection, or by shuffling.

With `corpus`, random pairs of the collection show how similar unrelated documents are. A pair
counts as related if its documents share a run of 12 words (`RUN`): such pairs are left out of the
null, or copies would be held against copies. A pair that shares no such run is as likely to be
found above a given similarity as the sampled ones are, and so P(p <= alpha) <= alpha for it. Where
passages were looked for, pairs that share one count as related too, and the same holds for pairs
that share none.

The q-values are those of Benjamini and Hochberg over all comparable pairs, not only over those that
were found: who looks at a million pairs sees the luckiest of a million. Where `corpus` has looked
at all of them, they are exact. Elsewhere pairs that were not found are taken to have no smaller p
than those that were, which makes q-values larger than they need be, never smaller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.search.pairs import PairTable
from likewise.search.stats import Stats, counted
from likewise.search.verification import Progress, verify
from likewise.statistics.chance import Chance, benjamini_hochberg, simulated_chance
from likewise.statistics.shuffles import FEWEST_TRIALS, similarities, trials_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.search.collection import Collection
    from likewise.search.settings import Settings

    Floats = NDArray[np.float64]
    Documents = NDArray[np.uint32]

RUN = 12


@dataclass(frozen=True, slots=True, eq=False)
class PairChances:
    """For each pair the chance level, its p-value and its q-value.

    `null` has the similarities of the unrelated pairs that "corpus" looked at, in ascending order.
    """

    chance: Floats
    p_value: Floats
    q_value: Floats
    null: Floats | None = None

    def columns(self) -> tuple[Floats, Floats, Floats]:
        return self.chance, self.p_value, self.q_value


def chances_of(
    table: PairTable,
    collection: Collection,
    settings: Settings,
    stats: Stats,
    progress: Progress,
    related: Documents | None = None,
) -> PairChances:
    """The chance levels of pairs that were found, the most similar first.

    `related` [n, 2], a before b, are pairs that are known to share passages; for "corpus".
    """
    comparable = comparable_pairs(collection)
    stats.counts["comparable"] = comparable
    if settings.chance == "corpus":
        chances = _by_corpus(table, collection, settings, stats, progress, related)
    else:
        chance, p_values = _by_shuffling(table, collection, settings, stats, progress)
        q_values = benjamini_hochberg(p_values, max(comparable, len(table)))
        chances = PairChances(chance, p_values, q_values)
    if len(table):
        stats.notes.append(
            f"q-values are over all {counted(comparable, 'comparable pair')}; "
            f"the smallest is {chances.q_value.min():.2g}"
        )
        _tell_resolution(chances, comparable, settings, stats)
    return chances


def _tell_resolution(
    chances: PairChances, comparable: int, settings: Settings, stats: Stats
) -> None:
    """Where so many pairs were compared that even the rarest cannot be told from chance."""
    smallest = chances.p_value.min()
    rarest = int(np.count_nonzero(chances.p_value == smallest))
    if smallest * comparable / rarest <= 0.05:
        return
    needed = math.ceil(comparable / (0.05 * rarest))
    if settings.chance == "corpus" and stats.counts["null_pairs"] == comparable:
        more = "a larger collection of the same kind would show more"
    elif settings.chance == "corpus":
        more = f"--null-pairs {min(needed, comparable):,} would show more"
    else:
        more = f"--trials {needed:,} would show more"
    stats.notes.append(
        f"for {counted(rarest, 'pair')} among so many no q-value could be smaller, however similar "
        f"they are; {more}"
    )


def comparable_pairs(collection: Collection) -> int:
    """How many pairs there are that could have been found."""
    present = collection.counts() > 0
    if collection.sides() is None:
        documents = int(present.sum())
        return documents * (documents - 1) // 2
    return int(present[: collection.left].sum()) * int(present[collection.left :].sum())


def _by_corpus(
    table: PairTable,
    collection: Collection,
    settings: Settings,
    stats: Stats,
    progress: Progress,
    related: Documents | None,
) -> PairChances:
    drawn, unrelated = draw_similarities(collection, settings, stats, progress, related)
    null = np.sort(drawn[unrelated])
    if len(null) == 0:
        stats.notes.append("there are no pairs to take a chance level from: every p-value is 1")
        return PairChances(np.zeros(len(table)), np.ones(len(table)), np.ones(len(table)))
    stats.notes.append(
        f"chance level {null.mean():.2g} (± {null.std():.2g}), {null[-1]:.2g} at most, by "
        f"{counted(len(null), 'unrelated pair')}; the smallest p-value that so many can give is "
        f"{1 / (len(null) + 1):.2g}"
    )
    found = table.similarity(settings.measure)
    comparable = comparable_pairs(collection)
    p_values = _empirical_p_values(null, found)
    if len(drawn) == comparable:
        # Every pair has been looked at, those below the threshold too: their p-values are known.
        everything = np.sort(drawn)
        of_all = benjamini_hochberg(_empirical_p_values(null, everything))
        places = np.searchsorted(everything, found)
        q_values = of_all[np.minimum(places, len(everything) - 1)]
    else:
        q_values = benjamini_hochberg(p_values, max(comparable, len(table)))
    return PairChances(np.full(len(table), null.mean()), p_values, q_values, null)


def _empirical_p_values(null: Floats, observed: Floats) -> Floats:
    """Of each similarity, from those of the null in ascending order."""
    at_least = len(null) - np.searchsorted(null, observed, side="left")
    return np.asarray((1 + at_least) / (len(null) + 1))


def draw_similarities(
    collection: Collection,
    settings: Settings,
    stats: Stats,
    progress: Progress,
    known: Documents | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Similarities of random pairs, of all where they are few, and which of them are unrelated.

    `known` [n, 2] are pairs that are related whether or not they share a run.
    """
    a, b = sample_pairs(collection, settings.null_pairs, settings.seed)
    with stats.timed("chance"):
        drawn = _verified(collection, settings, a, b, progress)
        related = np.zeros(len(drawn), bool)
        touching = drawn.shared > 0  # the others share no run either
        runs = replace(settings, profile=replace(settings.profile, unit="word", k=RUN, count="set"))
        apart = _verified(collection, runs, drawn.a[touching], drawn.b[touching], progress)
        related[touching] = apart.shared > 0
        if known is not None:
            related |= np.isin(_keys(drawn.a, drawn.b), _keys(known[:, 0], known[:, 1]))
    found = drawn.similarity(settings.measure)
    stats.counts |= {"null_pairs": len(drawn), "related_null_pairs": int(related.sum())}
    if 2 * related.sum() > len(drawn):
        stats.notes.append(
            f"most pairs share a {_shared(known)}, as where all documents have one heading: "
            "the chance level is by all of them"
        )
        related[:] = False
    elif related.any():
        stats.notes.append(
            f"of {len(drawn):,} random pairs {int(related.sum()):,} share a {_shared(known)} and "
            "were left out of the chance level"
        )
    return found, ~related


def _shared(known: Documents | None) -> str:
    return f"run of {RUN} words" + ("" if known is None else " or a passage")


def _keys(a: Documents, b: Documents) -> NDArray[np.uint64]:
    """Pairs as single numbers."""
    return a.astype(np.uint64) << np.uint64(32) | b


def _verified(
    collection: Collection, settings: Settings, a: Documents, b: Documents, progress: Progress
) -> PairTable:
    """Pairs given in the order of a, with what they share."""
    offsets = np.searchsorted(a, np.arange(len(collection) + 1)).astype(np.uint64)
    return verify(collection, settings, 0.0, offsets, b, progress, stage="chance level")


def sample_pairs(collection: Collection, most: int, seed: int) -> tuple[Documents, Documents]:
    """Different random pairs of documents, ordered by a and then b: `most`, or all there are."""
    pairs = comparable_pairs(collection)
    if pairs <= most:
        chosen = np.arange(pairs)
    else:
        random = np.random.Generator(np.random.PCG64(seed))
        chosen = random.choice(pairs, most, replace=False, shuffle=False)
    documents = np.flatnonzero(collection.counts() > 0)
    if collection.sides() is None:
        # Pairs in a ring: first all that are one apart, then two, and so on, each pair once.
        count = max(1, len(documents))
        apart, first = np.divmod(chosen, count)
        ends = documents[first], documents[(first + apart + 1) % count]
        a, b = np.minimum(*ends), np.maximum(*ends)
    else:
        left, right = np.split(documents, [np.searchsorted(documents, collection.left)])
        rows, columns = np.divmod(chosen, max(1, len(right)))
        a, b = left[rows], right[columns]
    order = np.lexsort((b, a))
    return a[order].astype(np.uint32), b[order].astype(np.uint32)


def _by_shuffling(
    table: PairTable,
    collection: Collection,
    settings: Settings,
    stats: Stats,
    progress: Progress,
) -> tuple[Floats, Floats]:
    chances: list[Chance] = []
    with stats.timed("chance"):
        for row in range(len(table)):
            progress("chance level", row, len(table))
            chances.append(_shuffled(collection, settings, table.take(slice(row, row + 1))))
    if chances:
        fewest = min(chance.trials or 0 for chance in chances)
        often = f"{fewest:,} times" if settings.trials else f"{fewest:,} times or more"
        stats.notes.append(
            f"chance level by shuffling the {settings.chance} of each pair {often}; the smallest "
            f"p-value that so many can give is {1 / (fewest + 1):.2g}"
        )
    return (
        np.array([chance.expected for chance in chances], np.float64),
        np.array([chance.p_value for chance in chances], np.float64),
    )


def _shuffled(collection: Collection, settings: Settings, pair: PairTable) -> Chance:
    assert settings.chance is not None
    texts = collection.select(np.concatenate([pair.a, pair.b]))
    drawn = _core.shuffled_overlaps(
        texts,
        settings.profile.rules(),
        what=settings.chance,
        seed=settings.seed,
        trials=settings.trials or max(FEWEST_TRIALS, trials_for(texts.nbytes)),
        threads=settings.threads,
    )
    observed = float(pair.similarity(settings.measure)[0])
    return simulated_chance(settings.chance, observed, similarities(*drawn, settings.measure))
