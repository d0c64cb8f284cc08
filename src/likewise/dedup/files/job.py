"""`Job`: what the stages of one run share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.files.columns import take_columns
from likewise.dedup.files.row_map import RowMap
from likewise.dedup.order import order_documents

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.against import Matches
    from likewise.dedup.files.budget import Budget
    from likewise.dedup.files.workspace import Workspace
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.tables.source import RowSource
    from likewise.run import Progress


@dataclass(slots=True)
class Job:
    """Where documents come from, what is decided on them, and where working files are.

    Attributes:
        row_map: where each document is; complete after the scan.
        matches: documents similar to stored ones, where there are such. Numbers after those of all
            documents are the rows of this table.
    """

    source: RowSource
    settings: DedupSettings
    workspace: Workspace
    budget: Budget
    progress: Progress
    row_map: RowMap = field(default_factory=lambda: RowMap([]))
    matches: Matches | None = None

    def order(self, documents: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Documents, which ascend, from the best to the worst."""
        columns = take_columns(self.workspace, documents)
        return order_documents(self.settings.keep, columns, len(documents))

    def ids(self, documents: NDArray[np.uint32]) -> Any:
        """What documents and matches, which ascend, are called, as an Arrow column."""
        import pyarrow as pa

        cut = int(np.searchsorted(documents, len(self.row_map)))
        documents, stored = documents[:cut], documents[cut:] - np.uint32(len(self.row_map))
        names = self._own_ids(documents).to_pylist()
        shown = (
            self.source.display(*self.row_map.of(document)) if name is None else name
            for name, document in zip(names, documents.tolist(), strict=True)
        )
        others = [] if self.matches is None else [self.matches.id[i] for i in stored.tolist()]
        return pa.array([*shown, *others], pa.large_string())

    def have_ids(self, documents: NDArray[np.uint32]) -> bool:
        """Whether none of the documents, which ascend, is called by the number of its row."""
        return bool(self._own_ids(documents[documents < len(self.row_map)]).null_count == 0)

    def _own_ids(self, documents: NDArray[np.uint32]) -> Any:
        """The ids that the source has, null where it has none."""
        import pyarrow as pa

        known = take_columns(self.workspace, documents, ["id"]) if self.source.has_ids else {}
        return known.get("id", pa.nulls(len(documents), pa.large_string()))
