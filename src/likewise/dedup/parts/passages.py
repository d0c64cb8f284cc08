"""Passages that occur several times: all but one are cut, until none is left.

What is left on both sides of a cut is joined, and may be a passage that occurs elsewhere. So the
shortened texts are searched once more, as a run of its own would, until nothing is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from unicodedata import category

import numpy as np

from likewise import _core
from likewise.arrays import U32, U64
from likewise.dedup.parts.cuts import Cuts, in_original, without
from likewise.text.inputs import from_arrow

if TYPE_CHECKING:
    from likewise.dedup.parts.settings import PartSettings
    from likewise.dedup.parts.source import PartSource
    from likewise.dedup.parts.spill import Records, Spill

WINDOW = [("low", "u8"), ("high", "u8"), ("place", "u8")]
GROUPED = [("place", "u8"), ("group", "u8")]
WORDS = [("document", "u4"), ("first", "u4"), ("last", "u4")]
_MIN_FILTER_BITS, _MAX_FILTER_BITS = 16, 40
_BITS_PER_HASH = 16
_MIN_PIECE_BYTES = 1 << 20
_OPENING, _CLOSING = ("Ps", "Pi"), ("Pe", "Pf", "Po")  # categories of punctuation

MakeSpill = Callable[[str, Any, Callable[[Any], Any]], "Spill"]


@dataclass(slots=True)
class PassageCounts:
    """What was found.

    Attributes:
        words: how many words are left of each document.
        all_words: how many there were in all.
        removed: how many ranges are cut.
        rounds: how often the texts were searched.
    """

    words: U32 = field(default_factory=lambda: np.zeros(0, np.uint32))
    all_words: int = 0
    removed: int = 0
    rounds: int = 0

    def to_dict(self) -> dict[str, int]:
        """As a report lists them."""
        return {
            "words": self.all_words,
            "removed_words": self.all_words - int(self.words.sum(dtype=np.int64)),
            "removed_parts": self.removed,
            "rounds": self.rounds,
        }


def find_passage_cuts(
    source: PartSource,
    documents: int,
    settings: PartSettings,
    make_spill: MakeSpill,
    room: Callable[[], int],
    scanned: tuple[Spill, U32] | None = None,
) -> tuple[Cuts, PassageCounts]:
    """What is to be cut of each document.

    Args:
        source: the texts.
        documents: how many there are.
        make_spill: makes a `Spill` of this name, for records of this type with these keys.
        room: how many bytes there is room for in memory.
        scanned: what `fingerprints_of` gave of all texts, where they have been read already.
    """
    cuts, counts = Cuts.none(), PassageCounts()
    ranks = source.ranks(documents)
    while True:
        counts.rounds += 1
        search = _Round(source, documents, ranks, settings, make_spill, room, cuts, counts.rounds)
        found = search.run(scanned if counts.rounds == 1 else None)
        counts.words = search.words
        if counts.rounds == 1:
            counts.all_words = int(counts.words.sum(dtype=np.int64))
        if not len(found):
            counts.removed = len(cuts)
            return cuts, counts
        cuts = cuts.merged(found)


def fingerprints_of(texts: Any, settings: PartSettings) -> tuple[U64, U32]:
    """The fingerprints of a batch, and how many words each text has."""
    return _core.fingerprint_windows(
        from_arrow(texts), words=settings.min_words, shingle=settings.shingle,
        threads=settings.threads,
    )  # fmt: skip


class _Round:
    """One search of the texts as they are so far."""

    def __init__(
        self,
        source: PartSource,
        documents: int,
        ranks: U32 | None,
        settings: PartSettings,
        make_spill: MakeSpill,
        room: Callable[[], int],
        cuts: Cuts,
        number: int,
    ) -> None:
        self._source = source
        self._documents = documents
        self._ranks = ranks
        self._order = None if ranks is None else np.argsort(ranks).astype(np.uint32)
        self._settings = settings
        self._spill = make_spill
        self._room = room
        self._cuts = cuts
        self._number = number
        self.words = np.zeros(documents, np.uint32)

    def run(self, scanned: tuple[Spill, U32] | None) -> Cuts:
        if scanned is None:
            hashes = self._fingerprints()
        else:
            hashes, self.words = scanned
        repeated = self._repeated(hashes)
        if repeated is None:
            return Cuts.none()
        windows = self._windows(repeated)
        del repeated
        return self._characters(self._choose(self._group(windows)))

    def _batches(self, stage: str) -> Iterator[tuple[int, Any]]:
        name = stage if self._number == 1 else f"{stage} (round {self._number})"
        for first, texts in self._source.batches(name):
            yield first, self._cuts.apply(texts, first) if len(self._cuts) else texts

    def _fingerprints(self) -> Spill:
        """The fingerprints of all texts; and counts words."""
        hashes = self._spill("fingerprints", np.uint64, lambda own: own)
        for first, texts in self._batches("read"):
            own, words = fingerprints_of(texts, self._settings)
            hashes.append(own)
            self.words[first : first + len(words)] = words
        return hashes

    def _repeated(self, hashes: Spill) -> _core.HashFilter | None:
        """Those that come more than once; None if there are none."""
        wanted = (len(hashes) * _BITS_PER_HASH // 2).bit_length()
        bits = max(_MIN_FILTER_BITS, min(wanted, (self._room() * 2).bit_length(), _MAX_FILTER_BITS))
        found = False
        repeated = _core.HashFilter(bits=bits)
        for part in hashes.parts():
            part.sort()
            again = part[1:][part[1:] == part[:-1]]
            repeated.add(again)
            found |= len(again) > 0
        return repeated if found else None

    def _windows(self, repeated: _core.HashFilter) -> Spill:
        """Runs of words whose fingerprint comes more than once, by their digest."""
        windows = self._spill("windows", WINDOW, lambda own: own["low"])
        settings = self._settings
        for first, texts in self._pieces("find passages"):
            rows, words, low, high = _core.digest_windows(
                from_arrow(texts), repeated, words=settings.min_words, shingle=settings.shingle,
                threads=settings.threads,
            )  # fmt: skip
            own = np.empty(len(rows), WINDOW)
            documents = rows + np.uint32(first)
            ranks = documents if self._ranks is None else self._ranks[documents]
            own["low"], own["high"] = low, high
            own["place"] = ranks.astype(np.uint64) << np.uint64(32) | words
            windows.append(own)
        return windows

    def _pieces(self, stage: str) -> Iterator[tuple[int, Any]]:
        """Batches in pieces: where all of a text is repeated, its windows take far more memory."""
        for first, texts in self._batches(stage):
            size = max(_MIN_PIECE_BYTES, self._room() // 32)
            rows = max(1, len(texts) * size // max(1, texts.nbytes))
            for start in range(0, len(texts), rows):
                yield first + start, texts.slice(start, rows)

    def _by_document(self, numbers: Any) -> Any:
        """Keys that spread numbers of documents, or their ranks, over 64 bits."""
        return numbers.astype(np.uint64) * np.uint64(2**64 // max(1, self._documents) - 1)

    def _group(self, windows: Spill) -> Spill:
        """Windows that have an equal one, by the order of documents."""
        ordered = self._spill(
            "equal-windows", GROUPED, lambda own: self._by_document(own["place"] >> np.uint64(32))
        )
        groups = 0
        for part in windows.parts():
            places = np.ascontiguousarray(part["place"])
            members, offsets = _core.group_records(
                np.ascontiguousarray(part["low"]), np.ascontiguousarray(part["high"]), places,
                least=2,
            )  # fmt: skip
            own = np.empty(len(members), GROUPED)
            own["place"] = places[members]
            own["group"] = np.repeat(
                np.arange(groups, groups + len(offsets) - 1), np.diff(offsets).astype(np.int64)
            )
            groups += len(offsets) - 1
            ordered.append(own)
        return ordered

    def _choose(self, ordered: Spill) -> Spill:
        """What is cut, as ranges of words."""
        chosen = self._spill("words", WORDS, lambda own: self._by_document(own["document"]))
        choice = _core.WindowChoice(words=self._settings.min_words)
        for part in ordered.parts():
            order = np.argsort(part["place"])
            places = part["place"][order]
            ranks, first, last = choice.cut(
                (places >> np.uint64(32)).astype(np.uint32), places.astype(np.uint32),
                np.ascontiguousarray(part["group"][order]),
            )  # fmt: skip
            own = np.empty(len(ranks), WORDS)
            own["document"] = ranks if self._order is None else self._order[ranks]
            own["first"], own["last"] = first, last
            chosen.append(own)
        return chosen

    def _characters(self, chosen: Spill) -> Cuts:
        """The same as ranges of characters of the texts as they were at first."""
        made = [Cuts.none()]
        for part in chosen.parts():
            part = part[np.lexsort((part["first"], part["document"]))]
            for documents, texts in self._source.gather(np.unique(part["document"])):
                made.append(self._cut_batch(documents, texts, part))
        return Cuts(
            np.concatenate([own.documents for own in made]),
            np.concatenate([own.ranges for own in made]),
        )

    def _cut_batch(self, documents: U32, texts: Any, chosen: Records) -> Cuts:
        earlier = {
            document: cut
            for document in documents.tolist()
            if (cut := self._cuts.of(document, document + 1).by_document().get(document))
        } if len(self._cuts) else {}  # fmt: skip
        begin, end = np.searchsorted(chosen["document"], [documents[0], documents[-1] + 1])
        own = chosen[begin:end]
        rows, ranges = cut_characters(
            texts.to_pylist(),
            [earlier.get(document) for document in documents.tolist()],
            np.searchsorted(documents, own["document"]).astype(np.uint32),
            np.ascontiguousarray(own["first"]), np.ascontiguousarray(own["last"]),
            self._settings,
        )  # fmt: skip
        return Cuts(documents[rows], ranges)


def cut_characters(
    originals: Sequence[str],
    earlier: Sequence[Sequence[Sequence[int]] | None],
    rows: U32,
    first: U32,
    last: U32,
    settings: PartSettings,
) -> tuple[U32, U32]:
    """Runs of words as what is cut: ranges of characters, and the row of each.

    Args:
        originals: the texts as they were at first.
        earlier: what has been cut of each, if anything.
        rows, first, last: runs of words of what is left, by row and place.
    """
    shortened = [
        text if cut is None else without(text, cut)
        for text, cut in zip(originals, earlier, strict=True)
    ]
    rows, begins, ends, low, high = _core.range_characters(
        _core.Texts.from_strings(shortened), rows, first, last, bounds=settings.cut_at,
        threads=settings.threads,
    )  # fmt: skip
    ranges = np.empty((len(rows), 2), np.uint32)
    for at, (row, *edges) in enumerate(
        zip(*(column.tolist() for column in (rows, begins, ends, low, high)), strict=True)
    ):
        ranges[at] = _with_marks(shortened[row], *edges)
    for row in np.unique(rows).tolist():
        cut = earlier[row]
        if cut is not None:
            mine = rows == row
            ranges[mine] = in_original(ranges[mine], cut, originals[row])
    return rows, ranges


def _with_marks(text: str, begin: int, end: int, low: int, high: int) -> tuple[int, int]:
    """A range of words with the punctuation at its words, and the white space on one side.

    Args:
        low, high: where the word before ends and the one behind begins.
    """
    high = min(high, len(text))
    before = begin
    while before > low and not text[before - 1].isspace():
        before -= 1
    after = end
    while after < high and not text[after].isspace():
        after += 1
    if before == low > 0:  # between two words without a space, some of it belongs to the other
        before = begin
        while before > low and category(text[before - 1]) not in _CLOSING:
            before -= 1
    if after == high < len(text):
        after = end
        while after < high and category(text[after]) not in _OPENING:
            after += 1
    begin, end = before, after
    before, after = begin, end
    while before > low and text[before - 1].isspace():
        before -= 1
    while after < high and text[after].isspace():
        after += 1
    left, right = text[before:begin], text[end:after]
    if (not left and before > 0) or (not right and after < len(text)):
        return begin, end
    # The stronger of the two boundaries stays: an end of a line rather than a space.
    if before == 0 or left.count("\n") > right.count("\n"):
        return begin, after
    return before, end
