"""The chance level of two texts under each null model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from likewise.arrays import Floats
from likewise.errors import UsageError
from likewise.statistics.chance import Chance, simulated_chance
from likewise.statistics.null_models import NULL_MODELS
from likewise.statistics.shuffles import DEFAULT_MIN_TRIALS, shuffled_similarities, trials_for
from likewise.statistics.urn import UrnLaw
from likewise.study.estimators.exact import jaccard, shared_elements
from likewise.study.shingled import shingle_both
from likewise.text.profile import Profile


@dataclass(frozen=True, slots=True, eq=False)
class Null:
    """The result of one null model.

    Attributes:
        log10_p: the logarithm of the p-value, even if that is too small for a float.
        drawn: the similarities that were drawn, unless the law was computed.
        urn: the law, if it was computed.
    """

    chance: Chance
    log10_p: float
    drawn: Floats | None = None
    urn: UrnLaw | None = None

    @property
    def name(self) -> str:
        return self.chance.null

    @property
    def meaning(self) -> str:
        return NULL_MODELS[self.name].meaning.format(urn=self.urn.urn if self.urn else 0)


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
        nulls: keys of `NULL_MODELS`, in the order wanted.
        urn: size of the urn; by default the sizes of both texts together.
        trials: number of shuffles; by default as many as time allows.
        corpus: similarities of unrelated pairs, for a model that needs a collection.
    """
    profile = Profile.of(profile)
    first, second = shingle_both(a, b, profile)
    shared = shared_elements(first, second)
    observed = jaccard(shared, len(first), len(second))
    if trials is None:
        trials = max(DEFAULT_MIN_TRIALS, trials_for(len(a) + len(b)))
    results = []
    for null in dict.fromkeys(nulls):
        needs = NULL_MODELS[null].needs
        if needs == "sizes":
            results.append(urn_null(len(first), len(second), shared, urn, null=null))
        elif needs == "texts":
            _, drawn = shuffled_similarities(
                a, b, profile=profile, null=null, trials=trials, seed=seed
            )
            results.append(drawn_null(null, observed, drawn))
        elif corpus is None or len(corpus) == 0:
            raise UsageError("there are no unrelated pairs to compare with")
        else:
            results.append(drawn_null(null, observed, corpus))
    return results


def urn_null(
    size_a: int, size_b: int, shared: int, urn: int | None = None, *, null: str = "urn"
) -> Null:
    """A null model that needs only the sizes: two random subsets of an urn."""
    law: UrnLaw = NULL_MODELS[null].load()(size_a, size_b, urn)
    return Null(law.chance(shared), law.log10_p_value(shared), urn=law)


def drawn_null(null: str, observed: float, drawn: Floats) -> Null:
    """A null model given by similarities drawn under it."""
    chance = simulated_chance(null, observed, drawn)
    return Null(chance, math.log10(chance.p_value), drawn=drawn)
