"""Documents that are similar to earlier ones: in an index, or in the signatures of a run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from likewise import _core
from likewise.arrays import U32, U64, Floats
from likewise.dedup.files.candidates import unique_keys
from likewise.dedup.files.copies import FIRST, UNIQUE
from likewise.dedup.files.inputs import state_of
from likewise.dedup.files.scan import SKETCHES, prefetched
from likewise.dedup.rules import NONE
from likewise.dedup.signatures import open_signatures
from likewise.errors import SourceError, UsageError
from likewise.index.stores.registry import is_address
from likewise.search.packed_pairs import pack, unpack
from likewise.sketches.signature_file import is_signatures
from likewise.statistics.estimate import Estimate, binomial_estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Facts, Workspace
    from likewise.dedup.settings import DedupSettings
    from likewise.index.index import Index
    from likewise.index.matches import Match


STAGE = "against"
MATCHES = "matches"
EMPTY = np.uint32(0xFFFFFFFF)  # a value of a signature that no shingle gave
BLOCK = 1 << 16  # signatures read at once
LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Unique documents, ascending, that are similar to a stored one.

    Attributes:
        unique: their numbers.
        id: of the stored document.
        similarity: to it.
        low, high: its interval, where it is an estimate; else NaN.
    """

    unique: U32
    id: list[str]
    similarity: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, unique: Any, ids: list[str], figures: Any) -> Matches:
        """From rows of (similarity, low, high)."""
        columns = np.array(figures, np.float64).reshape(-1, 3).T
        return cls(np.array(unique, np.uint32), ids, *columns)

    def __len__(self) -> int:
        return len(self.unique)

    def save(self, workspace: Workspace) -> None:
        import pyarrow as pa
        from pyarrow import feather

        with workspace.aside(MATCHES) as file:
            table = pa.table({f.name: getattr(self, f.name) for f in fields(self)})
            feather.write_feather(table, file, compression="uncompressed")

    @classmethod
    def load(cls, workspace: Workspace) -> Matches:
        from pyarrow import feather

        table: Any = feather.read_table(workspace.path(MATCHES))
        numbers = {name: np.array(table[name]) for name in table.column_names if name != "id"}
        return cls(id=table["id"].to_pylist(), **numbers)


class Stored(Protocol):
    """Earlier documents."""

    def identity(self) -> Any:
        """What shows that they have not changed."""

    def find(self, job: Job) -> Matches:
        """The unique documents that are similar to a stored one."""


@contextmanager
def open_stored(path: str | None, settings: DedupSettings) -> Iterator[Stored | None]:
    """The index or the signatures at a path, if one is given. Raises if they do not fit this run.

    An index is closed at the end, however a run ends: else its log stays behind.
    """
    if path is None:
        yield None
        return
    if not is_address(path) and not os.path.exists(path):
        raise SourceError(f"{path}: no such file", hint="name an index, or a file of signatures")
    by_containment = settings.measure == "containment"
    if not is_address(path) and is_signatures(path):
        if by_containment:
            raise signatures_refused(path)
        yield StoredSignatures(path, settings)
        return
    from likewise.index.index import Index

    with Index(path) as index:
        if by_containment:
            from likewise.dedup.files.containment import EarlierIndex

            yield EarlierIndex(index, settings)
        else:
            yield StoredIndex(index, settings)


def signatures_refused(name: str) -> UsageError:
    """Signatures do not say what is contained in what."""
    return UsageError(
        f"{name}: containment cannot be computed from signatures",
        hint="use an index that stores texts, or `measure=jaccard`",
    )


def find_matches(job: Job, stored: Stored) -> Facts:
    """The stage: writes the matches."""
    matches = stored.find(job)
    matches.save(job.workspace)
    return {"matches": len(matches)}


def check_index(index: Index, settings: DedupSettings) -> None:
    """Raises if the documents of an index cannot be compared with those of this run."""
    own = index.settings
    if own.profile != settings.profile:
        raise UsageError(
            f"{index.name}: created with profile {own.profile}, but this run has "
            f"{settings.profile}",
            hint=f"use `profile={own.profile}`",
        )
    if settings.threshold < own.threshold:
        raise UsageError(
            f"{index.name} was created for similarities of {own.threshold:g} or more; "
            f"at {settings.threshold:g} documents would be missed",
            hint=f"use `threshold={own.threshold:g}`, or create an index for a lower one",
        )


def figures_of(match: Match) -> tuple[float, float, float]:
    """Similarity, low and high of the match of an index."""
    return _figures(match.jaccard if match.estimate is None else match.estimate)


def _figures(jaccard: float | Estimate) -> tuple[float, float, float]:
    """Similarity, low and high."""
    if isinstance(jaccard, Estimate):
        return jaccard.value, jaccard.low, jaccard.high
    return jaccard, float("nan"), float("nan")


class StoredIndex:
    """Documents of an index: queried for each unique document, and verified if it has texts."""

    def __init__(self, index: Index, settings: DedupSettings) -> None:
        self._index = index
        check_index(index, settings)

    def identity(self) -> Any:
        return [self._index.name, repr(self._index.state())]

    def find(self, job: Job) -> Matches:
        first = job.workspace.load(FIRST, np.uint32)
        order = np.argsort(first, kind="stable").astype(np.uint32)
        found: list[tuple[int, str, tuple[float, float, float]]] = []
        done = 0
        for file, rows in job.row_map.by_file(first[order]):
            for batch in prefetched(job.source.gather(file, rows)):
                answers = self._index.query(
                    batch.texts.fill_null("") if batch.texts.null_count else batch.texts,
                    threshold=job.settings.threshold, top=1, level=LEVEL,
                    threads=job.settings.threads,
                )  # fmt: skip
                for unique, answer in zip(order[done:].tolist(), answers, strict=False):
                    if answer:
                        found.append((unique, answer[0].id, figures_of(answer[0])))
                done += len(answers)
                job.progress("search the index", done, len(order))
        found.sort()
        unique, ids, figures = zip(*found, strict=True) if found else ((), (), ())
        return Matches.of(unique, list(ids), figures)


class StoredSignatures:
    """Signatures of an earlier run: equal digests are copies, all else is an estimate."""

    def __init__(self, path: str, settings: DedupSettings) -> None:
        self.file = open_signatures(path, settings)

    def identity(self) -> Any:
        return [os.path.abspath(self.file.path), *state_of(self.file.path)]

    def find(self, job: Job) -> Matches:
        """The most similar row of each document: by the values that agree, then the first.

        Both are one number, of which the largest counts; in a copy one value more than all agrees.
        """
        settings, workspace = job.settings, job.workspace
        digests = _as_bytes(workspace.load(UNIQUE, np.dtype((np.uint64, 2))))
        first = workspace.load(FIRST, np.uint32)
        keys = [unique_keys(workspace, band) for band in range(settings.bands)]
        by_band = [(np.argsort(own, kind="stable").astype(np.uint32), own) for own in keys]
        best = np.zeros(len(digests), np.uint64)
        start = 0
        for batch in self.file.batches():
            job.progress("earlier run", start, len(self.file))
            rows = np.arange(start, start + len(batch.digests), dtype=np.uint32)
            copies = _positions(digests, _as_bytes(batch.digests))
            same = copies != NONE
            agree = np.full(np.count_nonzero(same), settings.values + 1)
            np.maximum.at(best, copies[same], pack(agree, NONE - rows[same]))
            rows = rows[batch.kept]
            for new, old in _candidates(by_band, batch.signatures, job):
                order = np.argsort(first[new], kind="stable")
                new, old = new[order], old[order]
                for begin, end, own in _own_signatures(job, first[new]):
                    theirs = batch.signatures[old[begin:end]]
                    agree = np.count_nonzero((own == theirs) & (own != EMPTY), axis=1)
                    scores = pack(agree, NONE - rows[old[begin:end]])
                    np.maximum.at(best, new[begin:end], scores)
            start += len(batch.digests)
        return self._matches(*unpack(best), settings)

    def _matches(self, agree: U32, reversed_rows: U32, settings: DedupSettings) -> Matches:
        values = settings.values
        unique = np.flatnonzero(agree / values >= settings.threshold)
        figures = {n: _figures(binomial_estimate(n, values, LEVEL)) for n in range(values + 1)}
        figures[values + 1] = _figures(1.0)
        ids = self._ids(NONE - reversed_rows[unique])
        return Matches.of(unique, ids, [figures[n] for n in agree[unique].tolist()])

    def _ids(self, rows: U32) -> list[str]:
        """The ids of rows of the earlier run."""
        ids = [""] * len(rows)
        order = np.argsort(rows, kind="stable")
        start = 0
        for batch in self.file.batches():
            begin, end = np.searchsorted(rows[order], [start, start + len(batch.digests)])
            for at in order[begin:end].tolist():
                ids[at] = str(batch.ids[int(rows[at]) - start].as_py())
            start += len(batch.digests)
        return ids


def _as_bytes(digests: U64) -> NDArray[np.bytes_]:
    """Digests [n, 2] as strings of bytes, which sort as they do."""
    return np.ascontiguousarray(digests.astype(">u8")).view("S16").reshape(-1)


def _positions(digests: NDArray[np.bytes_], wanted: NDArray[np.bytes_]) -> U32:
    """The places of digests among others, which are in their order; NONE where they are not."""
    at = np.searchsorted(digests, wanted)
    present = at < len(digests)
    present[present] = digests[at[present]] == wanted[present]
    return np.where(present, at, NONE).astype(np.uint32)


def _candidates(
    by_band: list[tuple[U32, U64]], signatures: U32, job: Job
) -> Iterator[tuple[U32, U32]]:
    """Unique documents and signatures that agree in a band, each pair once while there is room.

    `by_band`: the order of the documents' keys, and the keys.
    """
    if len(signatures) == 0:
        return
    layout = job.settings.layout
    assert layout is not None
    all_keys = _core.band_keys(signatures, bands=layout.bands, rows=layout.rows)
    pairs = [np.zeros(0, np.uint64)]
    for (order, own), keys in zip(by_band, all_keys, strict=True):
        ordered = own[order]
        begin, end = (np.searchsorted(ordered, keys, side=s) for s in ("left", "right"))
        counts = end - begin
        old = np.repeat(np.arange(len(keys)), counts)
        at = np.arange(len(old)) - np.repeat(np.cumsum(counts) - counts, counts)
        pairs.append(pack(order[np.repeat(begin, counts) + at], old))
        if sum(map(len, pairs)) * 32 > job.budget.room(0.3):
            yield unpack(np.unique(np.concatenate(pairs)))
            pairs = [np.zeros(0, np.uint64)]
    yield unpack(np.unique(np.concatenate(pairs)))


def _own_signatures(job: Job, documents: U32) -> Iterator[tuple[int, int, U32]]:
    """Ranges of documents, which ascend, and their signatures."""
    blocks = documents // np.uint32(BLOCK)
    kind = np.dtype((np.uint32, job.settings.values))
    edges = np.flatnonzero(np.diff(blocks)) + 1
    for begin, end in pairwise([0, *edges.tolist(), len(blocks)]):
        if begin < end:
            at = int(blocks[begin]) * BLOCK
            block = job.workspace.slice(SKETCHES, kind, at, at + BLOCK)
            yield begin, end, block[documents[begin:end] - np.uint32(at)]
