"""The verdict on each document, on disk, as it is needed to write the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.files.copies import UNIQUE
from likewise.dedup.rules import NONE, cluster_name
from likewise.documents.tables.values import typed_ids

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.decision import Decision
    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Workspace

KEPT, CLUSTER, SIMILAR_TO, SIMILARITY = "kept", "cluster", "similar-to", "similarity"

COLUMNS = ("cluster", "kept", "similar_to", "similarity")
STORED_COLUMNS = ("stored", "similarity_low", "similarity_high")


def annotation_schema(against: bool) -> pa.Schema:
    """What --annotate adds to every row; more of it with --against. `similar_to` has the type of
    the ids, where each is one; see `SavedVerdicts.schema`."""
    import pyarrow as pa

    kinds: Any = [pa.string(), pa.bool_(), pa.string(), pa.float64()]
    if against:
        kinds += [pa.bool_(), pa.float64(), pa.float64()]
    names = COLUMNS + STORED_COLUMNS if against else COLUMNS
    return pa.schema(list(zip(names, kinds, strict=True)))


def save(decision: Decision, workspace: Workspace) -> None:
    """Writes a row for each document."""
    workspace.save(KEPT, decision.kept)
    workspace.save(CLUSTER, decision.cluster)
    workspace.save(SIMILAR_TO, decision.similar_to)
    workspace.save(SIMILARITY, decision.similarity)


def names_of(workspace: Workspace, labels: NDArray[np.uint32]) -> list[str]:
    """The names of clusters by their labels, which ascend."""
    names: list[str] = []
    start = 0
    for digests in workspace.chunks(UNIQUE, np.dtype((np.uint64, 2))):
        begin, end = np.searchsorted(labels, [start, start + len(digests)])
        names.extend(map(cluster_name, digests[labels[begin:end] - np.uint32(start)]))
        start += len(digests)
    return names


class SavedVerdicts:
    """Read in parts while rows are written."""

    def __init__(self, job: Job, *, annotate: bool) -> None:
        self._workspace = job.workspace
        self._row_map = job.row_map
        self._matches = job.matches
        self._labels = self._targets = np.zeros(0, np.uint32)
        self._names: Any = None
        self._ids: dict[Any, Any] = {}  # by their type
        self._id_types = [file.id_type for file in job.source.files]
        if annotate:
            import pyarrow as pa

            self._labels = self._different(CLUSTER)
            self._targets = self._different(SIMILAR_TO)
            self._names = pa.array(names_of(self._workspace, self._labels), pa.string())
            if not job.have_ids(self._targets):  # row numbers are no ids
                self._id_types = [None] * len(self._id_types)
            ids = job.ids(self._targets)
            self._ids = {type_: typed_ids(ids, type_) for type_ in set(self._id_types)}

    def _different(self, name: str) -> NDArray[np.uint32]:
        """The numbers in a file, each once and ascending, without NONE."""
        seen = np.zeros(len(self._row_map) + len(self._matches or ()), np.bool_)
        for part in self._workspace.chunks(name, np.uint32):
            seen[part[part != NONE]] = True
        return np.flatnonzero(seen).astype(np.uint32)

    def count(self, file: int) -> int:
        return self._row_map.counts[file]

    def _slice(self, name: str, kind: Any, file: int, start: int, stop: int) -> NDArray[Any]:
        first = int(self._row_map.starts[file])
        return self._workspace.slice(name, kind, first + start, first + stop)

    def kept(self, file: int, start: int, stop: int) -> NDArray[np.bool_]:
        return self._slice(KEPT, np.bool_, file, start, stop)

    def schema(self, file: int) -> pa.Schema:
        schema = annotation_schema(self._matches is not None)
        at = schema.get_field_index(COLUMNS[2])
        return schema.set(at, schema.field(at).with_type(self._ids[self._id_types[file]].type))

    def annotations(self, file: int, start: int, stop: int) -> pa.RecordBatch:
        import pyarrow as pa

        cluster = self._slice(CLUSTER, np.uint32, file, start, stop)
        target = self._slice(SIMILAR_TO, np.uint32, file, start, stop)
        similarity = self._slice(SIMILARITY, np.float64, file, start, stop)
        columns: list[Any] = [
            _take(self._names, self._labels, cluster),
            pa.array(self.kept(file, start, stop)),
            _take(self._ids[self._id_types[file]], self._targets, target),
            pa.array(similarity, mask=np.isnan(similarity)),
        ]
        if self._matches is not None:
            columns += self._stored(target)
        return pa.RecordBatch.from_arrays(columns, schema=self.schema(file))

    def _stored(self, target: NDArray[np.uint32]) -> list[Any]:
        """Whether documents are similar to a stored one, and the interval of an estimate."""
        import pyarrow as pa

        assert self._matches is not None
        stored = (target >= len(self._row_map)) & (target != NONE)
        columns: list[Any] = [pa.array(stored)]
        for figures in (self._matches.low, self._matches.high):
            own = np.full(len(target), np.nan)
            own[stored] = figures[target[stored] - np.uint32(len(self._row_map))]
            columns.append(pa.array(own, mask=np.isnan(own)))
        return columns


def _take(values: Any, keys: NDArray[np.uint32], wanted: NDArray[np.uint32]) -> Any:
    """The values of some keys, null for NONE."""
    import pyarrow as pa

    places = pa.array(np.searchsorted(keys, wanted), mask=wanted == NONE)
    type_ = values.type
    # Arrow does not take from views.
    if pa.types.is_string_view(type_) or pa.types.is_binary_view(type_):
        plain: Any = pa.large_string() if pa.types.is_string_view(type_) else pa.large_binary()
        return values.cast(plain).take(places).cast(type_)
    return values.take(places)
