"""Documents of an index checked against their texts, signatures and entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from likewise.arrays import U64
from likewise.index.adding import HASH_BYTES, content_hash
from likewise.index.damage import DamageError
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
from likewise.index.stored_document import (
    StoredDocument,
    is_storable,
    signature_values,
    split_by_size,
)
from likewise.index.stores.store import Store
from likewise.index.stores.transaction import Snapshot
from likewise.index.unread import UnreadFiles
from likewise.text.displayed import displayed_texts

_BATCH_DOCUMENTS = 4096
_MAX_PROBLEMS = 20  # an index with more is not repaired one by one


def find_problems(store: Store[Any], settings: IndexSettings, threads: int) -> list[str]:
    """The problems of an index; if the store itself has some, only those."""
    problems: list[str] = []
    try:
        problems += store.check()
        if not problems:
            with store.read() as snapshot:
                for problem in islice(_check(snapshot, settings, threads), _MAX_PROBLEMS):
                    problems.append(problem)  # one by one: an error may follow
    except DamageError as error:
        problems.append(error.what)
    if len(problems) >= _MAX_PROBLEMS:
        problems.append("… and perhaps more")
    return problems


def _check(snapshot: Snapshot, settings: IndexSettings, threads: int) -> Iterator[str]:
    """Checks every document and its entries. Raises `DamageError` where it cannot go on."""
    entries = {}
    for kind in settings.kinds:
        entries[kind] = yield from _all_entries(snapshot, kind)
    common = {kind: CommonKeys.of(snapshot, kind) for kind in settings.kinds if kind != BANDS}
    missing: Counter[int] = Counter()
    last = documents = 0
    while read := snapshot.scan(after=last, limit=_BATCH_DOCUMENTS, text=settings.keep_text):
        last = read[-1].number
        documents += len(read)
        for part in split_by_size(read):
            sound = yield from _check_documents(part, settings, threads)
            for kind, expected in _expected(part, settings, common, threads, texts=sound):
                missing[kind] += _missing(expected, entries[kind])
    if documents != snapshot.count():
        yield f"there are {documents:,} documents, not {snapshot.count():,}"
    yield from _check_facts(snapshot, settings, last)
    missing[BANDS] -= snapshot.int_fact("crowded")
    for kind, name in ((BANDS, "the bands"), (RUNS, "runs of words"), (WORDS, "words")):
        if missing[kind] > 0:
            yield f"{missing[kind]:,} entries of {name} are missing"


def _all_entries(snapshot: Snapshot, kind: int) -> Generator[str, None, U64]:
    """All entries of a kind, sorted; yields problems of segments and entries."""
    parts = [entries_of_pairs(snapshot.waiting(kind))]
    for segment in snapshot.segments(kind, [number for number, _ in snapshot.segment_sizes(kind)]):
        buckets = snapshot.buckets(segment.number << 32, (segment.number + 1) << 32)
        parts.append(entries_in(data for _, data in buckets))
        keys = np.unique(keys_of(parts[-1]))
        if len(segment.matching(keys)) < len(keys):
            yield f"the filter of segment {segment.number} lacks some of its keys"
        if len(parts[-1]) != segment.entries or not _is_in_place(segment, buckets, parts[-1]):
            yield f"segment {segment.number} has wrong buckets"
    entries = np.sort(np.concatenate(parts))
    if (documents_of(entries) >= snapshot.next_number()).any():
        yield "there are entries of documents that were never added"
    return entries


def _is_in_place(segment: Segment, buckets: list[tuple[int, bytes]], entries: U64) -> bool:
    """Whether entries ascend, and each is in the bucket of its key."""
    ids = np.array([id_ for id_, _ in buckets], np.uint64)
    own = np.repeat(ids, [len(data) // 8 for _, data in buckets])
    ascending = bool((entries[1:] > entries[:-1]).all())
    return ascending and bool((segment.bucket_of(keys_of(entries)) == own).all())


def _check_facts(snapshot: Snapshot, settings: IndexSettings, last: int) -> Iterator[str]:
    """`last` is the highest number of a document."""
    if last >= snapshot.next_number():
        yield f"document {last} is stored, but the next number is lower"
    numbers = [n for kind in settings.kinds for n, _ in snapshot.segment_sizes(kind)]
    if max(numbers, default=0) > snapshot.int_fact("version"):
        yield "a segment is newer than the index"
    if snapshot.int_fact("crowded") and snapshot.next_number() <= MAX_DOCUMENTS_PER_BAND:
        yield "entries were dropped, although there were never enough documents"
    if settings.min_words is not None:
        snapshot.int_fact("words")  # raises if it is not a number
    for kind in settings.kinds:
        snapshot.int_facts(f"waiting {kind}")
    UnreadFiles.read(snapshot)


def _check_documents(
    part: list[StoredDocument], settings: IndexSettings, threads: int
) -> Generator[str, None, bool]:
    """Yields problems; whether there were none."""
    stored = signature_values(part, settings.values)
    texts = []
    sound = True
    for document in part:
        try:
            problem = _problem_of(document, settings)
            texts.append(document.text or "")
        except DamageError as error:
            problem = error.what
        if problem:
            sound = False
            yield problem
    if not sound or not settings.keep_text:
        return sound
    views = displayed_texts(texts, settings.profile, threads=threads)
    sizes = settings.count_shingles(views, threads)
    same = (stored == settings.sketch(views, threads).signatures).all(axis=1).tolist()
    for document, size, is_same in zip(part, sizes, same, strict=True):
        if size != document.size:
            yield f"{document.id}: it has {size:,} shingles, not {document.size:,}"
        if not is_same:
            yield f"{document.id}: its signature does not match its text"
    return True


def _problem_of(document: StoredDocument, settings: IndexSettings) -> str | None:
    """The problem of one document, other than its signature. Raises `DamageError`."""
    _ = document.metadata  # raises if it cannot be read
    if not is_storable(document.id):
        return f"{document.id!r}: a document cannot have this id"
    if settings.keep_text:
        text = document.stored_text.encode()
        content = content_hash(
            text, document.metadata_json, document.page_starts, document.references
        )
        if content != document.content:
            return f"{document.id}: its text does not match its hash"
    elif len(document.content) != HASH_BYTES:
        return f"{document.id}: its hash does not have {HASH_BYTES} bytes"
    return None


def _expected(
    part: list[StoredDocument],
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
