"""`make_rows`: the rows of a synopsis: what texts share, and between it what each has alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from likewise.survey.synopsis.breaks import Breaks
from likewise.survey.synopsis.elsewhere import Elsewhere, find_elsewhere
from likewise.survey.synopsis.links import Links
from likewise.survey.synopsis.order import OrderedRow, rows_in_order
from likewise.survey.synopsis.units import Stretch

MAX_ALONE_WORDS = 100  # of a row of text that is alone
MAX_BESIDE_WORDS = 60  # texts that are alone at the same place and no longer stand side by side


@dataclass(frozen=True, eq=False, slots=True)
class Row:
    """A row of a synopsis.

    Attributes:
        kind: "parallel" where two or more texts have wording in common; "moved" where others have
            it in another row; "beside" for texts at the same place with nothing in common; "alone"
            for a single text.
        cells: by text its words in this row; a text that is not there has a gap.
        elsewhere: where texts have its wording in other rows.
    """

    kind: str
    cells: dict[int, Stretch]
    elsewhere: list[Elsewhere]


def make_rows(links: Links, breaks: Sequence[Breaks]) -> list[Row]:
    """All rows; in the order of the rows, the cells of a text are the whole of it."""
    ordered = rows_in_order(links)
    elsewhere = find_elsewhere(links, ordered)
    shared = [number for number, row in enumerate(ordered) if len(row) > 1 or elsewhere[number]]
    alone = _alone(links, [ordered[number] for number in shared])
    rows = list(_alone_rows(alone.get(-1, ()), breaks))
    numbers = {}
    for place, number in enumerate(shared):
        numbers[number] = len(rows)
        cells = {text: _cell(links, text, units) for text, units in ordered[number].items()}
        kind = "parallel" if len(cells) > 1 else "moved"
        rows.append(Row(kind, cells, elsewhere[number]))
        rows += _alone_rows(alone.get(place, ()), breaks)
    for number in numbers.values():
        renumbered = [
            replace(one, row=numbers[one.row]) for one in rows[number].elsewhere
            if one.row in numbers
        ]  # fmt: skip
        rows[number] = replace(rows[number], elsewhere=renumbered)
    return rows


def _cell(links: Links, text: int, units: range) -> Stretch:
    own = links.units[text]
    return Stretch(text, own[units[0]].first, own[units[-1]].stop)


@dataclass(frozen=True, slots=True)
class _Alone:
    """Units of a text that are in no shared row, and the one before which they are."""

    stretch: Stretch
    before: int


def _alone(links: Links, shared: Sequence[OrderedRow]) -> dict[int, list[_Alone]]:
    """What is between the shared rows of each text, by the row that it follows; -1 for none."""
    found: dict[int, list[_Alone]] = {}
    for text, own in enumerate(links.units):
        edges = [(number, row[text]) for number, row in enumerate(shared) if text in row]
        ends = [(-1, range(0)), *edges, (len(shared), range(len(own), len(own)))]
        for (last, units), (following, behind) in pairwise(ends):
            between = range(units.stop, behind.start)
            if between:
                one = _Alone(_cell(links, text, between), following)
                found.setdefault(last, []).append(one)
    return found


def _alone_rows(found: Sequence[_Alone], breaks: Sequence[Breaks]) -> Iterator[Row]:
    """The rows of what follows one shared row: side by side if it is short, or one by one."""
    for _, same in groupby(sorted(found, key=lambda one: one.before), lambda one: one.before):
        beside = [one.stretch for one in same]
        if len(beside) > 1 and max(one.words for one in beside) <= MAX_BESIDE_WORDS:
            yield Row("beside", {one.text: one for one in beside}, [])
            continue
        for stretch in beside:
            for part in _parts(stretch, breaks[stretch.text]):
                yield Row("alone", {part.text: part}, [])


def _parts(stretch: Stretch, breaks: Breaks) -> Iterator[Stretch]:
    """A long stretch in parts, each cut at the strongest break within its reach."""
    first = stretch.first
    while stretch.stop - first > MAX_ALONE_WORDS:
        most = first + MAX_ALONE_WORDS
        cut = breaks.strongest(first + MAX_ALONE_WORDS // 3, most) or most
        yield Stretch(stretch.text, first, cut)
        first = cut
    yield Stretch(stretch.text, first, stretch.stop)
