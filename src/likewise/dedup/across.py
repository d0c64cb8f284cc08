"""Which documents are kept where only those of different groups are compared.

Copies of a text in one group are in no pair with each other and similar to the same documents, so
that all of them are kept, or none. Here they count as one: what is decided on are texts in groups.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likewise import _core
from likewise.arrays import U32, U64, Bools, Floats


@dataclass(frozen=True, slots=True, eq=False)
class GroupedTexts:
    """The texts in groups, ordered by their text.

    Attributes:
        text: of each the text, as a number from 0.
        group: of each the group, as a number from 0.
        of: of each document the text in a group that it is.
    """

    text: U32
    group: U32
    of: U32

    @classmethod
    def of_documents(cls, texts: U32, groups: U64) -> GroupedTexts:
        """Of documents, by their text and their group."""
        codes = np.unique(groups, return_inverse=True)[1].astype(np.uint32)
        order = np.lexsort((codes, texts))
        text, code = texts[order], codes[order]
        new = np.ones(len(order), np.bool_)
        new[1:] = (text[1:] != text[:-1]) | (code[1:] != code[:-1])
        of = np.empty(len(order), np.uint32)
        of[order] = np.cumsum(new, dtype=np.uint32) - np.uint32(1)
        return cls(text[new], code[new], of)

    def __len__(self) -> int:
        return len(self.text)

    def best_of_texts(self, kept: Bools, rank: U64) -> tuple[Bools, U64]:
        """Of each text whether a group of it is kept, and the rank of that one, or of the best."""
        order = np.lexsort((rank, ~kept, self.text))
        first = np.ones(len(order), np.bool_)
        first[1:] = self.text[order[1:]] != self.text[order[:-1]]
        best = order[first]
        return kept[best], rank[best]


def choose_across(
    a: U32, b: U32, similarity: Floats, rank: U64, grouped: GroupedTexts
) -> tuple[Bools, U32, Floats]:
    """Which texts in groups are kept, which kept one each is most similar to, and how similar.

    Args:
        a, b, similarity: verified pairs of texts, in any order, each once.
        rank: of each text in a group that of its best document; all different.

    From the best to the worst, each is kept that is similar to no kept one of another group. A kept
    one is most similar to itself.
    """
    texts = int(grouped.text[-1]) + 1 if len(grouped) else 0
    one, other = np.concatenate([a, b]), np.concatenate([b, a])
    order = np.argsort(one, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(one, minlength=texts))])
    best_first = np.argsort(rank)
    kept = np.empty(len(grouped), np.bool_)
    kept[best_first] = _core.kept_across(
        offsets.astype(np.uint64), other[order], grouped.text[best_first],
        grouped.group[best_first],
    )  # fmt: skip
    del order, offsets, best_first

    # At most one group of a text is kept. It removes its copies in other groups, too.
    keeper = np.full(texts, len(grouped), np.uint32)
    keeper[grouped.text[kept]] = np.flatnonzero(kept)
    every = np.arange(texts, dtype=np.uint32)
    one, other = np.concatenate([one, every]), np.concatenate([other, every])
    score = np.concatenate([similarity, similarity, np.ones(texts)])
    with_keeper = keeper[other] < len(grouped)
    one, by, score = one[with_keeper], keeper[other[with_keeper]], score[with_keeper]
    order = np.lexsort((rank[by], -score, one))
    one, by, score = one[order], by[order], score[order]
    # The most similar kept one of each text; and the most similar one of another group than that.
    similar_to = np.arange(len(grouped), dtype=np.uint32)
    found = np.ones(len(grouped))
    first, at = np.unique(one, return_index=True)
    group = np.zeros(texts, np.uint32)
    group[first] = grouped.group[by[at]]
    others = np.flatnonzero(grouped.group[by] != group[one])
    second, later = np.unique(one[others], return_index=True)
    own = grouped.group == group[grouped.text]
    for texts_found, places, chosen in (
        (first, at, ~kept & ~own),
        (second, others[later], ~kept & own),
    ):
        rows = np.flatnonzero(chosen)
        place = places[np.searchsorted(texts_found, grouped.text[rows])]
        similar_to[rows], found[rows] = by[place], score[place]
    return kept, similar_to, found
