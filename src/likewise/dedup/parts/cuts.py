"""`Cuts`: the ranges of characters that are removed from documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.arrays import U32

if TYPE_CHECKING:
    from pathlib import Path

    from likewise.dedup.files.workspace import Workspace

DOCUMENTS, RANGES = "cut-documents", "cut-ranges"


class Cuts:
    """By document and place; ranges of a document neither overlap nor touch.

    Attributes:
        documents: the document of each range, ascending.
        ranges: where each begins and ends, in code points, [n, 2].
    """

    def __init__(self, documents: U32, ranges: U32) -> None:
        self.documents = documents
        self.ranges = ranges

    @classmethod
    def none(cls) -> Cuts:
        return cls(np.zeros(0, np.uint32), np.zeros((0, 2), np.uint32))

    @classmethod
    def open(cls, folder: Path) -> Cuts:
        """Those that `write_cuts` wrote; what is not looked at stays on disk."""
        if not (folder / DOCUMENTS).stat().st_size:  # nothing cannot be mapped
            return cls.none()
        documents = np.memmap(folder / DOCUMENTS, np.uint32, "r")
        return cls(documents, np.memmap(folder / RANGES, np.uint32, "r").reshape(-1, 2))

    def __len__(self) -> int:
        return len(self.documents)

    def of(self, start: int, stop: int) -> Cuts:
        """Those of the documents from `start` to `stop`."""
        begin, end = np.searchsorted(self.documents, np.array([start, stop], np.uint32))
        return Cuts(np.asarray(self.documents[begin:end]), np.asarray(self.ranges[begin:end]))

    def by_document(self) -> dict[int, list[list[int]]]:
        """The ranges of each document that has some."""
        places = np.flatnonzero(np.diff(self.documents, prepend=np.uint32(0xFFFFFFFF)))
        rows = self.ranges.tolist()
        edges = pairwise([*places.tolist(), len(rows)])
        return {
            document: rows[begin:end]
            for document, (begin, end) in zip(self.documents[places].tolist(), edges, strict=True)
        }

    def merged(self, other: Cuts) -> Cuts:
        """Both as one: ranges that overlap or touch become one."""
        documents = np.concatenate([self.documents, other.documents])
        ranges = np.concatenate([self.ranges, other.ranges])
        order = np.lexsort((ranges[:, 0], documents))
        documents, ranges = documents[order], ranges[order]
        # As places in one line of all documents, so that those of another one are never reached.
        begins = documents.astype(np.int64) << 33 | ranges[:, 0]
        reach = np.maximum.accumulate(documents.astype(np.int64) << 33 | ranges[:, 1])
        first = np.ones(len(begins), np.bool_)
        first[1:] = begins[1:] > reach[:-1]
        last = np.append(first[1:], True)
        ends = (reach[last] & 0xFFFFFFFF).astype(np.uint32)
        return Cuts(documents[first], np.stack([ranges[first, 0], ends], axis=1))

    def apply(self, texts: Any, first: int) -> Any:
        """A column of texts, of which the first is document `first`, without what is cut."""
        import pyarrow as pa
        import pyarrow.compute as compute

        pc: Any = compute
        own = self.of(first, first + len(texts)).by_document()
        if not own:
            return texts
        rows = np.fromiter(own, np.int64, len(own)) - first
        old = texts.take(pa.array(rows)).to_pylist()
        new = [without(text, ranges) for text, ranges in zip(old, own.values(), strict=True)]
        mask = np.zeros(len(texts), np.bool_)
        mask[rows] = True
        return pc.replace_with_mask(texts, mask, pa.array(new, texts.type))


def without(text: str, ranges: Sequence[Sequence[int]]) -> str:
    """A text without some ranges; a space is put where two words would be joined."""
    parts: list[str] = []
    at = 0
    for begin, end in [*ranges, (len(text), len(text))]:
        piece = text[at:begin]
        if piece:
            if parts and not (parts[-1][-1].isspace() or piece[0].isspace()):
                parts.append(" ")
            parts.append(piece)
        at = end
    return "".join(parts)


def in_original(ranges: NDArray[Any], cut: Sequence[Sequence[int]], text: str) -> list[list[int]]:
    """Ranges of what `without(text, cut)` gives as ranges of the text itself."""
    starts, places = [0], [0]  # in the shortened text and in this one, where pieces begin
    at = length = 0
    last = ""
    for begin, end in [*cut, (len(text), len(text))]:
        piece = text[at:begin]
        if piece:
            if last and not (last.isspace() or piece[0].isspace()):
                length += 1
            starts.append(length)
            places.append(at)
            length += len(piece)
            last = piece[-1]
        at = end

    def place(position: int) -> int:
        piece = int(np.searchsorted(starts, position, side="right")) - 1
        return places[piece] + position - starts[piece]

    return [[place(begin), place(end - 1) + 1] for begin, end in ranges.tolist()]


def write_cuts(workspace: Workspace, parts: Iterable[Cuts]) -> None:
    """Writes cuts to disk, those of some documents after another."""
    with workspace.aside(DOCUMENTS) as documents, workspace.aside(RANGES) as ranges:
        for cuts in parts:
            documents.write(np.ascontiguousarray(cuts.documents, np.uint32).tobytes())
            ranges.write(np.ascontiguousarray(cuts.ranges, np.uint32).tobytes())
