"""How often a copy with replaced words still has a run of words that was sampled of its source."""

from __future__ import annotations

import numpy as np

from likewise.arrays import Floats


def sampled_run_recalls(most_words: int, replaced: float, run: int, stride: int) -> Floats:
    """By the length of a text in words, up to a length: the probability that a run of it is found
    again in a copy.

    Of the text, every `stride`-th run of `run` words was sampled, from a random place on. In the
    copy each of its words is replaced with the probability `replaced`, independently.
    """
    missed = [_missed(most_words, replaced, run, first, stride) for first in range(stride)]
    recalls: Floats = 1 - np.mean(missed, axis=0)
    return recalls


def _missed(most_words: int, replaced: float, run: int, first: int, stride: int) -> Floats:
    """By the length of a text, the probability that each of the runs at first, first + stride, ...
    has a replaced word."""
    # Places of words are counted from 1. By place: that its word is replaced, and so is one of each
    # run before it; at 0, before the text, 1.
    reached = np.zeros(most_words + 1)
    reached[0] = 1.0
    missed = np.zeros(most_words + 1)
    kept = (1 - replaced) ** np.arange(run + stride + 1)
    for place in range(1, most_words + 2):
        # The last run that ends before this place begins behind `begin`, or there is none.
        latest = place - 1 - run
        begin = latest - (latest - first) % stride if latest >= first else -1
        before = reached[begin + 1 : place][::-1]  # the last replaced word is in that run or later
        missed[place - 1] = before @ kept[: len(before)]
        if place <= most_words:
            reached[place] = replaced * missed[place - 1]
    return missed
