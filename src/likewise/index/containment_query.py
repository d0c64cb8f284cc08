"""`ContainmentQuery`: stored documents that contain a text, or are contained in it.

Candidates share a run of words, rare words or a band. Where texts are stored, each is verified on
the full sets of shingles; elsewhere every document is compared by its signature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import U32, U64, Floats
from likewise.errors import UsageError
from likewise.index.matches import Intervals, Match
from likewise.index.passage_candidates import by_runs, by_words
from likewise.index.postings.entries import BANDS, documents_of, short_keys
from likewise.index.postings.lookup import IndexView
from likewise.index.postings.passage_entries import RunSampling, word_hashes
from likewise.index.settings import IndexSettings
from likewise.index.similarity_query import (
    CERTAINTY,
    EMPTY,
    agreeing_values,
    batches,
    metadata_filter,
    verified_matches,
)
from likewise.index.stored_document import StoredDocument
from likewise.statistics.bands import check_threshold
from likewise.statistics.estimate import binomial_estimate, check_level
from likewise.statistics.intervals import containment_estimate
from likewise.statistics.sampled_runs import sampled_run_recalls
from likewise.text.displayed import displayed_texts
from likewise.text.obfuscation.presence import find_all_tricks
from likewise.types import Measure, Metadata, Where
from likewise.whole_numbers import check_whole

_BATCH_TEXTS = 64
_MAX_WORDS = 2_000  # of texts whose recall is computed


@dataclass(frozen=True, slots=True)
class ContainmentQuery:
    """What is searched for, whatever the text; see `Index.query`.

    Containment is the share of the shorter text's shingles that the longer one has.
    """

    settings: IndexSettings
    threshold: float
    top: int | None = None
    level: float = 0.95
    where: Callable[[Metadata], bool] | None = None

    @classmethod
    def checked(
        cls,
        settings: IndexSettings,
        name: str,
        measure: str,
        threshold: float | None,
        top: int | None,
        level: float,
        where: Where | None,
        *,
        scan: bool,
    ) -> ContainmentQuery:
        """Raises `UsageError` for arguments that the index `name` cannot answer."""
        if measure not in get_args(Measure):
            allowed = ", ".join(get_args(Measure))
            raise UsageError(f"measure is {measure!r}; it must be one of {allowed}")
        wanted = settings.threshold if threshold is None else threshold
        check_threshold(wanted)
        check_level(level)
        if top is not None:
            check_whole("top", top, 1)
        if settings.min_words is None and not scan:
            other = ", or create an index with passages" if settings.keep_text else ""
            raise UsageError(
                f"{name} was created without passages, by which containment is searched",
                hint=f"compare with every document (`scan=True`){other}",
            )
        return cls(settings, wanted, top, level, metadata_filter(where))

    def matches(
        self, view: IndexView, strings: Sequence[str], threads: int, *, scan: bool
    ) -> list[list[Match]]:
        """For each text the documents that contain it or are contained in it, the most contained
        first; with `scan`, all documents are compared."""
        views = displayed_texts(strings, self.settings.profile, threads=threads)
        sketches = self.settings.sketch(views, threads)
        return [
            self._matches_of_text(
                view, views.select(np.array([i], np.uint32)), string, sketches.signatures[i],
                sketches.band_keys[:, i : i + 1], scan=scan,
            )
            for i, string in enumerate(strings)
        ]  # fmt: skip

    def _matches_of_text(
        self, view: IndexView, text: Texts, string: str, signature: U32, band_keys: U64, *,
        scan: bool,
    ) -> list[Match]:  # fmt: skip
        if (signature == EMPTY).all():  # without shingles, in no pair
            return []
        (size,) = self.settings.count_shingles(text, 1)
        numbers = None if scan else self._candidates(view, string, band_keys)
        found: list[Match] = []
        for documents in batches(view.snapshot, numbers, text=False):
            allowed = [d for d in documents if self.where is None or self.where(d.metadata or {})]
            agreeing = agreeing_values(allowed, signature)
            if not self.settings.keep_text:
                found += self._estimate(allowed, agreeing, size)
                continue
            plausible = _reachable(self.settings.values, CERTAINTY)[agreeing] >= self._jaccards(
                allowed, size
            )
            chosen = [d.number for d, one in zip(allowed, plausible, strict=True) if one]
            for begin in range(0, len(chosen), _BATCH_TEXTS):
                some = chosen[begin : begin + _BATCH_TEXTS]
                found += self._verify(view.snapshot.documents(some, text=True), text)
        found.sort(key=lambda match: (-match.containment_of_shorter, -match.jaccard, match.id))
        return found[: self.top]

    def _candidates(self, view: IndexView, string: str, band_keys: U64) -> list[int]:
        """Documents that share a run of words, rare words or a band."""
        assert self.settings.min_words is not None
        (tricks,) = find_all_tricks([string], threads=1)
        mended = Texts.from_strings([tricks.mended])
        (words,) = count_words([string])
        entries, _ = view.look_up(BANDS, np.unique(short_keys(band_keys)[:, 0]))
        return sorted(
            {
                *by_runs(view, mended, self.settings.min_words).numbers,
                *by_words(view, mended, words),
                *documents_of(entries).tolist(),
            }
        )

    def _jaccards(self, documents: Sequence[StoredDocument], size: int) -> Floats:
        """The similarity of the text to each document, if the threshold is just reached."""
        sizes = np.array([document.size for document in documents], np.float64)
        shared = self.threshold * np.minimum(sizes, size)
        jaccards: Floats = shared / np.maximum(sizes + size - shared, 1)
        return jaccards

    def _verify(self, documents: Sequence[StoredDocument], text: Texts) -> Iterator[Match]:
        for match in verified_matches(documents, text, self.settings.profile, 0.0):
            if match.containment_of_shorter >= self.threshold:
                yield match

    def _estimate(
        self, documents: Sequence[StoredDocument], agreeing: Sequence[int], size: int
    ) -> Iterator[Match]:
        """Documents that agree in as many values as one at the threshold has, with the recall of
        the index. Where that may be none at all, the signature says nothing."""
        settings = self.settings
        reachable = _reachable(settings.values, settings.recall)
        for document, count, jaccard in zip(
            documents, agreeing, self._jaccards(documents, size).tolist(), strict=True
        ):
            if reachable[0] <= jaccard < reachable[count]:
                estimate = binomial_estimate(count, settings.values, self.level)
                intervals = Intervals(
                    estimate,
                    containment_estimate(estimate, size, document.size),
                    containment_estimate(estimate, document.size, size),
                )
                yield Match.estimated(
                    intervals, id=document.id, size=size, size_of_document=document.size,
                    metadata=document.metadata,
                )  # fmt: skip

    def longest_judged(self) -> float:
        """How many times as long as the other one a text may be, to be compared by signatures."""
        jaccard = float(_reachable(self.settings.values, self.settings.recall)[0])
        return self.threshold / jaccard + self.threshold - 1

    def recalls(self) -> Floats | None:
        """By the length of a text in words, the least share of documents that are found without
        comparing all: of those with a copy of the text, in which words are replaced at random until
        its containment is expected to be the threshold. None where shingles are not of all words.
        """
        profile = self.settings.profile
        plain = profile.unit == "word" and profile.stop_words == "none"
        if self.settings.min_words is None or not plain or profile.min_word_length > 1:
            return None
        runs = RunSampling(self.settings.min_words)
        replaced = 1 - self.threshold ** (1 / profile.k)
        return sampled_run_recalls(_MAX_WORDS, replaced, runs.profile.k, runs.stride)


def count_words(strings: Sequence[str]) -> list[int]:
    """How many words texts have."""
    offsets = word_hashes(Texts.from_strings(list(strings)), 1)[1]
    counts: list[int] = np.diff(offsets.astype(np.int64)).tolist()
    return counts


@lru_cache(maxsize=16)
def _reachable(values: int, certainty: float) -> Floats:
    """By the number of agreeing values: more similar documents agree in more, this certain."""
    level = max(2 * certainty - 1, 1e-6)
    return np.array([_core.clopper_pearson(n, values, level)[1] for n in range(values + 1)])
