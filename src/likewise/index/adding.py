"""Adding documents: a batch is prepared without a lock, then stored in one transaction."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from likewise._core import Texts
from likewise.errors import LikewiseError, UsageError
from likewise.index.packed_text import pack
from likewise.index.postings.entries import BANDS, MAX_DOCUMENT, entries_of, renumbered, short_keys
from likewise.index.postings.lookup import IndexView
from likewise.index.postings.passage_entries import passage_entries
from likewise.index.postings.segments import MAX_WAITING_ENTRIES, MIN_SEGMENT_DOCUMENTS
from likewise.index.postings.upkeep import add_segment, merge_full_levels, put_waiting
from likewise.index.settings import IndexSettings
from likewise.index.stored_document import StoredDocument, check_id
from likewise.index.stores.transaction import Transaction
from likewise.passages.document_set import checked_texts
from likewise.text.displayed import LookAlikes, displayed_strings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Added:
    """How many documents were added, replaced and left unchanged.

    `lookalike_words` are words with look-alike letters, which are compared as displayed, and
    `lookalike_documents` the new documents that contain them.
    """

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    lookalike_words: int = 0
    lookalike_documents: int = 0

    def __add__(self, other: Added) -> Added:
        return Added(*map(operator.add, astuple(self), astuple(other)))


@dataclass(frozen=True, slots=True, eq=False)
class DocumentBatch:
    """Documents to add in one transaction: one value per document in each column.

    `page_starts` are offsets of characters; None for a text without pages.
    """

    texts: object
    ids: Iterable[object]
    metadata: Sequence[dict[str, Any] | None] | None = None
    page_starts: Sequence[tuple[int, ...] | None] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PreparedBatch:
    """New documents ready to be stored; prepared without a lock on the store.

    Attributes:
        documents: not numbered yet.
        entries: by kind, sorted, with the positions of documents here in place of numbers.
        words: of all documents; 0 if the index has no passages.
        unchanged: the number of documents that are stored already and left out here.
        lookalikes: look-alike letters in the others, which are compared as displayed.
    """

    documents: list[StoredDocument]
    entries: dict[int, NDArray[np.uint64]]
    words: int
    unchanged: int
    lookalikes: LookAlikes


def prepare(
    batch: DocumentBatch,
    settings: IndexSettings,
    open_view: Callable[[], AbstractContextManager[IndexView]],
    threads: int,
) -> PreparedBatch:
    """Hashes and sketches new documents; reads the store, and does not write.

    Common keys get no entries; keys that become common meanwhile are removed when the batch is
    stored.
    """
    strings, ids = checked_texts(batch.texts, batch.ids)
    metadata = _column("metadata", batch.metadata, _as_json, len(ids))
    page_starts = _column("page_starts", batch.page_starts, _as_starts, len(ids))
    for id_ in ids:
        check_id(id_)
    raw = [text.encode("utf-8", "replace") for text in strings]
    contents = list(map(content_hash, raw, metadata, page_starts))
    with open_view() as view:
        known, common = view.snapshot.find(ids), view.manifest.common
    new = [i for i, id_ in enumerate(ids) if known.get(id_, (0, b""))[1] != contents[i]]
    chosen = [strings[i] for i in new]
    lookalikes = LookAlikes()
    views = Texts.from_strings(
        displayed_strings(chosen, settings.profile, threads=threads, found=lookalikes)
    )
    sketches = settings.sketch(views, threads)
    sizes = settings.count_shingles(views, threads)
    # A document without shingles is in no pair, and so in no bucket.
    present = np.flatnonzero(sizes).astype(np.uint64)
    entries = {BANDS: entries_of(short_keys(sketches.band_keys[:, present]), present)}
    words = 0
    if settings.min_words is not None:
        more, words = passage_entries(chosen, settings.min_words, common, threads)
        entries |= more
    texts: Sequence[bytes | None] = [None] * len(new)
    if settings.keep_text:
        texts = pack([raw[i] for i in new], [page_starts[i] for i in new], threads)
    signatures = sketches.signatures.astype("<u4", copy=False)
    documents = [
        StoredDocument(0, ids[i], contents[i], size, signature.tobytes(), metadata[i], text)
        for i, size, signature, text in zip(new, sizes, signatures, texts, strict=True)
    ]
    return PreparedBatch(documents, entries, words, len(ids) - len(new), lookalikes)


def store_batch(transaction: Transaction, settings: IndexSettings, batch: PreparedBatch) -> Added:
    """Stores prepared documents and their entries."""
    known = transaction.find([document.id for document in batch.documents])
    first = max(1, transaction.int_fact("next"))
    # Another writer may have been here since the documents were prepared.
    kept = [i for i, d in enumerate(batch.documents) if known.get(d.id, (0, b""))[1] != d.content]
    if first + len(kept) > MAX_DOCUMENT:
        raise LikewiseError(f"an index takes at most {MAX_DOCUMENT:,} documents over its lifetime")
    documents = [replace(batch.documents[i], number=n) for n, i in enumerate(kept, first)]
    replaced = [known[document.id][0] for document in documents if document.id in known]
    if replaced:
        delete_documents(transaction, settings, replaced)
    transaction.insert_documents(documents)
    transaction.set_fact("next", first + len(kept))
    transaction.set_fact("documents", transaction.count() + len(kept))
    if settings.min_words is not None:
        transaction.set_fact("words", transaction.int_fact("words") + batch.words)
    _put_entries(transaction, batch, kept, first)
    return Added(
        added=len(kept) - len(replaced),
        replaced=len(replaced),
        unchanged=batch.unchanged + len(batch.documents) - len(kept),
        lookalike_words=batch.lookalikes.words,
        lookalike_documents=batch.lookalikes.documents,
    )


def pipeline(
    batches: Iterable[DocumentBatch],
    prepare_one: Callable[[DocumentBatch], PreparedBatch],
    store_one: Callable[[PreparedBatch], Added],
) -> Iterator[Added]:
    """Stores batches in turn; while one is stored, the next is read and prepared."""
    with ThreadPoolExecutor(1, "likewise-store") as executor:
        source = iter(batches)
        pending: Future[Added] | None = None
        while True:
            try:
                batch = next(source, None)
                prepared = None if batch is None else prepare_one(batch)
            except BaseException:
                if pending is not None:  # stored, whatever came after it
                    yield pending.result()
                raise
            if pending is not None:
                yield pending.result()
            if prepared is None:
                return
            pending = executor.submit(store_one, prepared)


def delete_documents(
    transaction: Transaction, settings: IndexSettings, numbers: Sequence[int]
) -> None:
    """Deletes documents; their entries in segments stay until those are merged."""
    transaction.delete(numbers)
    transaction.set_fact("documents", transaction.count() - len(numbers))
    for kind in settings.kinds:
        transaction.delete_waiting(kind, numbers)


def _put_entries(
    transaction: Transaction, batch: PreparedBatch, kept: Sequence[int], first: int
) -> None:
    """Entries of many documents are a segment of their own; those of a few wait for others."""
    numbers = np.full(len(batch.documents), -1, np.int64)
    numbers[kept] = np.arange(first, first + len(kept))
    for kind, prepared in batch.entries.items():
        entries = renumbered(prepared, numbers)
        if not len(entries):
            continue
        if len(kept) >= MIN_SEGMENT_DOCUMENTS or len(entries) >= MAX_WAITING_ENTRIES:
            add_segment(transaction, kind, entries, len(kept))
            merge_full_levels(transaction, kind)
        else:
            put_waiting(transaction, kind, entries, len(kept))


def _column(
    name: str, values: Sequence[Any] | None, convert: Callable[[Any], T | None], count: int
) -> list[T | None]:
    """One value per document."""
    if values is None:
        return [None] * count
    if len(values) != count:
        raise UsageError(f"there are {len(values)} {name} for {count} texts")
    return [None if value is None else convert(value) for value in values]


def _as_json(metadata: object) -> str:
    if not isinstance(metadata, dict) or not all(isinstance(name, str) for name in metadata):
        raise UsageError("metadata of a document must be a dict with str keys")
    try:
        return json.dumps(metadata, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise UsageError(f"metadata of a document cannot be stored as JSON: {error}") from None


def _as_starts(starts: Sequence[int]) -> tuple[int, ...]:
    offsets = tuple(starts)
    if not all(isinstance(start, int) and 0 <= start < 2**32 for start in offsets):
        raise UsageError("page_starts of a document must be offsets in characters")
    return offsets


def content_hash(text: bytes, metadata: str | None, page_starts: tuple[int, ...] | None) -> bytes:
    """A hash of everything that the user gave of a document."""
    digest = hashlib.blake2b(text, digest_size=16)
    if metadata is not None or page_starts is not None:
        digest.update(f"\0{metadata}\0{page_starts}".encode())
    return digest.digest()
