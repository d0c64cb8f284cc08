"""Stored documents held against each other by their signatures, where no texts are kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likewise import _core
from likewise.index.matches import EstimatedMatch
from likewise.index.postings.entries import short_keys
from likewise.index.postings.segments import Segment
from likewise.index.querying import candidates, estimated, plausible
from likewise.index.settings import IndexSettings
from likewise.index.stores.protocol import Snapshot, StoredDocument


def similar_to(
    snapshot: Snapshot,
    settings: IndexSettings,
    segments: Sequence[Segment],
    document: StoredDocument,
    threshold: float,
    level: float,
) -> list[EstimatedMatch]:
    """The other documents that may be similar to a stored one, the most similar first."""
    if not document.size:  # without shingles, in no pair
        return []
    signature = np.frombuffer(document.signature, "<u4").astype(np.uint32)
    keys = _core.band_keys(
        signature[np.newaxis], bands=settings.layout.bands, rows=settings.layout.rows
    )
    numbers = [
        number
        for number in candidates(snapshot, segments, short_keys(keys)[:, 0])
        if number != document.number
    ]
    found = [
        match
        for part in plausible(snapshot, settings, numbers, signature, threshold, text=False)
        for match in estimated(part, settings, signature, document.size, threshold, level)
    ]
    found.sort(key=lambda match: (-match.jaccard.value, match.id))
    return found


def estimated_pair(
    settings: IndexSettings, a: StoredDocument, b: StoredDocument, level: float
) -> EstimatedMatch:
    """What the signatures of two documents say of them; b is the document of the match."""
    signature = np.frombuffer(a.signature, "<u4").astype(np.uint32)
    (found,) = estimated([b], settings, signature, a.size, 0.0, level)
    return found
