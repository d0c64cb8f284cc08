"""Texts to stored documents, and into the index in one transaction."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.errors import LikewiseError, UsageError
from likewise.index.postings.entries import BANDS, MAX_DOCUMENT, entries_of, renumbered, short_keys
from likewise.index.postings.manifest import Manifest
from likewise.index.postings.passage_entries import passage_entries
from likewise.index.postings.segments import MOST_WAITING, SMALLEST
from likewise.index.postings.upkeep import add_segment, merge_full_levels, put_waiting
from likewise.index.settings import IndexSettings
from likewise.index.stores.protocol import Store, StoredDocument, Transaction
from likewise.index.texts import packed
from likewise.sketches.scan import scan
from likewise.text.displayed import LookAlikes, displayed_strings
from likewise.text.inputs import texts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_ID_BYTES = 2_000  # what an index of PostgreSQL takes


@dataclass(frozen=True, slots=True)
class Added:
    """What became of documents that were to be added.

    Attributes:
        added, replaced, unchanged: documents.
        lookalike_words, lookalike_documents: words with look-alike letters, compared as they are
            displayed, and the new documents that contain them.
    """

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    lookalike_words: int = 0
    lookalike_documents: int = 0

    def __add__(self, other: Added) -> Added:
        return Added(
            self.added + other.added,
            self.replaced + other.replaced,
            self.unchanged + other.unchanged,
            self.lookalike_words + other.lookalike_words,
            self.lookalike_documents + other.lookalike_documents,
        )


@dataclass(frozen=True, slots=True, eq=False)
class DocumentBatch:
    """Documents that are to be added in one transaction.

    Attributes:
        texts, ids: of each document.
        metadata: what is known about each; None for nothing about any.
        page_starts: where the pages of each begin; None where none has pages.
    """

    texts: object
    ids: Iterable[object]
    metadata: Sequence[dict[str, Any] | None] | None = None
    page_starts: Sequence[tuple[int, ...] | None] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Documents ready to be stored; made without a lock on the store.

    Attributes:
        ids, contents, sizes, metadata, texts: of each document.
        signatures: [documents, values].
        entries: by kind, sorted; documents by their place here.
        words: of all documents; 0 where passages are not looked for.
        unchanged: documents that were left out, since they are there already.
        lookalikes: those of the others that are not compared as they are stored.
    """

    ids: list[str]
    contents: list[bytes]
    sizes: list[int]
    metadata: list[str | None]
    texts: Sequence[bytes | None]
    signatures: NDArray[np.uint32]
    entries: dict[int, NDArray[np.uint64]]
    words: int
    unchanged: int
    lookalikes: LookAlikes


def prepare(
    store: Store,
    settings: IndexSettings,
    batch: DocumentBatch,
    manifest: Manifest,
    threads: int,
) -> Prepared:
    """Hashes and sketches what is new; reads the store, and does not write.

    Common keys of the manifest get no entries; those that have become common since are seen to on
    storing.
    """
    strings = _strings(batch.texts)
    names = [str(id_) for id_ in batch.ids]
    _check(names, strings, batch.metadata, batch.page_starts)
    noted = list(map(_as_json, batch.metadata or [None] * len(names)))
    starts = [_as_starts(one) for one in batch.page_starts or [None] * len(names)]
    raw = [text.encode("utf-8", "replace") for text in strings]
    contents = [
        content_hash(text, about, pages)
        for text, about, pages in zip(raw, noted, starts, strict=True)
    ]
    with store.read() as snapshot:
        known = snapshot.find(names)
    new = [i for i, name in enumerate(names) if known.get(name, (0, b""))[1] != contents[i]]
    chosen = [strings[i] for i in new]
    lookalikes = LookAlikes()
    compared = displayed_strings(chosen, settings.profile, threads=threads, found=lookalikes)
    views = Texts.from_strings(compared)
    rules = settings.profile.rules()
    found = scan(
        views, settings.profile, values=settings.values, layout=settings.layout,
        keep_signatures=True, threads=threads,
    )  # fmt: skip
    signatures, keys = found.signatures, found.band_keys
    every = np.arange(len(new), dtype=np.uint32)
    sizes = _core.count_distinct(views, rules, every, threads=threads)
    # A document without shingles is in no pair, and so in no bucket.
    present = np.flatnonzero(sizes).astype(np.uint64)
    entries = {BANDS: entries_of(short_keys(keys[:, present]), present)}
    words = 0
    if settings.min_words is not None:
        more, words = passage_entries(chosen, settings.min_words, manifest.common, threads)
        entries |= more
    return Prepared(
        ids=[names[i] for i in new],
        contents=[contents[i] for i in new],
        sizes=sizes.tolist(),
        metadata=[noted[i] for i in new],
        texts=packed([raw[i] for i in new], [starts[i] for i in new], threads)
        if settings.keep_text
        else [None] * len(new),
        signatures=signatures,
        entries=entries,
        words=words,
        unchanged=len(names) - len(new),
        lookalikes=lookalikes,
    )


def store_prepared(transaction: Transaction, settings: IndexSettings, ready: Prepared) -> Added:
    """Puts prepared documents and their entries into the store."""
    known = transaction.find(ready.ids)
    first = int(transaction.fact("next") or 1)
    # Another writer may have been here since the documents were prepared.
    kept = [
        i for i, id_ in enumerate(ready.ids) if known.get(id_, (0, b""))[1] != ready.contents[i]
    ]
    if first + len(kept) > MAX_DOCUMENT:
        raise LikewiseError(f"an index takes at most {MAX_DOCUMENT:,} documents over its lifetime")
    numbers = list(range(first, first + len(kept)))
    gone = [known[ready.ids[i]][0] for i in kept if ready.ids[i] in known]
    if gone:
        transaction.delete(gone)
        for kind in settings.kinds:
            transaction.delete_waiting(kind, gone)
    transaction.insert(_stored(ready, kept, numbers))
    transaction.set_fact("next", str(first + len(kept)))
    transaction.set_fact("documents", str(transaction.count() + len(kept) - len(gone)))
    if settings.min_words is not None:
        transaction.set_fact("words", str(int(transaction.fact("words") or 0) + ready.words))
    _put_entries(transaction, ready, kept, first)
    return Added(
        added=len(kept) - len(gone),
        replaced=len(gone),
        unchanged=ready.unchanged + len(ready.ids) - len(kept),
        lookalike_words=ready.lookalikes.words,
        lookalike_documents=ready.lookalikes.documents,
    )


def _stored(
    ready: Prepared, kept: Sequence[int], numbers: Sequence[int]
) -> Iterator[StoredDocument]:
    signatures = ready.signatures.astype("<u4", copy=False).tobytes()
    width = 4 * ready.signatures.shape[1]
    for number, i in zip(numbers, kept, strict=True):
        yield StoredDocument(
            number=number,
            id=ready.ids[i],
            content=ready.contents[i],
            size=ready.sizes[i],
            signature=signatures[i * width : (i + 1) * width],
            metadata=ready.metadata[i],
            text=ready.texts[i],
        )


def _put_entries(
    transaction: Transaction, ready: Prepared, kept: Sequence[int], first: int
) -> None:
    """Entries of many documents as a segment of their own; those of a few wait for others."""
    numbers = np.full(len(ready.ids), -1, np.int64)
    numbers[kept] = np.arange(first, first + len(kept))
    for kind, prepared in ready.entries.items():
        entries = renumbered(prepared, numbers)
        if not len(entries):
            continue
        if len(kept) >= SMALLEST or len(entries) >= MOST_WAITING:
            add_segment(transaction, kind, entries, len(kept))
            merge_full_levels(transaction, kind)
        else:
            put_waiting(transaction, kind, entries, len(kept))


def _as_json(metadata: object) -> str | None:
    if metadata is None:
        return None
    if not isinstance(metadata, dict) or not all(isinstance(name, str) for name in metadata):
        raise UsageError("metadata of a document is not a dict with names for keys")
    try:
        return json.dumps(metadata, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise UsageError(f"metadata of a document cannot be kept as JSON: {error}") from None


def _as_starts(starts: Sequence[int] | None) -> tuple[int, ...] | None:
    if starts is None:
        return None
    made = tuple(starts)
    if not all(isinstance(start, int) and 0 <= start < 2**32 for start in made):
        raise UsageError("page_starts of a document are not offsets of characters")
    return made


def _strings(texts: object) -> list[str]:
    if isinstance(texts, (list, tuple)):
        made = list(texts)
    elif isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
        texts_of(texts)  # says what is wrong with it
        made = []
    else:
        made = list(texts.to_pylist() if hasattr(texts, "to_pylist") else texts)
    for text in made:
        if not isinstance(text, str):
            raise UsageError(f"a text is not a str but {type(text).__name__}")
    return made


def _check(
    names: list[str],
    strings: list[str],
    metadata: Sequence[object] | None,
    page_starts: Sequence[object] | None,
) -> None:
    if len(names) != len(strings):
        raise UsageError(f"there are {len(names)} ids for {len(strings)} texts")
    for what, values in (("metadata", metadata), ("page_starts", page_starts)):
        if values is not None and len(values) != len(names):
            raise UsageError(f"there are {len(values)} {what} for {len(names)} texts")
    for name in names:
        check_id(name)
    if len(set(names)) < len(names):
        repeated, _ = Counter(names).most_common(1)[0]
        raise UsageError(f"duplicate id {repeated!r} among the documents to add")


def is_storable(id_: str) -> bool:
    """Whether a store can keep an id, and so may have it."""
    try:
        check_id(id_)
    except UsageError:
        return False
    return True


def check_id(id_: str) -> None:
    """Raises for an id that not every store can keep."""
    try:
        size = len(id_.encode())
    except UnicodeEncodeError:
        raise UsageError(f"the id {id_!r} has a lone surrogate, which cannot be stored") from None
    if size > MOST_ID_BYTES or "\0" in id_:
        raise UsageError(
            f"the id {id_[:40]!r}… has over {MOST_ID_BYTES:,} bytes"
            if size > MOST_ID_BYTES
            else f"the id {id_!r} has a NUL",
            hint="give the documents other ids",
        )


def content_hash(text: bytes, metadata: str | None, page_starts: tuple[int, ...] | None) -> bytes:
    """A hash of all that is stored of a document."""
    made = hashlib.blake2b(text, digest_size=16)
    if metadata is not None or page_starts is not None:
        made.update(f"\0{metadata}\0{page_starts}".encode())
    return made.digest()
