"""`SimilarityQuery`: stored documents that are similar to a text, or to one of them.

Candidates share a band. Where texts are stored, each is verified on the full sets of shingles;
elsewhere, and between stored documents, similarities are estimates by signatures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import U32, U64
from likewise.errors import UsageError
from likewise.index.matches import Intervals, Match
from likewise.index.postings.entries import BANDS, documents_of, short_keys
from likewise.index.postings.lookup import IndexView
from likewise.index.settings import IndexSettings
from likewise.index.stored_document import StoredDocument, signature_values, split_by_size
from likewise.index.stores.transaction import Snapshot
from likewise.search.verification import verify_first
from likewise.statistics.bands import check_threshold
from likewise.statistics.estimate import binomial_estimate, check_level
from likewise.statistics.intervals import containment_estimate
from likewise.text.displayed import displayed_strings
from likewise.text.profile import Profile
from likewise.types import Metadata, Where
from likewise.whole_numbers import check_whole

# A candidate is skipped if, of those that reach the threshold, only one in a billion has a
# signature that agrees so little.
CERTAINTY = 1 - 1e-9
_BATCH_DOCUMENTS = 4096
EMPTY = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class SimilarityQuery:
    """What is searched for, whatever the text; see `Index.query`."""

    settings: IndexSettings
    threshold: float
    top: int | None = None
    level: float = 0.95
    where: Callable[[Metadata], bool] | None = None

    def check(self, name: str, *, scan: bool) -> None:
        """Raises `UsageError` for arguments that the index `name` cannot answer."""
        check_threshold(self.threshold)
        check_level(self.level)
        if self.top is not None:
            check_whole("top", self.top, 1)
        if self.threshold < self.settings.threshold and not scan:
            raise UsageError(
                f"{name} was created for similarities of {self.settings.threshold:g} "
                f"or more; at {self.threshold:g} documents would be missed",
                hint="compare with every document (`scan=True`), or create another index",
            )

    def matches_of_text(
        self, view: IndexView, text: Texts, signature: U32, band_keys: U64, *, scan: bool
    ) -> list[Match]:
        """Documents similar to one text; with `scan`, all documents are compared."""
        if (signature == EMPTY).all():  # without shingles, in no pair
            return []
        numbers = None if scan else _candidates(view, band_keys)
        parts = self._plausible(view.snapshot, numbers, signature, text=self.settings.keep_text)
        if self.settings.keep_text:
            profile, least = self.settings.profile, self.threshold
            return self._best(
                match for part in parts for match in verified_matches(part, text, profile, least)
            )
        (size,) = self.settings.count_shingles(text, 1)
        return self._best(match for part in parts for match in self.estimate(part, signature, size))

    def matches_of_document(self, view: IndexView, document: StoredDocument) -> list[Match]:
        """Other documents similar to a stored one."""
        if not document.size:
            return []
        (signature,) = signature_values([document], self.settings.values)
        keys = self.settings.band_keys(signature[np.newaxis])
        numbers = [n for n in _candidates(view, keys) if n != document.number]
        return self._best(
            match
            for part in self._plausible(view.snapshot, numbers, signature, text=False)
            for match in self.estimate(part, signature, document.size)
        )

    def estimate(
        self, documents: Sequence[StoredDocument], signature: U32, size: int
    ) -> Iterator[Match]:
        """Documents whose interval reaches the threshold, compared with a signature."""
        for document, agreeing in zip(
            documents, agreeing_values(documents, signature), strict=True
        ):
            estimate = binomial_estimate(agreeing, self.settings.values, self.level)
            if estimate.high >= self.threshold:
                intervals = Intervals(
                    estimate,
                    containment_estimate(estimate, size, document.size),
                    containment_estimate(estimate, document.size, size),
                )
                yield Match.estimated(
                    intervals,
                    id=document.id,
                    size=size,
                    size_of_document=document.size,
                    metadata=document.metadata,
                )

    def _plausible(
        self, snapshot: Snapshot, numbers: list[int] | None, signature: U32, *, text: bool
    ) -> Iterator[list[StoredDocument]]:
        """Documents, in batches, whose signatures do not rule them out."""
        fewest = _fewest_agreeing(self.settings.values, self.threshold)
        for documents in batches(snapshot, numbers, text=text):
            agreeing = agreeing_values(documents, signature)
            yield [
                document
                for document, count in zip(documents, agreeing, strict=True)
                if count >= fewest and (self.where is None or self.where(document.metadata or {}))
            ]

    def _best(self, matches: Iterable[Match]) -> list[Match]:
        """The most similar ones first."""
        return sorted(matches, key=lambda match: (-match.jaccard, match.id))[: self.top]


def metadata_filter(where: Where | None) -> Callable[[Metadata], bool] | None:
    """A condition on metadata: a function, or values that fields must have.

    A list, tuple or set has the values that are allowed.
    """
    if where is None or callable(where):
        return where
    if not isinstance(where, Mapping) or not all(isinstance(name, str) for name in where):
        raise UsageError("where must be a mapping of fields of the metadata to their values")
    allowed = {
        name: list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]
        for name, value in where.items()
    }
    return lambda known: all(known.get(name) in values for name, values in allowed.items())


def _candidates(view: IndexView, band_keys: U64) -> list[int]:
    """Numbers of the documents that share a band."""
    keys = np.unique(short_keys(band_keys)[:, 0])
    entries, _ = view.look_up(BANDS, keys)
    numbers: list[int] = np.unique(documents_of(entries)).tolist()
    return numbers


def batches(
    snapshot: Snapshot, numbers: list[int] | None, *, text: bool
) -> Iterator[list[StoredDocument]]:
    if numbers is not None:
        for begin in range(0, len(numbers), _BATCH_DOCUMENTS):
            yield snapshot.documents(numbers[begin : begin + _BATCH_DOCUMENTS], text=text)
        return
    last = 0
    while part := snapshot.scan(after=last, limit=_BATCH_DOCUMENTS, text=text):
        yield part
        last = part[-1].number


def agreeing_values(documents: Sequence[StoredDocument], signature: U32) -> list[int]:
    """The number of values in which each document agrees with a signature."""
    if not documents:
        return []
    same = (signature_values(documents, len(signature)) == signature) & (signature != EMPTY)
    counts: list[int] = same.sum(axis=1).tolist()
    return counts


@lru_cache(maxsize=64)
def _fewest_agreeing(values: int, threshold: float) -> int:
    """The fewest agreeing values with which a similarity may still reach the threshold."""
    low, high = 0, values
    while low < high:
        middle = (low + high) // 2
        if _core.clopper_pearson(middle, values, CERTAINTY)[1] >= threshold:
            high = middle
        else:
            low = middle + 1
    return low


def verified_matches(
    documents: Sequence[StoredDocument], text: Texts, profile: Profile, jaccard: float
) -> Iterator[Match]:
    """The documents that share shingles with a text, with at least this Jaccard similarity."""
    for part in split_by_size(documents):
        texts = [document.stored_text for document in part]
        both = Texts.concatenated([text, Texts.from_strings(displayed_strings(texts, profile))])
        for other, shared, size, own in verify_first(both, profile, jaccard, 1):
            if not shared:
                continue
            yield Match(
                id=part[other - 1].id,
                jaccard=shared / (size + own - shared),
                containment=shared / size,
                containment_of_document=shared / own,
                shared=shared,
                size=size,
                size_of_document=own,
                metadata=part[other - 1].metadata,
            )
