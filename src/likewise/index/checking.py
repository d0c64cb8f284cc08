"""Documents of an index checked against their texts, signatures and entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from likewise.arrays import U64
from likewise.errors import LikewiseError
from likewise.index.adding import content_hash
from likewise.index.postings.common_keys import CommonKeys
from likewise.index.postings.entries import (
    BANDS,
    RUNS,
    WORDS,
    DamageError,
    entries_in,
    entries_of,
    keys_of,
    renumbered,
    short_keys,
)
from likewise.index.postings.passage_entries import passage_entries
from likewise.index.settings import IndexSettings
from likewise.index.stored_document import StoredDocument, signature_values
from likewise.index.stores.transaction import Snapshot
from likewise.text.displayed import displayed_texts

_BATCH_DOCUMENTS = 4096
_MAX_PROBLEMS = 20  # an index with more is not repaired one by one


def find_problems(snapshot: Snapshot, settings: IndexSettings, threads: int) -> list[str]:
    """Checks every document and its entries."""
    problems: list[str] = []
    try:
        entries = {kind: _all_entries(snapshot, kind, problems) for kind in settings.kinds}
        common = {kind: CommonKeys.of(snapshot, kind) for kind in settings.kinds if kind != BANDS}
    except DamageError as error:
        return [str(error)]
    missing: Counter[int] = Counter()
    last = documents = 0
    while part := snapshot.scan(after=last, limit=_BATCH_DOCUMENTS, text=settings.keep_text):
        last = part[-1].number
        documents += len(part)
        found = _check_documents(part, settings, threads)
        problems += found
        for kind, expected in _expected(part, settings, common, threads, texts=not found):
            missing[kind] += _missing(expected, entries[kind])
        if len(problems) >= _MAX_PROBLEMS:
            return [*problems[:_MAX_PROBLEMS], "… and perhaps more"]
    if documents != snapshot.count():
        problems.append(f"there are {documents:,} documents, not {snapshot.count():,}")
    missing[BANDS] -= snapshot.int_fact("crowded")
    for kind, name in ((BANDS, "the bands"), (RUNS, "runs of words"), (WORDS, "words")):
        if missing[kind] > 0:
            problems.append(f"{missing[kind]:,} entries of {name} are missing")
    return problems


def _all_entries(snapshot: Snapshot, kind: int, problems: list[str]) -> U64:
    """All entries of a kind, sorted; adds problems of segments whose entries cannot be found."""
    waiting = np.array(snapshot.waiting(kind), np.uint64).reshape(-1, 2)
    parts = [waiting[:, 0] << np.uint64(32) | waiting[:, 1]]
    for segment in snapshot.segments(kind, [number for number, _ in snapshot.segment_sizes(kind)]):
        buckets = snapshot.buckets(segment.number << 32, (segment.number + 1) << 32)
        parts.append(entries_in(buckets))
        keys = np.unique(keys_of(parts[-1]))
        if len(segment.matching(keys)) < len(keys):
            problems.append(f"the filter of segment {segment.number} lacks some of its keys")
        if len(segment.bucket_ids(keys)) != len(buckets) or len(parts[-1]) != segment.entries:
            problems.append(f"segment {segment.number} has wrong buckets")
    return np.sort(np.concatenate(parts))


def _check_documents(
    part: list[StoredDocument], settings: IndexSettings, threads: int
) -> list[str]:
    problems = []
    width = 4 * settings.values
    for document in part:
        if len(document.signature) != width:
            problems.append(f"{document.id}: its signature does not have {settings.values} values")
    if problems or not settings.keep_text:
        return problems
    texts = []
    for document in part:
        try:
            text, pages = document.text, document.page_starts
        except LikewiseError as error:
            return [f"{document.id}: {error}"]
        if text is None:
            return [f"{document.id}: its text is missing"]
        texts.append(text)
        if content_hash(text.encode(), document.metadata_json, pages) != document.content:
            problems.append(f"{document.id}: its text does not match its hash")
    views = displayed_texts(texts, settings.profile, threads=threads)
    for document, size in zip(part, settings.count_shingles(views, threads), strict=True):
        if size != document.size:
            problems.append(f"{document.id}: it has {size:,} shingles, not {document.size:,}")
    signatures = settings.sketch(views, threads).signatures
    same = (signature_values(part) == signatures).all(axis=1).tolist()
    for document, is_same in zip(part, same, strict=True):
        if not is_same:
            problems.append(f"{document.id}: its signature does not match its text")
    return problems


def _expected(
    part: list[StoredDocument],
    settings: IndexSettings,
    common: Mapping[int, CommonKeys],
    threads: int,
    *,
    texts: bool,
) -> Iterator[tuple[int, U64]]:
    """The entries by kind that documents should have; those of passages if `texts` are sound."""
    width = 4 * settings.values
    present = [document for document in part if document.size]
    if present and all(len(document.signature) == width for document in present):
        keys = settings.band_keys(signature_values(present))
        numbers = np.array([document.number for document in present], np.uint64)
        yield BANDS, entries_of(short_keys(keys), numbers)
    if texts and settings.min_words is not None:
        strings = [document.text or "" for document in part]
        own = np.array([document.number for document in part], np.int64)
        by_kind, _ = passage_entries(strings, settings.min_words, common, threads)
        for kind, entries in by_kind.items():
            yield kind, renumbered(entries, own)


def _missing(expected: U64, entries: U64) -> int:
    """The number of expected entries that are in no segment and do not wait."""
    places = np.minimum(np.searchsorted(entries, expected), max(0, len(entries) - 1))
    return int((entries[places] != expected).sum()) if len(entries) else len(expected)
