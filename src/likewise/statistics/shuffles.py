"""The chance level of two texts by shuffling: the same words, or letters, in random order."""

from __future__ import annotations

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import Floats, Hashes
from likewise.errors import UsageError
from likewise.statistics.chance import Chance, simulated_chance
from likewise.statistics.null_models import SHUFFLES
from likewise.text.displayed import displayed_strings
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

MAX_TRIALS = 1_000_000

# Where the number of trials is left to us: enough for a p-value of one in a thousand, fewer where
# that would take longer than half a second (a character takes 3 to 10 ns), and for texts so long
# that even these few would take seconds, none.
MOST_TRIALS = 999
FEWEST_TRIALS = 19
CHARACTERS_SHUFFLED = 50_000_000
LONGEST = 20_000_000


def trials_for(characters: int) -> int:
    """How many shuffles two texts of so many characters together get; 0 if they are too long."""
    if characters > LONGEST:
        return 0
    affordable = CHARACTERS_SHUFFLED // max(1, characters)
    return min(MOST_TRIALS, max(FEWEST_TRIALS, affordable))


def check_shuffle(null: str, trials: int | None, seed: int) -> None:
    """Raises, before any work, if texts cannot be shuffled so."""
    if null not in SHUFFLES:
        raise UsageError(f"null is {null!r}; it must be one of {', '.join(SHUFFLES)}")
    if trials is not None:
        check_whole("trials", trials, 0, MAX_TRIALS)
    check_whole("seed", seed, 0, 2**64 - 1)


def shuffled_chance(
    a: str,
    b: str,
    *,
    profile: Profile | str = DEFAULT_PROFILE,
    null: str = "words",
    measure: str = "jaccard",
    trials: int = MOST_TRIALS,
    seed: int = 0,
    threads: int | None = None,
) -> Chance:
    """How similar a and b are beside the same words (or letters) in random order.

    Both texts are shuffled anew in each trial. If the order of the words in them were random
    indeed, P(p_value <= alpha) <= alpha would hold for every alpha.

    Args:
        null: "words", or "letters".
        measure: "jaccard", or "containment" of the smaller text in the larger.
        trials: how often to shuffle.
        seed: of the shuffles; trial number t is the same for any number of trials.
    """
    observed, drawn = shuffled_similarities(
        a, b, profile=profile, null=null, measure=measure, trials=trials, seed=seed, threads=threads
    )
    return simulated_chance(null, observed, drawn)


def shuffled_similarities(
    a: str,
    b: str,
    *,
    profile: Profile | str,
    null: str,
    measure: str = "jaccard",
    trials: int = MOST_TRIALS,
    seed: int = 0,
    threads: int | None = None,
) -> tuple[float, Floats]:
    """The similarity of a and b, and those of `trials` shuffles of them."""
    check_shuffle(null, trials, seed)
    check_whole("trials", trials, 1)
    made = Profile.of(profile)
    texts = Texts.from_strings(displayed_strings([a, b], made))
    rules = made.rules()
    count = thread_count(threads)
    # Both by the same counting, so that ties are ties.
    observed = _core.shuffled_overlaps(texts, rules, what=null, seed=None, trials=1, threads=1)
    drawn = _core.shuffled_overlaps(
        texts, rules, what=null, seed=seed, trials=trials, threads=count
    )
    return float(similarities(*observed, measure)[0]), similarities(*drawn, measure)


def similarities(
    size_a: Hashes,
    size_b: Hashes,
    shared: Hashes,
    measure: str,
) -> Floats:
    """Jaccard, or containment of the smaller in the larger; 0 where there is nothing."""
    whole = size_a + size_b - shared if measure == "jaccard" else np.minimum(size_a, size_b)
    return shared / np.maximum(whole, np.uint64(1))
