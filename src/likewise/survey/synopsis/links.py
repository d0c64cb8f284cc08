"""`Links`: which units of different texts have words that agree, and how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice

from likewise.survey.synopsis.units import Column, Stretch

_MAX_PLACES = 12  # of a word in one text: a refrain may be everywhere in all texts

Member = tuple[int, int, int]
"""A word of a column: text, number of the unit in the text, number of the word."""


class Links:
    """The words that agree, by the units that they are in.

    Args:
        columns: of words that agree.
        units: of each text, in order.

    Attributes:
        columns: the members of each column.
    """

    def __init__(self, columns: Iterable[Column], units: Sequence[Sequence[Stretch]]) -> None:
        self.units = units
        numbers: list[list[int]] = [
            [number for number, unit in enumerate(own) for _ in range(unit.words)] for own in units
        ]
        self.columns: list[list[Member]] = [
            [(text, numbers[text][word], word) for text, word in _first_places(column)]
            for column in columns
        ]

    def with_rows(
        self, text: int, rows: Sequence[Sequence[int] | None]
    ) -> Counter[tuple[int, int]]:
        """How many words each unit of a text shares with each row: (unit, row) → words.

        `rows` has for each text and unit the row that it is in; None for texts without rows.
        """
        found: Counter[tuple[int, int]] = Counter()
        for members in self.columns:
            own = {unit for other, unit, _ in members if other == text}
            if own:
                others = {placed[unit] for other, unit, _ in members
                          if other != text and (placed := rows[other]) is not None}  # fmt: skip
                for unit in own:
                    for row in others:
                        found[unit, row] += 1
        return found


def _first_places(column: Column) -> Iterator[tuple[int, int]]:
    """The first places of a word in each text; a column is in the order of the texts."""
    for _, places in groupby(column, lambda member: member[0]):
        yield from islice(places, _MAX_PLACES)
