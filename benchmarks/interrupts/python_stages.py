"""Functions of the package, which call the core several times and work with arrays between."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import likewise
from benchmarks.interrupts.core_stages import accented, long_text, mb, pages

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.interrupts.core_stages import Stage


def sketch(size: float) -> Stage:
    texts = [accented(page) for page in pages(size)]
    return mb(size, "pages, accented"), partial(likewise.sketch, texts)


def find_pairs(size: float) -> Stage:
    return mb(size, "pages"), partial(likewise.find_pairs, pages(size), threshold=0.5)


def find_short(size: float) -> Stage:
    """Many short documents: most of the time is not in the core."""
    text = long_text(size / 4)
    texts = [text[i : i + 40] for i in range(0, len(text), 40)]
    return mb(size / 4, "documents of 40 bytes"), partial(likewise.find_pairs, texts)


def find_exactly(size: float) -> Stage:
    return mb(size, "pages"), partial(likewise.find_pairs, pages(size), exact=True)


def clusters(size: float) -> Stage:
    found = likewise.find_pairs(pages(size), threshold=0.5)
    return mb(size, "pages"), lambda: (list(found), found.clusters(), found.to_arrow())


def deduplicate(size: float) -> Stage:
    return mb(size, "pages"), partial(likewise.deduplicate, pages(size), threshold=0.5)


def find_passages(size: float) -> Stage:
    return mb(size / 10, "pages"), partial(likewise.find_passages, pages(size / 10))


def compare(size: float) -> Stage:
    text = long_text(size / 10)
    return mb(size / 5, "two documents"), partial(likewise.compare, text, text[1000:])


STAGES: dict[str, Callable[[float], Stage]] = {
    "sketch": sketch,
    "find_pairs": find_pairs,
    "find_pairs, short": find_short,
    "find_pairs, exact": find_exactly,
    "Pairs: list, clusters, Arrow": clusters,
    "deduplicate": deduplicate,
    "find_passages": find_passages,
    "compare": compare,
}
