"""Documents of an index checked against their texts, signatures and entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from likewise.arrays import U64
from likewise.index.adding import HASH_BYTES, content_hash
from likewise.index.damage import DamageError
from likewise.index.document import Document, signature_values
from likewise.index.postings.common_keys import CommonKeys
from likewise.index.postings.entries import (
    BANDS,
    RUNS,
    WORDS,
    documents_of,
    entries_in,
    entries_of,
    entries_of_pairs,
    keys_of,
    renumbered,
    short_keys,
)
from likewise.index.postings.passage_entries import passage_entries
from likewise.index.postings.segments import MAX_DOCUMENTS_PER_BAND, Segment
from likewise.index.settings import IndexSettings
from likewise.index.stores.transaction import Snapshot
from likewise.text.displayed import displayed_texts

_BATCH_DOCUMENTS = 4096
_MAX_PROBLEMS = 20  # an index with more is not repaired one by one


def find_problems(snapshot: Snapshot, settings: IndexSettings, threads: int) -> list[str]:
    """Checks every document and its entries. Raises `DamageError` where it cannot go on."""
    problems: list[str] = []
    entries = {kind: _all_entries(snapshot, kind, problems) for kind in settings.kinds}
    common = {kind: CommonKeys.of(snapshot, kind) for kind in settings.kinds if kind != BANDS}
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
    problems += _check_facts(snapshot, settings, last)
    missing[BANDS] -= snapshot.int_fact("crowded")
    for kind, name in ((BANDS, "the bands"), (RUNS, "runs of words"), (WORDS, "words")):
        if missing[kind] > 0:
            problems.append(f"{missing[kind]:,} entries of {name} are missing")
    return problems


def _all_entries(snapshot: Snapshot, kind: int, problems: list[str]) -> U64:
    """All entries of a kind, sorted; adds problems of segments whose entries cannot be found."""
    parts = [entries_of_pairs(snapshot.waiting(kind))]
    for segment in snapshot.segments(kind, [number for number, _ in snapshot.segment_sizes(kind)]):
        buckets = snapshot.buckets(segment.number << 32, (segment.number + 1) << 32)
        parts.append(entries_in(data for _, data in buckets))
        keys = np.unique(keys_of(parts[-1]))
        if len(segment.matching(keys)) < len(keys):
            problems.append(f"the filter of segment {segment.number} lacks some of its keys")
        if len(parts[-1]) != segment.entries or not _is_in_place(segment, buckets, parts[-1]):
            problems.append(f"segment {segment.number} has wrong buckets")
    entries = np.sort(np.concatenate(parts))
    if (documents_of(entries) >= snapshot.next_number()).any():
        problems.append("there are entries of documents that were never added")
    return entries


def _is_in_place(segment: Segment, buckets: list[tuple[int, bytes]], entries: U64) -> bool:
    """Whether entries ascend, and each is in the bucket of its key."""
    ids = np.array([id_ for id_, _ in buckets], np.uint64)
    own = np.repeat(ids, [len(data) // 8 for _, data in buckets])
    ascending = bool((entries[1:] > entries[:-1]).all())
    return ascending and bool((segment.bucket_of(keys_of(entries)) == own).all())


def _check_facts(snapshot: Snapshot, settings: IndexSettings, last: int) -> list[str]:
    """`last` is the highest number of a document."""
    problems = []
    if last >= snapshot.next_number():
        problems.append(f"document {last} is stored, but the next number is lower")
    numbers = [n for kind in settings.kinds for n, _ in snapshot.segment_sizes(kind)]
    if max(numbers, default=0) > snapshot.int_fact("version"):
        problems.append("a segment is newer than the index")
    if snapshot.int_fact("crowded") and snapshot.next_number() <= MAX_DOCUMENTS_PER_BAND:
        problems.append("entries were dropped, although there were never enough documents")
    if settings.min_words is not None:
        snapshot.int_fact("words")
    for kind in settings.kinds:
        snapshot.int_facts(f"waiting {kind}")
    return problems


def _check_documents(part: list[Document], settings: IndexSettings, threads: int) -> list[str]:
    problems = []
    stored = signature_values(part, settings.values)
    for document in part:
        _ = document.metadata  # raises if it cannot be read
        if len(document.content) != HASH_BYTES:
            problems.append(f"{document.id}: its hash does not have {HASH_BYTES} bytes")
    if not settings.keep_text:
        return problems
    texts = []
    for document in part:
        texts.append(document.stored_text)
        pages = document.page_starts
        if content_hash(texts[-1].encode(), document.metadata_json, pages) != document.content:
            problems.append(f"{document.id}: its text does not match its hash")
    views = displayed_texts(texts, settings.profile, threads=threads)
    for document, size in zip(part, settings.count_shingles(views, threads), strict=True):
        if size != document.size:
            problems.append(f"{document.id}: it has {size:,} shingles, not {document.size:,}")
    signatures = settings.sketch(views, threads).signatures
    same = (stored == signatures).all(axis=1).tolist()
    for document, is_same in zip(part, same, strict=True):
        if not is_same:
            problems.append(f"{document.id}: its signature does not match its text")
    return problems


def _expected(
    part: list[Document],
    settings: IndexSettings,
    common: Mapping[int, CommonKeys],
    threads: int,
    *,
    texts: bool,
) -> Iterator[tuple[int, U64]]:
    """The entries by kind that documents should have; those of passages if `texts` are sound."""
    present = [document for document in part if document.size]
    if present:
        keys = settings.band_keys(signature_values(present, settings.values))
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
