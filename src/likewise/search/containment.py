"""Candidates for containment: documents most of whose shingles may be in another one.

Texts are read in batches, several times: to count their shingles, to index the rarest shingles of
the documents to be found, and to look up the shingles of all that may contain them. What is found
does not depend on the batches or on the memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from likewise import _core
from likewise.arrays import U32, U64
from likewise.run import Progress, counted, silent

if TYPE_CHECKING:
    from likewise.text.profile import Profile

STAGE = "containment"

MIN_COUNT_BITS = 16
ELEMENTS_PER_COUNTER = 16
BYTES_PER_COUNTER = 2
PLACES_PER_ELEMENT = 4  # of the filter of shingles that are repeated; two bits each
BYTES_PER_BYTE = 10  # what the shingles of a text take of memory
ROOM_IN_MEMORY = 1 << 32  # where texts are in memory anyway
WORD_BYTES = 6  # about, where the shingles of texts are not counted


class Batches(Protocol):
    """Texts to be read again and again, in the same order."""

    def batches(self, start: int, size: int) -> Iterator[tuple[U32, _core.Texts]]:
        """Numbers and texts from one of them on, up to about `size` bytes at a time."""


@dataclass(frozen=True)
class TextBatches:
    """Texts in memory, numbered by their places."""

    texts: _core.Texts

    def batches(self, start: int, size: int) -> Iterator[tuple[U32, _core.Texts]]:
        numbers = np.arange(start, len(self.texts), dtype=np.uint32)
        if len(numbers):
            yield numbers, self.texts.select(numbers)


class Run(NamedTuple):
    """Some of the candidates.

    Attributes:
        pairs: container << 32 | contained, ascending, each once.
        boilerplate: documents that consist of shingles that too many others have.
        done: how many texts have been searched for, if that is another number than before.
    """

    pairs: U64
    boilerplate: U32
    done: int | None


def count_bits(elements: int) -> int:
    """The counters for texts with so many shingles, as a power of two. The candidates depend on
    it, so that nothing but the texts may."""
    return max(MIN_COUNT_BITS, (elements // ELEMENTS_PER_COUNTER).bit_length())


def count_bytes(elements: int) -> int:
    """What they take of memory."""
    return BYTES_PER_COUNTER << count_bits(elements)


@dataclass(frozen=True)
class ContainmentSearch:
    """A search for the documents of one collection in the same or in another one.

    Attributes:
        own: the documents to be found.
        others: those that may contain them, with numbers of their own; None for the same ones.
        elements: about how many shingles all texts have.
        max_documents: a shingle that more documents have is boilerplate.
        room: bytes of memory.
    """

    own: Batches
    others: Batches | None
    elements: int
    profile: Profile
    threshold: float
    max_documents: int
    threads: int
    room: int
    progress: Progress = silent

    def runs(self, start: int = 0) -> Iterator[Run]:
        """The candidates; of documents from one of the texts on, where a search is resumed."""
        join = self._join()
        containers = self.own if self.others is None else self.others
        for source in {id(batches): batches for batches in (self.own, containers)}.values():
            for numbers, texts in self._read(source, 0):
                join.count(texts, threads=self.threads)
                self.progress(STAGE, int(numbers[-1]) if len(numbers) else 0, None)
        for done in self._fill(join, start):
            pending = [np.zeros(0, np.uint64)]
            for numbers, texts in self._read(containers, 0):
                pending.append(join.probe(texts, numbers, threads=self.threads))
                if sum(map(len, pending)) * 24 > self.room // 4:
                    yield Run(_united(pending), np.zeros(0, np.uint32), None)
                    pending = [np.zeros(0, np.uint64)]
            more, boilerplate = join.finish()
            yield Run(_united([*pending, more]), boilerplate, done)
            self.progress(STAGE, done, None)

    def _fill(self, join: _core.ContainmentJoin, start: int) -> Iterator[int]:
        """Fills the index as often as memory needs it; yields how many texts have been in it."""
        done = start
        waiting = False
        for numbers, texts in self._read(self.own, start):
            join.add(texts, numbers, threads=self.threads)
            done += len(numbers)
            waiting = True
            if join.nbytes > self.room // 3:
                yield done
                waiting = False
        if waiting:
            yield done

    @property
    def batch_bytes(self) -> int:
        """How much text to read at a time."""
        return max(1 << 20, min(16 << 20, self.room // 4 // BYTES_PER_BYTE))

    def _read(self, source: Batches, start: int) -> Iterator[tuple[U32, _core.Texts]]:
        return source.batches(start, self.batch_bytes)

    def _join(self) -> _core.ContainmentJoin:
        wanted = (PLACES_PER_ELEMENT * self.elements).bit_length()
        return _core.ContainmentJoin(
            self.profile.rules(),
            threshold=self.threshold,
            max_documents=min(self.max_documents, 2**32 - 1),
            count_bits=count_bits(self.elements),
            repeat_bits=max(10, min(wanted, self.room.bit_length())),  # an eighth of it, at most
            sided=self.others is not None,
        )


def boilerplate_notes(boilerplate: int, max_documents: int) -> list[str]:
    """One sentence on documents for which not everything was compared; nothing without them."""
    if not boilerplate:
        return []
    consist = "consists" if boilerplate == 1 else "consist"
    return [
        f"{counted(boilerplate, 'document')} {consist} of text that more than {max_documents:,} "
        "documents have: compared only with the largest of these and with those that share the "
        "rest (max_bucket)"
    ]


def _united(pairs: list[U64]) -> U64:
    return np.unique(np.concatenate(pairs))
