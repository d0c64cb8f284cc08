"""`CollectionPairs`: the pairs of a collection, by similarity and by passages, with their measures.

A pair is listed if its documents are similar, or if they share a passage. Pairs that one of the two
searches found alone get the other's measures as well: similarity for all, passages for those that
are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likewise._core import Texts
from likewise.arrays import Floats, Ints
from likewise.passages.find import find_known_passages
from likewise.passages.pair_passages import PairPassages, find_pair_passages
from likewise.passages.passage_filters import differ_in, filter_passages
from likewise.run import Stats
from likewise.search.chance import PairChances, chances_of
from likewise.search.comparable_pairs import comparable_pairs
from likewise.search.find import new_collection, search
from likewise.search.packed_pairs import pack, unpack
from likewise.search.pairs import PairTable
from likewise.search.verification import verify
from likewise.statistics.shared_runs import is_unspaced, run_reached_by_chance
from likewise.text.cut_words import CutWords
from likewise.text.words import STEM_LETTERS
from likewise.threads import thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.results import Passages
    from likewise.run import Progress
    from likewise.search.collection import Collection
    from likewise.search.settings import Settings
    from likewise.survey.settings import SurveySettings
    from likewise.survey.shown_text import ShownText


_BATCH_TEXTS = 1000
_BATCH_PAIRS = 64
# Bytes that may be read for the chance level: some seconds.
_MAX_NULL_BYTES = 5_000_000_000
_MIN_NULL_PAIRS, _USUAL_NULL_PAIRS, _MAX_NULL_PAIRS = 2_000, 100_000, 1_000_000
_WANTED_Q = 0.04  # of pairs that are more similar than any random pair

# What a pair shares in passages: matched words of a and of b, their share of all words, the number
# of passages, the longest run, and its chance (NaN if there is none).
_SHARED = np.dtype(
    [
        ("words", "i8"), ("words_b", "i8"), ("share_a", "f8"), ("share_b", "f8"),
        ("passages", "i8"), ("reworded", "i8"), ("run", "i8"), ("p", "f8"),
    ]
)  # fmt: skip


def _shared_row(pair: PairPassages) -> tuple[float, ...]:
    return (
        pair.words_a, pair.words_b, pair.share_a, pair.share_b, len(pair.passages),
        len(pair.reworded), pair.longest_run, np.nan if pair.p is None else pair.p,
    )  # fmt: skip


class CollectionPairs:
    """All pairs, the most similar first.

    Attributes:
        table: documents by number, a before b, and their shingles.
        chances: chance level, p- and q-value of each.
        shared: what each shares in passages, an array of `_SHARED`.
        passages: the passages themselves, by the numbers of the documents.
        words: of each text, as it is matched.
        sizes: words of each document, without excluded text.
        stats, passage_stats: of both searches.
        common_text: sentences on text that many documents have and that is not excluded.
    """

    def __init__(
        self,
        texts: Sequence[ShownText],
        settings: SurveySettings,
        progress: Progress,
        archive_size: int | None = None,
    ) -> None:
        """Searches `texts`: those under review, then those of an archive, ordered by their ids.

        `archive_size` is the number of documents in the archive, not all of which may be in
        `texts`; None if there is no archive.
        """
        self._settings = settings
        self._archive_size = archive_size
        self._under_review = sum(text.archive is None for text in texts)
        self._progress = progress
        self._threads = thread_count(settings.threads)
        self._matching = [text.matching for text in texts]
        self._texts = [one.text for one in self._matching]
        self._excluded = {
            number: one.excluded_ranges for number, one in enumerate(self._matching) if one.excluded
        }
        self._metadata = [text.document.metadata for text in texts]
        self.words = CutWords(self._texts, STEM_LETTERS)
        wanted = settings.search()
        self.stats = Stats(wanted.to_dict())
        ids = [text.document.id for text in texts]
        collection = self._collect(ids, self._texts, wanted)
        self.sizes = np.array([text.size for text in texts], np.int64)
        # Chance levels are for all pairs, and so are computed when all are known.
        similar = search(collection, replace(wanted, chance=None), self.stats, progress)
        found = self._find_passages()
        self.passage_stats = found.stats
        self.common_text = found.common_text
        self.table = self._joined(similar.table, found, collection, wanted)
        self._put_passages(found)
        self._exclude_pairs_of_excluded_text()
        self._exclude_small_shares()
        similar_count = int(np.count_nonzero(self.jaccard >= settings.threshold))
        self.stats.counts |= {
            "similar_pairs": similar_count,
            "pairs_by_passages_only": len(self) - similar_count,
        }
        self._take(self._ordered(np.arange(len(self.table))))
        if settings.null_pairs is None:
            number = self._null_pairs(comparable_pairs(collection))
            wanted = replace(wanted, null_pairs=max(1, number))
            self.stats.settings["null_pairs"] = number
        sharing = [numbers for numbers, pair in self.passages.items() if pair.passages]
        related = np.array(sharing, np.uint32).reshape(-1, 2)
        self.chances: PairChances = chances_of(
            self.table, collection, wanted, self.stats, progress, related, self._remaining(ids)
        )
        self.stats.counts["pairs"] = len(self)
        if archive_size is not None:
            del self.stats.counts["documents"]
            self.stats.counts |= {"under_review": self._under_review, "archive": archive_size}

    def __len__(self) -> int:
        return len(self.table)

    @cached_property
    def jaccard(self) -> Floats:
        return self.table.jaccard()

    def _null_pairs(self, comparable: int) -> int:
        """All of them, or so many that q-values can be small, as far as time allows."""
        if comparable <= _USUAL_NULL_PAIRS:
            return comparable
        wanted = int(comparable / (_WANTED_Q * max(1, len(self))))
        characters = sum(map(len, self._texts))
        of_pair = 2 * characters // max(1, len(self._texts)) or 1
        affordable = max(_MIN_NULL_PAIRS, _MAX_NULL_BYTES // of_pair)
        return min(max(wanted, _USUAL_NULL_PAIRS), affordable, _MAX_NULL_PAIRS)

    def _remaining(self, ids: Sequence[str]) -> Collection | None:
        """All documents without excluded text; None if nothing is excluded."""
        if not self._excluded:
            return None
        texts = [one.remaining_text for one in self._matching]
        return self._collect(ids, texts, replace(self._settings.search(), exact=True))

    def _collect(self, ids: Sequence[str], texts: Sequence[str], wanted: Settings) -> Collection:
        """All documents, sketched."""
        collection = new_collection(wanted)
        with self.stats.timed("sketch"):
            self._add(collection, ids, texts, 0, self._under_review)
            if self._archive_size is not None:
                collection.begin_archive(self._archive_size)
                self._add(collection, ids, texts, self._under_review, len(ids))
        return collection

    def _add(
        self, collection: Collection, ids: Sequence[str], texts: Sequence[str], first: int, end: int
    ) -> None:
        for begin in range(first, max(first + 1, end), _BATCH_TEXTS):
            self._progress("sketch", begin, len(ids))
            part = slice(begin, min(begin + _BATCH_TEXTS, end))
            collection.add_texts(ids[part], Texts.from_strings(texts[part]))

    def _find_passages(self) -> Passages:
        return find_known_passages(
            self._matching,
            self._under_review,
            min_words=self._settings.min_words,
            # Pairs that share little by all measures are excluded later.
            exclude=replace(self._settings.exclude, min_share=0.0),
            metadata=self._metadata,
            threads=self._threads,
            progress=self._progress,
        )

    def _joined(
        self, similar: PairTable, found: Passages, collection: Collection, wanted: Settings
    ) -> PairTable:
        """Similar pairs, and those that were found by passages alone."""
        same = self._settings.exclude.same
        similar = similar.take(differ_in(same, self._metadata, similar.a, similar.b))
        others = np.setdiff1d(_keys(found), pack(similar.a, similar.b))
        self._by_passages = others
        a, b = unpack(others)
        with self.stats.timed("verify"):
            measured = verify(
                collection, a, b, profile=wanted.profile, threshold=0.0, threads=wanted.threads,
                progress=self._progress,
            )  # fmt: skip
        return PairTable.concatenated([similar, measured])

    def _put_passages(self, found: Passages) -> None:
        self.shared = np.zeros(len(self.table), _SHARED)
        self.shared["p"] = np.nan
        self.passages: dict[tuple[int, int], PairPassages] = {}
        rows = {key: row for row, key in enumerate(pack(self.table.a, self.table.b).tolist())}
        for pair, key in zip(found, _keys(found).tolist(), strict=True):
            if key in rows:  # else it has no shingle, as where only stop words are shared
                self.passages[key >> 32, key & 0xFFFFFFFF] = pair
                self.shared[rows[key]] = _shared_row(pair)

    def _exclude_pairs_of_excluded_text(self) -> None:
        """Exclude pairs that are similar by what they share in excluded text only.

        Similarity is that of the whole texts, whatever is excluded.
        """
        if not self._excluded:
            return
        touched = np.isin(np.arange(len(self._texts)), list(self._excluded))
        doubtful = (touched[self.table.a] | touched[self.table.b]) & ~self._has_passages()
        self._align(np.flatnonzero(doubtful).tolist())
        self._keep(~doubtful | self._has_passages(), "of_excluded_text")

    def _has_passages(self) -> NDArray[np.bool_]:
        return (self.shared["passages"] > 0) | (self.shared["reworded"] > 0)

    def _exclude_small_shares(self) -> None:
        """Exclude pairs that share too little of both documents, by every measure."""
        table, shared = self.table, self.shared
        shares = shared["share_a"], shared["share_b"], table.containment_a(), table.containment_b()
        least = self._settings.exclude.min_share
        self._keep(np.maximum.reduce(shares) >= least, "below_min_share")

    def _keep(self, kept: NDArray[np.bool_], reason: str) -> None:
        """Keep these pairs only; count the others as excluded for a reason."""
        if kept.all():
            return
        table = self.table
        self.stats.counts[reason] = int((~kept).sum())
        for pair in zip(table.a[~kept].tolist(), table.b[~kept].tolist(), strict=True):
            self.passages.pop(pair, None)
        self._take(kept)

    def _take(self, rows: Ints | NDArray[np.bool_]) -> None:
        self.table, self.shared = self.table.take(rows), self.shared[rows]
        self.__dict__.pop("jaccard", None)

    def _ordered(self, rows: Ints) -> Ints:
        """By the highest of Jaccard and the shares in passages, then by Jaccard, then by ids."""
        jaccard, shared = self.jaccard[rows], self.shared[rows]
        highest = np.maximum.reduce([jaccard, shared["share_a"], shared["share_b"]])
        order = np.lexsort((self.table.b[rows], self.table.a[rows], -jaccard, -highest))
        return np.asarray(rows[order])

    def by_passages(self, rows: Ints) -> NDArray[np.bool_]:
        """Whether pairs were found by their passages alone: they are not similar as a whole."""
        return np.isin(pack(self.table.a[rows], self.table.b[rows]), self._by_passages)

    def chance_runs(self, rows: Ints) -> list[int]:
        """The longest run that unrelated texts as long as each pair share in one case of twenty."""
        numbers = zip(self.table.a[rows].tolist(), self.table.b[rows].tolist(), strict=True)
        return [
            self.passages[a, b].chance_run if (a, b) in self.passages else self._chance_run(a, b)
            for a, b in numbers
        ]

    def _chance_run(self, a: int, b: int) -> int:
        words = self.words[a], self.words[b]
        unspaced = any(is_unspaced(one.letters) for one in words)
        return run_reached_by_chance(len(words[0]), len(words[1]), unspaced=unspaced)

    def list_first(self, most: int) -> Ints:
        """The rows of the most similar pairs, which now all have their passages.

        The search skips text that very many documents share; pairs of such documents that are
        listed as similar are aligned here.
        """
        rows = np.arange(min(most, len(self.table)))
        # Which passages are shared with too many can be said only of all pairs together.
        if self._settings.exclude.max_sources is None:
            with self.passage_stats.timed("align"):
                self._align([row for row in rows.tolist() if not self.shared["passages"][row]])
        self.passage_stats.counts |= {
            "pairs": int(np.count_nonzero(self.shared["passages"])),
            "passages": int(self.shared["passages"].sum()),
        }
        return self._ordered(rows)

    def _align(self, rows: Sequence[int]) -> None:
        for begin in range(0, len(rows), _BATCH_PAIRS):
            self._progress("align", begin, len(rows))
            part = rows[begin : begin + _BATCH_PAIRS]
            numbers = list(
                zip(self.table.a[part].tolist(), self.table.b[part].tolist(), strict=True)
            )
            found = find_pair_passages(
                self._texts,
                numbers,
                min_words=self._settings.min_words,
                words=self.words,
                threads=self._threads,
                excluded=self._excluded,
            )
            row_of = dict(zip(numbers, part, strict=True))
            pairs = ((a, b, pair) for (a, b), pair in zip(numbers, found, strict=True) if pair)
            for a, b, pair in filter_passages(pairs, self._settings.exclude, self.words, {}):
                self.passages[a, b] = pair
                self.shared[row_of[a, b]] = _shared_row(pair)


def _keys(found: Passages) -> NDArray[np.uint64]:
    """Pairs whose ids are numbers of documents, as single numbers."""
    return np.array([int(pair.a) << 32 | int(pair.b) for pair in found], np.uint64)
