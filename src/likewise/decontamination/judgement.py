"""Which matches are hits: text of a benchmark, and neither common language nor a template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from likewise.decontamination.settings import EDITED_SHARE
from likewise.statistics.shared_runs import pair_run_chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.decontamination.items import Items
    from likewise.decontamination.search import Match, MatchedPassage
    from likewise.decontamination.settings import DecontaminationSettings

Verdict = Literal["hit", "template"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A document and an item that it contains, or a template of it.

    Attributes:
        row, item: their numbers.
        verdict: "hit", or "template" for what would be one without the rule for templates.
        words: words of the item that are shared, templates aside for a hit.
        share: the same, of all such words of the item.
        run: the longest run of equal words.
        kind: of the passage that decides.
        p: that an unrelated document of this length shares so long a run with the item.
        places: where the shared passages are, in code points of the document.
    """

    row: int
    item: int
    verdict: Verdict
    words: int
    share: float
    run: int
    kind: str
    p: float
    places: tuple[tuple[int, int], ...]


class Judge:
    """Decides on matches, once the templates are known.

    Words of an item that more than `max_documents` documents have are a template, as those that
    several items have are (`Items.own`).
    """

    def __init__(
        self, items: Items, settings: DecontaminationSettings, matches: Sequence[Match]
    ) -> None:
        self._items = items
        self._settings = settings
        self._own = list(items.own)
        for item, mask in self._frequent(matches):
            self._own[item] = self._own[item] & ~mask

    def _frequent(self, matches: Iterable[Match]) -> Iterable[tuple[int, NDArray[np.bool_]]]:
        """Items of which too many documents have some words, and which."""
        most = self._settings.max_documents
        by_item: dict[int, list[Match]] = {}
        for match in matches:
            by_item.setdefault(match.item, []).append(match)
        for item, own in by_item.items():
            if len(own) > most:
                documents = np.zeros(len(self._own[item]), np.int64)
                for match in own:
                    documents += _covered(match.passages, len(documents))
                yield item, documents > most

    def hits(self, matches: Iterable[Match]) -> list[Hit]:
        """Hits and templates among matches, in their order."""
        return [hit for match in matches if (hit := self._judge(match)) is not None]

    def _judge(self, match: Match) -> Hit | None:
        own = self._own[match.item]
        whole = np.ones(len(own), bool)
        if (hit := self._by(match, own, "hit")) is not None or own.all():
            return hit
        return self._by(match, whole, "template")

    def _by(self, match: Match, own: NDArray[np.bool_], verdict: Verdict) -> Hit | None:
        """The hit by these words of the item, if it is one."""
        size = int(own.sum())
        if size < self._items.least[match.item]:
            return None
        matched = _covered(match.passages, len(own)) & own
        share = int(matched.sum()) / size
        decisive = [
            (p, passage)
            for passage in match.passages
            if (p := self._p(match, passage, own, share, size)) is not None
        ]
        if not decisive:
            return None
        p, best = min(decisive, key=lambda one: (one[0], -one[1].score, one[1].start))
        return Hit(
            match.row, match.item, verdict, int(matched.sum()), share,
            max(passage.run for passage in match.passages), best.kind, p,
            tuple((passage.start, passage.end) for passage in match.passages),
        )  # fmt: skip

    def _p(
        self, match: Match, passage: MatchedPassage, own: NDArray[np.bool_], share: float, size: int
    ) -> float | None:
        """The chance of a passage that makes a hit; None for others."""
        items, item = self._items, match.item
        words = int((_covered([passage], len(own)) & own).sum())
        score = min(passage.score, words)
        least = min(size, int(items.min_words[item]))
        if share >= EDITED_SHARE and size >= items.min_words[item]:
            least = int(items.edited_words[item])
        if score < least:
            return None
        if score == passage.score:
            return passage.p
        p = pair_run_chance(
            match.words, len(own), score, None, unspaced=bool(items.unspaced[item])
        )
        return max(p, passage.p) if p <= self._settings.max_p else None


def _covered(passages: Iterable[MatchedPassage], size: int) -> NDArray[np.bool_]:
    mask = np.zeros(size, bool)
    for passage in passages:
        for first, last in passage.item_words:
            mask[first:last] = True
    return mask
