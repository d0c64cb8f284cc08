"""`find_passages`: copied passages in a collection, or between two, however small a part they are.

Two ways lead to a pair of documents: fingerprints, which find every run of `min_words` equal words,
and rare words in common, which find copies without such runs. Each pair is then aligned, and what
the alignment accepts is a passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise._core import CollectionWords, Texts
from likewise.errors import UsageError
from likewise.passages.alignment import AlignmentSettings
from likewise.passages.common_text import CommonText
from likewise.passages.document_set import FIRST, SECOND, Searched
from likewise.passages.fingerprints import Fingerprints, Winnowing
from likewise.passages.matching_text import MatchingText, find_common_text, matching_text
from likewise.passages.pair_passages import alignment_settings, figures_of, find_pair_passages
from likewise.passages.passage_filters import Found, without_common, without_short
from likewise.passages.rare_words import pairs_by_rare_words
from likewise.passages.results import PassagePair, Passages
from likewise.passages.settings import (
    DEFAULT_MAX_DOCUMENTS,
    DEFAULT_MIN_WORDS,
    Exclusions,
    PassageSettings,
)
from likewise.run import Stats, silent
from likewise.statistics.shared_runs import is_unspaced, run_reached_by_chance
from likewise.text.cut_words import CutWords
from likewise.text.obfuscation.presence import may_have_tricks
from likewise.text.words import words_of
from likewise.threads import thread_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.run import Progress
    from likewise.text.word_frequencies import Frequencies

    Pairs = NDArray[np.int64]  # [n, 2], numbers of documents

# In one call of the core, both texts of each pair counted: enough to keep the threads busy, few
# enough for a progress bar.
_WORDS_AT_ONCE = 500_000
_PAIRS_AT_ONCE = 2048
# Words of both texts of all pairs up to which each two documents are aligned, so that nothing
# depends on a search for candidates: some seconds.
_ALL_PAIRS_WORDS = 30_000_000
NOTHING = Exclusions()


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
    progress: Progress = silent,
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
        rates: how often words are met in general; by their length, if not given. What other
            documents there are makes no difference to what two of them share.
        settings: of the alignment.
        threads: how many to use; all processors, if not given.

    Returns pairs with their passages, those that share most words first; the same whatever the
    number of threads.
    """
    wanted = PassageSettings(min_words, max_documents, edited)
    if against is None and against_ids is not None:
        raise UsageError("against_ids is given without against")
    documents = Searched.of(texts, ids, against, against_ids)
    known = [*(metadata or []), *(against_metadata or [])]
    if exclude.same and len(known) != len(documents):
        raise UsageError("excluding documents of the same author or group requires metadata")
    alignment = alignment_settings(min_words, settings)
    if rates is not None and rates.stem_letters != alignment.stem_letters:
        raise UsageError(
            f"rates were counted by {rates.stem_letters} letters of a word, "
            f"and the settings ask for {alignment.stem_letters}"
        )
    search = _Search(
        documents=documents,
        winnowing=Winnowing(min_words),
        max_documents=max_documents,
        edited=edited,
        exclude=exclude,
        metadata=known,
        settings=alignment,
        threads=thread_count(threads),
        stats=Stats(asdict(wanted)),
        progress=progress,
    )
    return search.run(rates)


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
    common_text: list[str] = field(default_factory=list)
    sizes: NDArray[np.int64] = field(init=False)  # words of each document

    def run(self, rates: Frequencies | None) -> Passages:
        with self.stats.timed("words"):
            words, fingerprints = self._read()
            self.sizes = words.sizes().astype(np.int64)
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
            "reworded": sum(len(pair.reworded) for pair in kept),
        }
        self._tell_chance()
        return Passages(
            sorted(kept, key=lambda pair: (-pair.words, pair.a, pair.b)),
            self.stats,
            self.about,
            self.documents,
            self.common_text,
        )

    def _read(self) -> tuple[CollectionWords, Fingerprints]:
        """All that is needed of the texts to find candidates; what is matched replaces them."""
        templates = list(map(words_of, self.exclude.templates))
        keys, texts = self.documents.keys(), self.documents.texts
        words = CollectionWords(
            stem_letters=self.settings.stem_letters, keep_order=self.edited and len(texts) > 2
        )
        fingerprints = Fingerprints(self.winnowing)
        common = find_common_text(texts, self.exclude, templates)
        every = common is not None or self.exclude.of_texts
        for begin, end in self.documents.batches():
            self.progress("words", begin, len(texts))
            batch = Texts.from_strings(texts[begin:end])
            unusual = may_have_tricks(batch, threads=self.threads)
            looked_at = range(end - begin) if every else np.flatnonzero(unusual).tolist()
            for i in (begin + place for place in looked_at):
                one = matching_text(texts[i], self.exclude, templates, common)
                if told(one):
                    self.about[keys[i]] = one
                texts[i] = one.text
            if looked_at:
                batch = Texts.from_strings(texts[begin:end])
            words.add(batch, threads=self.threads)
            fingerprints.add(batch, threads=self.threads)
        if common is not None:
            self.common_text = common.described("excluded")
        elif found := CommonText.of(texts):
            self.common_text = found.described("kept")
        return words, fingerprints

    def _candidates(self, words: CollectionWords, fingerprints: Fingerprints) -> Pairs:
        if self.edited and (every := self._all_pairs()) is not None:
            return every
        sides = self.documents.sides
        by_runs = fingerprints.pairs(
            sides=sides, max_documents=self.max_documents, threads=self.threads
        )
        if by_runs.set_aside:
            self.stats.notes.append(
                f"pairs that share nothing but text of more than {self.max_documents:,} documents "
                "may not be listed: exclude it with --common-text exclude, or raise --max-documents"
            )
        self.stats.counts |= {"set_aside": by_runs.set_aside, "by_runs": len(by_runs.a)}
        keys = _keys(by_runs.a, by_runs.b)
        if not self.edited:
            return _pairs(keys)
        a, b, _ = pairs_by_rare_words(words, sides=sides, threads=self.threads)
        self.stats.counts["by_rare_words"] = len(a)
        return _pairs(np.union1d(keys, _keys(a, b)))

    def _all_pairs(self) -> Pairs | None:
        """Each two documents, if there are few enough to align them all."""
        sides = self.documents.sides
        count, total = len(self.documents), int(self.sizes.sum())
        if sides is None:
            if (count - 1) * total > _ALL_PAIRS_WORDS:
                return None
            first, second = np.triu_indices(count, 1)
        else:
            left = int((sides == FIRST).sum())
            own = int(self.sizes[:left].sum())
            if own * (count - left) + (total - own) * left > _ALL_PAIRS_WORDS:
                return None
            first = np.repeat(np.arange(left), count - left)
            second = np.tile(np.arange(left, count), left)
        filled = (self.sizes[first] > 0) & (self.sizes[second] > 0)
        return np.stack([first, second], axis=1).astype(np.int64)[filled]

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

    def _found(self, pairs: Pairs, rates: Frequencies | None) -> list[PassagePair]:
        aligned: Iterable[Found] = self._aligned(pairs, rates)
        if self.exclude.min_passage:
            aligned, short = without_short(aligned, self.exclude.min_passage)
            self.stats.counts["too_short"] = short
        if self.exclude.max_sources is not None:
            aligned, left_out = without_common(list(aligned), self.exclude.max_sources)
            self.stats.counts["in_too_many"] = left_out
        return [self._pair(one) for one in aligned]

    def _aligned(self, pairs: Pairs, rates: Frequencies | None) -> Iterator[Found]:
        for part in self._parts(pairs):
            self.progress("align", part.start, len(pairs))
            # Only the texts of this part, so that its vocabulary stays small.
            used, places = np.unique(pairs[part], return_inverse=True)
            found = find_pair_passages(
                [self.documents.texts[i] for i in used.tolist()],
                [(a, b) for a, b in places.reshape(-1, 2).tolist()],
                min_words=self.winnowing.min_words, rates=rates, settings=self.settings,
                threads=self.threads, words=[self._words[i] for i in used.tolist()],
            )  # fmt: skip
            for (a, b), shared in zip(pairs[part].tolist(), found, strict=True):
                if shared:
                    passages = (*shared.passages, *shared.reworded)
                    yield Found(a, b, passages, shared.chance_run)

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

    def _pair(self, found: Found) -> PassagePair:
        a, b, passages, chance_run = found
        return PassagePair(
            a=self.documents.ids[a],
            b=self.documents.ids[b],
            **figures_of(passages, self._words[a], self._words[b], chance_run),
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
        middle = int(np.argsort(self.sizes)[len(self.sizes) // 2])
        unspaced = is_unspaced(self._words[middle].letters)
        reached = run_reached_by_chance(median_a, median_b, unspaced=unspaced)
        self.stats.counts["chance_run"] = reached
        if reached >= self.winnowing.min_words:
            self.stats.notes.append(
                f"runs of {self.winnowing.min_words:,} equal words come about by chance here: one "
                f"pair in twenty may share one of {reached:,} words"
            )


def _keys(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Pairs as single numbers, in the same order."""
    return a.astype(np.int64) << 32 | b


def _pairs(keys: NDArray[np.int64]) -> Pairs:
    return np.stack([keys >> 32, keys & 0xFFFFFFFF], axis=1)


def told(matching: MatchingText) -> bool:
    """Whether there is something to tell of a text."""
    return bool(matching.tricks or matching.excluded)
