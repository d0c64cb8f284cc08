"""What a search by containment finds, as the lines that `likewise index query` prints."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from likewise.run import counted

if TYPE_CHECKING:
    from likewise.index.settings import IndexSettings


def recall_notes(
    settings: IndexSettings, options: argparse.Namespace, lengths: Sequence[int]
) -> list[str]:
    """The stated recall; `lengths` are the numbers of words of the documents of SOURCE."""
    from likewise.index.containment_query import ContainmentQuery

    threshold = settings.threshold if options.threshold is None else options.threshold
    query = ContainmentQuery(settings, threshold)
    if not settings.keep_text:
        return [
            f"expected to find {settings.recall:.2%} of documents with containment {threshold:g}, "
            f"if one of the two has at most {math.floor(query.longest_judged()):,} times as many "
            "shingles as the other; other documents cannot be judged by signatures"
        ]
    if options.scan:
        return []
    found = [
        f"finds every document that has {settings.min_words} words of SOURCE in a row, unless "
        "very many documents have them (--scan compares with all)"
    ]
    recalls = query.recalls()
    if recalls is None:
        return found
    reached = np.flatnonzero(recalls >= settings.recall)
    if not len(reached):
        return [*found, f"containment {threshold:g} is too low to state a recall; use --scan"]
    least = int(reached[0])
    line = (
        f"expected to find {settings.recall:.2%} of texts of {least:,} words with containment "
        f"{threshold:g} if words were replaced at random, and more of longer texts"
    )
    if shorter := sum(length < least for length in lengths):
        are = "is" if shorter == 1 else "are"
        line += f"; {counted(shorter, 'document')} of SOURCE {are} shorter"
    return [*found, line]
