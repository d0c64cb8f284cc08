"""`pair_view`: two documents side by side, by every measure that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.evidence.alignment import AlignmentSettings, align_pairs
from likewise.evidence.common import without_short
from likewise.evidence.comparison import LONGEST_FOR_PASSAGES
from likewise.evidence.matching_text import Exclusions
from likewise.search.fingerprints import DEFAULT_MIN_WORDS, Winnowing
from likewise.search.stats import counted
from likewise.sketches.signatures import sketch
from likewise.statistics.chance import NULLS
from likewise.statistics.equal_runs import chance_run, equal_words
from likewise.statistics.shuffles import FEWEST_TRIALS, MOST_TRIALS, shuffled_chance
from likewise.text.profile import Profile
from likewise.threads import thread_count
from likewise.views.document import ViewedDocument
from likewise.views.measures import measures_view, overlaps_with
from likewise.views.passages import passages_view
from likewise.views.shown_text import NOTHING, ShownText, shown_texts

if TYPE_CHECKING:
    from likewise.evidence.frequencies import Frequencies
    from likewise.evidence.passage import Passage

# Of all shuffles together: a fifth of a second, so that a page opens at once. Of texts so long that
# not even the fewest shuffles are that quick, there is no chance level.
_CHARACTERS_SHUFFLED = 20_000_000
LONGEST_FOR_CHANCE = 2_000_000


def pair_view(
    a: ViewedDocument,
    b: ViewedDocument,
    *,
    profile: Profile | str = "word:3",
    min_words: int = DEFAULT_MIN_WORDS,
    exclude: Exclusions = NOTHING,
    rates: Frequencies | None = None,
    passages: Sequence[Passage] | None = None,
    chance: bool = True,
    level: float = 0.95,
    seed: int = 0,
    threads: int | None = None,
) -> dict[str, Any]:
    """Two documents: both texts, their measures, and the passages that they share, in a's order.

    Args:
        a, b: the documents.
        profile: how texts become shingles.
        min_words: every run of so many equal words is a passage.
        exclude: what is left out; of these only parts of texts and short passages can be.
        rates: how often words are met in general; guessed by their length, if not given.
        passages: those that were found already, as a sees them; looked for, if not given.
        chance: whether to shuffle both texts for the chance level of the pair.
        level: of the interval of the estimate.
        seed: of the shuffles.

    Returns `{"a", "b", "measures", "passages", "notes"}`; the measures hold besides the usual ones
    `estimate` (value, low, high, level: what sketches say of the exact value beside it) and
    `chance_of_pair` (expected, highest, p_value, trials, null in words), each None where it is not
    known.
    """
    shingled, count = Profile.of(profile), thread_count(threads)
    Winnowing(min_words)
    notes: list[str] = []
    first, second = shown_texts((a, b), exclude)
    if passages is None:
        passages = _shared(first, second, min_words, exclude, rates, notes)
    texts = first.matching.text, second.matching.text
    (overlap,) = overlaps_with(texts[0], texts[1:], shingled, count)
    measures = measures_view(overlap, first, second, passages, _chance_run(first, second))
    estimate = asdict(sketch(texts, profile=shingled, threads=1).estimate(0, 1, level))
    measures["estimate"] = {name: estimate[name] for name in ("value", "low", "high", "level")}
    measures["chance_of_pair"] = None
    if chance:
        measures["chance_of_pair"] = _chance(texts, shingled, seed, count, notes)
    return {
        "a": first.to_dict(),
        "b": second.to_dict(),
        "measures": measures,
        "passages": passages_view(first, second, passages),
        "notes": notes,
    }


def alignment_settings(min_words: int) -> AlignmentSettings:
    """For two texts of which nobody knows which came first."""
    base = AlignmentSettings(judge="either")
    return replace(base, least_run=min_words, least_words=min(base.least_words, min_words))


def _shared(
    a: ShownText,
    b: ShownText,
    min_words: int,
    exclude: Exclusions,
    rates: Frequencies | None,
    notes: list[str],
) -> Sequence[Passage]:
    texts = [a.matching.text, b.matching.text]
    if sum(map(len, texts)) > LONGEST_FOR_PASSAGES:
        notes.append(
            f"Passages are not looked for here: both texts have over {LONGEST_FOR_PASSAGES:,} "
            "characters together."
        )
        return []
    (found,) = align_pairs(
        texts,
        [(0, 1)],
        rates=rates,
        settings=alignment_settings(min_words),
        words=[a.matched_words, b.matched_words],
        threads=1,
    )
    kept, short = without_short([(0, 1, found)], exclude.min_passage)
    if short:
        notes.append(
            f"Left out: {counted(short, 'passage')} of under {exclude.min_passage:,} shared words."
        )
    return kept[0][2] if kept else []


def _chance_run(a: ShownText, b: ShownText) -> int:
    """The run that chance would reach, by how often two words of these texts are equal."""
    stems = np.concatenate([a.matched_words.stems, b.matched_words.stems])
    counts = np.unique(stems, return_counts=True)[1].astype(np.float64)
    return chance_run(len(a.matched_words), len(b.matched_words), equal_words(counts))


def _chance(
    texts: tuple[str, str], profile: Profile, seed: int, threads: int, notes: list[str]
) -> dict[str, Any] | None:
    characters = len(texts[0]) + len(texts[1])
    if characters > LONGEST_FOR_CHANCE:
        notes.append(
            f"No chance level: both texts have over {LONGEST_FOR_CHANCE:,} characters together."
        )
        return None
    affordable = _CHARACTERS_SHUFFLED // max(1, characters)
    found = shuffled_chance(
        *texts,
        profile=profile,
        trials=min(MOST_TRIALS, max(FEWEST_TRIALS, affordable)),
        seed=seed,
        threads=threads,
    )
    return {
        "expected": found.expected,
        "highest": found.highest,
        "p_value": found.p_value,
        "trials": found.trials,
        "null": NULLS[found.null],
    }
