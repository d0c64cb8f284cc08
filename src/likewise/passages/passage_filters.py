"""Excluded pairs and passages: of one author, short, or shared with very many documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.pair_passages import PairPassages
    from likewise.passages.passage import Passage
    from likewise.passages.settings import Exclusions
    from likewise.text.cut_words import CutWords
    from likewise.text.words import Words

    Shared = tuple[int, int, PairPassages]  # the numbers of two documents, and what they share


def differ_in(
    same: Iterable[str],
    metadata: Sequence[Mapping[str, Any] | None],
    a: NDArray[Any],
    b: NDArray[Any],
) -> NDArray[np.bool_]:
    """For each pair whether its documents differ in all fields of `same`, or lack them."""
    differ = np.ones(len(a), bool)
    for name in same:
        of = [(known or {}).get(name) for known in metadata]
        pairs = zip(a.tolist(), b.tolist(), strict=True)
        differ &= np.array([of[i] is None or of[i] != of[j] for i, j in pairs], bool)
    return differ


def filter_passages(
    found: Iterable[Shared],
    exclude: Exclusions,
    words: Sequence[Words] | CutWords,
    counts: dict[str, int],
) -> list[Shared]:
    """The pairs that still share a passage; `words` are those of each document by its number.

    Adds the number of excluded passages to `counts`.
    """

    def keep(found: Iterable[Shared], is_kept: Callable[..., bool], reason: str) -> list[Shared]:
        kept: list[Shared] = []
        counts[reason] = 0
        for a, b, shared in found:
            passages = [passage for passage in shared.every if is_kept(a, b, passage)]
            counts[reason] += len(shared.every) - len(passages)
            if passages:
                kept.append((a, b, shared.only(passages, words[a], words[b])))
        return kept

    if exclude.min_passage:
        found = keep(found, lambda a, b, one: one.words >= exclude.min_passage, "too_short")
    found = list(found)
    most = exclude.max_sources
    if most is None:
        return found
    stretches: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for a, b, shared in found:
        for passage in shared.every:
            stretches[a].append((passage.a_start, passage.a_end, b))
            stretches[b].append((passage.b_start, passage.b_end, a))

    def has_few_sources(a: int, b: int, passage: Passage) -> bool:
        return (
            count_sources(stretches[a], passage.a_start, passage.a_end) <= most
            and count_sources(stretches[b], passage.b_start, passage.b_end) <= most
        )

    return keep(found, has_few_sources, "in_too_many")


def count_sources(stretches: Iterable[tuple[int, int, int]], start: int, end: int) -> int:
    """How many documents share at least half of this stretch."""
    return len(
        {
            other
            for begin, stop, other in stretches
            if 2 * (min(end, stop) - max(start, begin)) >= end - start
        }
    )
