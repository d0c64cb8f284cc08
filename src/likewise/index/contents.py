"""`StoredDocuments`: an open index, what is in it and what is known about it."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

from likewise.errors import SourceError, UsageError
from likewise.index.checking import find_problems
from likewise.index.exclusion_texts import ExclusionTexts
from likewise.index.listing import newest, walk, walk_matching
from likewise.index.postings.lookup import IndexView
from likewise.index.postings.manifest import Manifest
from likewise.index.review_marks import ReviewMark, read_marks, review_revision
from likewise.index.settings import IndexSettings
from likewise.index.stored_document import StoredDocument
from likewise.index.stores.registry import store_class
from likewise.index.stores.transaction import Snapshot, Transaction
from likewise.index.unread import UnreadFiles
from likewise.text.inputs import id_strings
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole


class StoredDocuments:
    """The documents of an open index, as a dict has its values: by id.

    `index[id]`, `id in index`, `len(index)` and iteration over the ids work as for a dict.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens an index. Raises `SourceError` if there is none."""
        path = os.fspath(path)
        self._store = store_class(path)(path)
        self._manifest = Manifest()
        with self._store.read() as snapshot:
            stored = snapshot.fact("settings")
        if stored is None:
            raise UsageError(f"{self.name}: the index has no settings; create it again")
        self._stored_settings = stored
        self.settings = IndexSettings.from_json(stored, self.name)

    @property
    def name(self) -> str:
        """The index in messages: its path, or its address without the password."""
        return self._store.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._store.close()

    @contextmanager
    def _view(self) -> Iterator[IndexView]:
        """A snapshot; the manifest is read again only where it has changed."""
        with self._store.read() as snapshot:
            manifest = self._manifest.as_of(snapshot, self.settings.kinds)
            if manifest is not self._manifest:
                self._check_settings(snapshot)
            self._manifest = manifest
            yield IndexView(snapshot, manifest)

    @contextmanager
    def _write(self) -> Iterator[Transaction]:
        """A transaction."""
        with self._store.write() as transaction:
            self._check_settings(transaction)
            yield transaction

    def _check_settings(self, snapshot: Snapshot) -> None:
        """Raises if another index took the place of this one: hashes of one profile, among those of
        another, would be found by nobody."""
        if snapshot.fact("settings") != self._stored_settings:
            raise SourceError(
                f"{self.name}: was replaced by an index with other settings", hint="open it again"
            )

    def _stored(self, snapshot: Snapshot, ids: Sequence[str]) -> list[StoredDocument]:
        """Documents by their ids, without texts. Raises `UsageError` if one is not stored."""
        found = snapshot.documents_by_id(ids, text=False)
        for id_ in ids:
            if id_ not in found:
                raise UsageError(f"{self.name}: no document {id_!r}")
        return [found[id_] for id_ in ids]

    @property
    def archive(self) -> list[str]:
        """The names of other collections that an app compares the documents with."""
        with self._store.read() as snapshot:
            stored = snapshot.fact("archive")
        return [] if stored is None else list(map(str, json.loads(stored)))

    @property
    def shared_with_readers(self) -> bool:
        """Whether a server shows the documents to those who may only read."""
        with self._store.read() as snapshot:
            return snapshot.int_fact("shared") == 1

    @property
    def exclusion_texts(self) -> ExclusionTexts:
        """Phrases and templates that an app excludes."""
        with self._store.read() as snapshot:
            return ExclusionTexts.read(snapshot)

    def review_marks(self) -> list[ReviewMark]:
        """Marks of pairs and passages, ordered by their documents."""
        with self._store.read() as snapshot:
            return read_marks(snapshot)

    @property
    def review_revision(self) -> int:
        """Grows with every change of review marks."""
        with self._store.read() as snapshot:
            return review_revision(snapshot)

    # --- contents

    def __len__(self) -> int:
        with self._store.read() as snapshot:
            return snapshot.count()

    def __contains__(self, id_: object) -> bool:
        with self._store.read() as snapshot:
            return bool(snapshot.find([str(id_)]))

    def __iter__(self) -> Iterator[str]:
        """The ids, in the order in which the documents were added."""
        return (document.id for document in self.documents(text=False))

    def __getitem__(self, id_: object) -> StoredDocument:
        """A stored document. Raises `KeyError` if there is none with this id."""
        document = self.get(id_)
        if document is None:
            raise KeyError(id_)
        return document

    def numbers(self, ids: Hashable | Iterable[Hashable]) -> dict[str, int]:
        """The numbers of documents by id, without those that are not stored; of one or of some.

        A document that is replaced gets a new number.
        """
        wanted = id_strings(ids)
        with self._store.read() as snapshot:
            found = snapshot.find(wanted)
        return {id_: number for id_, (number, _) in found.items()}

    def metadata(self, ids: Hashable | Iterable[Hashable]) -> dict[str, dict[str, Any]]:
        """The metadata of stored documents by id, without those that have none."""
        wanted = id_strings(ids)
        with self._store.read() as snapshot:
            found = snapshot.documents_by_id(wanted, text=False)
        return {id_: one.metadata for id_, one in found.items() if one.metadata is not None}

    def get(self, id_: object) -> StoredDocument | None:
        """A stored document; None if there is none with this id."""
        with self._store.read() as snapshot:
            found = snapshot.documents_by_id([str(id_)], text=self.settings.keep_text)
        return found.get(str(id_))

    def text(self, id_: object) -> str:
        """The stored text of a document."""
        document = self.get(id_)
        if document is None:
            raise UsageError(f"{self.name}: no document {str(id_)!r}")
        if document.text is None:
            raise UsageError(f"{self.name} stores no texts")
        return document.text

    def documents(
        self, *, text: bool = True, after: int = 0, contains: str | None = None
    ) -> Iterator[StoredDocument]:
        """All documents, in the order in which they were added.

        They are read in batches, so that a long walk blocks nobody: documents that are added or
        removed meanwhile may be missing or not, and one that is replaced may come twice. `after`
        continues after a document's `number`; `contains` is a part of the id, ignoring case.
        """
        check_whole("after", after, 0)
        if contains is not None and not isinstance(contains, str):
            raise UsageError(f"contains is {contains!r}; it must be a str")
        if contains:
            return walk_matching(self._store, contains, text=text, after=after)
        return walk(self._store, text=text, after=after)

    def newest(self, most: int, *, text: bool = True) -> Iterator[StoredDocument]:
        """The documents that were added last, the newest first; at most `most`."""
        check_whole("most", most, 1)
        return newest(self._store, most, text=text)

    def ids(self) -> list[str]:
        """The ids of all documents, in the order in which they were added."""
        return list(dict.fromkeys(self))

    # --- facts

    @property
    def version(self) -> str | None:
        """Changes when segments are written."""
        with self._store.read() as snapshot:
            return snapshot.fact("version")

    @property
    def crowded_out(self) -> int:
        """Entries that were dropped, since too many documents share their key; see `segments`."""
        with self._store.read() as snapshot:
            return snapshot.int_fact("crowded")

    def state(self) -> tuple[object, ...]:
        """Differs after documents or the archive were changed, or the index was replaced."""
        with self._store.read() as snapshot:
            # Numbers are used once: while the next one is the same, documents can only be removed.
            names = ("next", "documents", "settings", "words", "described", "archive")
            facts = [snapshot.fact(name) for name in names]
            # Another index may have taken the place of this one.
            last = snapshot.documents([snapshot.int_fact("next") - 1], text=False)
            ends = [*snapshot.scan(after=0, limit=1, text=False), *last]
            return *facts, *((document.id, document.content) for document in ends)

    def unread(self) -> UnreadFiles:
        """Files that could not be read for this index, as far as they were noted."""
        with self._store.read() as snapshot:
            return UnreadFiles.read(snapshot)

    def info(self) -> dict[str, Any]:
        """Settings and counts."""
        kinds = self.settings.kinds
        with self._view() as view:
            snapshot, manifest = view.snapshot, view.manifest
            segments = [segment for kind in kinds for segment in manifest.segments[kind]]
            counts = {
                "documents": snapshot.count(),
                "segments": len(segments),
                "entries": sum(segment.entries for segment in segments),
                "waiting": sum(map(snapshot.count_waiting, kinds)),
                "crowded_out": snapshot.int_fact("crowded"),
                "set_aside": sum(map(len, manifest.common.values())),
                "review_marks": len(read_marks(snapshot)),
            }
        return {
            "index": self.name,
            **self.settings.summary(),
            **counts,
            "bytes": self._store.bytes_used(),
        }

    def verify(self, *, threads: int | None = None) -> list[str]:
        """The problems of the index; none if it is sound.

        Checks the store, then every document: its content, its signature and its entries.
        """
        return find_problems(self._store, self.settings, thread_count(threads))
