"""`agreeing_words`: words that agree across the texts, all together and not only two by two.

They come from passage families. Words that two texts share beside a family, such as a few at the
end of a passage, are added, so that a word agrees here exactly if it is matched in some passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

import numpy as np

from likewise.passages.families.results import Families
from likewise.passages.pair_passages import PairPassages
from likewise.survey.synopsis.units import Column, SharedWording, Stretch
from likewise.text.words import Words


def shared_wordings(families: Families[int]) -> list[SharedWording]:
    """The families of texts, as stretches of them."""
    return [
        SharedWording(
            tuple(Stretch(one.number, one.first, one.stop) for one in family.witnesses),
            family.columns,
        )
        for family in families
    ]


def family_columns(families: Iterable[SharedWording]) -> Iterator[Column]:
    """The columns of families, as the texts and words that each has."""
    for family in families:
        texts = [one.text for one in family.stretches]
        for column in family.columns.tolist():
            pairs = zip(texts, column, strict=True)
            yield tuple(sorted((text, word) for text, word in pairs if word >= 0))


def agreeing_words(
    families: Iterable[SharedWording],
    pairs: Mapping[tuple[int, int], PairPassages],
    words: Sequence[Words],
) -> list[Column]:
    """The columns of all words that agree, in order.

    Args:
        families: of the texts.
        pairs: the passages of two texts, by the numbers of both.
        words: those of the texts.
    """
    columns = [list(column) for column in family_columns(families)]
    known = {member: number for number, column in enumerate(columns) for member in column}
    # The pairs that share most come first: a word joins a column once.
    for a, b in sorted(pairs, key=lambda pair: (-pairs[pair].words, pair)):
        for first, second in _matched(pairs[a, b], words[a], words[b]):
            one, other = (a, first), (b, second)
            if one not in known and other not in known:
                known[one] = known[other] = len(columns)
                columns.append([one, other])
            elif one not in known:
                known[one] = known[other]
                columns[known[other]].append(one)
            elif other not in known:
                known[other] = known[one]
                columns[known[one]].append(other)
    return sorted(tuple(sorted(column)) for column in columns)


def _matched(shared: PairPassages, a: Words, b: Words) -> Iterator[tuple[int, int]]:
    """The matched words of the passages of two texts, by their numbers in both."""
    matches = chain.from_iterable(passage.matches for passage in shared.passages)
    places = np.array([tuple(match) for match in matches], np.int64).reshape(-1, 4)
    begins = np.searchsorted(a.begins, places[:, :2]), np.searchsorted(b.begins, places[:, 2:])
    for (first, stop), (second, _) in zip(*(part.tolist() for part in begins), strict=True):
        yield from zip(range(first, stop), range(second, second + stop - first), strict=True)
