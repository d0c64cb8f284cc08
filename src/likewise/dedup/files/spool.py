"""`Spool`: a column of ids or values on disk, of which some are asked for again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from likewise.documents.texts import text_offsets

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.files.workspace import Appender, Workspace

DOCUMENTS = 1 << 18  # looked at together when some are asked for


class Spool:
    """Values of all documents, one after another: large strings, or numbers of 8 bytes."""

    def __init__(self, name: str) -> None:
        self._valid, self._data, self._ends = (f"{name}.{x}" for x in ("valid", "data", "ends"))

    def files(self) -> list[str]:
        return [self._valid, self._data, self._ends]

    def append(self, appender: Appender, column: pa.Array[Any]) -> None:
        """Writes a batch's values behind the others."""
        import pyarrow as pa

        valid = np.asarray(column.is_valid()).view(np.uint8)
        appender.append(self._valid, valid)
        if not pa.types.is_large_string(column.type):
            filled = column.fill_null(0) if column.null_count else column
            appender.append(self._data, np.asarray(filled))
            return
        texts: Any = column
        if texts.null_count:
            texts = texts.fill_null("")
        offsets = text_offsets(texts)
        written = appender.size(self._data)
        data = texts.buffers()[2]
        if data is not None:
            appender.append(self._data, memoryview(data)[int(offsets[0]) : int(offsets[-1])])
        appender.append(self._ends, offsets[1:] - offsets[0] + written)

    def take(
        self, workspace: Workspace, kind: str, documents: NDArray[np.integer[Any]]
    ) -> pa.Array[Any]:
        """The values of some documents, whose numbers ascend, of an Arrow type."""
        import pyarrow

        arrow: Any = pyarrow
        type_: Any = arrow.type_for_alias(kind)
        parts: list[pa.Array[Any]] = []
        starts = np.arange(0, int(documents[-1]) + 1 if len(documents) else 0, DOCUMENTS)
        cuts = np.searchsorted(documents, np.append(starts, starts[-1:] + DOCUMENTS))
        for start, begin, end in zip(starts.tolist(), cuts[:-1], cuts[1:], strict=True):
            if begin < end:
                part = self._read(workspace, type_, start, start + DOCUMENTS)
                parts.append(part.take(arrow.array(documents[begin:end].astype(np.int64) - start)))
        joined = arrow.concat_arrays(parts) if parts else arrow.array([], type_)
        return cast("pa.Array[Any]", joined)

    def _read(self, workspace: Workspace, type_: Any, start: int, stop: int) -> pa.Array[Any]:
        import pyarrow

        arrow: Any = pyarrow
        valid = workspace.slice(self._valid, np.uint8, start, stop).view(np.bool_)
        count = len(valid)
        mask = arrow.py_buffer(np.packbits(valid, bitorder="little"))
        if not arrow.types.is_large_string(type_):
            data = workspace.slice(self._data, np.int64, start, start + count)
            return cast(
                "pa.Array[Any]",
                arrow.Array.from_buffers(type_, count, [mask, arrow.py_buffer(data)]),
            )
        ends = workspace.slice(self._ends, np.int64, max(0, start - 1), start + count)
        offsets = ends if start else np.concatenate([[0], ends])
        begin, end = int(offsets[0]), int(offsets[-1])
        data = workspace.slice(self._data, np.uint8, begin, end)
        relative = arrow.py_buffer((offsets - begin).astype(np.int64))
        buffers = [mask, relative, arrow.py_buffer(data)]
        return cast("pa.Array[Any]", arrow.Array.from_buffers(type_, count, buffers))
