"""The fifth stage: candidates compared on their full sets of shingles, in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np

from likewise import _core
from likewise.dedup.files.candidates import CANDIDATES
from likewise.dedup.files.workspace import Appender

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise._core import Texts
    from likewise.dedup.files.budget import Budget
    from likewise.dedup.files.workspace import Facts, Workspace
    from likewise.dedup.settings import DedupSettings
    from likewise.run import Progress

    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]
    F64 = NDArray[np.float64]

STAGE = "verify"
PAIRS, SCORES = "verified", "jaccard"  # pairs a << 32 | b, ascending, and their similarity

PAIRS_AT_ONCE = 100_000
# A text of n bytes is cut into shingles of 8 bytes each, in a table of twice as many places.
BYTES_PER_BYTE = 10
SHARE = 0.3  # of the memory that is left
ANY_OVERLAP = 1e-300  # a threshold that any shared shingle reaches


class TextsByNumber(Protocol):
    """Texts of unique documents, wherever they are."""

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Bytes of each text, by its slot."""

    def slots(self, unique: U32) -> U32:
        """Where the texts of unique documents, which ascend, are."""

    def select(self, slots: U32) -> Texts:
        """The texts in some slots."""


def verify(
    settings: DedupSettings,
    workspace: Workspace,
    texts: TextsByNumber,
    budget: Budget,
    progress: Progress,
) -> Facts:
    """Writes the pairs at or above the threshold; gives the facts of the stage."""
    done = workspace.facts(STAGE)
    if done is not None:
        return done
    total = workspace.path(CANDIDATES).stat().st_size // 8
    with Appender(workspace, STAGE, [PAIRS, SCORES]) as appender:
        at = appender.cursor.get("done", 0)
        while at < total:
            progress("verify", at, total)
            pairs = workspace.slice(CANDIDATES, np.uint64, at, min(total, at + PAIRS_AT_ONCE))
            found, scores = compare(pairs, settings, texts, settings.threshold, budget.room(SHARE))
            appender.append(PAIRS, found)
            appender.append(SCORES, scores)
            at += len(pairs)
            appender.note(lambda at=at: {"done": at})  # type: ignore[misc]
        progress("verify", total, total)
        facts = {"compared": total, "verified": appender.size(PAIRS) // 8}
        appender.finish(facts)
    return facts


def similarities(pairs: U64, settings: DedupSettings, texts: TextsByNumber, room: int) -> F64:
    """The similarity of each pair, however small; pairs ascend."""
    scores = np.zeros(len(pairs))
    for at in range(0, len(pairs), PAIRS_AT_ONCE):
        own = pairs[at : at + PAIRS_AT_ONCE]
        found, some = compare(own, settings, texts, ANY_OVERLAP, room)
        scores[at + np.searchsorted(own, found)] = some
    return scores


def compare(
    pairs: U64, settings: DedupSettings, texts: TextsByNumber, threshold: float, room: int
) -> tuple[U64, F64]:
    """Those of some pairs, which ascend, that reach a threshold; and their similarity."""
    a = (pairs >> np.uint64(32)).astype(np.uint32)
    b = (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    involved, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    slots = texts.slots(involved)
    first, second = places[: len(a)], places[len(a) :]
    found, scores = [np.zeros(0, np.uint64)], [np.zeros(0)]
    sizes = texts.sizes[slots]
    for begin, end, threads in _pieces(sizes[first] + sizes[second], room, settings.threads):
        own, at = np.unique(
            np.concatenate([first[begin:end], second[begin:end]]), return_inverse=True
        )
        firsts, seconds = at[: end - begin], at[end - begin :]
        counts = np.bincount(firsts, minlength=len(own))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint64)
        left, right, shared, size_a, size_b = _core.verify(
            texts.select(slots[own]), settings.profile.rules(), offsets,
            seconds.astype(np.uint32), begin=0, end=len(own), threshold=threshold, threads=threads,
        )  # fmt: skip
        names = involved[own].astype(np.uint64)
        found.append(names[left] << np.uint64(32) | names[right])
        scores.append(shared / (size_a + size_b - shared))
    return np.concatenate(found), np.concatenate(scores)


def _pieces(sizes: NDArray[np.int64], room: int, threads: int) -> Iterator[tuple[int, int, int]]:
    """Ranges of pairs whose texts fit in the room, and how many threads their shingles allow."""
    spent = np.concatenate([[0], np.cumsum(sizes)])
    begin = 0
    while begin < len(sizes):
        end = int(np.searchsorted(spent, spent[begin] + room // 2, side="right")) - 1
        end = min(len(sizes), max(begin + 1, end))
        largest = int(sizes[begin:end].max()) * BYTES_PER_BYTE
        yield begin, end, max(1, min(threads, room // 2 // max(1, largest)))
        begin = end
