"""The chance level of two texts from random texts such as the same words in random order."""

from __future__ import annotations

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import Floats, Hashes
from likewise.errors import UsageError
from likewise.statistics.chance import Chance, simulated_chance
from likewise.statistics.null_models import DEFAULT_NULL, NULL_MODELS, SHUFFLES
from likewise.text.displayed import displayed_strings
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

Overlaps = tuple[Hashes, Hashes, Hashes]
"""For each trial the sizes of both texts and the number of shared shingles."""

MAX_TRIALS = 1_000_000

# If the number of trials is not given: enough for a p-value of 0.001, fewer if that would take
# longer than half a second (a character takes 3 to 10 ns), and none for texts so long that even the
# fewest would take seconds.
DEFAULT_MAX_TRIALS = 999
DEFAULT_MIN_TRIALS = 19
MAX_SHUFFLED_CHARACTERS = 50_000_000
MAX_CHARACTERS = 20_000_000


def trials_for(characters: int) -> int:
    """The number of trials for two texts with so many characters together; 0 if too long."""
    if characters > MAX_CHARACTERS:
        return 0
    affordable = MAX_SHUFFLED_CHARACTERS // max(1, characters)
    return min(DEFAULT_MAX_TRIALS, max(DEFAULT_MIN_TRIALS, affordable))


def check_shuffle(null: str, trials: int | None, seed: int) -> None:
    """Raises, before any work, for invalid arguments of `shuffled_chance`."""
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
    null: str = DEFAULT_NULL,
    measure: str = "jaccard",
    trials: int = DEFAULT_MAX_TRIALS,
    seed: int = 0,
    threads: int | None = None,
) -> Chance:
    """The similarity of a and b compared with that of random texts.

    Both texts are drawn anew in each trial. If the order of their words were random indeed,
    P(p_value <= alpha) <= alpha would hold for every alpha.

    Args:
        null: one of `SHUFFLES`.
        measure: "jaccard", or "containment" of the smaller text in the larger.
        seed: trial number t is the same for any number of trials.
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
    trials: int = DEFAULT_MAX_TRIALS,
    seed: int = 0,
    threads: int | None = None,
) -> tuple[float, Floats]:
    """The similarity of a and b, and those of `trials` random texts."""
    check_shuffle(null, trials, seed)
    check_whole("trials", trials, 1)
    profile = Profile.of(profile)
    texts = Texts.from_strings(displayed_strings([a, b], profile))
    # Counted as the trials are, so that ties are ties.
    observed = _core.shuffled_overlaps(
        texts, profile.rules(), what="words", seed=None, trials=1, threads=1
    )
    drawn = draw_overlaps(null, texts, profile, trials, seed, thread_count(threads))
    return float(similarities(*observed, measure)[0]), similarities(*drawn, measure)


def draw_overlaps(
    null: str, texts: Texts, profile: Profile, trials: int, seed: int, threads: int
) -> Overlaps:
    """Draws pairs of texts under a null model that needs two texts."""
    overlaps: Overlaps = NULL_MODELS[null].load()(texts, profile, trials, seed, threads)
    return overlaps


def shuffle_words(texts: Texts, profile: Profile, trials: int, seed: int, threads: int) -> Overlaps:
    return _core.shuffled_overlaps(
        texts, profile.rules(), what="words", seed=seed, trials=trials, threads=threads
    )


def shuffle_letters(
    texts: Texts, profile: Profile, trials: int, seed: int, threads: int
) -> Overlaps:
    return _core.shuffled_overlaps(
        texts, profile.rules(), what="letters", seed=seed, trials=trials, threads=threads
    )


def similarities(size_a: Hashes, size_b: Hashes, shared: Hashes, measure: str) -> Floats:
    """Jaccard, or containment of the smaller in the larger; 0 for empty sets."""
    whole = size_a + size_b - shared if measure == "jaccard" else np.minimum(size_a, size_b)
    return shared / np.maximum(whole, np.uint64(1))
