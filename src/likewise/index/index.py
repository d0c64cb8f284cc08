"""`Index`: a database of documents, and which of them a new one is similar to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

import numpy as np

from likewise.errors import UsageError
from likewise.index.adding import (
    Added,
    DocumentBatch,
    PreparedBatch,
    delete_documents,
    pipeline,
    prepare,
    store_batch,
)
from likewise.index.checking import find_problems
from likewise.index.listing import newest, walk, walk_matching
from likewise.index.matches import EstimatedMatch, Match
from likewise.index.passage_query import PassageQuery
from likewise.index.passage_results import IndexPassages, combine
from likewise.index.postings.lookup import IndexView
from likewise.index.postings.manifest import Manifest
from likewise.index.postings.upkeep import merge_all
from likewise.index.settings import DEFAULT_THRESHOLD, IndexSettings
from likewise.index.similarity_query import SimilarityQuery
from likewise.index.stored_document import StoredDocument
from likewise.index.stores.registry import store_class
from likewise.index.stores.transaction import Snapshot
from likewise.passages.alignment import AlignmentSettings
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.settings import NOTHING, Exclusions
from likewise.run import Progress, silent
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.statistics.bands import DEFAULT_RECALL
from likewise.statistics.estimate import check_level
from likewise.text.displayed import displayed_texts
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.text.word_frequencies import Frequencies
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole


class Index:
    """Documents in a database, made for one profile, threshold and recall.

    Open one with `Index(path)`, create one with `Index.create(path)`. One process writes at a time
    (others wait), any number read; a single `Index` may be used by many threads.
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
        self.settings = IndexSettings.from_json(stored, self.name)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        profile: Profile | str = DEFAULT_PROFILE,
        threshold: float = DEFAULT_THRESHOLD,
        recall: float = DEFAULT_RECALL,
        values: int = DEFAULT_VALUES,
        keep_text: bool = True,
        min_words: int | None = DEFAULT_MIN_WORDS,
    ) -> Index:
        """Creates an empty index; its settings cannot be changed later.

        Args:
            path: a file that does not exist yet, or `postgresql://host/database#name`.
            profile: how texts become shingles.
            threshold: the minimum similarity of documents to be found.
            recall: the share of documents at the threshold that must be found.
            values: the size of a signature.
            keep_text: without texts, similarities are estimates with intervals, and there are no
                passages.
            min_words: `passages` finds every run of at least so many equal words; None for an
                index without passages, which is smaller and faster to add to.
        """
        settings = IndexSettings.checked(
            profile=profile, threshold=threshold, recall=recall, values=values,
            keep_text=keep_text, min_words=min_words if keep_text else None,
        )  # fmt: skip
        facts = {"settings": settings.to_json(), "next": "1", "version": "0", "documents": "0"}
        path = os.fspath(path)
        store_class(path).create(path, facts).close()
        return cls(path)

    @property
    def name(self) -> str:
        """The index in messages: its path, or its address without the password."""
        return self._store.name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._store.close()

    # --- changes

    def add(
        self,
        texts: object,
        ids: Iterable[object],
        *,
        metadata: Sequence[dict[str, Any] | None] | None = None,
        page_starts: Sequence[tuple[int, ...] | None] | None = None,
        threads: int | None = None,
    ) -> Added:
        """Adds documents in one transaction: all, or none if it raises.

        A document whose id is stored with other content is replaced; one that is stored with the
        same content is left unchanged.
        """
        batch = DocumentBatch(texts, ids, metadata, page_starts)
        return self._put(prepare(batch, self.settings, self._view, thread_count(threads)))

    def add_batches(
        self, batches: Iterable[DocumentBatch], *, threads: int | None = None
    ) -> Iterator[Added]:
        """Adds batches, each in one transaction, and yields the result of each.

        Faster than `add` batch by batch: while one is stored, the next is read and prepared. A
        batch whose result was yielded is stored, however this ends.
        """
        count = thread_count(threads)
        prepare_one = partial(prepare, settings=self.settings, open_view=self._view, threads=count)
        return pipeline(batches, prepare_one, self._put)

    def _put(self, batch: PreparedBatch) -> Added:
        with self._store.write() as transaction:
            return store_batch(transaction, self.settings, batch)

    def remove(self, ids: Iterable[object]) -> list[str]:
        """Removes documents; the ids that were stored."""
        wanted = list(dict.fromkeys(map(str, ids)))
        with self._store.write() as transaction:
            found = transaction.find(wanted)
            numbers = [number for number, _ in found.values()]
            delete_documents(transaction, self.settings, numbers)
        return [id_ for id_ in wanted if id_ in found]

    def compact(self) -> None:
        """Makes the index as small and fast as possible: one segment of a kind, no unused space."""
        with self._store.write() as transaction:
            for kind in self.settings.kinds:
                merge_all(transaction, kind)
            transaction.set_fact("documents", sum(1 for _ in transaction.numbers()))
        self._store.compact()

    def copy_to(self, path: str | os.PathLike[str]) -> None:
        """Writes a copy to a new file, while others read and write."""
        self._store.copy_to(os.fspath(path))

    # --- queries

    def query(
        self,
        texts: object,
        *,
        threshold: float | None = None,
        top: int | None = None,
        scan: bool = False,
        level: float = 0.95,
        threads: int | None = None,
    ) -> list[list[Match | EstimatedMatch]]:
        """For each text the stored documents that are similar to it, the most similar first.

        Args:
            threshold: the minimum similarity; by default that of the index. A lower one needs
                `scan`, which compares with every document.
            top: the maximum number of documents for each text.
            level: of the intervals, where no texts are stored.
        """
        count = thread_count(threads)
        views = displayed_texts(texts, self.settings.profile, threads=count)
        wanted = self.settings.threshold if threshold is None else threshold
        query = SimilarityQuery(self.settings, wanted, top, level)
        query.check(self.name, scan=scan)
        sketches = self.settings.sketch(views, count)
        signatures, keys = sketches.signatures, sketches.band_keys
        with self._view() as view:
            return [
                query.matches_of_text(
                    view, views.select(np.array([i], np.uint32)), signatures[i],
                    keys[:, i : i + 1], scan=scan,
                )
                for i in range(len(views))
            ]  # fmt: skip

    @contextmanager
    def _view(self) -> Iterator[IndexView]:
        """A snapshot; the manifest is read again only where it has changed."""
        with self._store.read() as snapshot:
            manifest = self._manifest.as_of(snapshot, self.settings.kinds)
            self._manifest = manifest
            yield IndexView(snapshot, manifest)

    def passages(
        self,
        texts: object,
        *,
        ids: Iterable[object] | None = None,
        min_words: int | None = None,
        edited: bool = True,
        exclude: Exclusions = NOTHING,
        metadata: Sequence[Mapping[str, Any] | None] | None = None,
        rates: Frequencies | None = None,
        settings: AlignmentSettings | None = None,
        threads: int | None = None,
        progress: Progress = silent,
    ) -> IndexPassages:
        """Passages that texts share with stored documents, however small a part they are.

        Runs of words that more than 1,000 documents have are set aside; `notes` of the result say
        so.

        The arguments are those of `find_passages`; `min_words` is by default, and at least, that of
        the index.
        """
        query = PassageQuery.checked(
            self.settings, self.name, min_words, settings, edited=edited, exclude=exclude,
            rates=rates, threads=thread_count(threads),
        )  # fmt: skip
        wanted = query.texts(texts, ids, metadata)
        results = []
        for done, text in enumerate(wanted):
            go_on = partial(progress, "search", done, len(wanted))
            go_on()
            # Each in a snapshot of its own: a long list of texts blocks nobody.
            with self._view() as view:
                results.append(query.find(view, text, go_on))
        return combine(query, results, len(self))

    def similar(
        self, id_: object, *, top: int | None = None, level: float = 0.95
    ) -> list[EstimatedMatch]:
        """The other documents that may be similar to a stored one, estimated by signatures.

        Needs no texts; where they are stored, `query` gives exact similarities.
        """
        check_level(level)
        query = SimilarityQuery(self.settings, self.settings.threshold, top, level)
        with self._view() as view:
            (document,) = self._stored(view.snapshot, [str(id_)])
            return query.matches_of_document(view, document)

    def estimate(self, a: object, b: object, *, level: float = 0.95) -> EstimatedMatch:
        """The similarity of two stored documents, estimated by signatures; b as a match of a."""
        check_level(level)
        with self._store.read() as snapshot:
            first, second = self._stored(snapshot, [str(a), str(b)])
        query = SimilarityQuery(self.settings, 0.0, level=level)
        (match,) = query.estimate([second], first.values, first.size)
        return match

    def _stored(self, snapshot: Snapshot, ids: Sequence[str]) -> list[StoredDocument]:
        """Documents by their ids, without texts. Raises `UsageError` if one is not stored."""
        found = snapshot.documents_by_id(ids, text=False)
        for id_ in ids:
            if id_ not in found:
                raise UsageError(f"{self.name}: no document {id_!r}")
        return [found[id_] for id_ in ids]

    # --- contents

    def __len__(self) -> int:
        with self._store.read() as snapshot:
            return snapshot.count()

    def __contains__(self, id_: object) -> bool:
        return bool(self.numbers([id_]))

    def numbers(self, ids: Iterable[object]) -> dict[str, int]:
        """The numbers of documents by id, without those that are not stored.

        A document that is replaced gets a new number.
        """
        with self._store.read() as snapshot:
            found = snapshot.find(list(map(str, ids)))
        return {id_: number for id_, (number, _) in found.items()}

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
        if contains:
            return walk_matching(self._store, contains, text=text, after=after)
        return walk(self._store, text=text, after=after)

    def newest(self, most: int, *, text: bool = True) -> Iterator[StoredDocument]:
        """The documents that were added last, the newest first; at most `most`."""
        check_whole("most", most, 1)
        return newest(self._store, most, text=text)

    def ids(self) -> list[str]:
        """The ids of all documents, in the order in which they were added."""
        return list(dict.fromkeys(document.id for document in self.documents(text=False)))

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
        """Differs after documents were added, replaced or removed, or the index was replaced."""
        with self._store.read() as snapshot:
            # Numbers are used once: while the next one is the same, documents can only be removed.
            facts = [snapshot.fact(name) for name in ("next", "documents", "settings", "words")]
            # Another index may have taken the place of this one.
            last = snapshot.documents([snapshot.int_fact("next") - 1], text=False)
            ends = [*snapshot.scan(after=0, limit=1, text=False), *last]
            return *facts, *((document.id, document.content) for document in ends)

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
        if problems := self._store.check():
            return problems
        with self._store.read() as snapshot:
            return find_problems(snapshot, self.settings, thread_count(threads))
