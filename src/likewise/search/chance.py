"""The chance level of the pairs of a search: by unrelated pairs of the collection, or by shuffling.

With `corpus`, random pairs of the collection show how similar unrelated documents are. A pair is
related, and no part of the null, if it shares a run of words so long that among all comparable
pairs only one unrelated pair in a hundred collections would (`FALSELY_RELATED`), or if it is known
to share a passage. An unrelated pair is as likely to be above a given similarity as the others, and
so P(p <= alpha) <= alpha for it.

There are no p-values where fewer than `MIN_UNRELATED` pairs, or less than half of them, are
unrelated.

q-values are the expected share of chance finds among the pairs at least this similar: counted where
all pairs have been compared, never below p; elsewhere by Benjamini and Hochberg over all comparable
pairs. Pairs that were not found are taken to have no smaller p than those that were, which makes
q-values larger than they need be, never smaller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.arrays import U32, Floats
from likewise.run import Progress, Stats, counted
from likewise.search.comparable_pairs import comparable_pairs, sample_pairs
from likewise.search.packed_pairs import pack
from likewise.search.pairs import PairTable
from likewise.search.verification import verify
from likewise.statistics.chance import (
    P_MEANING,
    Q_MEANING,
    Chance,
    benjamini_hochberg,
    simulated_chance,
)
from likewise.statistics.null_models import NULL_MODELS
from likewise.statistics.shared_runs import PROSE, UNSPACED, is_unspaced
from likewise.statistics.shuffles import (
    DEFAULT_MIN_TRIALS,
    draw_overlaps,
    similarities,
    trials_for,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.search.collection import Collection
    from likewise.search.settings import Settings


FALSELY_RELATED = 0.01  # unrelated pairs expected among those that count as related
MIN_UNRELATED = 100


@dataclass(frozen=True, slots=True, eq=False)
class PairChances:
    """For each pair the chance level, its p-value and its q-value.

    Attributes:
        chance, p_value, q_value: NaN where there is no valid null.
        null: the similarities of the unrelated pairs that "corpus" looked at, in ascending order.
        reason: why there are no values.
    """

    chance: Floats
    p_value: Floats
    q_value: Floats
    null: Floats | None = None
    reason: str | None = None

    @classmethod
    def missing(cls, pairs: int, reason: str) -> PairChances:
        nothing = np.full(pairs, np.nan)
        return cls(nothing, nothing, nothing, reason=reason)

    def take(self, rows: slice) -> PairChances:
        """Those of some pairs."""
        return replace(
            self,
            chance=self.chance[rows],
            p_value=self.p_value[rows],
            q_value=self.q_value[rows],
        )

    def columns(self) -> tuple[Floats, Floats, Floats]:
        return self.chance, self.p_value, self.q_value


def chances_of(
    table: PairTable,
    collection: Collection,
    settings: Settings,
    stats: Stats,
    progress: Progress,
    related: U32 | None = None,
    remaining: Collection | None = None,
) -> PairChances:
    """The chance levels of pairs that were found, the most similar first.

    For "corpus": `related` [n, 2], a before b, are pairs that are known to share passages;
    `remaining` are the documents without excluded text, which makes no pair related.
    """
    comparable = comparable_pairs(collection)
    stats.counts["comparable"] = comparable
    if settings.chance == "corpus":
        chances = _by_corpus(table, collection, settings, stats, progress, related, remaining)
    else:
        chance, p_values = _by_shuffling(table, collection, settings, stats, progress)
        q_values = benjamini_hochberg(p_values, max(comparable, len(table)))
        chances = PairChances(chance, p_values, q_values)
    if chances.reason is not None:
        stats.notes.append(chances.reason)
    elif len(table):
        pairs = f"all {comparable:,} comparable pairs" if comparable > 1 else "the only pair"
        stats.notes.append(
            f"q: {Q_MEANING}; over {pairs}; the smallest is {chances.q_value.min():.2g}"
        )
        if stats.counts.get("null_pairs") != comparable:
            _note_resolution(chances, comparable, settings, stats)
    return chances


def _note_resolution(
    chances: PairChances, comparable: int, settings: Settings, stats: Stats
) -> None:
    """Notes where too many pairs were compared for any of them to stand out from chance."""
    smallest = chances.p_value.min()
    rarest = int(np.count_nonzero(chances.p_value == smallest))
    if smallest * comparable / rarest <= 0.05:
        return
    needed = math.ceil(comparable / (0.05 * rarest))
    if settings.chance == "corpus":
        more = f"use `null_pairs={min(needed, comparable):,}` for smaller ones"
    else:
        more = f"use `trials={needed:,}` for smaller ones"
    stats.notes.append(
        f"no q-value can be smaller for {counted(rarest, 'pair')} among this many, however similar "
        f"{'it is' if rarest == 1 else 'they are'}; {more}"
    )


def _by_corpus(
    table: PairTable,
    collection: Collection,
    settings: Settings,
    stats: Stats,
    progress: Progress,
    related: U32 | None,
    remaining: Collection | None,
) -> PairChances:
    drawn, unrelated = draw_similarities(collection, settings, stats, progress, related, remaining)
    null = np.sort(drawn[unrelated])
    reason = why_no_null(len(null), len(drawn))
    if reason is not None:
        return PairChances.missing(len(table), reason)
    stats.notes.append(
        f"{counted(len(null), 'unrelated pair')} of this collection have a similarity of "
        f"{null.mean():.2g} on average (± {null.std():.2g}), {null[-1]:.2g} at most; the smallest "
        f"possible p-value is {1 / (len(null) + 1):.2g}"
    )
    stats.notes.append(f"p: {P_MEANING}")
    found = table.similarity(settings.measure)
    comparable = comparable_pairs(collection)
    p_values = _empirical_p_values(null, found)
    if len(drawn) == comparable:
        q_values = np.maximum(p_values, _counted_q_values(np.sort(drawn), null, found))
    else:
        q_values = benjamini_hochberg(p_values, max(comparable, len(table)))
    return PairChances(np.full(len(table), null.mean()), p_values, q_values, null)


def why_no_null(unrelated: int, drawn: int) -> str | None:
    """Why so many unrelated pairs among those looked at give no p-values; None if they do."""
    if drawn == 0:
        return "no p-values: there are no pairs"
    if drawn < MIN_UNRELATED:
        there = "is only 1 pair" if drawn == 1 else f"are only {drawn:,} pairs"
        return f"no p-values: there {there}; at least {MIN_UNRELATED} unrelated pairs are needed"
    if unrelated < MIN_UNRELATED:
        number = f"only {unrelated:,}" if unrelated else "none"
        return (
            f"no p-values: {number} of {drawn:,} pairs {'are' if unrelated > 1 else 'is'} "
            f"unrelated; at least {MIN_UNRELATED} are needed"
        )
    if 2 * unrelated < drawn:
        return (
            f"no p-values: only {unrelated:,} of {drawn:,} pairs are unrelated; exclude "
            "the text that most documents share, such as a heading or an assignment"
        )
    return None


def _counted_q_values(everything: Floats, null: Floats, found: Floats) -> Floats:
    """q-values from all pairs and the unrelated ones among them, both in ascending order."""
    pairs = len(everything) - np.searchsorted(everything, everything, side="left")
    by_chance = len(null) - np.searchsorted(null, everything, side="left") + FALSELY_RELATED
    # Who reads on to a less similar pair may meet a lower share of chance finds.
    shares = np.minimum.accumulate(np.minimum(1.0, by_chance / pairs))
    # Pairs that were found are among all pairs.
    places = np.searchsorted(everything, found, side="right") - 1
    return np.asarray(shares[np.maximum(0, places)])


def _empirical_p_values(null: Floats, observed: Floats) -> Floats:
    """Of each similarity, from those of the null in ascending order."""
    at_least = len(null) - np.searchsorted(null, observed, side="left")
    return np.asarray((1 + at_least) / (len(null) + 1))


def draw_similarities(
    collection: Collection,
    settings: Settings,
    stats: Stats,
    progress: Progress,
    known: U32 | None = None,
    remaining: Collection | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Similarities of random pairs, of all where they are few, and which of them are unrelated.

    `known` [n, 2] are pairs that are related whether or not they share a long run; `remaining` are
    the documents in which runs are searched for, if not those of the collection.
    """
    a, b = sample_pairs(collection, settings.null_pairs, settings.seed)
    with stats.timed("chance"):
        drawn = _overlaps(collection, settings, a, b, progress)
        related = np.zeros(len(drawn), bool)
        touching = drawn.shared > 0  # the others share no run either
        related[touching] = _share_long_run(
            remaining or collection, settings, drawn.take(touching), progress
        )
        if known is not None:
            related |= np.isin(pack(drawn.a, drawn.b), pack(known[:, 0], known[:, 1]))
    stats.counts |= {"null_pairs": len(drawn), "related_null_pairs": int(related.sum())}
    if related.any():
        stats.notes.append(
            related_note(int(related.sum()), len(drawn), by_passages=known is not None)
        )
    return drawn.similarity(settings.measure), ~related


def related_note(related: int, drawn: int, *, by_passages: bool) -> str:
    """How many pairs are no part of the null, and why."""
    which = f"{related:,} of {drawn:,} pairs"
    if related == drawn:
        which = "the only pair" if drawn == 1 else f"all {drawn:,} pairs"
    share, are = ("shares", "it is") if related == 1 else ("share", "they are")
    passage = "a passage or " if by_passages else ""
    return (
        f"{which} {share} {passage}a run of words that is too long to be chance; {are} not used "
        "for the chance level"
    )


def _share_long_run(
    collection: Collection, settings: Settings, pairs: PairTable, progress: Progress
) -> NDArray[np.bool_]:
    """Which pairs share a longer run of words than chance gives any of all comparable pairs."""
    documents, places = np.unique(np.concatenate([pairs.a, pairs.b]), return_inverse=True)
    words = np.zeros(len(documents), np.int64)
    unspaced = np.zeros(len(documents), bool)
    for place, document in enumerate(documents):
        text = collection.select(np.array([document], np.uint32))
        letters = _core.words_with_places(text, stem_letters=1)[2]
        words[place], unspaced[place] = len(letters), is_unspaced(letters)
    a, b = np.split(places.reshape(-1), 2)
    level = FALSELY_RELATED / max(1, comparable_pairs(collection))
    least = 1 + np.where(
        unspaced[a] | unspaced[b],
        UNSPACED.reached(words[a], words[b], level),
        PROSE.reached(words[a], words[b], level),
    )
    related = np.zeros(len(pairs), bool)
    for run in np.unique(least).tolist():
        own = least == run
        runs = replace(settings.profile, unit="word", k=run, count="set")
        some = replace(settings, profile=runs)
        related[own] = _overlaps(collection, some, pairs.a[own], pairs.b[own], progress).shared > 0
    return related


def _overlaps(
    collection: Collection, settings: Settings, a: U32, b: U32, progress: Progress
) -> PairTable:
    """Pairs given in the order of a, with what they share."""
    return verify(
        collection, a, b, profile=settings.profile, threshold=0.0, threads=settings.threads,
        progress=progress, stage="chance level",
    )  # fmt: skip


def _by_shuffling(
    table: PairTable,
    collection: Collection,
    settings: Settings,
    stats: Stats,
    progress: Progress,
) -> tuple[Floats, Floats]:
    assert settings.chance is not None
    chances: list[Chance] = []
    with stats.timed("chance"):
        for row in range(len(table)):
            progress("chance level", row, len(table))
            chances.append(_shuffled(collection, settings, table.take(slice(row, row + 1))))
    if chances:
        fewest = min(chance.trials or 0 for chance in chances)
        often = f"{fewest:,} times" if settings.trials else f"{fewest:,} times or more"
        stats.notes.append(
            f"chance level from {NULL_MODELS[settings.chance].what}, drawn {often} for each pair; "
            f"the smallest possible p-value is {1 / (fewest + 1):.2g}"
        )
    return (
        np.array([chance.expected for chance in chances], np.float64),
        np.array([chance.p_value for chance in chances], np.float64),
    )


def _shuffled(collection: Collection, settings: Settings, pair: PairTable) -> Chance:
    assert settings.chance is not None
    texts = collection.select(np.concatenate([pair.a, pair.b]))
    drawn = draw_overlaps(
        settings.chance,
        texts,
        settings.profile,
        settings.trials or max(DEFAULT_MIN_TRIALS, trials_for(texts.nbytes)),
        settings.seed,
        settings.threads,
    )
    observed = float(pair.similarity(settings.measure)[0])
    return simulated_chance(settings.chance, observed, similarities(*drawn, settings.measure))
