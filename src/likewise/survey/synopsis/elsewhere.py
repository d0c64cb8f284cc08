"""`Elsewhere`: wording of a row that a text has in another row, out of order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from likewise.survey.synopsis.links import Links
from likewise.survey.synopsis.order import OrderedRow
from likewise.survey.synopsis.units import Stretch

MIN_SHOWN_WORDS = 5  # that agree; fewer are coloured, and no more
MIN_LINKED_WORDS = 8  # of a further place
MAX_LINKS = 5  # further places of a text in one row
_NEAR_ROWS = 2  # rows next to the best place are shown with it, as far as they agree


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Wording of a row in another row.

    Attributes:
        stretch: where a text has it.
        row: the number of the row that it is in.
        words: how many of its words agree with the row.
        shown: whether its words are shown in parallel; if not, there is only a link: for
            repetitions, and for further places.
    """

    stretch: Stretch
    row: int
    words: int
    shown: bool


def find_elsewhere(links: Links, rows: Sequence[OrderedRow]) -> list[list[Elsewhere]]:
    """For each row where else texts have its wording, by text and by row."""
    found = _stretches(links, rows)
    by_row: list[list[Elsewhere]] = [[] for _ in rows]
    for (row, text), places in sorted(found.items()):
        best = max(places, key=lambda place: (place[1], -abs(place[0] - row)))
        is_shown = text not in rows[row] and best[1] >= MIN_SHOWN_WORDS
        linked = 0
        for other, words, stretch in sorted(places):
            shown = is_shown and abs(other - best[0]) <= _NEAR_ROWS and words >= MIN_SHOWN_WORDS
            if not shown:
                near = text in rows[row] and abs(other - row) <= _NEAR_ROWS
                if words < MIN_LINKED_WORDS or linked == MAX_LINKS or near:
                    continue
                linked += 1
            by_row[row].append(Elsewhere(stretch, other, words, shown))
    return by_row


def _stretches(
    links: Links, rows: Sequence[OrderedRow]
) -> dict[tuple[int, int], list[tuple[int, int, Stretch]]]:
    """By row and text the other rows, how many words of them agree with it, and which."""
    row_of: list[list[int]] = [[0] * len(own) for own in links.units]
    for number, row in enumerate(rows):
        for text, units in row.items():
            for unit in units:
                row_of[text][unit] = number
    words: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for members in links.columns:
        placed = [(row_of[text][unit], text, word) for text, unit, word in members]
        for here in {place for place, _, _ in placed}:
            for other, text, word in placed:
                if other != here:
                    words[here, text, other].append(word)
    found: dict[tuple[int, int], list[tuple[int, int, Stretch]]] = defaultdict(list)
    for (here, text, other), numbers in words.items():
        stretch = Stretch(text, min(numbers), max(numbers) + 1)
        found[here, text].append((other, len(set(numbers)), stretch))
    return found
