"""`Detector`: the whole search, batch by batch; then what was found, with its recall."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise.decontamination.expected_hits import expected_hits
from likewise.decontamination.item_search import ItemSearch, Match, prepared
from likewise.decontamination.judgement import Hit, Judge, count_holders
from likewise.decontamination.recall import Recall, Sample, measure_recall
from likewise.decontamination.settings import DecontaminationSettings
from likewise.run import Progress, Stats

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from likewise.decontamination.items import Items

_MAX_EXCERPT = 200  # characters


@dataclass(frozen=True, slots=True)
class Detected:
    """What was found in all documents.

    Attributes:
        hits: hits and templates, by document and item.
        excerpts: of each match, by row and item: the beginning of its first passage.
        recall: of planted copies.
        expected: how many hits unrelated documents would give, at most.
        documents, words: how much was searched.
    """

    hits: list[Hit]
    excerpts: dict[tuple[int, int], str]
    recall: list[Recall]
    expected: float
    documents: int
    words: int


def excerpt_of(match: Match, text: str) -> str:
    """The beginning of the first passage of a match."""
    place = match.passages[0]
    return " ".join(text[place.start : place.end][:_MAX_EXCERPT].split())


class Detector:
    """Searches documents for items; they are added in batches, in their order."""

    def __init__(
        self,
        items: Items,
        originals: Sequence[str],
        settings: DecontaminationSettings,
        threads: int,
    ) -> None:
        self.items = items
        self._originals = originals
        self._settings = settings
        self._threads = threads
        self._search = ItemSearch(items, settings.max_p, threads)
        self._sample = Sample()
        self._matches: list[Match] = []
        self._excerpts: dict[tuple[int, int], str] = {}
        self._lengths: Counter[int] = Counter()
        self.documents = 0

    def add(self, texts: pa.LargeStringArray) -> list[int]:
        """Searches some more documents; the rows of this batch with matches, ascending."""
        column = prepared(texts, self._threads)
        found, sizes = self._search.search(column, self.documents)
        if self._settings.planted:
            self._sample.add(texts, self.documents)
        for match in found:
            text = texts[match.row - self.documents].as_py()
            self._excerpts[match.row, match.item] = excerpt_of(match, text)
        lengths, counts = np.unique(sizes, return_counts=True)
        self._lengths.update(dict(zip(lengths.tolist(), counts.tolist(), strict=True)))
        self._matches += found
        rows = sorted({match.row - self.documents for match in found})
        self.documents += len(texts)
        return rows

    def finish(self, stats: Stats, progress: Progress) -> Detected:
        """Decides, and measures recall."""
        with stats.timed("decide"):
            progress("decide", 0, None)
            matched = Counter(match.item for match in self._matches)
            frequent = {
                item for item, count in matched.items() if count > self._settings.max_documents
            }
            holders = count_holders(self.items, self._matches, frequent)
            judge = Judge(self.items, self._settings, holders)
            hits = judge.hits(self._matches)
            expected = expected_hits(self.items, self._lengths, self._settings.max_p)
        with stats.timed("recall"):
            progress("measure recall", 0, None)
            recall = measure_recall(
                self._search, judge, self._originals, self._sample.texts, self._settings.planted,
                self._settings.seed, self._threads,
            )  # fmt: skip
        words = sum(length * count for length, count in self._lengths.items())
        return Detected(hits, self._excerpts, recall, expected, self.documents, words)
