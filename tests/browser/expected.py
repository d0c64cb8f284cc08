"""What Python says of a collection, for pages to be held against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import likewise
from likewise.passages.results import PassagePair
from likewise.passages.scores import DocumentScore, score_documents


class Expected:
    """Pairs, passages and scores of texts by id."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.pairs: list[PassagePair] = list(
            likewise.find_passages(list(texts.values()), ids=list(texts))
        )

    def score(
        self, id_: str, least_words: int = 1, kinds: tuple[str, ...] = (), without: str = ""
    ) -> DocumentScore:
        """The score by the passages that are long enough, of these kinds and not with this one."""
        kept = []
        for pair in self.pairs:
            if without in (pair.a, pair.b):
                continue
            passages = tuple(
                one for one in pair.passages
                if one.words >= least_words and (not kinds or one.kind in kinds)
            )  # fmt: skip
            if passages:
                kept.append(replace(pair, passages=passages))
        return score_documents(kept, self.texts)[id_]

    def without_quotations(self, id_: str) -> tuple[int, int]:
        """Shared words and all words of a document, without quotations in any document."""
        found = likewise.find_passages(
            list(self.texts.values()), ids=list(self.texts),
            exclude=likewise.Exclusions(quotations=True),
        )  # fmt: skip
        score = found.scores()[id_]
        return score.matched, score.size

    def pair(self, a: str, b: str) -> PassagePair:
        """Two documents as the first sees them."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return pair.turned()
        raise KeyError((a, b))


def percent(share: float) -> str:
    """As pages write it."""
    if 0 < share < 0.01:
        return "<1 %"
    return "99 %" if 0.99 < share < 1 else f"{int(share * 100 + 0.5)} %"
