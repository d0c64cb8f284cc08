"""`RowMap`: documents by number, and the file and row that each one is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class RowMap:
    """Documents are numbered through all rows of all files; excluded files have none."""

    def __init__(self, counts: Sequence[int | None]) -> None:
        self.counts = [count or 0 for count in counts]
        self.starts = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])

    def __len__(self) -> int:
        return int(self.starts[-1])

    def by_file(
        self, documents: NDArray[np.integer[Any]]
    ) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Files, and the rows of the documents in each; the documents ascend."""
        cuts = np.searchsorted(documents, self.starts)
        for file in np.flatnonzero(np.diff(cuts)).tolist():
            own = documents[cuts[file] : cuts[file + 1]]
            yield file, own.astype(np.int64) - self.starts[file]

    def of(self, document: int) -> tuple[int, int]:
        """File and row of a document."""
        file = int(np.searchsorted(self.starts, document, side="right")) - 1
        return file, document - int(self.starts[file])
