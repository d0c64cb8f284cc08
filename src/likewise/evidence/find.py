"""`find_passages`: copied passages in a collection, or between two, however small a part they are.

Two ways lead to a pair of documents: fingerprints, which find every run of `min_words` equal words,
and rare words in common, which find copies without such runs. Each pair is then aligned, and what
the alignment accepts is a passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise._core import CollectionWords, Texts
from likewise.errors import UsageError
from likewise.evidence.alignment import AlignmentSettings, align_pairs
from likewise.evidence.common import Found, without_common, without_short
from likewise.evidence.cut_words import CutWords
from likewise.evidence.frequencies import Frequencies
from likewise.evidence.matching_text import Exclusions, MatchingText, matching_text
from likewise.evidence.passages import PassagePair, Passages
from likewise.evidence.scores import words_within
from likewise.evidence.searched import FIRST, SECOND, Searched
from likewise.evidence.words import words_of
from likewise.search.fingerprints import (
    DEFAULT_MAX_DOCUMENTS,
    DEFAULT_MIN_WORDS,
    Fingerprints,
    Winnowing,
)
from likewise.search.rare_words import pairs_by_rare_words
from likewise.search.stats import Stats, counted
from likewise.statistics.equal_runs import chance_run, equal_words
from likewise.threads import thread_count
from likewise.tricks.presence import may_have_tricks
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.evidence.passage import Passage
    from likewise.search.verification import Progress

    Pairs = NDArray[np.int64]  # [n, 2], numbers of documents

# In one call of the core, both texts of each pair counted: enough to keep the threads busy, few
# enough for a progress bar.
_WORDS_AT_ONCE = 500_000
_PAIRS_AT_ONCE = 2048
# Words of all documents from which on their own rates tell more than the length of a word.
_ENOUGH_WORDS = 20_000
NOTHING = Exclusions()


def _silent(stage: str, done: int, total: int | None) -> None:
    pass


def find_passages(
    texts: object,
    *,
    against: object | None = None,
    ids: Iterable[object] | None = None,
    against_ids: Iterable[object] | None = None,
    min_words: int = DEFAULT_MIN_WORDS,
    max_documents: int = DEFAULT_MAX_DOCUMENTS,
    edited: bool = True,
    exclude: Exclusions = NOTHING,
    metadata: Sequence[Mapping[str, Any] | None] | None = None,
    against_metadata: Sequence[Mapping[str, Any] | None] | None = None,
    rates: Frequencies | None = None,
    settings: AlignmentSettings | None = None,
    threads: int | None = None,
    progress: Progress = _silent,
) -> Passages:
    """Passages that documents of a collection share with each other, or with those of another.

    Args:
        texts: a list of str or any iterable of it, an Arrow, pandas or polars column.
        against: a second collection, in which the sources of `texts` are looked for.
        ids, against_ids: ids of the texts; their numbers from 0, if not given.
        min_words: every run of so many equal words is found.
        max_documents: a fingerprint of a run that more documents have is set aside.
        edited: look also for copies without such runs, by rare words in common.
        exclude: what is left out.
        metadata, against_metadata: of each text, with author and group where they are known.
        rates: how often words are met in general; those of the collection, if not given.
        settings: of the alignment.
        threads: how many to use; all processors, if not given.

    Returns pairs with their passages, those that share most words first; the same whatever the
    number of threads.
    """
    winnowing = Winnowing(min_words)
    check_whole("max_documents", max_documents, 2)
    if against is None and against_ids is not None:
        raise UsageError("against_ids is given without against")
    documents = Searched.of(texts, ids, against, against_ids)
    known = [*(metadata or []), *(against_metadata or [])]
    if exclude.same and len(known) != len(documents):
        raise UsageError("documents of the same author or group are told by their metadata")
    alignment = _settings(settings, min_words, two_sided=against is not None)
    if rates is not None and rates.stem_letters != alignment.stem_letters:
        raise UsageError(
            f"rates were counted by {rates.stem_letters} letters of a word, "
            f"and the settings ask for {alignment.stem_letters}"
        )
    search = _Search(
        documents=documents,
        winnowing=winnowing,
        max_documents=max_documents,
        edited=edited,
        exclude=exclude,
        metadata=known,
        settings=alignment,
        threads=thread_count(threads),
        stats=Stats({"min_words": min_words, "max_documents": max_documents, "edited": edited}),
        progress=progress,
    )
    return search.run(rates)


def _settings(
    given: AlignmentSettings | None, min_words: int, *, two_sided: bool
) -> AlignmentSettings:
    """Runs of `min_words` words are passages whatever the words tell."""
    base = given or AlignmentSettings(judge="a" if two_sided else "either")
    return replace(base, least_run=min_words, least_words=min(base.least_words, min_words))


@dataclass(eq=False)
class _Search:
    """One run: words and fingerprints of all, candidates by both ways, then their alignment."""

    documents: Searched
    winnowing: Winnowing
    max_documents: int
    edited: bool
    exclude: Exclusions
    metadata: Sequence[Mapping[str, Any] | None]
    settings: AlignmentSettings
    threads: int
    stats: Stats
    progress: Progress
    about: dict[str, MatchingText] = field(default_factory=dict)
    sizes: NDArray[np.int64] = field(init=False)  # words of each document
    equal: float = field(init=False)  # how often two words are the same

    def run(self, rates: Frequencies | None) -> Passages:
        with self.stats.timed("words"):
            words, fingerprints = self._read()
            self.sizes = words.sizes().astype(np.int64)
            stems, counts = words.counts()
            self.equal = equal_words(counts)
            if rates is None:
                rates = own_rates(stems, counts, self.settings.stem_letters)
        with self.stats.timed("candidates"):
            self.progress("candidates", 0, None)
            pairs = self._without_same(self._candidates(words, fingerprints))
            del words, fingerprints
        with self.stats.timed("align"):
            found = self._found(pairs, rates)
        least = self.exclude.min_share
        kept = [pair for pair in found if max(pair.share_a, pair.share_b) >= least]
        if len(kept) < len(found):
            self.stats.counts["below_min_share"] = len(found) - len(kept)
        self.stats.counts |= {
            "documents": len(self.documents),
            "candidates": len(pairs),
            "pairs": len(kept),
            "passages": sum(len(pair.passages) for pair in kept),
        }
        self._tell_chance()
        return Passages(
            sorted(kept, key=lambda pair: (-pair.words, pair.a, pair.b)),
            self.stats,
            self.about,
            self.documents,
        )

    def _read(self) -> tuple[CollectionWords, Fingerprints]:
        """All that is needed of the texts to find candidates; what is matched replaces them."""
        templates = list(map(words_of, self.exclude.templates))
        keys, texts = self.documents.keys(), self.documents.texts
        words = CollectionWords(
            stem_letters=self.settings.stem_letters, keep_order=self.edited and len(texts) > 2
        )
        fingerprints = Fingerprints(self.winnowing)
        every = self.exclude.of_texts
        for begin, end in self.documents.batches():
            self.progress("words", begin, len(texts))
            batch = Texts.from_strings(texts[begin:end])
            unusual = may_have_tricks(batch, threads=self.threads)
            looked_at = range(end - begin) if every else np.flatnonzero(unusual).tolist()
            for i in (begin + place for place in looked_at):
                one = matching_text(texts[i], self.exclude, templates)
                if told(one):
                    self.about[keys[i]] = one
                texts[i] = one.text
            if looked_at:
                batch = Texts.from_strings(texts[begin:end])
            words.add(batch, threads=self.threads)
            fingerprints.add(batch, threads=self.threads)
        return words, fingerprints

    def _candidates(self, words: CollectionWords, fingerprints: Fingerprints) -> Pairs:
        sides = self.documents.sides
        by_runs = fingerprints.pairs(
            sides=sides, max_documents=self.max_documents, threads=self.threads
        )
        if by_runs.set_aside:
            self.stats.notes.append(
                f"{counted(by_runs.set_aside, 'fingerprint')} set aside, which over "
                f"{self.max_documents:,} documents have: what consists of them only is not found"
            )
        self.stats.counts |= {"set_aside": by_runs.set_aside, "by_runs": len(by_runs.a)}
        keys = _keys(by_runs.a, by_runs.b)
        if not self.edited:
            return _pairs(keys)
        if len(words) == 2:  # no word can be told to be rare, nor need it be
            meet = sides is None or sides[0] != sides[1]
            return np.array([[0, 1]] if meet else [], np.int64).reshape(-1, 2)
        a, b, _ = pairs_by_rare_words(words, sides=sides, threads=self.threads)
        self.stats.counts["by_rare_words"] = len(a)
        return _pairs(np.union1d(keys, _keys(a, b)))

    def _without_same(self, pairs: Pairs) -> Pairs:
        """Pairs that are not of the same author or group, where that is excluded."""
        kept = pairs
        for name in self.exclude.same:
            of = [(known or {}).get(name) for known in self.metadata]
            other = [of[a] is None or of[a] != of[b] for a, b in kept.tolist()]
            kept = kept[np.array(other, bool)]
        if len(kept) < len(pairs):
            self.stats.counts["of_the_same"] = len(pairs) - len(kept)
        return kept

    @cached_property
    def _words(self) -> CutWords:
        return CutWords(self.documents.texts, self.settings.stem_letters)

    def _found(self, pairs: Pairs, rates: Frequencies) -> list[PassagePair]:
        aligned: Iterable[Found] = self._aligned(pairs, rates)
        if self.exclude.min_passage:
            aligned, short = without_short(aligned, self.exclude.min_passage)
            self.stats.counts["too_short"] = short
        if self.exclude.max_sources is not None:
            aligned, left_out = without_common(list(aligned), self.exclude.max_sources)
            self.stats.counts["in_too_many"] = left_out
        return [self._pair(a, b, passages) for a, b, passages in aligned]

    def _aligned(self, pairs: Pairs, rates: Frequencies) -> Iterator[Found]:
        for part in self._parts(pairs):
            self.progress("align", part.start, len(pairs))
            # Only the texts of this part, so that its vocabulary stays small.
            used, places = np.unique(pairs[part], return_inverse=True)
            found = align_pairs(
                [self.documents.texts[i] for i in used.tolist()],
                [(a, b) for a, b in places.reshape(-1, 2).tolist()],
                rates=rates, settings=self.settings, threads=self.threads,
                words=[self._words[i] for i in used.tolist()],
            )  # fmt: skip
            for (a, b), passages in zip(pairs[part].tolist(), found, strict=True):
                if passages:
                    yield a, b, passages

    def _parts(self, pairs: Pairs) -> Iterator[slice]:
        """Pairs to be aligned in one call.

        No more than so many words, of different documents and of all pairs; but one very long
        document may meet several others.
        """
        sizes = self.sizes.tolist()
        begin = words = work = longest = 0
        held: set[int] = set()
        for i, (a, b) in enumerate(pairs.tolist()):
            own, longer = sizes[a] + sizes[b], max(sizes[a], sizes[b])
            new = own - sum(sizes[document] for document in (a, b) if document in held)
            most = max(longest, longer)
            if i > begin and (
                i - begin == _PAIRS_AT_ONCE
                or words + new > max(_WORDS_AT_ONCE, 2 * most)
                or work + own > max(_WORDS_AT_ONCE, 16 * most)
            ):
                yield slice(begin, i)
                begin, held, new, most = i, set(), own, longer
                words = work = 0
            held |= {a, b}
            words, work, longest = words + new, work + own, most
        if begin < len(pairs):
            yield slice(begin, len(pairs))

    def _pair(self, a: int, b: int, passages: Sequence[Passage]) -> PassagePair:
        turned = [passage.turned() for passage in passages]
        in_a = int(words_within(self._words[a], passages).sum())
        in_b = int(words_within(self._words[b], turned).sum())
        sizes = int(self.sizes[a]), int(self.sizes[b])
        return PassagePair(
            a=self.documents.ids[a],
            b=self.documents.ids[b],
            passages=tuple(passages),
            words=in_a,
            share_a=in_a / sizes[0],
            share_b=in_b / sizes[1],
            chance_run=chance_run(*sizes, self.equal),
        )

    def _tell_chance(self) -> None:
        """The run that chance would reach between two documents of median length."""
        sides = self.documents.sides
        of = (
            [self.sizes] * 2 if sides is None else [self.sizes[sides == s] for s in (FIRST, SECOND)]
        )
        if min(map(len, of)) == 0:
            return
        median_a, median_b = (int(np.median(sizes)) for sizes in of)
        reached = chance_run(median_a, median_b, self.equal)
        self.stats.counts["chance_run"] = reached
        if reached >= self.winnowing.min_words:
            self.stats.notes.append(
                f"runs of {self.winnowing.min_words:,} equal words come about by chance here: one "
                f"pair in twenty may share one of {reached:,} words"
            )


def own_rates(
    stems: NDArray[np.uint64], counts: NDArray[np.uint64], stem_letters: int
) -> Frequencies:
    """Rates by the words of a collection, where it has enough of them to tell."""
    total = int(counts.sum())
    if total < _ENOUGH_WORDS:
        return Frequencies(stem_letters=stem_letters)
    return Frequencies.of_counts(
        stems, counts.astype(np.float64), float(total), stem_letters=stem_letters
    )


def _keys(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Pairs as single numbers, in the same order."""
    return a.astype(np.int64) << 32 | b


def _pairs(keys: NDArray[np.int64]) -> Pairs:
    return np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1)


def told(matching: MatchingText) -> bool:
    """Whether there is something to tell of a text."""
    return bool(matching.tricks or matching.excluded)
