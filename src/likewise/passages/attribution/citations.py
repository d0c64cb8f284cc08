"""`find_citations`: the in-text citations of a text.

Rules about marks in the text, the same in every language; `tests/passages/attribution` has a table
of what they take for a citation and what not. They do not look up what is cited, and cannot tell
whether it is the source of anything.

Every pattern has bounded repeats and brackets of at most 200 characters, so the time grows with the
length of the text, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from likewise.passages.attribution.author_year import (
    has_author_before,
    is_author_year,
    is_dated_only,
)
from likewise.passages.attribution.numbered_marks import bracketed_marks, note_marks, raised_marks
from likewise.passages.attribution.other_citations import (
    is_link_or_key,
    is_name_and_page,
    other_citations,
)
from likewise.passages.attribution.vocabulary import UNDATED
from likewise.passages.attribution.works_listed import WorksListed
from likewise.passages.ranges import Range, merge

MAX_BRACKETS = 100_000  # that are looked at in one text
_ROUND = re.compile(r"[(（][^()（）]{1,200}[)）]")
_SQUARE = re.compile(r"[\[［〔【][^\[\]［］〔〕【】]{1,200}[\]］〕】]")
_MAY_CITE = re.compile(rf"\d|https?:|www\.|{UNDATED}", re.IGNORECASE)
_NOTE_BEGINS = re.compile(r"^\s*[\[(]?[\d⁰¹²³⁴-⁹]{0,3}[\])]?[.):]?\s*$")


def find_citations(text: str, listed: WorksListed) -> list[Range]:
    """Where a text cites, in order; its bibliography cites nothing.

    >>> text = "So it was (Smith 2019). In that year (2019) nobody knew."
    >>> find_citations(text, WorksListed.of(text))
    [Range(start=10, end=22)]
    """
    brackets = sorted(islice(_brackets(text), MAX_BRACKETS))
    found = chain(
        (place for place in brackets if _cites(text, place, listed)),
        bracketed_marks(text, brackets, listed),
        raised_marks(text),
        note_marks(text, listed),
        _elsewhere(text),
    )
    return [place for place in merge(found) if not listed.contains(place.start)]


def _brackets(text: str) -> Iterator[Range]:
    """Pairs of brackets that may cite, the innermost ones of each kind."""
    for found in chain(_ROUND.finditer(text), _SQUARE.finditer(text)):
        if _MAY_CITE.search(text, found.start(), found.end()):
            yield Range(*found.span())


def _cites(text: str, place: Range, listed: WorksListed) -> bool:
    inner = text[place.start + 1 : place.end - 1]
    if is_dated_only(inner):
        return has_author_before(text, place.start, place.end, listed)
    return (
        is_author_year(inner)
        or is_link_or_key(text, *place)
        or is_name_and_page(text, *place, listed)
    )


def _elsewhere(text: str) -> Iterator[Range]:
    """Those told by their words; "ibid." at the beginning of a note cites nothing in the text."""
    for place in other_citations(text):
        line = text.rfind("\n", max(0, place.start - 12), place.start) + 1
        begins_note = (line or place.start < 12) and _NOTE_BEGINS.match(text[line : place.start])
        if not (begins_note and text[place.start] in "iIeEтТόΌ同"):
            yield place
