"""`find_passages`: copied passages in a collection, or between two, however small a part they are.

Two ways lead to a pair of documents: fingerprints, which find every run of `min_words` equal words,
and rare words in common, which find copies without such runs. Each pair is then aligned, and what
the alignment accepts is a passage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise._core import Texts
from likewise.errors import UsageError
from likewise.evidence.alignment import AlignmentSettings, align_pairs
from likewise.evidence.common import Found, without_common
from likewise.evidence.frequencies import Frequencies
from likewise.evidence.matching_text import Exclusions, MatchingText, matching_text
from likewise.evidence.passages import PassagePair, Passages
from likewise.evidence.scores import words_within
from likewise.evidence.words import Words, words_of
from likewise.search.fingerprints import (
    DEFAULT_MAX_DOCUMENTS,
    DEFAULT_MIN_WORDS,
    Winnowing,
    pairs_by_fingerprints,
)
from likewise.search.rare_words import pairs_by_rare_words
from likewise.search.stats import Stats, counted
from likewise.threads import thread_count
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.evidence.passage import Passage
    from likewise.search.verification import Progress

# In one call of the core: enough to keep the threads busy, few enough for a progress bar.
_PAIRS_AT_ONCE = 256
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
    documents = _Documents.of(texts, ids, against, against_ids)
    known = [*(metadata or []), *(against_metadata or [])]
    if exclude.same and len(known) != len(documents.texts):
        raise UsageError("documents of the same author or group are told by their metadata")
    search = _Search(
        documents=documents,
        winnowing=winnowing,
        max_documents=max_documents,
        edited=edited,
        exclude=exclude,
        metadata=known,
        settings=_settings(settings, min_words, two_sided=against is not None),
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


@dataclass(frozen=True, eq=False)
class _Documents:
    """Both collections, one behind the other."""

    texts: list[str]
    ids: list[str]
    sides: NDArray[np.uint8] | None

    @classmethod
    def of(
        cls,
        texts: object,
        ids: Iterable[object] | None,
        against: object | None,
        against_ids: Iterable[object] | None,
    ) -> _Documents:
        own, names = checked_texts(texts, ids)
        if against is None:
            return cls(own, names, None)
        others, other_names = checked_texts(against, against_ids)
        sides = np.repeat(np.array([1, 2], np.uint8), [len(own), len(others)])
        return cls(own + others, names + other_names, sides)


def checked_texts(texts: object, ids: Iterable[object] | None) -> tuple[list[str], list[str]]:
    """Texts and their ids, which are numbers from 0 if not given; raises where they are wrong."""
    strings = list_of_strings(texts)
    names = [str(i) for i in range(len(strings))] if ids is None else [str(id_) for id_ in ids]
    if len(names) != len(strings):
        raise UsageError(f"there are {len(names)} ids for {len(strings)} texts")
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"the id {repeated!r} stands twice")
    return strings, names


def list_of_strings(texts: Any) -> list[str]:
    """Texts of any kind that `find_pairs` takes, as a list."""
    if isinstance(texts, (str, bytes)):
        raise UsageError("texts must be a collection of str, not one str")
    if hasattr(texts, "to_pylist"):
        texts = texts.to_pylist()
    elif hasattr(texts, "to_list"):
        texts = texts.to_list()
    made = list(texts)
    for text in made:
        if not isinstance(text, str):
            raise UsageError(f"a text is not a str but {type(text).__name__}")
    return made


@dataclass(eq=False)
class _Search:
    """One run: candidates by both ways, then their alignment."""

    documents: _Documents
    winnowing: Winnowing
    max_documents: int
    edited: bool
    exclude: Exclusions
    metadata: Sequence[Mapping[str, Any] | None]
    settings: AlignmentSettings
    threads: int
    stats: Stats
    progress: Progress

    def run(self, rates: Frequencies | None) -> Passages:
        with self.stats.timed("words"):
            self.progress("words", 0, None)
            templates = list(map(words_of, self.exclude.templates))
            matching = [
                matching_text(text, self.exclude, templates) for text in self.documents.texts
            ]
            texts = [one.text for one in matching]
            words = list(map(words_of, texts))
        with self.stats.timed("candidates"):
            self.progress("candidates", 0, None)
            pairs = self._without_same(self._candidates(texts, words))
        if rates is None:
            rates = self._rates(words)
        with self.stats.timed("align"):
            aligned = list(self._aligned(pairs, texts, words, rates))
        if self.exclude.max_sources is not None:
            aligned, left_out = without_common(aligned, self.exclude.max_sources)
            self.stats.counts["in_too_many"] = left_out
        found = [self._pair(a, b, passages, words) for a, b, passages in aligned]
        least = self.exclude.min_share
        kept = [pair for pair in found if max(pair.share_a, pair.share_b) >= least]
        if len(kept) < len(found):
            self.stats.counts["below_min_share"] = len(found) - len(kept)
        found = sorted(kept, key=lambda pair: (-pair.words, pair.a, pair.b))
        self.stats.counts |= {
            "documents": len(words),
            "candidates": len(pairs),
            "pairs": len(found),
            "passages": sum(len(pair.passages) for pair in found),
        }
        about = dict(zip(self._keys(), matching, strict=True))
        return Passages(found, self.stats, {id_: one for id_, one in about.items() if told(one)})

    def _keys(self) -> list[str]:
        """Ids, those of the second collection marked: both may use the same ones."""
        sides = self.documents.sides
        if sides is None:
            return self.documents.ids
        return [
            id_ if side == 1 else f"against {id_}"
            for id_, side in zip(self.documents.ids, sides.tolist(), strict=True)
        ]

    def _without_same(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Pairs that are not of the same author or group, where that is excluded."""
        kept = pairs
        for name in self.exclude.same:
            of = [(known or {}).get(name) for known in self.metadata]
            kept = [(a, b) for a, b in kept if of[a] is None or of[a] != of[b]]
        if len(kept) < len(pairs):
            self.stats.counts["of_the_same"] = len(pairs) - len(kept)
        return kept

    def _candidates(self, texts: list[str], words: Sequence[Words]) -> list[tuple[int, int]]:
        sides = self.documents.sides
        by_runs = pairs_by_fingerprints(
            Texts.from_strings(texts), self.winnowing, sides=sides,
            max_documents=self.max_documents, threads=self.threads,
        )  # fmt: skip
        if by_runs.set_aside:
            self.stats.notes.append(
                f"{counted(by_runs.set_aside, 'fingerprint')} set aside, which over "
                f"{self.max_documents:,} documents have: what consists of them only is not found"
            )
        self.stats.counts |= {"set_aside": by_runs.set_aside, "by_runs": len(by_runs.a)}
        pairs = set(zip(by_runs.a.tolist(), by_runs.b.tolist(), strict=True))
        if self.edited and len(words) == 2:
            return [(0, 1)]  # no word can be told to be rare, nor need it be
        if self.edited and words:
            stems = np.concatenate([one.stems for one in words])
            offsets = np.cumsum([0, *map(len, words)]).astype(np.uint64)
            a, b, _ = pairs_by_rare_words(stems, offsets, sides=sides, threads=self.threads)
            self.stats.counts["by_rare_words"] = len(a)
            pairs |= set(zip(a.tolist(), b.tolist(), strict=True))
        return sorted(pairs)

    def _rates(self, words: Sequence[Words]) -> Frequencies:
        if sum(map(len, words)) < _ENOUGH_WORDS:
            return Frequencies()
        return Frequencies.of_words(words)

    def _aligned(
        self,
        pairs: list[tuple[int, int]],
        texts: list[str],
        words: Sequence[Words],
        rates: Frequencies,
    ) -> Iterator[Found]:
        for begin in range(0, len(pairs), _PAIRS_AT_ONCE):
            self.progress("align", begin, len(pairs))
            part = pairs[begin : begin + _PAIRS_AT_ONCE]
            # Only the texts of this part, so that its vocabulary stays small.
            used = sorted({document for pair in part for document in pair})
            place = {document: i for i, document in enumerate(used)}
            found = align_pairs(
                [texts[i] for i in used],
                [(place[a], place[b]) for a, b in part],
                rates=rates, settings=self.settings, threads=self.threads,
                words=[words[i] for i in used],
            )  # fmt: skip
            for (a, b), passages in zip(part, found, strict=True):
                if passages:
                    yield a, b, passages

    def _pair(
        self, a: int, b: int, passages: Sequence[Passage], words: Sequence[Words]
    ) -> PassagePair:
        in_a = int(words_within(words[a], passages).sum())
        in_b = int(words_within(words[b], [passage.turned() for passage in passages]).sum())
        return PassagePair(
            a=self.documents.ids[a],
            b=self.documents.ids[b],
            passages=tuple(passages),
            words=in_a,
            share_a=in_a / len(words[a]),
            share_b=in_b / len(words[b]),
        )


def told(matching: MatchingText) -> bool:
    """Whether there is something to tell of a text."""
    return bool(matching.tricks or matching.excluded)
