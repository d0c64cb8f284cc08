"""How many copies of the benchmarks' own items the search finds: measured in each run.

Copies are edited at several levels and planted, in memory, into documents of the training data;
the same search, with the same rules, then looks for them.
"""

from __future__ import annotations

import random
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likewise.arrays import U64
from likewise.decontamination.item_search import ItemSearch, prepared
from likewise.documents.texts import text_array
from likewise.statistics.intervals import interval
from likewise.text.words import words_of

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.decontamination.judgement import Judge
    from likewise.statistics.estimate import Estimate

SAMPLE = 100  # documents into which copies are planted
MAX_CHARACTERS = 200_000  # of such a document: a short item is no hit in a long one
_MARKS = ("<b>{}</b>", '<span class="term">{}</span>', "**{}**", "\\emph{{{}}}", "{}<br/>")


@dataclass(frozen=True, slots=True)
class Recall:
    """How many planted copies were found at one level of editing.

    Attributes:
        level: how the copies were edited.
        items: "long" for items of at least `min_words` words, "short" for others.
        planted, found: numbers of copies.
        estimate: the share found, with an interval.
    """

    level: str
    items: str
    planted: int
    found: int
    estimate: Estimate

    def __str__(self) -> str:
        one = self.estimate
        shares = f"{one.value:.1%} ({one.low:.1%} to {one.high:.1%})"
        return f"{shares} of {self.planted:,}".replace("100.0%", "100%")


Edit = Callable[[str, Sequence[str], random.Random], str]


def _replaced(share: float) -> Edit:
    """Each word is replaced with this probability by one of the training documents."""

    def edit(text: str, vocabulary: Sequence[str], chance: random.Random) -> str:
        words, made, last = words_of(text), [], 0
        for begin, end in zip(words.begins.tolist(), words.ends.tolist(), strict=True):
            if chance.random() < share and begin >= last:
                made += [text[last:begin], chance.choice(vocabulary)]
                last = end
        return "".join([*made, text[last:]])

    return edit


def _wrapped(text: str, vocabulary: Sequence[str], chance: random.Random) -> str:
    """Lines of another length, as in a printed or quoted text."""
    lines = textwrap.wrap(" ".join(text.split()), chance.randint(20, 60))
    return "\n".join(f"> {line}" for line in lines)


def _marked(text: str, vocabulary: Sequence[str], chance: random.Random) -> str:
    """Markup around some words."""
    words = text.split(" ")
    return " ".join(
        chance.choice(_MARKS).format(word) if word and chance.random() < 0.15 else word
        for word in words
    )


LEVELS: dict[str, Edit] = {
    "verbatim": _replaced(0.0),
    "lines re-wrapped": _wrapped,
    "markup inserted": _marked,
    "5 % of words replaced": _replaced(0.05),
    "10 % of words replaced": _replaced(0.1),
    "20 % of words replaced": _replaced(0.2),
}


class Sample:
    """Some of the documents, the same whatever the batches: those with the smallest keys."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, int, str]] = []

    def add(self, column: pa.LargeStringArray, first: int) -> None:
        """Takes what belongs to the sample of a batch, whose first text has this number."""
        rows = np.arange(first, first + len(column), dtype=np.uint64)
        keys = sample_keys(rows)
        limit = self._kept[-1][0] if len(self._kept) == SAMPLE else None
        chosen = np.flatnonzero(keys < limit) if limit is not None else np.arange(len(keys))
        chosen = chosen[np.argsort(keys[chosen], kind="stable")][:SAMPLE]
        for at in chosen.tolist():
            text = column[at].as_py() or ""
            self._kept.append((int(keys[at]), int(rows[at]), text[:MAX_CHARACTERS]))
        self._kept = sorted(self._kept)[:SAMPLE]

    @property
    def texts(self) -> list[str]:
        return [text for _, _, text in self._kept]


def sample_keys(rows: U64) -> U64:
    """By which rows are sampled: splitmix64 of their numbers."""
    keys = (rows + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    keys = (keys ^ keys >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ keys >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return keys ^ keys >> np.uint64(31)


def measure_recall(
    search: ItemSearch,
    judge: Judge,
    originals: Sequence[str],
    sample: Sequence[str],
    planted: int,
    seed: int,
    threads: int,
) -> list[Recall]:
    """The share of planted copies that is found, by level; none if there is nothing to plant.

    `originals` are the items as they were given; `planted` copies are planted at each level, and
    no more than there are items.
    """
    items = search.items
    chance = random.Random(seed)
    every = np.flatnonzero(items.searchable).tolist()
    if not planted or not every:
        return []
    chosen = sorted(chance.sample(every, min(planted, len(every))))
    bases = [text for text in sample if text.strip()] or [""]
    vocabulary = sorted({word for text in bases for word in text.split()[:500]}) or ["other"]
    same: dict[str, set[int]] = {}
    for item in range(len(items)):
        same.setdefault(items.texts[item], set()).add(item)
    measured = []
    for level, edit in LEVELS.items():
        texts = [
            _plant(chance.choice(bases), edit(originals[item], vocabulary, chance), chance)
            for item in chosen
        ]
        found = _found(search, judge, texts, threads)
        for name, of_kind in (("long", True), ("short", False)):
            wanted = [
                row
                for row, item in enumerate(chosen)
                if (items.own_sizes[item] >= items.min_words[item]) == of_kind
            ]
            if wanted:
                hits = sum(
                    not same[items.texts[chosen[row]]].isdisjoint(found.get(row, ()))
                    for row in wanted
                )
                estimate = interval(hits, len(wanted))
                measured.append(Recall(level, name, len(wanted), hits, estimate))
    return measured


def _plant(base: str, copy: str, chance: random.Random) -> str:
    """A document with the copy between two of its words."""
    spaces = [at for at, character in enumerate(base) if character.isspace()] or [len(base)]
    at = chance.choice(spaces)
    return f"{base[:at]} {copy} {base[at:]}"


def _found(
    search: ItemSearch, judge: Judge, texts: Sequence[str], threads: int
) -> dict[int, set[int]]:
    """The items that are hits in each text."""
    column = prepared(text_array(texts), threads)
    matches, _ = search.search(column)
    found: dict[int, set[int]] = {}
    for hit in judge.hits(matches):
        if hit.verdict == "hit":
            found.setdefault(hit.row, set()).add(hit.item)
    return found
