"""Running headers, footers and page numbers of a document with pages, found by repetition.

A line is one of them if it is among the first or last lines of its page, if nothing but others of
them is between it and the edge (a page number may also be the second or third line, behind a header
that differs from page to page), and if it

- is a page number: it counts up with the pages, or
- is on most pages, on most left or right pages, or on a run of pages (a chapter's), digits aside,
  at the same height and near the page's edge; and either has the page's number in it or is further
  from the text than the lines of the text are from each other. A refrain is not.

Where this would take a large part of the text, nothing is taken.

Limitations: documents of one page keep theirs, and so do pages that are turned.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from likewise.documents.formats.page_numbers import (
    MIN_PAGES,
    MIN_SHARE,
    find_page_numbers,
    is_dense,
    min_pages,
)

EDGE_LINES = 6
"""So many lines are looked at, at the beginning of a page and at its end."""

_NUMBER_LINES = 3  # first and last lines among which a page number may be behind other text
_MIN_RUN = 5  # pages of a chapter with the same header
_MIN_RUN_SHARE = 0.8  # of the pages from the first to the last with this header
_MAX_TAKEN = 0.4  # of all letters of the document
_MAX_SHIFT = 3.0  # points between the heights of one header
_EDGE, _MARGIN = 0.2, 0.09  # of the page's height
_MIN_GAP = 1.15  # times the distance of two lines of the text
_MIN_RATIO = 90.0  # per cent that two lines are alike, where a scan was read by a machine
_MIN_FUZZY = 10  # letters of a line of which some may differ
_MAX_FREQUENT = 50

_DIGITS = re.compile(r"\d+")
_PAGE_WORDS = frozenset(
    (
        *("page", "pages", "pg", "p", "pp", "seite", "seiten", "s", "página", "páginas", "pág"),
        *("pagina", "pagine", "pag", "sida", "side", "sivu", "strona", "str", "strana", "oldal"),
        *("sayfa", "страница", "стр", "с", "σελίδα"),
    )
)


@dataclass(frozen=True)
class Page:
    """The lines of one page.

    Attributes:
        lines: its text.
        heights: baselines of some lines, in points from the bottom of the page; at least of its
            edges, where they are known.
        height: of the page.
    """

    lines: Sequence[str]
    heights: Mapping[int, float] = field(default_factory=dict)
    height: float = 0.0


def find_running(pages: Sequence[Page]) -> list[set[int]]:
    """Return the lines of each page that are running headers, footers or page numbers."""
    nothing: list[set[int]] = [set() for _ in pages]
    if len(pages) < 2:
        return nothing
    edges = [_edges(page) for page in pages]
    numbers = find_page_numbers([page.lines for page in pages], edges)
    near = [_near_edge(*each) for each in zip(pages, edges, numbers, strict=True)]
    keys = _repeated(pages, edges)
    wrong: set[str] = set()
    while True:  # a line that is refused may part others from the edge
        found = [_peel(*each, wrong) for each in zip(edges, numbers, keys, strict=True)]
        refused = _refuse(pages, edges, found, keys)
        if not refused:
            break
        wrong |= refused
    _drop_shifted(pages, found, keys)
    if len(pages) >= MIN_PAGES:
        found = [some | more for some, more in zip(found, near, strict=True)]
    total = sum(_letters(line) for page in pages for line in page.lines)
    taken = sum(
        _letters(page.lines[at]) for page, some in zip(pages, found, strict=True) for at in some
    )
    return nothing if taken > _MAX_TAKEN * total else found


def describe(pages: Sequence[Page], found: Sequence[set[int]]) -> str | None:
    """Return what to tell the user of the lines that were found, if there are any."""
    count = sum(map(bool, found))
    if not count:
        return None
    texts = Counter(
        _key(page.lines[at])
        for page, some in zip(pages, found, strict=True)
        for at in some
        if any(map(str.isalpha, page.lines[at]))
    )
    where = f"from {count} page{'' if count == 1 else 's'}"
    if not texts:
        return f"page numbers removed {where}"
    common = texts.most_common(1)[0][0]
    shown = next(
        page.lines[at].strip()
        for page, some in zip(pages, found, strict=True)
        for at in sorted(some)
        if _key(page.lines[at]) == common
    )
    shown = shown if len(shown) <= 50 else shown[:49].rstrip() + "…"
    return f"running header or footer removed {where}: “{shown}”"


def _edges(page: Page) -> tuple[list[int], list[int]]:
    """Return the first lines of a page, and the last ones from the end."""
    filled = [at for at, line in enumerate(page.lines) if line.strip()]
    return filled[:EDGE_LINES], filled[: -EDGE_LINES - 1 : -1]


def _key(line: str) -> str:
    """Return a line without what differs from page to page."""
    plain = unicodedata.normalize("NFKC", line).casefold()
    return " ".join(re.sub(r"[^\w\s]|_", " ", _DIGITS.sub(" ", plain)).split())


def _repeated(
    pages: Sequence[Page], edges: Sequence[tuple[list[int], list[int]]]
) -> list[dict[int, str]]:
    """Return those edge lines of each page that come again and again, each with its key."""
    keys = [
        {at: key for at in {*edge[0], *edge[1]} if (key := _key(page.lines[at]))}
        for page, edge in zip(pages, edges, strict=True)
    ]
    counts = Counter(key for some in keys for key in set(some.values()))
    merged = _merge_alike(counts, min_pages(len(pages)))
    keys = [{at: merged.get(key, key) for at, key in some.items()} for some in keys]
    on: dict[str, list[int]] = defaultdict(list)
    for number, some in enumerate(keys):
        for key in set(some.values()):
            on[key].append(number)
    frequent = {key for key, numbers in on.items() if _is_frequent(numbers, len(pages))}
    return [{at: key for at, key in some.items() if key in frequent} for some in keys]


def _merge_alike(counts: Counter[str], least: int) -> dict[str, str]:
    """Return the frequent key that a rare one is nearly the same as."""
    frequent = [key for key, count in counts.most_common(_MAX_FREQUENT) if count >= least]
    frequent = [key for key in frequent if len(key) >= _MIN_FUZZY]
    if not frequent:
        return {}
    from rapidfuzz import fuzz, process

    merged: dict[str, str] = {}
    for key in counts:
        if counts[key] < least and len(key) >= _MIN_FUZZY:
            best = process.extractOne(key, frequent, scorer=fuzz.ratio, score_cutoff=_MIN_RATIO)
            if best is not None:
                merged[key] = best[0]
    return merged


def _is_frequent(on: Sequence[int], pages: int) -> bool:
    if len(on) < min_pages(pages):
        return False
    if len(on) >= MIN_SHARE * pages:
        return True
    sides = {number % 2 for number in on}
    if len(sides) == 1 and len(on) >= MIN_SHARE * len(range(min(sides), pages, 2)):
        return True
    return any(len(run) >= _MIN_RUN and is_dense(run, _MIN_RUN_SHARE) for run in _runs(on))


def _runs(on: Sequence[int]) -> Iterator[list[int]]:
    """Yield pages that follow each other, or of which only the other side is missing."""
    run: list[int] = []
    for number in on:
        if run and number - run[-1] > 2:
            yield run
            run = []
        run.append(number)
    yield run


def _peel(
    edge: tuple[list[int], list[int]], numbers: set[int], keys: Mapping[int, str], wrong: set[str]
) -> set[int]:
    """Return the lines between the edges of a page and its text."""
    found: set[int] = set()
    for side in edge:
        for at in side:
            if at not in numbers and keys.get(at, "") in {"", *wrong}:
                break
            found.add(at)
    return found


def _near_edge(page: Page, edge: tuple[list[int], list[int]], numbers: set[int]) -> set[int]:
    """Return the page numbers among a page's first or last lines that are drawn near its edge."""
    return {
        at
        for side in edge
        for at in side[:_NUMBER_LINES]
        if at in numbers and _edge_distance(page, page.heights.get(at, 0.0)) <= _EDGE
    }


def _edge_distance(page: Page, height: float) -> float:
    """Return how far a line is from the top or the bottom, as a share of the page's height."""
    share = height / max(1.0, page.height)
    return min(share, 1 - share)


def _refuse(
    pages: Sequence[Page],
    edges: Sequence[tuple[list[int], list[int]]],
    found: Sequence[set[int]],
    keys: Sequence[Mapping[int, str]],
) -> set[str]:
    """Return the keys among the lines that were found of which the position is not a header's."""
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, some in enumerate(found):
        for at in some:
            if key := keys[number].get(at):
                places[key].append((number, at))
    return {
        key
        for key, some in places.items()
        if not (
            _is_frequent(sorted({number for number, _ in some}), len(pages))
            and _is_placed(key, some, pages, edges, found)
        )
    }


def _drop_shifted(
    pages: Sequence[Page], found: Sequence[set[int]], keys: Sequence[Mapping[int, str]]
) -> None:
    """Keep a line that is worded like a header and is elsewhere: a title, for one."""
    heights: dict[str, list[float]] = defaultdict(list)
    for page, some, named in zip(pages, found, keys, strict=True):
        for at in some & page.heights.keys() & named.keys():
            heights[named[at]].append(page.heights[at])
    middles = {key: median(some) for key, some in heights.items()}
    for page, some, named in zip(pages, found, keys, strict=True):
        for at in some & page.heights.keys() & named.keys():
            if abs(page.heights[at] - middles[named[at]]) > _MAX_SHIFT:
                some.discard(at)


def _is_placed(
    key: str,
    places: Sequence[tuple[int, int]],
    pages: Sequence[Page],
    edges: Sequence[tuple[list[int], list[int]]],
    found: Sequence[set[int]],
) -> bool:
    known = [(n, at) for n, at in places if at in pages[n].heights]
    if 2 * len(known) < len(places):
        return False
    heights = [pages[n].heights[at] for n, at in known]
    middle = median(heights)
    if sum(abs(height - middle) <= _MAX_SHIFT for height in heights) < 0.8 * len(heights):
        return False
    edge = _edge_distance(pages[known[0][0]], middle)
    if edge > _EDGE:
        return False
    if _is_numbered(places, pages):
        words = key.split()
        # "Exercise 3" may begin a page, as "Smith 3" does; only a margin tells them apart.
        return len(words) > 2 or not _PAGE_WORDS.isdisjoint(words) or edge <= _MARGIN
    apart = [_is_apart(pages[n], edges[n], found[n], at) for n, at in known]
    return 2 * sum(apart) > len(apart)


def _is_numbered(places: Sequence[tuple[int, int]], pages: Sequence[Page]) -> bool:
    """Whether lines have the number of their page in them."""
    offsets = Counter(
        int(digits) - n
        for n, at in places
        for digits in set(_DIGITS.findall(pages[n].lines[at]))
        if len(digits) <= 5
    )
    return bool(offsets) and offsets.most_common(1)[0][1] >= max(
        min_pages(len(pages)), 0.8 * len(places)
    )


def _is_apart(page: Page, edge: tuple[list[int], list[int]], found: set[int], at: int) -> bool:
    """Whether the lines to which this one belongs keep a distance from the text."""
    side = edge[0] if at in edge[0] else edge[1]
    text = [other for other in side if other not in found and other in page.heights]
    if not text:
        return True
    pitch = _pitch(page.heights[other] for other in text)
    height = page.heights[at]
    heading = [
        page.heights[other]
        for other in side
        if other in found and abs(page.heights.get(other, 0.0) - height) <= _EDGE * page.height
    ]
    gap = min(abs(one - page.heights[other]) for one in heading for other in text)
    return gap >= _MIN_GAP * pitch


def _pitch(heights: Iterable[float]) -> float:
    """Return how far lines of text are from each other."""
    ordered = sorted(heights)
    steps = [b - a for a, b in itertools.pairwise(ordered) if b - a > _MAX_SHIFT]
    return median(steps) if steps else 12.0


def _letters(line: str) -> int:
    return len(line) - line.count(" ")
