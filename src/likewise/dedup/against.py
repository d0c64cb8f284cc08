"""Documents that are similar to what was there before: to an index, or to an earlier run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from likewise import _core
from likewise.dedup.files.candidates import unique_keys
from likewise.dedup.files.copies import FIRST, NONE, UNIQUE
from likewise.dedup.files.inputs import state_of
from likewise.dedup.files.scan import SKETCHES, ahead
from likewise.dedup.signatures import SignatureFile, is_signatures
from likewise.errors import SourceError, UsageError
from likewise.index.stores.postgres import is_address
from likewise.statistics.estimate import Estimate, binomial_estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.files.budget import Budget
    from likewise.dedup.files.row_map import Places
    from likewise.dedup.files.workspace import Facts, Workspace
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.tables.source import RowSource
    from likewise.run import Progress

    U32 = NDArray[np.uint32]
    U64 = NDArray[np.uint64]

STAGE = "against"
MATCHES = "matches"
EMPTY = np.uint32(0xFFFFFFFF)
ROWS = 1 << 16
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
    similarity: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @classmethod
    def none(cls) -> Matches:
        nothing = np.zeros(0)
        return cls(np.zeros(0, np.uint32), [], nothing, nothing, nothing)

    def __len__(self) -> int:
        return len(self.unique)

    def save(self, workspace: Workspace) -> None:
        import pyarrow as pa

        columns: dict[str, Any] = {
            "unique": pa.array(self.unique),
            "id": pa.array(self.id, pa.large_string()),
            "similarity": pa.array(self.similarity),
            "low": pa.array(self.low),
            "high": pa.array(self.high),
        }
        table = pa.table(columns)
        stream = pa.BufferOutputStream()
        with pa.ipc.new_file(stream, table.schema) as writer:
            writer.write_table(table)
        with workspace.aside(MATCHES) as file:
            file.write(stream.getvalue())

    @classmethod
    def load(cls, workspace: Workspace) -> Matches:
        import pyarrow as pa

        with pa.ipc.open_file(workspace.path(MATCHES).read_bytes()) as file:
            table: Any = file.read_all()
        numbers = {name: np.array(table[name]) for name in table.column_names if name != "id"}
        return cls(id=table["id"].to_pylist(), **numbers)


class Stored(Protocol):
    """What was there before."""

    def identity(self) -> Any:
        """What tells that it has not changed."""

    def find(
        self,
        source: RowSource,
        places: Places,
        workspace: Workspace,
        budget: Budget,
        progress: Progress,
    ) -> Matches:
        """The unique documents that are similar to a stored one."""


def open_stored(path: str, settings: DedupSettings) -> Stored:
    """The index or the signatures that a name stands for. Raises if they do not fit this run."""
    if not is_address(path) and not os.path.exists(path):
        raise SourceError(f"{path}: no such file", hint="name an index, or a file of signatures")
    if not is_address(path) and is_signatures(path):
        return StoredSignatures(path, settings)
    return StoredIndex(path, settings)


def hold_against(
    stored: Stored,
    source: RowSource,
    places: Places,
    workspace: Workspace,
    budget: Budget,
    progress: Progress,
) -> Matches:
    """The stage: what was found is kept, and read again by a run that goes on."""
    if workspace.facts(STAGE) is None:
        found = stored.find(source, places, workspace, budget, progress)
        found.save(workspace)
        facts: Facts = {"matches": len(found)}
        workspace.finish(STAGE, facts)
    return Matches.load(workspace)


class StoredIndex:
    """Documents of an index: asked for each unique document, and verified where it keeps texts."""

    def __init__(self, path: str, settings: DedupSettings) -> None:
        from likewise.index.index import Index

        self._index = Index(path)
        self._settings = settings
        own = self._index.settings
        if own.profile != settings.profile:
            raise UsageError(
                f"{self._index.name}: created with profile {own.profile}, but this run has "
                f"{settings.profile}",
                hint=f"use --profile {own.profile}",
            )
        if settings.threshold < own.threshold:
            raise UsageError(
                f"{self._index.name} was created for similarities of {own.threshold:g} or more; "
                f"at {settings.threshold:g} documents would be missed",
                hint=f"use --threshold {own.threshold:g}, or create an index for a lower one",
            )

    def identity(self) -> Any:
        with self._index._store.read() as snapshot:
            return [self._index.name, snapshot.fact("version"), len(self._index)]

    def find(
        self,
        source: RowSource,
        places: Places,
        workspace: Workspace,
        budget: Budget,
        progress: Progress,
    ) -> Matches:
        first = workspace.load(FIRST, np.uint32)
        order = np.argsort(first, kind="stable").astype(np.uint32)
        rows: list[tuple[int, str, float, float, float]] = []
        done = 0
        for file, wanted in places.by_file(first[order]):
            for some in ahead(source.gather(file, wanted)):
                answers = self._index.query(
                    some.texts.fill_null("") if some.texts.null_count else some.texts,
                    threshold=self._settings.threshold, top=1, level=LEVEL,
                    threads=self._settings.threads,
                )  # fmt: skip
                for unique, answer in zip(order[done:].tolist(), answers, strict=False):
                    if answer:
                        rows.append((unique, answer[0].id, *_figures(answer[0].jaccard)))
                done += len(answers)
                progress("search the index", done, len(order))
        rows.sort()
        if not rows:
            return Matches.none()
        unique, ids, *figures = zip(*rows, strict=True)
        return Matches(np.array(unique, np.uint32), list(ids), *map(np.array, figures))


def _figures(jaccard: float | Estimate) -> tuple[float, float, float]:
    """Similarity, low and high."""
    if isinstance(jaccard, Estimate):
        return jaccard.value, jaccard.low, jaccard.high
    return jaccard, float("nan"), float("nan")


class StoredSignatures:
    """Signatures of an earlier run: equal digests are copies, all else is an estimate."""

    def __init__(self, path: str, settings: DedupSettings) -> None:
        self.file = SignatureFile(path, settings)
        self._settings = settings

    def identity(self) -> Any:
        return [os.path.abspath(self.file.path), *state_of(self.file.path)]

    def find(
        self,
        source: RowSource,
        places: Places,
        workspace: Workspace,
        budget: Budget,
        progress: Progress,
    ) -> Matches:
        digests = workspace.load(UNIQUE, np.dtype((np.uint64, 2)))
        first = workspace.load(FIRST, np.uint32)
        best = np.zeros(len(digests), np.uint32)  # values that agree
        by = np.full(len(digests), NONE)  # the row of the earlier run
        copy = np.zeros(len(digests), np.bool_)
        keys = [
            (np.argsort(own, kind="stable").astype(np.uint32), own)
            for own in (unique_keys(workspace, b) for b in range(self._settings.layout.bands))
        ]
        row = 0
        for some in self.file.parts():
            progress("earlier run", row, len(self.file))
            equal = _found(digests, some.digests)
            same = np.flatnonzero(equal != NONE)
            # The first row of a digest counts; the rows of kept documents come before others.
            fresh = same[~copy[equal[same]]]
            by[equal[fresh][::-1]] = (row + fresh[::-1]).astype(np.uint32)
            copy[equal[same]] = True
            rows_kept = row + np.flatnonzero(some.kept)
            for new, old in self._candidates(keys, some.sketches, budget):
                self._judge(new, old, some.sketches, rows_kept, first, workspace, best, by, copy)
            row += len(some.digests)
        return self._matches(best, by, copy)

    def _candidates(
        self, keys: list[tuple[U32, U64]], sketches: U32, budget: Budget
    ) -> Iterator[tuple[U32, U32]]:
        """Unique documents and rows of an earlier run that agree in a band, each pair once."""
        layout = self._settings.layout
        if len(sketches) == 0:
            return
        theirs = _core.band_keys(sketches, bands=layout.bands, rows=layout.rows)
        found = [np.zeros(0, np.uint64)]
        held = 0
        for (order, own), their in zip(keys, theirs, strict=True):
            ordered = own[order]
            begin, end = (np.searchsorted(ordered, their, side=s) for s in ("left", "right"))
            counts = end - begin
            old = np.repeat(np.arange(len(their)), counts)
            at = np.arange(len(old)) - np.repeat(np.cumsum(counts) - counts, counts)
            new = order[np.repeat(begin, counts) + at]
            found.append(new.astype(np.uint64) << np.uint64(32) | old.astype(np.uint64))
            held += len(old)
            if held * 32 > budget.room(0.3):
                yield _halves(np.unique(np.concatenate(found)))
                found, held = [np.zeros(0, np.uint64)], 0
        yield _halves(np.unique(np.concatenate(found)))

    def _judge(
        self,
        new: U32,
        old: U32,
        sketches: U32,
        rows: NDArray[np.int64],
        first: U32,
        workspace: Workspace,
        best: U32,
        by: U32,
        copy: NDArray[np.bool_],
    ) -> None:
        """Counts the values that agree, and keeps the best row of each document."""
        order = np.argsort(first[new], kind="stable")
        new, old = new[order], old[order]
        documents = first[new]
        values = self._settings.values
        for begin, end, own in _blocks(workspace, documents, values):
            mine = own[documents[begin:end] - documents[begin] // ROWS * ROWS]
            theirs = sketches[old[begin:end]]
            agree = np.count_nonzero((mine == theirs) & (mine != EMPTY), axis=1).astype(np.uint32)
            some = new[begin:end]
            # By document, then the most that agree, then the first row.
            ranked = np.lexsort((old[begin:end], -agree.astype(np.int64), some))
            head = np.ones(len(ranked), np.bool_)
            head[1:] = some[ranked[1:]] != some[ranked[:-1]]
            top = ranked[head]
            row = rows[old[begin:end][top]].astype(np.uint32)
            mine_so_far, known = best[some[top]], by[some[top]]
            better = (agree[top] > mine_so_far) | ((agree[top] == mine_so_far) & (row < known))
            better &= ~copy[some[top]]
            best[some[top[better]]] = agree[top[better]]
            by[some[top[better]]] = row[better]

    def _matches(self, best: U32, by: U32, copy: NDArray[np.bool_]) -> Matches:
        values = self._settings.values
        similar = copy | (best / values >= self._settings.threshold)
        unique = np.flatnonzero(similar).astype(np.uint32)
        ids = self._ids(by[unique])
        figures = {n: _figures(binomial_estimate(n, values, LEVEL)) for n in range(values + 1)}
        exact = (1.0, float("nan"), float("nan"))
        rows = [
            exact if same else figures[agree]
            for same, agree in zip(copy[unique].tolist(), best[unique].tolist(), strict=True)
        ]
        columns = np.array(rows, np.float64).reshape(-1, 3).T
        return Matches(unique, ids, *columns)

    def _ids(self, rows: U32) -> list[str]:
        """The ids of rows of the earlier run."""
        ids = [""] * len(rows)
        order = np.argsort(rows, kind="stable")
        start = 0
        for some in self.file.parts():
            begin, end = np.searchsorted(rows[order], [start, start + len(some.digests)])
            for at in order[begin:end].tolist():
                ids[at] = some.ids[int(rows[at]) - start].as_py()
            start += len(some.digests)
        return ids


def _found(digests: U64, wanted: U64) -> U32:
    """The places of digests among others, which are in their order; NONE where they are not."""
    places = np.full(len(wanted), NONE)
    at = np.searchsorted(digests[:, 0], wanted[:, 0])
    while True:
        inside = at < len(digests)
        near = inside.copy()
        near[inside] = digests[at[inside], 0] == wanted[inside, 0]
        if not near.any():
            return places
        equal = near.copy()
        equal[near] = digests[at[near], 1] == wanted[near, 1]
        places[equal] = at[equal]
        at = np.where(near & ~equal, at + 1, len(digests))


def _halves(pairs: U64) -> tuple[U32, U32]:
    high = (pairs >> np.uint64(32)).astype(np.uint32)
    return high, (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _blocks(workspace: Workspace, documents: U32, values: int) -> Iterator[tuple[int, int, U32]]:
    """Ranges of documents, which ascend, and the signatures of the block that they are in."""
    blocks = documents // np.uint32(ROWS)
    kind = np.dtype((np.uint32, values))
    edges = np.flatnonzero(np.diff(blocks)) + 1
    for begin, end in pairwise([0, *edges.tolist(), len(blocks)]):
        if begin < end:
            at = int(blocks[begin]) * ROWS
            yield begin, end, workspace.slice(SKETCHES, kind, at, at + ROWS)
