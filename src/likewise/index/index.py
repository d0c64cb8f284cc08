"""`Index`: a database of documents, and which of them a new one is similar to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from likewise.documents.references import References
from likewise.errors import UsageError
from likewise.index.adding import (
    Added,
    DocumentBatch,
    PreparedBatch,
    delete_documents,
    pipeline,
    prepare,
    set_metadata,
    store_batch,
)
from likewise.index.containment_query import ContainmentQuery
from likewise.index.contents import StoredDocuments
from likewise.index.exclusion_texts import ExclusionTexts
from likewise.index.matches import Match
from likewise.index.new_documents import choose_new
from likewise.index.passage_query import PassageQuery
from likewise.index.passage_results import IndexPassages, combine
from likewise.index.postings.lookup import IndexView
from likewise.index.postings.upkeep import first_version, merge_all
from likewise.index.review_marks import ReviewMark, delete_marks, delete_marks_of, write_marks
from likewise.index.settings import (
    DEFAULT_THRESHOLD,
    IndexOptions,
    IndexSettings,
    checked_options,
)
from likewise.index.similarity_query import SimilarityQuery, metadata_filter
from likewise.index.stored_document import signature_values
from likewise.index.stores.registry import store_class
from likewise.index.stores.store import IndexExistsError, MissingIndexError
from likewise.index.unread import forget_unread, note_unread
from likewise.passages.alignment import AlignmentSettings
from likewise.passages.fingerprints import DEFAULT_MIN_WORDS
from likewise.passages.settings import NOTHING, Exclusions
from likewise.run import Progress, silent
from likewise.sketches.signatures import DEFAULT_VALUES
from likewise.statistics.bands import DEFAULT_RECALL
from likewise.statistics.estimate import check_level
from likewise.text.displayed import displayed_texts
from likewise.text.inputs import id_strings, strings_of
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.text.word_frequencies import Frequencies
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.types import Ids, Measure, Metadata, Texts, Where


class Index(StoredDocuments):
    """Documents in a database, made for one profile, threshold and recall.

    Open one with `Index.open(path)`, create one with `Index.create(path)`. One process writes at a
    time (others wait), any number read; a single `Index` may be used by many threads.

    Ids are stored as strings, and found by what they are as a string: `index[7]` is `index["7"]`.
    """

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
        facts = {"settings": settings.to_json(), "next": "1", "documents": "0"}
        facts["version"] = str(first_version())
        path = os.fspath(path)
        store_class(path).create(path, facts).close()
        return cls(path)

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, create: bool = False, **settings: Unpack[IndexOptions]
    ) -> Index:
        """Opens an index; with `create`, creates it with these settings if there is none.

        The settings of an index that exists must be those that are given.
        """
        wanted_settings = checked_options(settings)
        try:
            index = cls(path)
        except MissingIndexError:
            if not create:
                raise
            try:
                return cls.create(path, **settings)
            except IndexExistsError:  # another process was faster
                index = cls(path)
        for name, wanted in wanted_settings.items():
            own = getattr(index.settings, name)
            if own != wanted and not (name == "min_words" and not index.settings.keep_text):
                index.close()
                raise UsageError(
                    f"{index.name}: created with {name} {own}, not {wanted}",
                    hint="open it without settings, or create another index",
                )
        return index

    # --- changes

    def add(
        self,
        texts: Texts,
        ids: Ids[Any],
        *,
        metadata: Sequence[Metadata | None] | None = None,
        page_starts: Sequence[tuple[int, ...] | None] | None = None,
        references: Sequence[References | None] | None = None,
        threads: int | None = None,
    ) -> Added:
        """Adds documents in one transaction: all, or none if it raises.

        A document whose id is stored with other content is replaced; one that is stored with the
        same content is left unchanged.
        """
        batch = DocumentBatch(texts, ids, metadata, page_starts, references)
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
        with self._write() as transaction:
            return store_batch(transaction, self.settings, batch)

    def add_new(
        self,
        texts: Texts,
        ids: Ids[Any],
        *,
        threshold: float | None = None,
        metadata: Sequence[Metadata | None] | None = None,
        page_starts: Sequence[tuple[int, ...] | None] | None = None,
        references: Sequence[References | None] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Adds the documents that are not similar to a stored one or to an earlier one of these.

        All in one transaction: of two processes that add similar documents at the same time, one
        adds its own. A document whose id is stored is not added, either.

        Args:
            threshold: the minimum similarity of duplicates; by default that of the index.

        Returns a mask of the documents that were added.
        """
        count = thread_count(threads)
        batch = DocumentBatch(texts, ids, metadata, page_starts, references).listed()
        query = self._similarity_query(threshold)
        with self._write() as transaction:
            view = IndexView(transaction, self._manifest.as_of(transaction, self.settings.kinds))
            new = choose_new(view, query, batch, count)
            chosen = batch.take(np.flatnonzero(new).tolist())
            prepared = prepare(chosen, self.settings, lambda: nullcontext(view), count)
            store_batch(transaction, self.settings, prepared)
        return new

    def remove(self, *ids: Hashable | Iterable[Hashable]) -> list[str]:
        """Removes documents by id, with their review marks; the ids that were stored.

        Each argument is an id, or a list or another collection of them; so is a tuple.
        """
        wanted = list(dict.fromkeys(id_ for given in ids for id_ in id_strings(given)))
        with self._write() as transaction:
            found = transaction.find(wanted)
            numbers = [number for number, _ in found.values()]
            delete_documents(transaction, self.settings, numbers)
            delete_marks_of(transaction, found.keys())
        return [id_ for id_ in wanted if id_ in found]

    def describe(self, metadata: Mapping[str, Metadata | None]) -> int:
        """Sets the metadata of stored documents by id; the number of those that changed.

        Ids that are not stored are ignored. All documents are changed, or none if it raises.
        """
        with self._write() as transaction:
            described = {str(id_): one for id_, one in metadata.items()}
            return set_metadata(transaction, described, keep_text=self.settings.keep_text)

    def note_unread(self, reasons: Mapping[str, str]) -> None:
        """Notes files that could not be read, until documents with these names are added."""
        with self._write() as transaction:
            note_unread(transaction, reasons)

    def forget_unread(self, names: Iterable[str] | None = None) -> None:
        """Removes files, or all, from those that could not be read."""
        with self._write() as transaction:
            forget_unread(transaction, names)

    def set_archive(self, names: Sequence[str]) -> None:
        """Stores the names of the collections that an app compares the documents with."""
        with self._write() as transaction:
            transaction.set_fact("archive", json.dumps(list(names)))

    def set_review_marks(self, marks: Iterable[ReviewMark]) -> None:
        """Stores marks of pairs and passages, each in place of one of the same pair or passage."""
        with self._write() as transaction:
            write_marks(transaction, marks)

    def remove_review_marks(self, keys: Iterable[str]) -> int:
        """Removes marks by their `key`; how many there were."""
        with self._write() as transaction:
            return delete_marks(transaction, set(keys))

    def share_with_readers(self, on: bool) -> None:
        """Stores whether a server shows the documents to those who may only read; at first not."""
        with self._write() as transaction:
            transaction.set_fact("shared", int(on))

    def change_exclusion_texts(
        self, change: Callable[[ExclusionTexts], ExclusionTexts]
    ) -> ExclusionTexts:
        """Stores what a function makes of the phrases and templates that an app excludes."""
        with self._store.write() as transaction:
            changed = change(ExclusionTexts.read(transaction))
            changed.write(transaction)
        return changed

    def compact(self) -> None:
        """Makes the index as small and fast as possible: one segment of a kind, no unused space."""
        with self._write() as transaction:
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
        texts: Texts,
        *,
        threshold: float | None = None,
        top: int | None = None,
        where: Where | None = None,
        scan: bool = False,
        measure: Measure = "jaccard",
        level: float = 0.95,
        threads: int | None = None,
    ) -> list[list[Match]]:
        """For each text the stored documents that are similar to it, the most similar first.

        Args:
            threshold: the minimum similarity; by default that of the index. A lower one needs
                `scan`, which compares with every document.
            measure: "jaccard", or "containment" of the shorter text in the longer one: documents
                that contain the text, or are contained in it, the most contained first. Without
                `scan`, those that share a run of words, as long as the index was created for, or
                rare words; this needs an index with passages.
            top: the maximum number of documents for each text.
            where: only documents with these metadata: the value of each field, or a list of the
                values that it may have; or a function of the metadata.
            level: of the intervals, where no texts are stored.
        """
        count = thread_count(threads)
        if measure != "jaccard":
            contained = ContainmentQuery.checked(
                self.settings, self.name, measure, threshold, top, level, where, scan=scan
            )
            with self._view() as view:
                return contained.matches(view, strings_of(texts), count, scan=scan)
        views = displayed_texts(texts, self.settings.profile, threads=count)
        query = self._similarity_query(threshold, top, level, where, scan=scan)
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

    def _similarity_query(
        self,
        threshold: float | None,
        top: int | None = None,
        level: float = 0.95,
        where: Where | None = None,
        *,
        scan: bool = False,
    ) -> SimilarityQuery:
        """Raises `UsageError` for what this index cannot answer."""
        wanted = self.settings.threshold if threshold is None else threshold
        query = SimilarityQuery(self.settings, wanted, top, level, metadata_filter(where))
        query.check(self.name, scan=scan)
        return query

    def passages(
        self,
        texts: Texts,
        *,
        ids: Ids[Any] | None = None,
        min_words: int | None = None,
        edited: bool = True,
        exclude: Exclusions = NOTHING,
        metadata: Sequence[Metadata | None] | None = None,
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

    def similar(self, id_: object, *, top: int | None = None, level: float = 0.95) -> list[Match]:
        """The other documents that may be similar to a stored one, estimated by signatures.

        Needs no texts; where they are stored, `query` gives exact similarities.
        """
        check_level(level)
        query = SimilarityQuery(self.settings, self.settings.threshold, top, level)
        with self._view() as view:
            (document,) = self._stored(view.snapshot, [str(id_)])
            return query.matches_of_document(view, document)

    def estimate(self, a: object, b: object, *, level: float = 0.95) -> Match:
        """The similarity of two stored documents, estimated by signatures; b as a match of a."""
        check_level(level)
        with self._store.read() as snapshot:
            first, second = self._stored(snapshot, [str(a), str(b)])
        (signature,) = signature_values([first], self.settings.values)
        query = SimilarityQuery(self.settings, 0.0, level=level)
        (match,) = query.estimate([second], signature, first.size)
        return match
