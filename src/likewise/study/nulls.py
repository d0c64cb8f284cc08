"""Two texts beside what chance would give them, under each null."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likewise.arrays import Floats
from likewise.errors import UsageError
from likewise.statistics.chance import Chance, simulated_chance
from likewise.statistics.shuffles import FEWEST_TRIALS, shuffled_similarities, trials_for
from likewise.statistics.urn import UrnLaw
from likewise.study.shingled import Shingled
from likewise.text.profile import Profile


@dataclass(frozen=True, slots=True, eq=False)
class Null:
    """What one null says.

    Attributes:
        chance: the chance level and the p-value.
        log10_p: the logarithm of the p-value, also where that is too small for a number.
        drawn: the similarities that were drawn, where the law was not computed.
        urn: the law, where it was.
    """

    chance: Chance
    log10_p: float
    drawn: Floats | None = None
    urn: UrnLaw | None = None


def nulls_of(
    a: str,
    b: str,
    *,
    profile: Profile | str,
    nulls: Sequence[str],
    urn: int | None = None,
    trials: int | None = None,
    seed: int = 0,
    corpus: Floats | None = None,
) -> list[Null]:
    """The chance levels of two texts.

    Args:
        nulls: which of "urn", "letters", "words" and "corpus", in the order wanted.
        urn: the size of the urn; the sizes of both texts together, if not given.
        trials: how often to shuffle; as often as there is time, if not given.
        corpus: similarities of unrelated pairs, for the null of that name.
    """
    made = Profile.of(profile)
    shingled = shingles_of(a, b, made)
    observed, shared = _overlap(*shingled)
    found = []
    for null in dict.fromkeys(nulls):
        if null == "urn":
            found.append(urn_null(len(shingled[0]), len(shingled[1]), shared, urn))
        elif null == "corpus":
            if corpus is None or len(corpus) == 0:
                raise UsageError("there are no unrelated pairs to compare with")
            found.append(drawn_null(null, observed, corpus))
        else:
            tried = trials
            if tried is None:
                tried = max(FEWEST_TRIALS, trials_for(len(a) + len(b)))
            _, drawn = shuffled_similarities(a, b, profile=made, null=null, trials=tried, seed=seed)
            found.append(drawn_null(null, observed, drawn))
    return found


def shingles_of(a: str, b: str, profile: Profile) -> tuple[Shingled, Shingled]:
    """Both texts as shingles; raises if one has none."""
    first, second = (Shingled.of_text(text, profile) for text in (a, b))
    for name, side in (("first", first), ("second", second)):
        if len(side) == 0:
            raise UsageError(
                f"the {name} text has no shingles",
                hint="it is empty, or its profile leaves nothing of it",
            )
    return first, second


def urn_null(size_a: int, size_b: int, shared: int, urn: int | None = None) -> Null:
    """Two random subsets of an urn; of as many elements as both have together, if not said."""
    law = UrnLaw(size_a, size_b, urn)
    return Null(law.chance(shared), law.log10_p_value(shared), urn=law)


def drawn_null(null: str, observed: float, drawn: Floats) -> Null:
    """A null from similarities that were drawn under it."""
    chance = simulated_chance(null, observed, drawn)
    return Null(chance, math.log10(chance.p_value), drawn=drawn)


def _overlap(a: Shingled, b: Shingled) -> tuple[float, int]:
    shared = len(np.intersect1d(a.elements, b.elements, assume_unique=True))
    return shared / (len(a) + len(b) - shared), shared
