"""Which matches are hits: text of a benchmark, and neither common language nor a template."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from likewise.decontamination.settings import EDITED_SHARE
from likewise.passages.passage import Runs, score_of
from likewise.statistics.shared_runs import SMALLEST_P, pair_run_chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.decontamination.item_search import Match, MatchedPassage
    from likewise.decontamination.items import Items
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
        run: the longest run of equal words, likewise.
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
        self,
        items: Items,
        settings: DecontaminationSettings,
        holders: Mapping[int, NDArray[np.int64]],
    ) -> None:
        """`holders`: how many documents have each word of an item, of all items that more than
        `max_documents` documents share something with."""
        self._items = items
        self._settings = settings
        self._own = list(items.own)
        for item, documents in holders.items():
            self._own[item] = self._own[item] & (documents <= settings.max_documents)

    def hits(self, matches: Iterable[Match]) -> list[Hit]:
        """Hits and templates among matches, in their order."""
        return [hit for match in matches if (hit := self._judge(match)) is not None]

    def _judge(self, match: Match) -> Hit | None:
        own, given = self._own[match.item], self._items.own[match.item]
        if (hit := self._by(match, own, "hit")) is not None or own is given:
            return hit
        return self._by(match, given, "template")

    def _by(self, match: Match, own: NDArray[np.bool_], verdict: Verdict) -> Hit | None:
        """The hit by these words of the item, if it is one."""
        size = int(own.sum())
        if size < self._items.least[match.item]:
            return None
        share = int((_covered(match.passages, len(own)) & own).sum()) / size
        least = min(size, int(self._items.min_words[match.item]))
        if share >= EDITED_SHARE and size >= self._items.min_words[match.item]:
            least = int(self._items.edited_words[match.item])
        decisive = []
        longest = 0
        for passage in match.passages:
            runs = passage.runs if own.all() else _own_runs(passage.runs, own)
            score = passage.score if own.all() else score_of(runs)
            longest = max([longest, *(words for _, _, words in runs)])
            p = passage.p if score >= passage.score else self._p(match, score)
            if score >= least and p <= self._settings.max_p:
                decisive.append((p, -score, passage.start, passage.kind))
        if not decisive:
            return None
        p, _, _, kind = min(decisive)
        return Hit(
            match.row, match.item, verdict, round(share * size), share, longest, kind, p,
            tuple((passage.start, passage.end) for passage in match.passages),
        )  # fmt: skip

    def _p(self, match: Match, score: int) -> float:
        """The chance of a run of so many words, by the lengths of document and item alone."""
        unspaced = bool(self._items.unspaced[match.item])
        size = int(self._items.sizes[match.item])
        return max(SMALLEST_P, pair_run_chance(match.words, size, score, None, unspaced=unspaced))


def count_holders(
    items: Items, matches: Iterable[Match], wanted: Container[int]
) -> dict[int, NDArray[np.int64]]:
    """How many documents have each word of the wanted items."""
    holders: dict[int, NDArray[np.int64]] = {}
    for match in matches:
        if match.item in wanted:
            size = len(items.own[match.item])
            documents = holders.setdefault(match.item, np.zeros(size, np.int64))
            documents += _covered(match.passages, size)
    return holders


def _own_runs(runs: Runs, own: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """The parts of runs that are the item's own words; a template between them is no gap."""
    number = np.concatenate([[0], np.cumsum(own)]).tolist()
    made: list[tuple[int, int, int]] = []
    left_out = 0
    for a, b, words in runs:
        edges = np.flatnonzero(np.diff(own[b : b + words], prepend=False, append=False)).tolist()
        done = 0
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            left_out += first - done
            made.append((a + first - left_out, number[b + first], last - first))
            done = last
        left_out += words - done
    return made


def _covered(passages: Iterable[MatchedPassage], size: int) -> NDArray[np.bool_]:
    mask = np.zeros(size, bool)
    for passage in passages:
        for _, first, words in passage.runs:
            mask[first : first + words] = True
    return mask
