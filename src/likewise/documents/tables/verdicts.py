"""`Verdicts`: which rows are kept, and what is written beside each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


class Verdicts(Protocol):
    """What the writer asks, file by file and with rows ascending."""

    def count(self, file: int) -> int:
        """How many rows of this file were judged: another number means that the file changed."""

    def kept(self, file: int, start: int, stop: int) -> NDArray[np.bool_]:
        """Which of the rows from `start` to `stop` are kept."""

    def annotations(self, file: int, start: int, stop: int) -> pa.RecordBatch:
        """What is written beside these rows, with the schema that the `Target` was made with.

        Asked for only where annotations are written; `kept` is asked for only where they are not.
        """


class Masks:
    """Verdicts in memory: a mask for each file, and a batch of annotations for each file."""

    def __init__(
        self,
        masks: Sequence[NDArray[np.bool_]],
        annotations: Sequence[pa.RecordBatch] | None = None,
    ) -> None:
        self._masks = masks
        self._annotations = annotations

    def count(self, file: int) -> int:
        return len(self._masks[file])

    def kept(self, file: int, start: int, stop: int) -> NDArray[np.bool_]:
        return self._masks[file][start:stop]

    def annotations(self, file: int, start: int, stop: int) -> pa.RecordBatch:
        assert self._annotations is not None
        return self._annotations[file].slice(start, stop - start)
