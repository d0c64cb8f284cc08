"""`Items`: the texts of all benchmarks, and the structure in which documents look them up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import _core
from likewise._core import Texts as TextViews
from likewise.decontamination.settings import (
    EDITED_WORDS,
    MAX_TEMPLATE_WORDS,
    MIN_ITEM_WORDS,
    TEMPLATE_ITEMS,
    TEMPLATE_RUN,
    UNSPACED_FACTOR,
)
from likewise.passages.ranges import blanked, word_range
from likewise.statistics.shared_runs import is_unspaced
from likewise.text.profile import Profile
from likewise.text.words import Words, words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Shingles that are looked up: two changed words in ten leave half of those of three words. Single
# letters of scripts without spaces say less.
_SPACED, _UNSPACED = Profile(unit="word", k=3), Profile(unit="word", k=6)
_FEW = 5  # shingles of a candidate, if few items have them
_MAX_ITEMS = 1000  # a shingle that more items have is not looked up
_MIN_REACH = 16  # shingles


@dataclass(frozen=True, slots=True)
class GramTable:
    """The shingles of items in one kind of script: of which items, and by which profile."""

    profile: Profile
    numbers: NDArray[np.int64]
    grams: _core.ItemGrams


@dataclass(frozen=True, slots=True)
class Template:
    """Wording that so many items have, such as instructions; it is no hit by itself."""

    text: str
    items: int


class Items:
    """The items of all benchmarks.

    Attributes:
        ids, benchmarks: of each item.
        texts: as they are matched: displayed letters, no markup.
        words: of each.
        sizes: number of words.
        unspaced: whether it is in a script without spaces.
        own: of each item, which words are its own, and not a template that other items have.
        min_words: of each, the run of words that is a hit.
        edited_words: of each, the matched less changed words of an edited copy.
        least: of each, the own words below which it is not searched for.
    """

    def __init__(
        self, texts: Sequence[str], ids: Sequence[Any], benchmarks: Sequence[str], min_words: int
    ) -> None:
        self.ids = ids
        self.benchmarks = benchmarks
        self.texts = texts
        self.words: list[Words] = [words_of(text) for text in texts]
        self.sizes = np.array([len(words) for words in self.words], np.int64)
        self.unspaced = np.array([is_unspaced(words.letters) for words in self.words], bool)
        factor = np.where(self.unspaced, UNSPACED_FACTOR, 1)
        self.min_words = min_words * factor
        self.edited_words = self.min_words - EDITED_WORDS * factor
        self.least = MIN_ITEM_WORDS * factor
        known: dict[bytes, int] = {}
        self._texts = np.array(
            [known.setdefault(words.hashes.tobytes(), len(known)) for words in self.words], np.int64
        )
        self.own = self._own_words()

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def own_sizes(self) -> NDArray[np.int64]:
        """Words of each item outside templates."""
        return np.array([int(mask.sum()) for mask in self.own], np.int64)

    @cached_property
    def searchable(self) -> NDArray[np.bool_]:
        """Items that have enough words, templates aside."""
        return self.own_sizes >= self.least

    def _own_words(self) -> list[NDArray[np.bool_]]:
        """Without runs of words that several items have."""
        own = [np.ones(len(words), bool) for words in self.words]
        for unspaced in (False, True):
            numbers = np.flatnonzero(self.unspaced == unspaced)
            factor = UNSPACED_FACTOR if unspaced else 1
            # The same item in several benchmarks is no template.
            _, first, copies = np.unique(
                self._texts[numbers], return_index=True, return_inverse=True
            )
            masks = _template_words([self.words[i].hashes for i in numbers[first]], factor)
            for number, copy in zip(numbers.tolist(), copies.tolist(), strict=True):
                own[number] = ~masks[copy]
        return own

    def _own_text(self, item: int) -> str:
        words = self.words[item]
        runs = _runs(~self.own[item])
        return blanked(self.texts[item], [word_range(words, *run) for run in runs])

    def templates(self) -> list[Template]:
        """Wording that several items have, the most frequent first."""
        counts: dict[bytes, list[int]] = {}
        shown: dict[bytes, str] = {}
        for item, mask in enumerate(self.own):
            words = self.words[item]
            for first, last in _runs(~mask):
                key = words.hashes[first:last].tobytes()
                counts.setdefault(key, []).append(item)
                start, end = word_range(words, first, last)
                shown.setdefault(key, " ".join(self.texts[item][start:end].split()))
        made = [Template(shown[key], len(set(items))) for key, items in counts.items()]
        return sorted(made, key=lambda one: (-one.items, one.text))

    def tables(self, threads: int) -> list[GramTable]:
        """What documents are looked up in, one table for each kind of script."""
        made = []
        for profile, unspaced in ((_SPACED, False), (_UNSPACED, True)):
            numbers = np.flatnonzero(self.searchable & (self.unspaced == unspaced))
            if len(numbers):
                made.append(GramTable(profile, numbers, self._grams(numbers, profile, threads)))
        return made

    def _grams(self, numbers: NDArray[np.int64], profile: Profile, threads: int) -> _core.ItemGrams:
        views = TextViews.from_strings([self._own_text(i) for i in numbers.tolist()])
        hashes, offsets = _core.sample_shingles(views, profile.rules(), stride=1, threads=threads)
        counts = np.diff(offsets).astype(np.int64)
        owners = np.repeat(np.arange(len(numbers)), counts)
        order = np.argsort(hashes, kind="stable")
        hashes, owners = hashes[order], owners[order]
        grams, number, shared = np.unique(hashes, return_inverse=True, return_counts=True)
        pairs = np.unique(number * len(self) + self._texts[numbers][owners])
        texts = np.bincount(pairs // len(self), minlength=len(grams))  # that have each gram
        # A run of `min_words` has enough weight even if very many items have each of its shingles;
        # of rare ones, a few are enough.
        in_run = int(self.min_words[numbers[0]]) - profile.k + 1
        few = min(_FEW, in_run)
        weights = np.where(texts < TEMPLATE_ITEMS, in_run, few)
        weights[shared > _MAX_ITEMS] = 0
        whole = np.bincount(owners, np.repeat(weights, shared), len(numbers)).astype(np.int64)
        # Where a template is left out, shingles go over the gap that no copy has.
        gaps = np.array([_inner_gaps(self.own[i]) for i in numbers.tolist()], np.int64)
        needs = np.clip(whole - in_run * (profile.k - 1) * gaps, in_run, few * in_run)
        reaches = np.maximum(_MIN_REACH, 2 * self.sizes[numbers])
        kept = shared <= _MAX_ITEMS
        return _core.ItemGrams(
            grams=grams[kept],
            offsets=np.concatenate([[0], np.cumsum(shared[kept])]).astype(np.uint64),
            items=owners[np.repeat(kept, shared)].astype(np.uint32),
            weights=weights[kept].astype(np.uint32),
            needs=needs.astype(np.uint32),
            reaches=reaches.astype(np.uint32),
        )  # fmt: skip


def _template_words(words: Iterable[NDArray[np.uint64]], factor: int) -> list[NDArray[np.bool_]]:
    """Of each item, the words in runs that `TEMPLATE_ITEMS` items have, unless these are long."""
    each = list(words)
    if len(each) < TEMPLATE_ITEMS:
        return [np.zeros(len(one), bool) for one in each]
    run, longest = TEMPLATE_RUN * factor, MAX_TEMPLATE_WORDS * factor
    sizes = np.array([len(one) for one in each], np.int64)
    together = np.concatenate(each)
    owners = np.repeat(np.arange(len(each)), sizes)
    starts = max(0, len(together) - run + 1)
    hashes = np.zeros(starts, np.uint64)
    for at in range(run):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + together[at : at + starts]
        hashes ^= hashes >> np.uint64(29)
    inside = owners[:starts] == owners[run - 1 : run - 1 + starts]
    places = np.flatnonzero(inside)
    _, grams = np.unique(hashes[places], return_inverse=True)
    # Each item counts once for each run.
    pairs = np.unique(grams * len(each) + owners[places])
    items = np.bincount(pairs // len(each), minlength=1)
    common = places[items[grams] >= TEMPLATE_ITEMS]
    edges = np.zeros(len(together) + 1, np.int64)
    np.add.at(edges, common, 1)
    np.add.at(edges, common + run, -1)
    mask = np.cumsum(edges)[:-1] > 0
    begins = np.concatenate([[0], np.cumsum(sizes)])
    return [
        _without_long(mask[begin:end], longest)
        for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)
    ]


def _without_long(mask: NDArray[np.bool_], longest: int) -> NDArray[np.bool_]:
    """Runs of more words are a text that items have in common, and no template."""
    kept = mask.copy()
    for begin, end in _runs(mask):
        if end - begin > longest:
            kept[begin:end] = False
    return kept


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where runs of True begin and end."""
    if not mask.any():
        return []
    edges = np.flatnonzero(np.diff(mask, prepend=False, append=False)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _inner_gaps(own: NDArray[np.bool_]) -> int:
    """How many templates have an item's own words on both sides."""
    return sum(first > 0 and last < len(own) for first, last in _runs(~own))
