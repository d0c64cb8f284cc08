"""`Index`: a database of documents, and which of them a new one is similar to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from likewise.errors import UsageError
from likewise.index.adding import (
    Added,
    DocumentBatch,
    Prepared,
    is_storable,
    prepare,
    store_prepared,
)
from likewise.index.by_signature import estimated_pair, similar_to
from likewise.index.checking import problems_of
from likewise.index.document import Document
from likewise.index.listing import listed, listed_containing, newest
from likewise.index.matches import EstimatedMatch, Match
from likewise.index.passage_query import ask
from likewise.index.passage_question import Answers, IndexPassages, Question
from likewise.index.postings.entries import BANDS, DamageError
from likewise.index.postings.manifest import Manifest
from likewise.index.postings.upkeep import merge_all
from likewise.index.querying import answer
from likewise.index.settings import IndexSettings
from likewise.index.stores.protocol import Snapshot, StoredDocument
from likewise.index.stores.registry import create_store, open_store
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.matching_text import NOTHING, Exclusions
from likewise.run import silent
from likewise.sketches.scan import scan as scan_texts
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.statistics.bands import check_threshold
from likewise.statistics.estimate import check_level
from likewise.text.displayed import displayed_texts
from likewise.text.profile import DEFAULT_PROFILE
from likewise.text.word_frequencies import Frequencies
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from likewise.passages.alignment import AlignmentSettings
    from likewise.run import Progress
    from likewise.text.profile import Profile


class Index:
    """Documents of the past in a file, made for one profile, threshold and recall.

    Open one with `Index(path)`, make one with `Index.create(path)`. One process writes at a time
    (others wait), any number read; a single `Index` may be used by many threads.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens an index. Raises `SourceError` if there is none."""
        self._store = open_store(os.fspath(path))
        self._manifest = Manifest()
        with self._store.read() as snapshot:
            stored = snapshot.fact("settings")
        if stored is None:
            raise UsageError(f"{self._store.name}: the index has no settings; create it again")
        self.settings = IndexSettings.from_json(stored, self._store.name)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        profile: Profile | str = DEFAULT_PROFILE,
        threshold: float = 0.5,
        recall: float = 0.99,
        values: int = DEFAULT_VALUES,
        keep_text: bool = True,
        min_words: int | None = DEFAULT_MIN_WORDS,
    ) -> Index:
        """Makes an empty index.

        Args:
            path: the file, which must not be there yet; or `postgresql://host/database#name`.
            profile: how texts become shingles; for good.
            threshold: the similarity from which on documents are to be found.
            recall: the share of those just at the threshold that must be found.
            values: size of a signature.
            keep_text: without texts, answers are estimates with intervals, and there are no
                passages.
            min_words: every run of so many equal words is found by `passages`; None for an index
                that is asked for similar documents only, which is smaller and quicker to add to.
        """
        settings = IndexSettings.checked(
            profile=profile, threshold=threshold, recall=recall, values=values,
            keep_text=keep_text, min_words=min_words if keep_text else None,
        )  # fmt: skip
        facts = {"settings": settings.to_json(), "next": "1", "version": "0", "documents": "0"}
        create_store(os.fspath(path), facts).close()
        return cls(path)

    @property
    def name(self) -> str:
        """What messages call it: its path, or its address without the password."""
        return self._store.name

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._store.close()

    # --- changing it

    def add(
        self,
        texts: object,
        ids: Iterable[object],
        *,
        metadata: Sequence[dict[str, Any] | None] | None = None,
        page_starts: Sequence[tuple[int, ...] | None] | None = None,
        threads: int | None = None,
    ) -> Added:
        """Adds documents; those that are there with the same content stay as they are.

        A document whose id is there with other content is replaced. All of them are there when this
        returns, or none if it raises.
        """
        batch = DocumentBatch(texts, ids, metadata, page_starts)
        return self._put(self._prepared(batch, thread_count(threads)))

    def add_batches(
        self, batches: Iterable[DocumentBatch], *, threads: int | None = None
    ) -> Iterator[Added]:
        """Adds batches, each as one transaction, and says of each what became of it.

        Quicker than `add` batch by batch: while one is stored, the next is read and prepared. A
        batch that has been told of is there, however this ends.
        """
        count = thread_count(threads)
        with ThreadPoolExecutor(1, "likewise-store") as storing:
            source = iter(batches)
            under_way: Future[Added] | None = None
            while True:
                try:
                    batch = next(source, None)
                    ready = None if batch is None else self._prepared(batch, count)
                except BaseException:
                    if under_way is not None:  # stored, whatever came after it
                        yield under_way.result()
                    raise
                if under_way is not None:
                    yield under_way.result()
                if ready is None:
                    return
                under_way = storing.submit(self._put, ready)

    def _prepared(self, batch: DocumentBatch, threads: int) -> Prepared:
        with self._store.read() as snapshot:
            manifest = self._as_of(snapshot)
        return prepare(self._store, self.settings, batch, manifest, threads)

    def _put(self, ready: Prepared) -> Added:
        with self._store.write() as transaction:
            return store_prepared(transaction, self.settings, ready)

    def remove(self, ids: Iterable[object]) -> list[str]:
        """Removes documents by id, and says which of them were there."""
        wanted = list(filter(is_storable, dict.fromkeys(str(id_) for id_ in ids)))
        with self._store.write() as transaction:
            found = transaction.find(wanted)
            numbers = [number for number, _ in found.values()]
            transaction.delete(numbers)
            transaction.set_fact("documents", str(transaction.count() - len(numbers)))
            for kind in self.settings.kinds:
                transaction.delete_waiting(kind, numbers)
        return [id_ for id_ in wanted if id_ in found]

    def compact(self) -> None:
        """Makes the index as small and as quick as it can be: one segment of a kind, no room
        unused."""
        with self._store.write() as transaction:
            for kind in self.settings.kinds:
                merge_all(transaction, kind)
            documents = sum(1 for _ in transaction.numbers())
            transaction.set_fact("documents", str(documents))
        self._store.compact()

    def copy_to(self, path: str | os.PathLike[str]) -> None:
        """Writes a copy to a new file, while others read and write."""
        self._store.copy_to(os.fspath(path))

    # --- asking it

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
            threshold: the least similarity; that of the index, if not given. A lower one than that
                needs `scan`, which looks at every document.
            top: at most so many documents for each text.
            level: of the intervals, where no text is kept.
        """
        count = thread_count(threads)
        views = displayed_texts(texts, self.settings.profile, threads=count)
        wanted = self.settings.threshold if threshold is None else threshold
        self._check_query(wanted, top, scan, level)
        found = scan_texts(
            views, self.settings.profile, values=self.settings.values,
            layout=self.settings.layout, keep_signatures=True, threads=count,
        )  # fmt: skip
        signatures, keys = found.signatures, found.band_keys
        with self._store.read() as snapshot:
            segments = self._as_of(snapshot).segments[BANDS]
            return [
                answer(
                    snapshot, self.settings, segments if not scan else None,
                    views.select(np.array([i], np.uint32)), signatures[i], keys[:, i : i + 1],
                    wanted, top, level,
                )
                for i in range(len(views))
            ]  # fmt: skip

    def _check_query(self, threshold: float, top: int | None, scan: bool, level: float) -> None:
        check_threshold(threshold)
        check_level(level)
        if top is not None:
            check_whole("top", top, 1)
        if threshold < self.settings.threshold and not scan:
            raise UsageError(
                f"{self._store.name} was created for similarities of {self.settings.threshold:g} "
                f"or more; at {threshold:g} documents would be missed",
                hint="compare with every document (--scan), or create another index",
            )

    def _as_of(self, snapshot: Snapshot) -> Manifest:
        """What is held in memory, read anew only where it has changed."""
        manifest = self._manifest.as_of(snapshot, self.settings.kinds)
        self._manifest = manifest
        return manifest

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

        Args:
            texts: as for `find_passages`.
            ids: of the texts; their numbers from 0, if not given.
            min_words: every run of so many equal words is found; that of the index, if not given,
                and no fewer.
            edited: look also for copies without such runs, by rare words in common.
            exclude: what is left out.
            metadata: of each text, with author and group where they are known.
            rates: how often words are met in general; by their length, if not given.
            settings: of the alignment.

        What over 1,000 documents have is set aside: `notes` of the result tell.
        """
        question = Question.checked(
            self.settings, self.name, min_words=min_words, edited=edited, exclude=exclude,
            rates=rates, alignment=settings, threads=thread_count(threads),
        )  # fmt: skip
        asked = question.documents(texts, ids, metadata)
        found = Answers(question)
        for done, (id_, text, about) in enumerate(asked):
            go_on = partial(progress, "ask", done, len(asked))
            go_on()
            # Each in a snapshot of its own: a long list of texts holds nobody up.
            with self._store.read() as snapshot:
                manifest = self._as_of(snapshot)
                found.add(ask(snapshot, manifest, question, id_, text, about, go_on))
        return found.passages(len(self))

    def similar(
        self, id_: object, *, top: int | None = None, level: float = 0.95
    ) -> list[EstimatedMatch]:
        """The other documents that may be similar to a stored one, by their signatures.

        Needs no text, and so tells estimates; of texts that are kept, `query` tells more.
        """
        check_level(level)
        with self._store.read() as snapshot:
            (document,) = self._stored(snapshot, [str(id_)])
            segments = self._as_of(snapshot).segments[BANDS]
            threshold = self.settings.threshold
            return similar_to(snapshot, self.settings, segments, document, threshold, level)[:top]

    def estimate(self, a: object, b: object, *, level: float = 0.95) -> EstimatedMatch:
        """How similar two stored documents are, by their signatures; b as a match of a."""
        check_level(level)
        with self._store.read() as snapshot:
            first, second = self._stored(snapshot, [str(a), str(b)])
        return estimated_pair(self.settings, first, second, level)

    def _stored(self, snapshot: Snapshot, ids: Sequence[str]) -> list[StoredDocument]:
        """Documents by their ids, all of which must be there."""
        found = snapshot.find(list(filter(is_storable, ids)))
        for id_ in ids:
            if id_ not in found:
                raise UsageError(f"{self._store.name}: no document {id_!r}")
        numbered = snapshot.documents(list({found[id_][0] for id_ in ids}), text=False)
        by_id = {document.id: document for document in numbered}
        return [by_id[id_] for id_ in ids]

    # --- knowing it

    def __len__(self) -> int:
        with self._store.read() as snapshot:
            return snapshot.count()

    def __contains__(self, id_: object) -> bool:
        if not is_storable(str(id_)):
            return False
        with self._store.read() as snapshot:
            return bool(snapshot.find([str(id_)]))

    def get(self, id_: object) -> Document | None:
        """A stored document; None if there is none of this id."""
        if not is_storable(str(id_)):
            return None
        with self._store.read() as snapshot:
            found = snapshot.find([str(id_)])
            if not found:
                return None
            (document,) = snapshot.documents([found[str(id_)][0]], text=self.settings.keep_text)
        return Document.of(document)

    def text(self, id_: object) -> str:
        """The stored text of a document."""
        document = self.get(id_)
        if document is None:
            raise UsageError(f"{self._store.name}: no document {str(id_)!r}")
        if document.text is None:
            raise UsageError(f"{self._store.name} stores no texts")
        return document.text

    def documents(
        self, *, text: bool = True, after: int = 0, contains: str | None = None
    ) -> Iterator[Document]:
        """All documents, in the order in which they were added.

        Each thousand is read by itself, so that a long walk holds nobody up; what is added or
        removed meanwhile may be among them or not, and what is replaced twice. `after` goes on
        behind a document, by its `number`; `contains` is part of an id, in large or small letters.
        """
        if contains:
            return listed_containing(self._store, contains, text=text, after=after)
        return listed(self._store, text=text, after=after)

    def newest(self, most: int, *, text: bool = True) -> Iterator[Document]:
        """The documents that were added last, the newest first, read a hundred at a time."""
        check_whole("most", most, 1)
        return newest(self._store, most, text=text)

    @property
    def crowded_out(self) -> int:
        """Entries left out, since too many documents share their key; see `segments`."""
        with self._store.read() as snapshot:
            return int(snapshot.fact("crowded") or 0)

    def ids(self) -> list[str]:
        """The ids of all documents, in the order in which they were added."""
        return list(dict.fromkeys(document.id for document in self.documents(text=False)))

    def info(self) -> dict[str, Any]:
        """Settings and counts."""
        with self._store.read() as snapshot:
            manifest = self._as_of(snapshot)
            kinds = self.settings.kinds
            segments = [segment for kind in kinds for segment in manifest.segments[kind]]
            facts = {
                "documents": snapshot.count(),
                "segments": len(segments),
                "entries": sum(segment.entries for segment in segments),
                "waiting": sum(map(snapshot.count_waiting, kinds)),
                "crowded_out": int(snapshot.fact("crowded") or 0),
                "set_aside": sum(map(len, manifest.common.values())),
            }
        return {
            "index": self._store.name,
            "profile": str(self.settings.profile),
            "threshold": self.settings.threshold,
            "recall": self.settings.recall,
            "values": self.settings.values,
            "bands": self.settings.layout.bands,
            "rows": self.settings.layout.rows,
            "keeps_text": self.settings.keep_text,
            "min_words": self.settings.min_words,
            **facts,
            "bytes": self._store.bytes_used(),
        }

    def verify(self, *, threads: int | None = None) -> list[str]:
        """What is wrong with the index; nothing, if all is well.

        Checks the file, then every document: its content, its signature and its entries.
        """
        problems = self._store.check()
        if problems:
            return problems
        try:
            with self._store.read() as snapshot:
                return problems_of(snapshot, self.settings, thread_count(threads))
        except DamageError as error:
            return [str(error)]
