"""`Look`: what a word processor's document says of how text looks, as far as it may hide it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from likewise.documents.hidden_text import INVISIBLE, NEARLY_WHITE, TINY, WHITE

_MAX_TINY_POINTS = 2.0
_DEEPEST = 20  # styles that are based on styles


class Look(NamedTuple):
    """Each field is None where nothing is said, so that what it is based on decides.

    Attributes:
        hidden: text is marked as hidden.
        colour: "RRGGBB", or a word such as "auto".
        points: the size of letters.
        ground: there is a ground on which white would be seen.
    """

    hidden: bool | None = None
    colour: str | None = None
    points: float | None = None
    ground: bool | None = None

    def over(self, base: Look) -> Look:
        """Return this look where it says something, and that of its base where it does not."""
        return Look(
            base.hidden if self.hidden is None else self.hidden,
            base.colour if self.colour is None else self.colour,
            base.points if self.points is None else self.points,
            base.ground if self.ground is None else self.ground,
        )

    def why_unseen(self) -> str | None:
        """Return why text of this look is not seen; None if it is."""
        if self.hidden:
            return INVISIBLE
        if self.colour is not None and is_pale(self.colour) and not self.ground:
            return WHITE
        if self.points is not None and self.points <= _MAX_TINY_POINTS:
            return TINY
        return None


PLAIN = Look()


def is_pale(colour: str) -> bool:
    """Tell whether a colour is nearly white.

    >>> is_pale("FFFFFF"), is_pale("auto"), is_pale("808080")
    (True, False, False)
    """
    try:
        return len(colour) == 6 and min(bytes.fromhex(colour)) >= NEARLY_WHITE
    except ValueError:
        return False


def resolve(name: str | None, styles: Mapping[str, tuple[str | None, Look]]) -> Look:
    """Return the look of a style: its own, and those of the styles that it is based on."""
    look = PLAIN
    for _ in range(_DEEPEST):
        if name is None or name not in styles:
            break
        base, own = styles[name]
        look, name = look.over(own), base
    return look
