"""Paragraphs and lines that occur several times: all but one are cut."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import _core
from likewise.arrays import U32, U64
from likewise.dedup.parts.cuts import Cuts
from likewise.text.inputs import from_arrow
from likewise.text.obfuscation.letters import mend_letters
from likewise.text.obfuscation.presence import may_have_lookalikes

if TYPE_CHECKING:
    from likewise.dedup.parts.settings import PartSettings
    from likewise.dedup.parts.spill import Records, Spill

PART = [("low", "u8"), ("high", "u8"), ("document", "u4"), ("begin", "u4"), ("end", "u4"),
        ("words", "u4")]  # fmt: skip
CUT = [("document", "u4"), ("begin", "u4"), ("end", "u4"), ("words", "u4")]


@dataclass(slots=True)
class RepeatedPart:
    """A paragraph or line that was removed.

    Attributes:
        removed: how often.
        document, begin, end: the one that is kept.
    """

    removed: int
    document: int
    begin: int
    end: int


@dataclass(slots=True)
class PartCounts:
    """What was found.

    Attributes:
        words: of each document, those of all its parts; then those that are left.
        parts: how many are long enough.
        repeated: different ones that are removed, but for one.
        removed: how many are removed.
        removed_words: of these.
        templates: the ones that are removed most often.
    """

    words: U32 = field(default_factory=lambda: np.zeros(0, np.uint32))
    parts: int = 0
    repeated: int = 0
    removed: int = 0
    removed_words: int = 0
    templates: list[RepeatedPart] = field(default_factory=list)

    def to_dict(self) -> dict[str, int]:
        """As a report lists them."""
        return {
            "words": int(self.words.sum(dtype=np.int64)) + self.removed_words,
            "removed_words": self.removed_words,
            "removed_parts": self.removed,
            "repeated": self.repeated,
        }


def find_parts(
    texts: Any, first: int, settings: PartSettings, groups: U64 | None = None
) -> tuple[Records, U32]:
    """The parts of a batch that are long enough, and how many words each document has in all.

    `first` is the number of its first document. With the hashes of their groups, no parts of two
    groups have the same digest.
    """
    views = from_arrow(texts)
    found = _split(views, settings)
    parts, totals = _records(found, settings), found[-1]
    if settings.profile.letters == "displayed":
        suspicious = np.flatnonzero(may_have_lookalikes(views, threads=settings.threads))
        if len(suspicious):
            _mend(parts, texts, suspicious.astype(np.uint32), settings)
    if groups is not None:
        parts["low"] ^= groups[parts["document"]]
        parts["high"] ^= groups[parts["document"]]
    parts["document"] += np.uint32(first)
    return parts, totals


def _split(views: Any, settings: PartSettings) -> tuple[Any, ...]:
    return _core.split_texts(
        views, settings.profile.rules(), paragraphs=settings.unit == "paragraph",
        threads=settings.threads,
    )  # fmt: skip


def _records(found: tuple[Any, ...], settings: PartSettings) -> Records:
    documents, begins, ends, words, low, high, _ = found
    long = words >= settings.min_words
    parts = np.empty(np.count_nonzero(long), PART)
    for name, column in zip(
        ("document", "begin", "end", "words", "low", "high"),
        (documents, begins, ends, words, low, high),
        strict=True,
    ):
        parts[name] = column[long]
    return parts


def _mend(parts: Records, texts: Any, documents: U32, settings: PartSettings) -> None:
    """Digests parts with look-alike letters as they are displayed, each by itself.

    So what else is in a document never matters, and the same lines are equal everywhere.
    """
    rows: list[int] = []
    mended: list[str] = []
    for row in np.flatnonzero(np.isin(parts["document"], documents)).tolist():
        part = parts[row]
        text = texts[int(part["document"])].as_py()[part["begin"] : part["end"]]
        displayed, flags = mend_letters(text)
        if flags:
            rows.append(row)
            mended.append(displayed)
    if rows:
        own = _split(_core.Texts.from_strings(mended), settings)
        # The same words as before, in one part each.
        rows = [rows[at] for at in own[0].tolist()]
        parts["low"][rows], parts["high"][rows] = own[4], own[5]


def decide_parts(
    spill: Spill,
    cuts: Spill,
    ranks: Callable[[U32], U32],
    settings: PartSettings,
    counts: PartCounts,
    examples: int,
) -> None:
    """Sets aside the cuts, and counts them.

    Args:
        spill: the parts, by digest.
        cuts: where the cuts go.
        ranks: of documents.
        examples: how many templates to list.
    """
    best: list[tuple[int, ...]] = []
    for parts in spill.parts():
        places = ranks(parts["document"]).astype(np.uint64) << np.uint64(32) | parts["begin"]
        members, offsets = _core.group_records(
            np.ascontiguousarray(parts["low"]), np.ascontiguousarray(parts["high"]), places,
            least=settings.min_count,
        )  # fmt: skip
        if not len(members):
            continue
        starts = offsets[:-1].astype(np.int64)
        removed = np.ones(len(members), np.bool_)
        removed[starts] = False
        gone = parts[members[removed]]
        made = np.empty(len(gone), CUT)
        for name, _ in CUT:
            made[name] = gone[name]
        cuts.append(made)
        np.subtract.at(counts.words, gone["document"], gone["words"])
        counts.repeated += len(starts)
        counts.removed += len(gone)
        counts.removed_words += int(gone["words"].sum())
        best = _most(best, parts[members[starts]], places[members[starts]], offsets, examples)
    counts.templates = [RepeatedPart(one[0], *one[3:]) for one in best]


def _most(
    best: list[tuple[int, ...]],
    kept: Records,
    places: U64,
    offsets: U64,
    examples: int,
) -> list[tuple[int, ...]]:
    """The most frequent ones; of equally frequent ones the longest, then the first."""
    removed = np.diff(offsets).astype(np.int64) - 1
    order = np.lexsort((places, -kept["words"].astype(np.int64), -removed))[:examples]
    rows = [
        (int(removed[at]), int(kept["words"][at]), int(places[at]),
         *(int(kept[name][at]) for name in ("document", "begin", "end")))
        for at in order.tolist()
    ]  # fmt: skip
    return heapq.nsmallest(examples, [*best, *rows], key=lambda row: (-row[0], -row[1], row[2]))


def sorted_cuts(cuts: Spill) -> Iterator[Cuts]:
    """The cuts of some documents at a time, in order; those that touch become one."""
    for part in cuts.parts():
        ranges = np.stack([part["begin"], part["end"]], axis=1)
        own = Cuts(np.ascontiguousarray(part["document"]), ranges)
        yield Cuts.none().merged(own)
