"""`find_passages`: copied passages in a collection, or between two, however short they are.

Candidates are pairs of documents that share a fingerprint (every run of `min_words` equal words
does) or rare words (copies without such a run); in a small collection, all pairs. They are aligned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Unpack, overload

import numpy as np

from likewise._core import CollectionWords
from likewise._core import Texts as TextViews
from likewise.errors import UsageError
from likewise.passages.aligned_pairs import aligned_together, can_align_all
from likewise.passages.alignment import AlignmentSettings, checked_rates
from likewise.passages.attribution.attributed_text import AttributedText
from likewise.passages.common_text import CommonText
from likewise.passages.document_set import DocumentSet, checked_metadata
from likewise.passages.fingerprints import (
    MIN_SHARED_LETTERS,
    Fingerprints,
    LetterWinnowing,
    Winnowing,
)
from likewise.passages.matching_text import MatchingText, find_common_text, matching_texts
from likewise.passages.pair_passages import alignment_settings, find_pair_passages
from likewise.passages.passage_filters import differ_in, filter_passages
from likewise.passages.ranges import Range, blanked
from likewise.passages.rare_words import pairs_by_rare_words
from likewise.passages.results import PassagePair, Passages
from likewise.passages.settings import (
    DEFAULT_MAX_DOCUMENTS,
    DEFAULT_MIN_WORDS,
    NOTHING,
    Exclusions,
    PassageSettings,
    Spelling,
    check_exclusions,
)
from likewise.passages.spelling import letters_only
from likewise.run import Stats, log_notes, silent
from likewise.search.groups import Groups as DocumentGroups
from likewise.search.groups import groups_of
from likewise.search.packed_pairs import pack, unpack
from likewise.statistics.shared_runs import is_unspaced, run_reached_by_chance
from likewise.text.cut_words import CutWords
from likewise.text.words import Words, words_of
from likewise.threads import thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.passages.passage_filters import Shared
    from likewise.passages.settings import PassageOptions
    from likewise.run import Progress
    from likewise.text.word_frequencies import Frequencies
    from likewise.types import Groups, Ids, K, Metadata, Texts

    Pairs = NDArray[np.int64]  # [n, 2], numbers of documents


@overload
def find_passages(
    texts: Texts, *, against: Texts | None = None, **options: Unpack[PassageOptions]
) -> Passages[int]: ...
@overload
def find_passages(
    texts: Texts, *, ids: Ids[K], **options: Unpack[PassageOptions]
) -> Passages[K]: ...
@overload
def find_passages(
    texts: Texts,
    *,
    against: Texts | None,
    ids: Ids[K] | None = None,
    against_ids: Ids[K] | None = None,
    **options: Unpack[PassageOptions],
) -> Passages[K]: ...
def find_passages(
    texts: Texts,
    *,
    against: Texts | None = None,
    ids: Ids[Any] | None = None,
    against_ids: Ids[Any] | None = None,
    min_words: int = DEFAULT_MIN_WORDS,
    max_documents: int = DEFAULT_MAX_DOCUMENTS,
    edited: bool = True,
    spelling: Spelling = "exact",
    exclude: Exclusions = NOTHING,
    metadata: Sequence[Metadata | None] | None = None,
    against_metadata: Sequence[Metadata | None] | None = None,
    within: Groups | None = None,
    across: Groups | None = None,
    against_groups: Groups | None = None,
    rates: Frequencies | None = None,
    settings: AlignmentSettings | None = None,
    threads: int | None = None,
    progress: Progress = silent,
) -> Passages[Any]:
    """Passages that documents of a collection share with each other, or with those of another.

    Args:
        texts: a list of str or any iterable of it, an Arrow, pandas or polars column. A null is no
            text, and shares nothing.
        against: a second collection, in which the sources of `texts` are searched for.
        ids, against_ids: ids of the texts, of any type; their numbers from 0, if not given.
        min_words: every run of at least this many equal words is found.
        max_documents: the search skips fingerprints that more documents have.
        edited: find copies without such runs too, by rare words in common.
        spelling: "similar" to count words of similar spelling as shared, where the letters around
            them are the same: for scanned text and old spelling. "exact" means that of `settings`.
        exclude: text, passages and pairs to exclude.
        metadata, against_metadata: of each text, with author and group where they are known.
        within: the group of each text, such as its site: only pairs of one group are compared.
        across: the same, but only pairs of two groups are compared, such as those of different
            authors. A text with a null is a group of its own.
        against_groups: the groups of `against`.
        rates: general word rates; by the length of a word, if not given. They do not depend on the
            collection, and neither does what two of its documents share.
        settings: of the alignment.
        threads: how many to use; all processors, if not given.
        progress: called with the name of a stage, how much of it is done, and how much there is.

    Returns pairs with their passages, those that share most words first; the same for any number
    of threads.
    """
    alignment = alignment_settings(min_words, settings, spelling)
    wanted = PassageSettings(min_words, max_documents, edited, alignment.spelling)
    if against is None and against_ids is not None:
        raise UsageError("against_ids is given without against")
    if against is None and against_metadata is not None:
        raise UsageError("against_metadata is given without against")
    check_exclusions(exclude)
    documents = DocumentSet.of(texts, ids, against, against_ids)
    first, second = documents.first_count, len(documents) - documents.first_count
    known = [
        *checked_metadata("metadata", metadata, first, required=bool(exclude.same)),
        *checked_metadata("against_metadata", against_metadata, second,
                          required=bool(exclude.same and second)),
    ]  # fmt: skip
    groups = groups_of(first, second, within=within, across=across, against_groups=against_groups)
    search = _Search(
        documents, known, exclude, alignment, checked_rates(rates, alignment), wanted,
        thread_count(threads), progress, groups=groups,
    )  # fmt: skip
    found = search.run()
    log_notes(found.notes)
    return found


def find_known_passages(
    texts: Sequence[MatchingText],
    under_review: int,
    *,
    min_words: int,
    spelling: Spelling = "exact",
    exclude: Exclusions,
    metadata: Sequence[Metadata | None],
    threads: int,
    progress: Progress,
) -> Passages[int]:
    """`find_passages` of texts whose excluded parts are known already.

    Those after the first `under_review` are an archive: compared with the first, not with each
    other.
    """
    alignment = alignment_settings(min_words, spelling=spelling)
    return _Search(
        DocumentSet.with_archive([one.text for one in texts], under_review), metadata, exclude,
        alignment, checked_rates(None, alignment), PassageSettings(min_words, spelling=spelling),
        threads, progress, texts,
    ).run()  # fmt: skip


def set_aside_note(max_documents: int) -> str:
    """What a user should know where fingerprints were set aside."""
    return (
        f"pairs that share only text that more than {max_documents:,} documents contain may be "
        "missing: exclude common text (`common_text=exclude`), or raise `max_documents`"
    )


@dataclass(eq=False)
class _Search:
    """One run: words and fingerprints of all texts, candidates, then their alignment."""

    documents: DocumentSet
    metadata: Sequence[Metadata | None]
    exclude: Exclusions
    settings: AlignmentSettings
    rates: Frequencies
    search: PassageSettings
    threads: int
    progress: Progress
    known: Sequence[MatchingText] | None = None
    groups: DocumentGroups | None = None
    about: dict[Any, MatchingText] = field(default_factory=dict)
    excluded: dict[int, list[Range]] = field(default_factory=dict)
    attributions: dict[int, AttributedText] = field(default_factory=dict)
    common_text: list[str] = field(default_factory=list)
    sizes: NDArray[np.int64] = field(init=False)  # words of each document, but excluded ones

    def __post_init__(self) -> None:
        self.stats = Stats(asdict(self.search))
        if self.search.spelling == "exact":
            del self.stats.settings["spelling"]
        self.words = CutWords(self.documents.texts, self.settings.stem_letters)

    @property
    def is_similar(self) -> bool:
        """Whether words of similar spelling count as shared."""
        return self.settings.spelling == "similar"

    def run(self) -> Passages[Any]:
        counts = self.stats.counts
        with self.stats.timed("words"):
            words, fingerprints, by_letters = self._read()
            self.sizes = words.sizes().astype(np.int64)
        with self.stats.timed("candidates"):
            self.progress("candidates", 0, None)
            candidates = self._candidates(words, fingerprints, by_letters)
            pairs = candidates[differ_in(self.exclude.same, self.metadata, *candidates.T)]
            if len(pairs) < len(candidates):
                counts["of_the_same"] = len(candidates) - len(pairs)
            if self.groups is not None:
                pairs = pairs[self.groups.admit(*pairs.T)]
                self.stats.settings["groups"] = self.groups.rule
                self.stats.notes += self.groups.notes()
            del words, fingerprints, by_letters, candidates
        with self.stats.timed("align"):
            found = filter_passages(self._aligned(pairs), self.exclude, self.words, counts)
        least, ids = self.exclude.min_share, self.documents.ids
        kept = [
            PassagePair.of(shared, ids[a], ids[b])
            for a, b, shared in found
            if max(shared.share_a, shared.share_b) >= least
        ]
        if len(kept) < len(found):
            counts["below_min_share"] = len(found) - len(kept)
        counts |= {
            "documents": len(self.documents),
            "candidates": len(pairs),
            "pairs": len(kept),
            "passages": sum(len(pair.passages) for pair in kept),
            "reworded": sum(len(pair.reworded) for pair in kept),
        }
        if any(pair.similar_a or pair.similar_b for pair in kept):
            self.stats.notes.append(
                "shared words and percentages include words of similar spelling, not identical; "
                "longest runs and probabilities are those of identical words"
            )
        self._note_chance()
        kept.sort(key=lambda pair: (-pair.words, str(pair.a), str(pair.b)))
        return Passages(kept, self.stats, self.about, self.documents, self.common_text)

    def _read(self) -> tuple[CollectionWords, Fingerprints, Fingerprints | None]:
        """What is needed to find candidates; replaces the texts by what is displayed of them."""
        texts = self.documents.texts
        words = CollectionWords(
            stem_letters=self.settings.stem_letters,
            keep_order=self.search.edited and len(texts) > 2,
        )
        fingerprints = Fingerprints(Winnowing(self.search.min_words))
        by_letters = Fingerprints(LetterWinnowing()) if self.is_similar else None
        common = find_common_text(texts, self.exclude) if self.known is None else None
        for begin, end in self.documents.batches():
            self.progress("words", begin, len(texts))
            made = (
                matching_texts(texts[begin:end], self.exclude, common, threads=self.threads)
                if self.known is None
                else self.known[begin:end]
            )
            texts[begin:end] = [one.text for one in made]
            self.about |= {
                self.documents.key(i): one for i, one in enumerate(made, begin) if one.altered
            }
            self.excluded |= {
                i: one.excluded_ranges for i, one in enumerate(made, begin) if one.excluded
            }
            remaining = [one.remaining_text for one in made]
            batch = TextViews.from_strings(remaining)
            words.add(batch, threads=self.threads)
            fingerprints.add(batch, threads=self.threads)
            if by_letters is not None:
                letters = TextViews.from_strings(list(map(letters_only, remaining)))
                by_letters.add(letters, threads=self.threads)
        if common is not None:
            self.common_text = common.described("excluded")
        elif found := CommonText.of(texts, self._remaining_words):
            self.common_text = found.described("kept")
        return words, fingerprints, by_letters

    def _remaining_words(self, number: int) -> Words:
        return words_of(blanked(self.documents.texts[number], self.excluded.get(number, ())))

    def _candidates(
        self, words: CollectionWords, fingerprints: Fingerprints, by_letters: Fingerprints | None
    ) -> Pairs:
        if self.search.edited and (every := self._all_pairs()) is not None:
            return every
        sides = self.documents.sides
        most = self.search.max_documents
        by_runs = fingerprints.pairs(sides=sides, max_documents=most, threads=self.threads)
        if by_runs.set_aside:
            self.stats.notes.append(set_aside_note(most))
        self.stats.counts |= {"set_aside": by_runs.set_aside, "by_runs": len(by_runs.a)}
        pairs = pack(by_runs.a, by_runs.b)
        if by_letters is not None:
            found = by_letters.pairs(sides=sides, max_documents=most, threads=self.threads)
            enough = found.shared >= MIN_SHARED_LETTERS
            self.stats.counts["by_letters"] = int(np.count_nonzero(enough))
            pairs = np.union1d(pairs, pack(found.a[enough], found.b[enough]))
        if self.search.edited:
            a, b, _ = pairs_by_rare_words(words, sides=sides, threads=self.threads)
            self.stats.counts["by_rare_words"] = len(a)
            pairs = np.union1d(pairs, pack(a, b))
        return np.stack(unpack(pairs), axis=1).astype(np.int64)

    def _all_pairs(self) -> Pairs | None:
        """Every pair of documents, if there are few enough to align them all."""
        left, inside = self.documents.first_count, self.documents.compares_first
        right = len(self.documents) - left
        own, others = int(self.sizes[:left].sum()), int(self.sizes[left:].sum())
        if not can_align_all(own, left, others, right, inside=inside):
            return None
        between = np.repeat(np.arange(left), right), np.tile(np.arange(left, left + right), left)
        of_first = np.triu_indices(left if inside else 0, 1)
        first, second = (np.concatenate(both) for both in zip(of_first, between, strict=True))
        filled = (self.sizes[first] > 0) & (self.sizes[second] > 0)
        return np.stack([first, second], axis=1).astype(np.int64)[filled]

    def _aligned(self, pairs: Pairs) -> Iterator[Shared]:
        for part in aligned_together(pairs.tolist(), self.sizes.tolist()):
            self.progress("align", part.start, len(pairs))
            numbers = [(a, b) for a, b in pairs[part].tolist()]
            found = find_pair_passages(
                self.documents.texts, numbers, min_words=self.search.min_words, rates=self.rates,
                settings=self.settings, threads=self.threads, words=self.words,
                excluded=self.excluded, attributions=self.attributions,
            )  # fmt: skip
            for (a, b), shared in zip(numbers, found, strict=True):
                if shared:
                    yield a, b, shared

    def _note_chance(self) -> None:
        """The run that chance would reach between two documents of median length."""
        left = self.documents.first_count
        others = self.sizes if self.documents.compares_first else self.sizes[left:]
        if not left or not len(others):
            return
        median_a, median_b = (int(np.median(sizes)) for sizes in (self.sizes[:left], others))
        middle = int(np.argsort(self.sizes)[len(self.sizes) // 2])
        unspaced = is_unspaced(self.words[middle].letters)
        reached = run_reached_by_chance(median_a, median_b, unspaced=unspaced)
        self.stats.counts["chance_run"] = reached
        if reached >= (least := self.search.min_words):
            self.stats.notes.append(
                f"runs of {least:,} identical words can occur by chance here: one pair in twenty "
                f"may share a run of {reached:,} words"
            )
