"""`PassageQuery`: the passages that a text shares with stored documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise._core import Texts
from likewise.documents.document import Document
from likewise.errors import UsageError
from likewise.index.passage_candidates import by_runs, by_words
from likewise.index.passage_results import TextPassages
from likewise.index.postings.lookup import IndexView
from likewise.index.settings import MAX_MIN_WORDS, IndexSettings
from likewise.index.stored_document import StoredDocument, split_by_size
from likewise.index.stores.transaction import Snapshot
from likewise.passages.alignment import AlignmentSettings
from likewise.passages.attribution.attributed_text import AttributedText
from likewise.passages.common_text import MIN_DOCUMENTS, CommonText
from likewise.passages.document_set import checked_metadata
from likewise.passages.excluded_words import remaining_words
from likewise.passages.matching_text import MatchingText, matching_text, matching_texts
from likewise.passages.pair_passages import (
    PairPassages,
    alignment_settings,
    find_pair_passages,
    matched_words,
)
from likewise.passages.passage_filters import filter_passages
from likewise.passages.results import PassagePair
from likewise.passages.settings import Exclusions, check_exclusions
from likewise.text.inputs import ids_of, strings_of
from likewise.text.profile import Profile
from likewise.text.word_frequencies import Frequencies
from likewise.text.words import STEM_LETTERS, Words, words_of
from likewise.types import Ids, Metadata
from likewise.types import Texts as TextColumn
from likewise.whole_numbers import check_whole

_BATCH_DOCUMENTS = 64  # whose texts are in memory at a time


class _Candidate(NamedTuple):
    document: StoredDocument
    matching: MatchingText
    words: Words


@dataclass(frozen=True, eq=False)
class PassageQuery:
    """What is searched for, whatever the text; see `Index.passages`."""

    index: IndexSettings
    min_words: int
    edited: bool
    exclude: Exclusions
    rates: Frequencies | None
    alignment: AlignmentSettings
    threads: int

    @classmethod
    def checked(
        cls,
        index: IndexSettings,
        name: str,
        min_words: int | None,
        alignment: AlignmentSettings | None,
        **options: Any,
    ) -> PassageQuery:
        """Raises `UsageError` for arguments that the index `name` cannot answer."""
        if index.min_words is None:
            raise UsageError(
                f"{name} was created without passages",
                hint="export its documents, and import them into a new index with passages"
                if index.keep_text
                else "passages require an index that stores texts",
            )
        check_exclusions(options["exclude"])
        wanted = index.min_words if min_words is None else min_words
        check_whole("min_words", wanted, 1, MAX_MIN_WORDS)
        if alignment is not None and alignment.stem_letters != STEM_LETTERS:
            raise UsageError(
                f"an index compares the first {STEM_LETTERS} letters of a word, but the settings "
                f"have stem_letters={alignment.stem_letters}"
            )
        if alignment is not None and alignment.spelling != "exact":
            raise UsageError(
                "similar words are not available in an index",
                hint="compare the texts with find_passages(texts, against=…)",
            )
        if wanted < index.min_words:
            raise UsageError(
                f"{name} was created for runs of {index.min_words} words or more; with {wanted}, "
                "passages would be missed",
                hint="create an index with a smaller min_words",
            )
        return cls(index, wanted, alignment=alignment_settings(wanted, alignment), **options)

    def texts(
        self,
        texts: TextColumn,
        ids: Ids[Any] | None,
        metadata: Sequence[Metadata | None] | None,
    ) -> list[Document]:
        strings = strings_of(texts)
        names = ids_of(ids, len(strings))
        known = checked_metadata("metadata", metadata, len(names), required=bool(self.exclude.same))
        return [
            Document(text, id=id_, metadata=one)
            for text, id_, one in zip(strings, names, known, strict=True)
        ]

    def _runs(self, texts: Texts) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Hashes of all runs of `min_words` words, and where those of each text begin."""
        rules = Profile(unit="word", k=self.min_words).rules()
        return _core.sample_shingles(texts, rules, stride=1, threads=1)

    def find(self, view: IndexView, text: Document, go_on: Callable[[], None]) -> TextPassages:
        """The stored documents that share passages with one text.

        `go_on` is called now and then; an exception that it raises ends the search.
        """
        result = self._find(view, text, go_on)
        if len(result.pairs) < MIN_DOCUMENTS:
            return result
        own = words_of(result.text)
        sharing = np.zeros(len(own), np.int64)
        for pair in result.pairs:
            sharing += matched_words(own, pair.passages)
        common = CommonText.of_sharing(result.text, own, sharing, view.documents)
        if common is not None and self.exclude.common_text == "exclude":
            result = self._find(view, text, go_on, common)
        result.common_text = common
        return result

    def _find(
        self,
        view: IndexView,
        text: Document,
        go_on: Callable[[], None],
        common: CommonText | None = None,
    ) -> TextPassages:
        matching = matching_text(text.text, self.exclude, common)
        result = TextPassages(text.id, matching.text)
        if matching.altered:
            result.about[text.id] = matching
        own = words_of(matching.text)
        remaining = remaining_words(own, matching.excluded_ranges)
        if not remaining:
            return result
        string = Texts.from_strings([matching.remaining_text])
        assert self.index.min_words is not None
        runs = by_runs(view, string, self.index.min_words)
        rare = set(by_words(view, string, remaining) if self.edited else ())
        result.counts.update(
            set_aside=runs.set_aside,
            left_out=runs.left_out,
            by_runs=len(runs.numbers),
            by_rare_words=len(rare),
        )
        found = []
        attributions: dict[int, AttributedText] = {}  # of the text, which is number 0
        for part in self._candidates(view.snapshot, string, {*runs.numbers, *rare}, rare, common):
            go_on()
            kept = _without_same(part, self.exclude.same, text.metadata or {})
            result.counts.update(of_the_same=len(part) - len(kept), candidates=len(kept))
            every = [matching, *(one.matching for one in kept)]
            shared = find_pair_passages(
                [one.text for one in every],
                [(0, i + 1) for i in range(len(kept))],
                min_words=self.min_words, rates=self.rates, settings=self.alignment,
                threads=self.threads, words=[own, *(one.words for one in kept)],
                excluded={i: one.excluded_ranges for i, one in enumerate(every) if one.excluded},
                attributions=attributions,
            )  # fmt: skip
            found += [(one, pair) for one, pair in zip(kept, shared, strict=True) if pair]
            attributions = {0: attributions[0]} if 0 in attributions else {}
        self._put_pairs(result, found, own)
        return result

    def _candidates(
        self,
        snapshot: Snapshot,
        text: Texts,
        numbers: set[int],
        rare: set[int],
        common: CommonText | None,
    ) -> Iterator[list[_Candidate]]:
        """Documents that really share a run of words, or are in `rare`, in batches."""
        runs = np.unique(self._runs(text)[0])
        order = sorted(numbers)
        for begin in range(0, len(order), _BATCH_DOCUMENTS):
            found = snapshot.documents(order[begin : begin + _BATCH_DOCUMENTS], text=True)
            for documents in split_by_size(found):
                texts = [document.stored_text for document in documents]
                matching = matching_texts(texts, self.exclude, common)
                sharing = self._containing(matching, runs)
                yield [
                    _Candidate(document, one, words_of(one.text))
                    for i, (document, one) in enumerate(zip(documents, matching, strict=True))
                    if i in sharing or document.number in rare
                ]

    def _containing(self, texts: Sequence[MatchingText], runs: NDArray[np.uint64]) -> set[int]:
        """The positions of the texts that contain one of the runs."""
        hashes, offsets = self._runs(Texts.from_strings([one.remaining_text for one in texts]))
        if not len(runs) or not len(hashes):
            return set()
        places = np.minimum(np.searchsorted(runs, hashes), len(runs) - 1)
        hits = np.flatnonzero(runs[places] == hashes)
        return set((np.searchsorted(offsets, hits, "right") - 1).tolist())

    def _put_pairs(
        self, result: TextPassages, found: Sequence[tuple[_Candidate, PairPassages]], own: Words
    ) -> None:
        """Adds the pairs that are not excluded."""
        words = [own, *(one.words for one, _ in found)]
        numbered = ((0, i, pair) for i, (_, pair) in enumerate(found, 1))
        for _, i, shared in filter_passages(numbered, self.exclude, words, result.counts):
            one = found[i - 1][0]
            pair = PassagePair.of(shared, result.id, one.document.id)
            if max(pair.share_a, pair.share_b) < self.exclude.min_share:
                result.counts["below_min_share"] += 1
                continue
            result.pairs.append(pair)
            result.documents[pair.b] = one.document
            if one.matching.altered:
                result.about[f"against {pair.b}"] = one.matching


def _without_same(
    candidates: list[_Candidate], same: Sequence[str], metadata: Mapping[str, Any]
) -> list[_Candidate]:
    """Those of another author or group, where those of the same are excluded."""
    for name in same:
        own = metadata.get(name)
        if own is not None:
            candidates = [c for c in candidates if (c.document.metadata or {}).get(name) != own]
    return candidates
