"""Columns of all documents on disk: ids, and what decides which document is kept.

The file is a sequence of Arrow streams, one for each batch that was read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.dedup.files.workspace import Appender, Workspace
    from likewise.dedup.settings import Keep
    from likewise.documents.batch import RowBatch

COLUMNS = "columns"
BATCHES = "column-batches"  # rows and bytes of each batch


def append_decisive(appender: Appender, rows: RowBatch, texts: Any, keep: Keep, ids: bool) -> None:
    """Writes what decides which rows of a batch are kept, and their ids if the source has `ids`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    columns: dict[str, Any] = {}
    if keep.by == "longest":
        columns["length"] = pc.utf8_length(texts).cast(pa.uint32())
    if ids:
        columns["id"] = pa.nulls(len(rows), pa.large_string()) if rows.ids is None else rows.ids
    if keep.column is not None:
        columns["value"] = rows.values
    if not columns:
        return
    batch = pa.record_batch(columns)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    data = sink.getvalue()
    appender.append(COLUMNS, memoryview(data))
    appender.append(BATCHES, np.array([len(batch), len(data)], np.int64))


def take_columns(
    workspace: Workspace, documents: NDArray[np.uint32], names: Sequence[str] | None = None
) -> dict[str, pa.Array[Any]]:
    """The columns of some documents, whose numbers ascend; nothing where there are no columns."""
    import pyarrow

    pa: Any = pyarrow
    batches = workspace.load(BATCHES, np.dtype((np.int64, 2)))
    starts = np.concatenate([[[0, 0]], np.cumsum(batches, axis=0)])
    cuts = np.searchsorted(documents, starts[:, 0])
    parts = []
    with pa.OSFile(str(workspace.path(COLUMNS))) as file:
        for number, (row, place) in enumerate(starts[:-1].tolist()):
            own = documents[cuts[number] : cuts[number + 1]]
            if len(own) or number == 0:  # the first one for the types
                file.seek(place)
                table = pa.ipc.open_stream(file).read_all()
                parts.append(table.select(names or table.column_names).take(own - np.uint32(row)))
    if not parts:
        return {}
    table = pa.concat_tables(parts).combine_chunks()
    return {name: table[name].combine_chunks() for name in table.column_names}
