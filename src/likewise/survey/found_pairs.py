"""`FoundPairs`: the pairs of a collection, by similarity and by passages, with their measures.

A pair is there if its documents are similar, or if they share a passage. What the one way found and
the other did not is measured in the other way as well: similarity for all pairs, passages for those
that are to be listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likewise._core import CollectionWords, Texts
from likewise.passages.find import find_passages
from likewise.passages.pair_passages import PairPassages, figures_of, find_pair_passages
from likewise.passages.results import Passages
from likewise.run import Stats
from likewise.search.chance import PairChances, chances_of, comparable_pairs
from likewise.search.find import new_collection, search
from likewise.search.pairs import PairTable
from likewise.search.verification import verify
from likewise.statistics.shared_runs import is_unspaced, run_reached_by_chance
from likewise.survey.passage_columns import PassageColumns
from likewise.text.cut_words import CutWords
from likewise.text.words import STEM_LETTERS
from likewise.threads import thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.run import Progress
    from likewise.search.collection import Collection
    from likewise.search.settings import Settings
    from likewise.survey.settings import SurveySettings
    from likewise.survey.shown_text import ShownText

    Floats = NDArray[np.float64]
    Whole = NDArray[np.int64]

_TEXTS_AT_ONCE = 1000
_ALIGNED_AT_ONCE = 64
# Bytes that may be read for the chance level: some seconds.
_NULL_BYTES = 5_000_000_000
_FEWEST_NULL_PAIRS, _USUAL_NULL_PAIRS, _MOST_NULL_PAIRS = 2_000, 100_000, 1_000_000
_WANTED_Q = 0.04  # of pairs that no random pair comes near


class FoundPairs:
    """All pairs, the most similar first.

    Attributes:
        table: documents by number, a before b, and their shingles.
        chances: chance level, p- and q-value of each.
        shared: what each shares in passages.
        passages: the same with the passages themselves, by the numbers of the documents.
        sizes: words of each document, without what was left out.
        stats, passage_stats: of both searches.
        common_text: sentences on text that many documents have and that is not excluded.
    """

    def __init__(
        self, texts: Sequence[ShownText], settings: SurveySettings, progress: Progress
    ) -> None:
        """Searches `texts`, which are ordered by their ids."""
        self._texts = texts
        self._settings = settings
        self._progress = progress
        self._threads = thread_count(settings.threads)
        self._matched = [text.matching.text for text in texts]
        self._words = CutWords(self._matched, STEM_LETTERS)
        wanted = settings.search()
        self.stats = Stats(wanted.to_dict())
        collection = self._collect(wanted)
        # Chance levels are of all pairs, and so come when all are known.
        similar = search(collection, replace(wanted, chance=None), self.stats, progress)
        found = self._find_passages()
        self.table = self._joined(similar.table, found, collection, wanted)
        self._share(found)
        self._leave_out()
        self._order()
        if settings.null_pairs is None:
            wanted = replace(wanted, null_pairs=self._null_pairs(comparable_pairs(collection)))
            self.stats.settings["null_pairs"] = wanted.null_pairs
        sharing = [numbers for numbers, pair in self.passages.items() if pair.passages]
        related = np.array(sharing, np.uint32).reshape(-1, 2)
        self.chances: PairChances = chances_of(
            self.table, collection, wanted, self.stats, progress, related
        )
        self.stats.counts["pairs"] = len(self)

    def __len__(self) -> int:
        return len(self.table)

    def _null_pairs(self, comparable: int) -> int:
        """All of them, or so many that q-values can be small, as far as time allows."""
        if comparable <= _USUAL_NULL_PAIRS:
            return comparable
        wanted = int(comparable / (_WANTED_Q * max(1, len(self))))
        characters = sum(map(len, self._matched))
        of_pair = 2 * characters // max(1, len(self._matched)) or 1
        affordable = max(_FEWEST_NULL_PAIRS, _NULL_BYTES // of_pair)
        return min(max(wanted, _USUAL_NULL_PAIRS), affordable, _MOST_NULL_PAIRS)

    def _collect(self, wanted: Settings) -> Collection:
        """All documents, sketched; and their words, counted."""
        collection = new_collection(wanted)
        words = CollectionWords(stem_letters=STEM_LETTERS, keep_order=False)
        with self.stats.timed("sketch"):
            for begin in range(0, max(1, len(self._matched)), _TEXTS_AT_ONCE):
                self._progress("sketch", begin, len(self._matched))
                part = slice(begin, begin + _TEXTS_AT_ONCE)
                batch = Texts.from_strings(self._matched[part])
                ids = [text.document.id for text in self._texts[part]]
                collection.add_texts(ids, batch)
                words.add(batch, threads=self._threads)
        self.sizes: Whole = words.sizes().astype(np.int64)
        return collection

    def _find_passages(self) -> Passages:
        exclude = self._settings.exclude
        # Parts of texts are left out already; and who shares too little is told by all measures.
        remaining = replace(
            exclude,
            quotations=False,
            bibliography=False,
            phrases=(),
            templates=(),
            common_text="keep",
            min_share=0.0,
        )
        found = find_passages(
            self._matched,
            min_words=self._settings.min_words,
            exclude=remaining,
            metadata=[text.document.metadata for text in self._texts],
            threads=self._threads,
            progress=self._progress,
        )
        self.passage_stats = found.stats
        self.common_text = found.common_text
        return found

    def _joined(
        self, similar: PairTable, found: Passages, collection: Collection, wanted: Settings
    ) -> PairTable:
        """Similar pairs, and those that passages alone led to."""
        similar = self._without_same(similar)
        by_passages = _keys_of(found)
        others = np.setdiff1d(by_passages, _keys(similar))
        self.stats.counts |= {
            "similar_pairs": len(similar),
            "pairs_with_passages": len(by_passages),
            "pairs_by_passages_only": len(others),
        }
        a, b = (others >> 32).astype(np.uint32), (others & 0xFFFFFFFF).astype(np.uint32)
        with self.stats.timed("verify"):
            measured = verify(
                collection, a, b, profile=wanted.profile, threshold=0.0, threads=wanted.threads,
                progress=self._progress,
            )  # fmt: skip
        return PairTable.concatenated([similar, measured])

    def _without_same(self, similar: PairTable) -> PairTable:
        """Pairs that are not of the same author or group, where that is excluded."""
        for name in self._settings.exclude.same:
            of = [(text.document.metadata or {}).get(name) for text in self._texts]
            rows = zip(similar.a.tolist(), similar.b.tolist(), strict=True)
            other = [of[a] is None or of[a] != of[b] for a, b in rows]
            similar = similar.take(np.array(other, bool))
        return similar

    def _share(self, found: Passages) -> None:
        """What pairs share in passages, as the search for them counted it."""
        self.shared = PassageColumns.empty(len(self.table))
        self.passages: dict[tuple[int, int], PairPassages] = {}
        order = np.argsort(keys := _keys(self.table))
        places = np.searchsorted(keys, wanted := _keys_of(found), sorter=order)
        for pair, key, place in zip(found, wanted.tolist(), places.tolist(), strict=True):
            if place == len(keys) or keys[row := order[place]] != key:
                continue  # without a single shingle, as where only stop words are shared
            self.passages[key >> 32, key & 0xFFFFFFFF] = pair
            self.shared.put(int(row), pair)

    @cached_property
    def jaccard(self) -> Floats:
        """Shared shingles over all of both."""
        table = self.table
        union = table.size_a + table.size_b - table.shared
        return np.asarray(table.shared / np.maximum(union, np.uint64(1)))

    def containments(self) -> tuple[Floats, Floats]:
        """Of a in b, and of b in a."""
        table = self.table
        return (
            np.asarray(table.shared / np.maximum(table.size_a, np.uint64(1))),
            np.asarray(table.shared / np.maximum(table.size_b, np.uint64(1))),
        )

    def _leave_out(self) -> None:
        """Pairs that share too little of both documents, by any measure."""
        least = self._settings.exclude.min_share
        most = np.maximum(self.shared.share_a, self.shared.share_b)
        for containment in self.containments():
            most = np.maximum(most, containment)
        kept = most >= least
        if kept.all():
            return
        self.stats.counts["below_min_share"] = int((~kept).sum())
        without = self.table.take(~kept)
        for key in zip(without.a.tolist(), without.b.tolist(), strict=True):
            self.passages.pop(key, None)
        self._take(kept)

    def _take(self, rows: NDArray[np.int64] | NDArray[np.bool_]) -> None:
        self.table = self.table.take(rows)
        self.shared = self.shared.take(rows)
        self.__dict__.pop("jaccard", None)

    def _order(self) -> None:
        """By the highest of Jaccard and the shares in passages, then by Jaccard, then by ids."""
        self._take(self._ordered(np.arange(len(self.table))))

    def _ordered(self, rows: Whole) -> Whole:
        highest = np.maximum(
            self.jaccard[rows], np.maximum(self.shared.share_a[rows], self.shared.share_b[rows])
        )
        order = np.lexsort((self.table.b[rows], self.table.a[rows], -self.jaccard[rows], -highest))
        return np.asarray(rows[order])

    def chance_runs(self, rows: Whole) -> list[int]:
        """The longest run that unrelated texts as long as each pair share in one case of twenty."""
        numbers = np.stack([self.table.a[rows], self.table.b[rows]], axis=1).tolist()
        return [
            self.passages[a, b].chance_run if (a, b) in self.passages else self._chance_run(a, b)
            for a, b in numbers
        ]

    def _chance_run(self, a: int, b: int) -> int:
        unspaced = any(is_unspaced(self._words[number].letters) for number in (a, b))
        return run_reached_by_chance(int(self.sizes[a]), int(self.sizes[b]), unspaced=unspaced)

    def list_first(self, most: int) -> Whole:
        """The rows of the most similar pairs, which now all have their passages.

        What very many documents share leads to none of them; where such documents are listed as
        similar, what they share is looked for.
        """
        rows = np.arange(min(most, len(self.table)))
        exclude = self._settings.exclude
        without = [row for row in rows.tolist() if not self.shared.passages[row]]
        # Which passages are shared with too many can only be told among all.
        if exclude.max_sources is None:
            with self.passage_stats.timed("align"):
                self._align(without)
        sharing = self.shared.passages
        self.passage_stats.counts |= {
            "pairs": int(np.count_nonzero(sharing)),
            "passages": int(sharing.sum()),
        }
        return self._ordered(rows)

    def _align(self, rows: Sequence[int]) -> None:
        least = self._settings.exclude.min_passage
        for begin in range(0, len(rows), _ALIGNED_AT_ONCE):
            self._progress("align", begin, len(rows))
            part = rows[begin : begin + _ALIGNED_AT_ONCE]
            pairs = np.stack([self.table.a[part], self.table.b[part]], axis=1)
            used, places = np.unique(pairs, return_inverse=True)
            found = find_pair_passages(
                [self._matched[i] for i in used.tolist()],
                [(a, b) for a, b in places.reshape(-1, 2).tolist()],
                min_words=self._settings.min_words,
                words=[self._words[i] for i in used.tolist()],
                threads=self._threads,
            )
            for row, (a, b), pair in zip(part, pairs.tolist(), found, strict=True):
                every = (*pair.passages, *pair.reworded)
                if long := [passage for passage in every if passage.words >= least]:
                    words = self._words[a], self._words[b]
                    kept = PairPassages(**figures_of(long, *words, pair.chance_run))
                    self.passages[a, b] = kept
                    self.shared.put(row, kept)


def _keys(table: PairTable) -> Whole:
    """Pairs as single numbers."""
    return table.a.astype(np.int64) << 32 | table.b


def _keys_of(found: Passages) -> Whole:
    """The same of pairs whose ids are numbers of documents."""
    return np.array([int(pair.a) << 32 | int(pair.b) for pair in found], np.int64)
