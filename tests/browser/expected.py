"""What Python says of a collection, for pages to be held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

import likewise
from likewise.evidence.exclusions import quotations
from likewise.evidence.passages import PassagePair
from likewise.evidence.scores import DocumentScore, score_documents, words_within
from likewise.evidence.words import words_of


class Expected:
    """Pairs, passages and scores of texts by id."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.pairs: list[PassagePair] = list(
            likewise.find_passages(list(texts.values()), ids=list(texts))
        )

    def score(self, id_: str, least_words: int = 1, kinds: tuple[str, ...] = ()) -> DocumentScore:
        """The score of a document by the passages that are long enough and of these kinds."""
        kept = []
        for pair in self.pairs:
            passages = tuple(
                one for one in pair.passages
                if one.words >= least_words and (not kinds or one.kind in kinds)
            )  # fmt: skip
            if passages:
                kept.append(replace(pair, passages=passages))
        return score_documents(kept, self.texts)[id_]

    def without_quotations(self, id_: str) -> tuple[int, int]:
        """Shared words and all words of a document, but for those in quotation marks."""
        words = words_of(self.texts[id_])
        begins = np.asarray(words.begins)
        held = np.zeros(len(begins), bool)
        for pair in self.pairs:
            if id_ in (pair.a, pair.b):
                own = [one if pair.a == id_ else one.turned() for one in pair.passages]
                held |= words_within(words, own)
        quoted = np.zeros(len(begins), bool)
        for start, end in quotations(self.texts[id_]):
            quoted |= (begins >= start) & (begins < end)
        return int((held & ~quoted).sum()), int((~quoted).sum())

    def pair(self, a: str, b: str) -> PassagePair:
        """Two documents as the first sees them."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                turned = sorted((one.turned() for one in pair.passages), key=lambda p: p.a_start)
                return replace(
                    pair, a=a, b=b, share_a=pair.share_b, share_b=pair.share_a,
                    passages=tuple(turned),
                )  # fmt: skip
        raise KeyError((a, b))


def percent(share: float) -> str:
    """As pages write it."""
    if 0 < share < 0.01:
        return "<1 %"
    return "99 %" if 0.99 < share < 1 else f"{int(share * 100 + 0.5)} %"
