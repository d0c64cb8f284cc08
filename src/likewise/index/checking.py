"""What may be wrong with an index beyond its file: documents and entries that do not agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.errors import LikewiseError
from likewise.index.adding import content_hash
from likewise.index.entries import BANDS, entries_of, short_keys
from likewise.index.settings import IndexSettings
from likewise.index.store import Snapshot, StoredDocument
from likewise.index.texts import unpacked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]

_AT_ONCE = 4096
_MOST = 20  # problems told; an index with more is not mended one by one


def problems_of(snapshot: Snapshot, settings: IndexSettings, threads: int) -> list[str]:
    """Every document held against its text, its signature and its entries."""
    entries = _all_entries(snapshot)
    crowded = int(snapshot.fact("crowded") or 0)
    problems: list[str] = []
    missing = 0
    last = 0
    while part := snapshot.scan(after=last, limit=_AT_ONCE, text=settings.keep_text):
        last = part[-1].number
        problems += _check_documents(part, settings, threads)
        missing += _missing_entries(part, settings, entries)
        if len(problems) >= _MOST:
            return [*problems[:_MOST], "… and perhaps more"]
    if missing > crowded:
        problems.append(f"{missing - crowded:,} entries of the bands are missing")
    return problems


def _all_entries(snapshot: Snapshot) -> U64:
    parts = [
        np.frombuffer(data, "<u8")
        for segment in snapshot.segments(BANDS)
        for data in snapshot.all_buckets(segment.number)
    ]
    waiting = np.array(snapshot.waiting(BANDS), np.uint64).reshape(-1, 2)
    parts.append(waiting[:, 0] << np.uint64(32) | waiting[:, 1])
    return np.sort(np.concatenate(parts))


def _check_documents(
    part: list[StoredDocument], settings: IndexSettings, threads: int
) -> list[str]:
    problems = []
    width = 4 * settings.values
    for document in part:
        if len(document.signature) != width:
            problems.append(f"{document.id}: its signature is not one of {settings.values} values")
    if problems or not settings.keep_text:
        return problems
    texts = []
    for document in part:
        if document.text is None:
            return [f"{document.id}: its text is missing"]
        try:
            text, pages = unpacked(document.text)
        except LikewiseError as error:
            return [f"{document.id}: {error}"]
        texts.append(text)
        if content_hash(text.encode(), document.metadata, pages) != document.content:
            problems.append(f"{document.id}: its text is not what was added")
    _, _, signatures, _ = _core.scan(
        Texts.from_strings(texts), settings.profile.rules(), values=settings.values, bands=0,
        rows=0, keep_sketches=True, threads=threads,
    )  # fmt: skip
    assert signatures is not None
    sizes = _core.count_distinct(
        Texts.from_strings(texts), settings.profile.rules(),
        np.arange(len(texts), dtype=np.uint32), threads=threads,
    )  # fmt: skip
    for document, size in zip(part, sizes.tolist(), strict=True):
        if size != document.size:
            problems.append(f"{document.id}: it has {size:,} shingles, not {document.size:,}")
    for document, signature in zip(part, signatures, strict=True):
        if signature.astype("<u4", copy=False).tobytes() != document.signature:
            problems.append(f"{document.id}: its signature is not that of its text")
    return problems


def _missing_entries(part: list[StoredDocument], settings: IndexSettings, entries: U64) -> int:
    """How many entries of these documents are in no segment and do not wait."""
    present = [document for document in part if document.size]
    if not present:
        return 0
    width = 4 * settings.values
    if any(len(document.signature) != width for document in present):
        return 0  # told already
    signatures = np.frombuffer(b"".join(d.signature for d in present), "<u4")
    keys = _core.band_keys(
        signatures.reshape(len(present), -1).astype(np.uint32),
        bands=settings.layout.bands, rows=settings.layout.rows,
    )  # fmt: skip
    numbers = np.array([document.number for document in present], np.uint64)
    wanted = entries_of(short_keys(keys), numbers)
    places = np.minimum(np.searchsorted(entries, wanted), max(0, len(entries) - 1))
    return int((entries[places] != wanted).sum()) if len(entries) else len(wanted)
