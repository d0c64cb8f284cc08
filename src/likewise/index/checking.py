"""What may be wrong with an index beyond its file: documents and entries that do not agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from likewise import _core
from likewise.errors import LikewiseError
from likewise.index.adding import content_hash
from likewise.index.postings.common_keys import CommonKeys
from likewise.index.postings.entries import (
    BANDS,
    RUNS,
    WORDS,
    entries_in,
    entries_of,
    keys_of,
    renumbered,
    short_keys,
)
from likewise.index.postings.passage_entries import passage_entries
from likewise.index.settings import IndexSettings
from likewise.index.stores.protocol import Snapshot, StoredDocument
from likewise.index.texts import unpacked
from likewise.sketches.scan import scan
from likewise.text.displayed import displayed_texts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    U64 = NDArray[np.uint64]

_AT_ONCE = 4096
_MOST = 20  # problems told; an index with more is not mended one by one


def problems_of(snapshot: Snapshot, settings: IndexSettings, threads: int) -> list[str]:
    """Every document held against its text, its signature and its entries."""
    problems: list[str] = []
    entries = {kind: _all_entries(snapshot, kind, problems) for kind in settings.kinds}
    common = {kind: CommonKeys.of(snapshot, kind) for kind in settings.kinds if kind != BANDS}
    missing: Counter[int] = Counter()
    last = documents = 0
    while part := snapshot.scan(after=last, limit=_AT_ONCE, text=settings.keep_text):
        last = part[-1].number
        documents += len(part)
        found = _check_documents(part, settings, threads)
        problems += found
        for kind, wanted in _expected(part, settings, common, threads, texts=not found):
            missing[kind] += _missing(wanted, entries[kind])
        if len(problems) >= _MOST:
            return [*problems[:_MOST], "… and perhaps more"]
    if documents != snapshot.count():
        problems.append(f"there are {documents:,} documents, not {snapshot.count():,}")
    missing[BANDS] -= int(snapshot.fact("crowded") or 0)
    for kind, of in ((BANDS, "the bands"), (RUNS, "runs of words"), (WORDS, "words")):
        if missing[kind] > 0:
            problems.append(f"{missing[kind]:,} entries of {of} are missing")
    return problems


def _all_entries(snapshot: Snapshot, kind: int, problems: list[str]) -> U64:
    """All entries of a kind, sorted; tells of segments whose entries would not be found."""
    waiting = np.array(snapshot.waiting(kind), np.uint64).reshape(-1, 2)
    parts = [waiting[:, 0] << np.uint64(32) | waiting[:, 1]]
    for segment in snapshot.segments(kind, [number for number, _ in snapshot.segment_sizes(kind)]):
        buckets = snapshot.buckets(segment.number << 32, (segment.number + 1) << 32)
        parts.append(entries_in(buckets))
        keys = np.unique(keys_of(parts[-1]))
        if len(segment.holding(keys)) < len(keys):
            problems.append(f"the filter of segment {segment.number} does not know all of its keys")
        if len(segment.bucket_ids(keys)) != len(buckets) or len(parts[-1]) != segment.entries:
            problems.append(f"segment {segment.number} is not cut as it says")
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
    views = displayed_texts(texts, settings.profile, threads=threads)
    signatures = scan(
        views, settings.profile, values=settings.values, keep_signatures=True, threads=threads
    ).signatures
    sizes = _core.count_distinct(
        views, settings.profile.rules(),
        np.arange(len(texts), dtype=np.uint32), threads=threads,
    )  # fmt: skip
    for document, size in zip(part, sizes.tolist(), strict=True):
        if size != document.size:
            problems.append(f"{document.id}: it has {size:,} shingles, not {document.size:,}")
    for document, signature in zip(part, signatures, strict=True):
        if signature.astype("<u4", copy=False).tobytes() != document.signature:
            problems.append(f"{document.id}: its signature is not that of its text")
    return problems


def _expected(
    part: list[StoredDocument],
    settings: IndexSettings,
    common: Mapping[int, CommonKeys],
    threads: int,
    *,
    texts: bool,
) -> Iterator[tuple[int, U64]]:
    """By kind the entries that these documents should have; of texts only if those are whole."""
    width = 4 * settings.values
    present = [document for document in part if document.size]
    if present and all(len(document.signature) == width for document in present):  # or told already
        signatures = np.frombuffer(b"".join(d.signature for d in present), "<u4")
        keys = _core.band_keys(
            signatures.reshape(len(present), -1).astype(np.uint32),
            bands=settings.layout.bands, rows=settings.layout.rows,
        )  # fmt: skip
        numbers = np.array([document.number for document in present], np.uint64)
        yield BANDS, entries_of(short_keys(keys), numbers)
    if texts and settings.min_words is not None:
        held = [unpacked(document.text or b"")[0] for document in part]
        own = np.array([document.number for document in part], np.int64)
        made, _ = passage_entries(held, settings.min_words, common, threads)
        for kind, entries in made.items():
            yield kind, renumbered(entries, own)


def _missing(wanted: U64, entries: U64) -> int:
    """How many of the entries that should be there are in no segment and do not wait."""
    places = np.minimum(np.searchsorted(entries, wanted), max(0, len(entries) - 1))
    return int((entries[places] != wanted).sum()) if len(entries) else len(wanted)
