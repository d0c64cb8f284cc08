"""`anonymous_families`: families by the new rows of documents, in an order without names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from likewise.survey.families import NOT_LISTED

SAME = ("documents", "common", "run", "p", "kind")
"""Columns that stay as they are."""
CHANGED = ("witnesses", "words")
"""Those that do not."""
FIELDS = ("count", "columns", "common", "ranks")


def anonymous_families(given: Mapping[str, Any], row_of: Mapping[int, int]) -> dict[str, Any]:
    """As `SurveyFamilies.to_dict`, by the new rows of documents.

    Ranks are left out: they follow digests of the texts with names.
    """
    columns = given["columns"]
    witnesses, words = [], []
    for flat, packed in zip(columns["witnesses"], columns["words"], strict=True):
        own = _witnesses(flat, row_of)
        order = sorted(range(len(own)), key=own.__getitem__)
        witnesses.append([own[at] for at in order])
        words.append(_reordered(packed, order))
    rank = sorted(
        range(len(words)),
        key=lambda at: (-columns["documents"][at], -columns["common"][at], witnesses[at]),
    )
    return {
        "count": given["count"],
        "columns": {
            **{name: [columns[name][at] for at in rank] for name in SAME},
            "witnesses": [list(chain(*witnesses[at])) for at in rank],
            "words": [words[at] for at in rank],
        },
        "common": list(chain(*sorted(_witnesses(given["common"], row_of)))),
        "ranks": None,
    }


def _witnesses(flat: Sequence[int], row_of: Mapping[int, int]) -> list[tuple[int, int, int]]:
    return [
        (row_of.get(flat[at], NOT_LISTED), flat[at + 1], flat[at + 2])
        for at in range(0, len(flat), 3)
    ]


def _reordered(packed: Sequence[int], order: Sequence[int]) -> list[int]:
    """Runs of words with the witnesses in another order."""
    size = len(order) + 1
    runs = [
        ([packed[at + 1 + witness] for witness in order], packed[at])
        for at in range(0, len(packed), size)
    ]
    return [number for places, words in sorted(runs) for number in (words, *places)]
