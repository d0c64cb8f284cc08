"""Lines, JSON Lines and CSV written back: kept rows byte for byte, or all rows with annotations."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from likewise.documents.rows.annotated import (
    annotate_line,
    annotate_record,
    csv_field,
    csv_rows,
    json_rows,
    line_as_object,
    plain_records,
)
from likewise.documents.rows.bytes import row_bytes
from likewise.documents.rows.delimited import bad_records, split_header
from likewise.documents.rows.records import cut_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.documents.rows.delimited import Layout
    from likewise.documents.rows.file import RowFile
    from likewise.documents.rows.reading import RowReading
    from likewise.documents.rows.records import Cut
    from likewise.documents.rows.verdicts import Verdicts


def write_text_table(
    file: RowFile,
    out: IO[bytes],
    verdicts: Verdicts,
    annotations: pa.Schema | None,
    reading: RowReading,
) -> Iterator[tuple[int, int]]:
    """Write a table; yield how many rows were read and written, as it goes.

    With annotations it is written as UTF-8.
    """
    mark, blocks = row_bytes(file.origin, reading, as_utf8=annotations is not None)
    out.write(mark)
    layout: Layout | None = file.facts
    if layout is None:
        cuts = cut_lines(blocks)
    else:
        header, cuts = split_header(blocks, layout.delimiter, file)
        if annotations is not None:
            fields = (csv_field(name, layout.delimiter) for name in annotations.names)
            header = annotate_record(header, "".join(layout.delimiter + name for name in fields))
        out.write(header)
    first = 0
    for cut in cuts:
        stop = first + len(cut.ends)
        if annotations is None:
            kept = verdicts.kept(file.number, first, stop)
            yield len(cut.ends), _write_kept(out, cut, kept)
        else:
            batch = verdicts.annotations(file.number, first, stop)
            if layout is None:
                _write_lines(out, cut, batch, file, first)
            else:
                _write_records(out, cut, batch, layout)
            yield len(cut.ends), len(cut.ends)
        first = stop


def _write_kept(out: IO[bytes], cut: Cut, kept: NDArray[np.bool_]) -> int:
    """Write the rows that are kept, runs of them at once."""
    import numpy as np

    if len(kept) != len(cut.ends):
        return 0  # the file has grown; the caller will see it
    count = int(np.count_nonzero(kept))
    if count == len(kept):
        out.write(cut.data)
        return count
    data = memoryview(cut.data)
    edges = np.flatnonzero(np.diff(kept, prepend=False, append=False))
    starts, ends = cut.starts[edges[::2]], cut.ends[edges[1::2] - 1]
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        out.write(data[start:end])
    return count


def _rows(cut: Cut) -> Iterator[bytes]:
    for start, end in zip(cut.starts.tolist(), cut.ends.tolist(), strict=True):
        yield cut.data[start:end]


def _write_lines(
    out: IO[bytes], cut: Cut, batch: pa.RecordBatch, file: RowFile, first: int
) -> None:
    names: Sequence[str] = batch.schema.names
    for number, (line, added) in enumerate(zip(_rows(cut), json_rows(batch), strict=False), first):
        if file.kind == "lines":
            out.write(line_as_object(line, added))
        else:
            out.write(annotate_line(line, added, names, file.name, number))


def _write_records(out: IO[bytes], cut: Cut, batch: pa.RecordBatch, layout: Layout) -> None:
    plain = plain_records(cut, layout, bad_records(cut, layout)).tolist()
    rows = zip(_rows(cut), csv_rows(batch, layout.delimiter), plain, strict=False)
    out.writelines(annotate_record(row, added) if good else row for row, added, good in rows)
