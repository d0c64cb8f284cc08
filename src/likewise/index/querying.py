"""One text against the index: candidates by bands, then verified, or estimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.index.matches import EstimatedMatch, Match
from likewise.index.postings.entries import BANDS, documents_of, short_keys
from likewise.index.postings.lookup import look_up
from likewise.index.postings.segments import Segment
from likewise.index.settings import IndexSettings
from likewise.index.stores.protocol import Snapshot, StoredDocument
from likewise.index.texts import unpacked
from likewise.search.verification import verify_first
from likewise.statistics.estimate import binomial_estimate
from likewise.statistics.intervals import containment_estimate
from likewise.text.displayed import displayed_strings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

# A candidate whose signature speaks so clearly against it is not looked at: of those that reach the
# threshold, one in a billion.
_CERTAINTY = 1 - 1e-9
_AT_ONCE = 4096
_EMPTY = np.uint32(0xFFFFFFFF)


def answer(
    snapshot: Snapshot,
    settings: IndexSettings,
    segments: Sequence[Segment] | None,
    text: Texts,
    signature: U32,
    band_keys: U64,
    threshold: float,
    top: int | None,
    level: float,
) -> list[Match | EstimatedMatch]:
    """The documents similar to one text; `segments` None looks at all of them."""
    if (signature == _EMPTY).all():  # without shingles, in no pair
        return []
    if segments is None:
        numbers = None
    else:
        numbers = candidates(snapshot, segments, short_keys(band_keys)[:, 0])
    size = int(_core.count_distinct(
        text, settings.profile.rules(), np.zeros(1, np.uint32), threads=1
    )[0])  # fmt: skip
    matches: list[Match | EstimatedMatch] = []
    text_too = settings.keep_text
    for documents in plausible(snapshot, settings, numbers, signature, threshold, text=text_too):
        if settings.keep_text:
            matches += _verified(documents, settings, text, threshold)
        else:
            matches += estimated(documents, settings, signature, size, threshold, level)
    matches.sort(key=lambda match: (-_similarity(match), match.id))
    return matches[:top]


def candidates(snapshot: Snapshot, segments: Sequence[Segment], keys: U32) -> list[int]:
    """Numbers of the documents that share a band."""
    entries, _ = look_up(snapshot, segments, BANDS, np.unique(keys))
    numbers: list[int] = np.unique(documents_of(entries)).tolist()
    return numbers


def plausible(
    snapshot: Snapshot,
    settings: IndexSettings,
    numbers: list[int] | None,
    signature: U32,
    threshold: float,
    *,
    text: bool,
) -> Iterator[list[StoredDocument]]:
    """The documents, in parts, whose signatures do not rule them out."""
    least = _least_agreeing(settings.values, threshold)
    for documents in _documents(snapshot, numbers, text=text):
        held = _agreeing(documents, signature)
        yield [d for d, agreeing in zip(documents, held, strict=True) if agreeing >= least]


def _documents(
    snapshot: Snapshot, numbers: list[int] | None, *, text: bool
) -> Iterator[list[StoredDocument]]:
    if numbers is not None:
        for begin in range(0, len(numbers), _AT_ONCE):
            yield snapshot.documents(numbers[begin : begin + _AT_ONCE], text=text)
        return
    last = 0
    while part := snapshot.scan(after=last, limit=_AT_ONCE, text=text):
        yield part
        last = part[-1].number


def _agreeing(documents: Sequence[StoredDocument], signature: U32) -> list[int]:
    if not documents:
        return []
    stored = np.frombuffer(b"".join(d.signature for d in documents), "<u4")
    same = (stored.reshape(len(documents), -1) == signature) & (signature != _EMPTY)
    counts: list[int] = same.sum(axis=1).tolist()
    return counts


@lru_cache(maxsize=64)
def _least_agreeing(values: int, threshold: float) -> int:
    """The fewest agreeing values with which a similarity may still reach the threshold."""
    low, high = 0, values
    while low < high:
        middle = (low + high) // 2
        if _core.clopper_pearson(middle, values, _CERTAINTY)[1] >= threshold:
            high = middle
        else:
            low = middle + 1
    return low


def _verified(
    documents: Sequence[StoredDocument], settings: IndexSettings, text: Texts, threshold: float
) -> list[Match | EstimatedMatch]:
    if not documents:
        return []
    texts = [unpacked(d.text or b"")[0] for d in documents]
    stored = Texts.from_strings(displayed_strings(texts, settings.profile))
    verified = verify_first(Texts.concatenated([text, stored]), settings.profile, threshold, 1)
    return [
        Match(
            id=documents[other - 1].id,
            jaccard=both / (size + own - both),
            containment=both / size,
            containment_of_document=both / own,
            shared=both,
            size=size,
            size_of_document=own,
            metadata=documents[other - 1].known(),
        )
        for other, both, size, own in verified
    ]


def estimated(
    documents: Sequence[StoredDocument],
    settings: IndexSettings,
    signature: U32,
    size: int,
    threshold: float,
    level: float,
) -> list[EstimatedMatch]:
    """Those whose interval reaches the threshold: by the signature alone they may be similar."""
    made: list[EstimatedMatch] = []
    for document, agreeing in zip(documents, _agreeing(documents, signature), strict=True):
        estimate = binomial_estimate(agreeing, settings.values, level)
        if estimate.high < threshold:
            continue
        made.append(
            EstimatedMatch(
                id=document.id,
                jaccard=estimate,
                containment=containment_estimate(estimate, size, document.size),
                containment_of_document=containment_estimate(estimate, document.size, size),
                size=size,
                size_of_document=document.size,
                metadata=document.known(),
            )
        )
    return made


def _similarity(match: Match | EstimatedMatch) -> float:
    return match.jaccard if isinstance(match, Match) else match.jaccard.value
