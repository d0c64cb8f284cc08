"""Chance levels and probabilities in words that need no statistics."""

from __future__ import annotations

import math

from likewise.output.table import small
from likewise.statistics.chance import Chance
from likewise.statistics.null_models import NULL_MODELS
from likewise.statistics.shared_runs import SMALLEST_P

RARE = 0.05  # largest p-value reported as more than chance gives
LITTLE = 0.05  # a lower similarity means little, however rare


def level_words(chance: Chance) -> str:
    """What gave the chance level, and how high it went."""
    words = f"{NULL_MODELS[chance.null].what}, on average"
    if chance.trials is None or chance.highest is None:
        return words
    return f"{words}; {small(chance.highest)} at most in {chance.trials:,} trials"


def p_words(chance: Chance) -> str:
    """What the p-value says: how the similarity compares with chance, never why."""
    if chance.observed == 0:
        return "nothing is shared"
    gives = f"{NULL_MODELS[chance.null].order} gives"
    if chance.smallest_p > RARE:
        said = f"too few trials; use at least {math.ceil(1 / RARE) - 1}"
    elif chance.p_value > RARE:
        said = f"within what {gives}"
    else:
        said = f"more than {gives}"
        if chance.observed < LITTLE:
            said += "; a few common phrases are enough for this"
    if chance.trials is None:
        return said
    as_much = round(chance.p_value * (chance.trials + 1)) - 1
    trials = f"{chance.trials:,} trials"
    often = f"as much or more in {as_much:,} of" if as_much else "more than in any of"
    return f"{often} {trials}: {said}"


def p_text(p_value: float) -> str:
    """A p-value: two digits that count."""
    return f"{p_value:.2g}"


def chance_text(p: float) -> str:
    """The probability of a shared run as people say it: "1 in 24,000", "3 in 10".

    Never smaller than "less than 1 in a million": what lies below was hardly measured. Numbers are
    rounded to two digits, towards the more probable side.
    """
    if p <= SMALLEST_P:
        return "less than 1 in a million"
    if p >= 0.95:
        return "more than 9 in 10"
    if p > 0.15:
        return f"{round(10 * p)} in 10"
    one_in = math.floor(round(1 / p, 6))
    step = 10 ** max(0, len(str(one_in)) - 2)
    return f"1 in {one_in // step * step:,}"
