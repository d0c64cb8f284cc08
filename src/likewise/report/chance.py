"""A `Chance` in words that need no statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likewise.statistics.chance import NULLS

if TYPE_CHECKING:
    from likewise.statistics.chance import Chance

RARE = 0.05  # a p-value up to this is told as "hardly by chance"


def level_words(chance: Chance) -> str:
    """What gave the chance level, and how high it went."""
    words = f"{NULLS[chance.null]}, on average"
    if chance.trials is None or chance.highest is None:
        return words
    return f"{words}; {small(chance.highest)} at most in {chance.trials:,} tries"


def p_words(chance: Chance) -> str:
    """What the p-value says."""
    if chance.observed == 0:
        return "nothing is shared"
    if chance.trials is None:
        return "hardly by chance" if chance.p_value <= RARE else "no more than chance gives"
    as_much = round(chance.p_value * (chance.trials + 1)) - 1
    tries = f"{chance.trials:,} tries"
    if as_much == 0:
        return f"more than in any of {tries}, and so hardly by chance; they can show no less"
    often = f"as much or more in {as_much:,} of {tries}"
    return f"{often}: {'hardly by' if chance.p_value <= RARE else 'no more than'} chance"


def small(value: float) -> str:
    """A similarity in four digits, or in scientific notation where these would be zeros."""
    return f"{value:.4f}" if value == 0 or value >= 0.0005 else f"{value:.1e}"


def p_text(p_value: float) -> str:
    """A p-value: two digits that count."""
    return f"{p_value:.2g}"
