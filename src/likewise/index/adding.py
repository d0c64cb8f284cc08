"""Adding documents: a batch is prepared without a lock, then stored in one transaction."""

from __future__ import annotations

import hashlib
import json
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from likewise._core import Texts
from likewise.documents.references import References
from likewise.documents.texts import scrub
from likewise.errors import LikewiseError, UsageError
from likewise.index.packed_text import pack
from likewise.index.postings.entries import BANDS, entries_of, renumbered, short_keys
from likewise.index.postings.lookup import IndexView
from likewise.index.postings.passage_entries import passage_entries
from likewise.index.postings.segments import MAX_WAITING_ENTRIES, MIN_SEGMENT_DOCUMENTS
from likewise.index.postings.upkeep import add_segment, merge_full_levels, put_waiting
from likewise.index.settings import IndexSettings
from likewise.index.stored_document import MAX_DOCUMENT, StoredDocument, check_id
from likewise.index.stores.transaction import Transaction
from likewise.index.unread import forget_unread, with_archives
from likewise.text.displayed import LookAlikes, displayed_strings
from likewise.text.inputs import ids_of, same_length, strings_of
from likewise.types import Ids, Metadata
from likewise.types import Texts as TextColumn

T = TypeVar("T")

HASH_BYTES = 16  # of the content of a document


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

    `page_starts` are offsets of characters; None for a text without pages. `references` are
    chapters and verses and the like; None for a text without any.
    """

    texts: TextColumn
    ids: Ids[Any]
    metadata: Sequence[Metadata | None] | None = None
    page_starts: Sequence[tuple[int, ...] | None] | None = None
    references: Sequence[References | None] | None = None

    def listed(self) -> DocumentBatch:
        """With lists as columns. Raises `UsageError` unless all have the same length."""
        strings = strings_of(self.texts)
        count = len(strings)
        return DocumentBatch(
            strings,
            ids_of(self.ids, count),
            _listed("metadata", self.metadata, count),
            _listed("page_starts", self.page_starts, count),
            _listed("references", self.references, count),
        )

    def take(self, rows: Sequence[int]) -> DocumentBatch:
        """Some of the documents."""
        every: Any = self.listed()

        def some(column: Any) -> Any:
            return None if column is None else [column[i] for i in rows]

        columns = (every.texts, every.ids, every.metadata, every.page_starts, every.references)
        return DocumentBatch(*map(some, columns))


@dataclass(frozen=True, slots=True, eq=False)
class PreparedBatch:
    """New documents ready to be stored; prepared without a lock on the store.

    Attributes:
        documents: not numbered yet.
        entries: by kind, sorted, with the positions of documents here in place of numbers.
        words: of all documents; 0 if the index has no passages.
        ids: of all documents, also of those that are stored already and left out here.
        lookalikes: look-alike letters in the others, which are compared as displayed.
    """

    documents: list[StoredDocument]
    entries: dict[int, NDArray[np.uint64]]
    words: int
    ids: list[str]
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
    strings = strings_of(batch.texts)
    ids = list(map(str, ids_of(batch.ids, len(strings))))
    if len(set(ids)) < len(ids):
        raise UsageError(f"duplicate id {Counter(ids).most_common(1)[0][0]!r} as a string")
    metadata = _column("metadata", batch.metadata, _as_json, len(ids))
    page_starts = _column("page_starts", batch.page_starts, _as_starts, len(ids))
    references = _column("references", batch.references, _as_references, len(ids))
    for id_ in ids:
        check_id(id_)
    strings = [text if text.isascii() else scrub(text) for text in strings]
    raw = [text.encode() for text in strings]
    contents = list(map(content_hash, raw, metadata, page_starts, references))
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
        texts = pack(
            [raw[i] for i in new],
            [page_starts[i] for i in new],
            [references[i] for i in new],
            [ids[i] for i in new],
            threads,
        )
    signatures = sketches.signatures.astype("<u4", copy=False)
    documents = [
        StoredDocument(0, ids[i], contents[i], size, signature.tobytes(), metadata[i], text)
        for i, size, signature, text in zip(new, sizes, signatures, texts, strict=True)
    ]
    return PreparedBatch(documents, entries, words, ids, lookalikes)


def store_batch(transaction: Transaction, settings: IndexSettings, batch: PreparedBatch) -> Added:
    """Stores prepared documents and their entries."""
    known = transaction.find([document.id for document in batch.documents])
    first = transaction.next_number()
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
    forget_unread(transaction, with_archives(batch.ids))
    return Added(
        added=len(kept) - len(replaced),
        replaced=len(replaced),
        unchanged=len(batch.ids) - len(kept),
        lookalike_words=batch.lookalikes.words,
        lookalike_documents=batch.lookalikes.documents,
    )


def set_metadata(
    transaction: Transaction, metadata: Mapping[str, Metadata | None], *, keep_text: bool
) -> int:
    """Changes the metadata of stored documents, which keep their numbers; how many changed.

    Raises `UsageError` where no texts are stored: the hash of a document needs its text.
    """
    changed = 0
    for document in transaction.documents_by_id(list(metadata), text=keep_text).values():
        wanted = metadata[document.id]
        encoded = None if wanted is None else _as_json(wanted)
        if encoded == document.metadata_json:
            continue
        if not keep_text:
            raise UsageError(
                "this index stores no texts, so that its documents cannot be described later",
                hint="describe documents when you add them",
            )
        text = document.stored_text.encode()
        content = content_hash(text, encoded, document.page_starts, document.references)
        transaction.set_metadata(document.number, encoded, content)
        changed += 1
    if changed:
        transaction.set_fact("described", transaction.int_fact("described") + changed)
    return changed


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


def _listed(name: str, values: Sequence[T] | None, count: int) -> Sequence[T] | None:
    return None if values is None else same_length(name, values, count)


def _column(
    name: str, values: Sequence[Any] | None, convert: Callable[[Any], T | None], count: int
) -> list[T | None]:
    """One value per document."""
    if values is None:
        return [None] * count
    given = same_length(name, values, count)
    return [None if value is None else convert(value) for value in given]


def _as_json(metadata: object) -> str:
    if not isinstance(metadata, Mapping) or not all(isinstance(name, str) for name in metadata):
        raise UsageError("metadata of a document must be a mapping with str keys")
    try:
        return json.dumps(dict(metadata), sort_keys=True)
    except (TypeError, ValueError) as error:
        raise UsageError(f"metadata of a document cannot be stored as JSON: {error}") from None


def _as_starts(starts: Sequence[int]) -> tuple[int, ...]:
    try:
        offsets = tuple(map(operator.index, starts))
    except TypeError:
        offsets = (-1,)
    if not all(0 <= start < 2**32 for start in offsets) or list(offsets) != sorted(offsets):
        raise UsageError("page_starts of a document must be ascending offsets in characters")
    return offsets


def _as_references(references: object) -> References:
    if not isinstance(references, References):
        raise UsageError(f"references of a document must be References, not {references!r:.60}")
    try:
        references.check()
    except ValueError as error:
        raise UsageError(f"references of a document cannot be stored: {error}") from None
    return references


def content_hash(
    text: bytes,
    metadata: str | None,
    page_starts: tuple[int, ...] | None,
    references: References | None,
) -> bytes:
    """A hash of everything that the user gave of a document."""
    digest = hashlib.blake2b(text, digest_size=HASH_BYTES)
    if metadata is not None or page_starts is not None:
        digest.update(f"\0{metadata}\0{page_starts}".encode())
    if references is not None:  # hashes of texts without any are those of earlier versions
        digest.update(f"\0{references.to_json()}".encode())
    return digest.digest()
