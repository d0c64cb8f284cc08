"""`rows_in_order`: the units of all texts in one order, as far as the texts agree on one.

Text by text, the units that share most words with the rows so far are put into these rows, as far
as both are in the same order: the heaviest chain. The texts that share most come first, so that the
result hangs little on the order in which they are given. Units that do not fit, or share nothing,
have rows of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, groupby, pairwise

from likewise.survey.synopsis.links import Links

MIN_SHARED = 3  # words, or all of its own, that a unit shares with a row that it is put into
_MIN_STRADDLED = 5  # words of a row that make it one with its neighbour
_MAX_SKIPPED = 2  # units without words of a row that are in it between those that have some
MAX_ROW_WORDS = 120

OrderedRow = dict[int, range]
"""By text, the numbers of its units in a row."""


def rows_in_order(links: Links) -> list[OrderedRow]:
    """Every unit of every text in one row; the units of each text in its own order."""
    texts = range(len(links.units))
    order = _Order(links)
    best = max(combinations(texts, 2), key=lambda pair: order.weight(pair[1], order.alone(pair[0])))
    rows = order.alone(best[0])
    left = [text for text in texts if text != best[0]]
    while left:
        following = max(left, key=lambda text: order.weight(text, rows))
        rows = order.with_text(following, rows)
        left.remove(following)
    return rows


class _Order:
    def __init__(self, links: Links) -> None:
        self._links = links

    def alone(self, text: int) -> list[OrderedRow]:
        """A row for each unit of a text."""
        return [{text: range(at, at + 1)} for at in range(len(self._links.units[text]))]

    def _candidates(
        self, text: int, shared: Mapping[tuple[int, int], int]
    ) -> dict[tuple[int, int], int]:
        """Units and rows with enough words in common that a unit may be put into the row."""
        units = self._links.units[text]
        return {
            (unit, row): words
            for (unit, row), words in shared.items()
            if words >= min(MIN_SHARED, units[unit].words)
        }

    def weight(self, text: int, rows: Sequence[OrderedRow]) -> int:
        """How many words of a text can be in order with these rows."""
        return heaviest_chain(self._candidates(text, self._shared(text, rows)), len(rows))[0]

    def with_text(self, text: int, rows: Sequence[OrderedRow]) -> list[OrderedRow]:
        """The rows with the units of another text."""
        shared = self._shared(text, rows)
        chain = heaviest_chain(self._candidates(text, shared), len(rows))[1]
        homes = _homes(chain, shared)
        placed = [row | {text: homes[at]} if at in homes else row for at, row in enumerate(rows)]
        joined = self._joined(text, placed, homes, shared)
        return self._completed(text, joined)

    def _shared(self, text: int, rows: Sequence[OrderedRow]) -> Counter[tuple[int, int]]:
        placed: list[list[int] | None] = [None] * len(self._links.units)
        for other in {other for row in rows for other in row}:
            own = [0] * len(self._links.units[other])
            for number, row in enumerate(rows):
                for unit in row.get(other, ()):
                    own[unit] = number
            placed[other] = own
        return self._links.with_rows(text, placed)

    def _joined(
        self,
        text: int,
        rows: Sequence[OrderedRow],
        homes: Mapping[int, range],
        shared: Mapping[tuple[int, int], int],
    ) -> list[OrderedRow]:
        """Rows that one unit of the text straddles as one."""
        by_row: Counter[int] = Counter()
        for (_, place), words in shared.items():
            by_row[place] += words
        joined: list[OrderedRow] = []
        last = -1  # the row that the last one of `joined` ends with
        for number, row in enumerate(rows):
            if last >= 0 and self._is_straddled(number, homes, shared, by_row):
                merged = _merged(joined[-1], row)
                if merged is not None and self._fits(merged):
                    joined[-1], last = merged, number
                    continue
            joined.append(row)
            last = number
        return joined

    def _is_straddled(
        self,
        number: int,
        homes: Mapping[int, range],
        shared: Mapping[tuple[int, int], int],
        by_row: Mapping[int, int],
    ) -> bool:
        """Whether a unit in this row or the one before it has most words of the other."""
        for here, there in ((number - 1, number), (number, number - 1)):
            if here in homes and there not in homes:
                edge = homes[here][-1] if there > here else homes[here][0]
                words = shared.get((edge, there), 0)
                if words >= _MIN_STRADDLED and 2 * words >= by_row.get(there, 0):
                    return True
        return False

    def _fits(self, row: OrderedRow) -> bool:
        return all(
            self._links.units[text][units[-1]].stop - self._links.units[text][units[0]].first
            <= MAX_ROW_WORDS
            for text, units in row.items()
        )

    def _completed(self, text: int, rows: Sequence[OrderedRow]) -> list[OrderedRow]:
        """The rows with those units of a text that are in none, behind the units before them."""
        complete: list[OrderedRow] = []
        own = [(at, row[text]) for at, row in enumerate(rows) if text in row]
        ends = [*(units.start for _, units in own), len(self._links.units[text])]
        missing: dict[int, range] = {-1: range(ends[0])}
        for (at, units), end in zip(own, ends[1:], strict=True):
            missing[at] = range(units.stop, end)
        for at in range(-1, len(rows)):
            if at >= 0:
                complete.append(rows[at])
            complete += [{text: range(unit, unit + 1)} for unit in missing.get(at, ())]
        return complete


def _homes(
    chain: Sequence[tuple[int, int]], shared: Mapping[tuple[int, int], int]
) -> dict[int, range]:
    """By row the units that are in it; of units far apart in one row the heavier part."""
    homes = {}
    for row, members in groupby(chain, key=lambda one: one[1]):
        units = [unit for unit, _ in members]
        parts = [[units[0]]]
        for before, unit in pairwise(units):
            if unit - before > _MAX_SKIPPED + 1:
                parts.append([])
            parts[-1].append(unit)
        best = max(parts, key=lambda part: sum(shared[unit, row] for unit in part))
        homes[row] = range(best[0], best[-1] + 1)
    return homes


def _merged(one: OrderedRow, other: OrderedRow) -> OrderedRow | None:
    """Two neighbours as one row; None if units of a text between them are elsewhere."""
    merged = dict(one)
    for text, units in other.items():
        if text in merged:
            if merged[text].stop != units.start:
                return None
            units = range(merged[text].start, units.stop)
        merged[text] = units
    return merged


def heaviest_chain(
    shared: Mapping[tuple[int, int], int], rows: int
) -> tuple[int, list[tuple[int, int]]]:
    """Units and their rows, both in order, that share most words; and how many these are.

    A unit has one row; several units may be in one. By a Fenwick tree over the rows.
    """
    places: dict[int, list[int]] = defaultdict(list)
    for unit, row in shared:
        places[unit].append(row)
    best = [(0, -1)] * (rows + 1)
    links: list[tuple[int, int, int]] = []  # unit, row, the link before
    for unit in sorted(places):
        for row in sorted(places[unit], reverse=True):  # so that a unit follows no row of its own
            weight, before, at = 0, -1, row + 1
            while at:
                if best[at][0] > weight:
                    weight, before = best[at]
                at &= at - 1
            links.append((unit, row, before))
            mine, at = (weight + shared[unit, row], len(links) - 1), row + 1
            while at <= rows:
                if mine[0] > best[at][0]:
                    best[at] = mine
                at += at & -at
    weight, link = max(best, key=lambda one: one[0])
    chain = []
    while link >= 0:
        unit, row, link = links[link]
        chain.append((unit, row))
    return weight, chain[::-1]
