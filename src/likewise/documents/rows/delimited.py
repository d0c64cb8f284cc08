"""One row a record of CSV or TSV, below a header.

A record with too many or too few fields, or with a quote that is never closed, is a row without a
text. A blank line is a row whose fields are all empty.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Literal, cast

from likewise.documents.delimited import find_columns, find_delimiter
from likewise.documents.rows.batch import RowBatch, RowTexts
from likewise.documents.rows.records import Cut, RecordTooLongError, cut_records
from likewise.documents.rows.texts import null_if_empty, spread
from likewise.documents.rows.values import as_numbers
from likewise.documents.texts import sound_array
from likewise.documents.utf8 import read_utf8
from likewise.errors import ColumnError, SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.csv import InvalidRow

    from likewise.documents.rows.file import RowFile
    from likewise.documents.rows.reading import RowReading

_SAMPLE = 100_000


@dataclass(frozen=True)
class Layout:
    """What the header of a file says.

    Attributes:
        delimiter: between fields.
        names: of the columns, in order.
    """

    delimiter: str
    names: Sequence[str]

    def at(self, name: str) -> int:
        """Return where a column stands."""
        return list(self.names).index(name)


def open_table(file: RowFile, reading: RowReading) -> None:
    """Find the delimiter and the columns."""
    blocks = read_utf8(file.origin, reading)
    start = next(blocks, b"").lstrip(b"\r\n")
    if not start:
        return
    delimiter = "\t" if file.kind == "tsv" else find_delimiter(start)
    columns = find_columns(start[:_SAMPLE], delimiter, file.origin, reading)
    layout = Layout(delimiter, _header_names(file, delimiter, reading))
    reading.refuse_reserved(file.origin, layout.names)
    file.columns, file.facts = columns, layout
    if reading.values is not None:
        _settle(file, layout, reading)


def _header_names(file: RowFile, delimiter: str, reading: RowReading) -> list[str]:
    header, _ = split_header(read_utf8(file.origin, reading), delimiter, file)
    text = header.decode().lstrip("\r\n")
    return next(csv.reader([text], delimiter=delimiter), [])


def _settle(file: RowFile, layout: Layout, reading: RowReading) -> None:
    """See whether the column holds numbers: the first batch that has a value tells."""
    import pyarrow as pa

    values = reading.values
    assert values is not None
    if layout.names.count(values.name) != 1:
        what = "no column" if values.name not in layout.names else "two columns"
        raise ColumnError(
            f"{file.name}: {what} {values.name!r}; it has {', '.join(map(repr, layout.names))}",
            hint="name one of these",
        )
    for _, cut in _cuts(file, layout, reading):
        column = _parse(cut, layout, [layout.at(values.name)]).columns[0]
        column = null_if_empty(sound_array(column)[0])
        if column.null_count == len(column):
            continue
        try:
            as_numbers(column)
            values.settle(file.origin, "numbers")
        except pa.ArrowInvalid:
            values.settle(file.origin, "strings")
        return


def split_header(
    blocks: Iterable[bytes], delimiter: str, file: RowFile
) -> tuple[bytes, Iterator[Cut]]:
    """Return the header with the blank lines before it, and the records after it."""
    blocks = iter(blocks)
    start = next(blocks, b"")
    blank = start[: len(start) - len(start.lstrip(b"\r\n"))]

    def remaining() -> Iterator[bytes]:
        yield start[len(blank) :]
        yield from blocks

    cuts = _told(cut_records(remaining(), delimiter), file)
    first = next(cuts, None)
    if first is None:
        return blank, iter(())
    end = int(first.ends[0])

    def records() -> Iterator[Cut]:
        assert first is not None
        if len(first.ends) > 1:
            yield Cut(first.data[end:], first.ends[1:] - end, first.open)
        yield from cuts

    return blank + first.data[:end], records()


def _told(cuts: Iterator[Cut], file: RowFile) -> Iterator[Cut]:
    try:
        yield from cuts
    except RecordTooLongError as error:
        raise SourceError(
            f"{file.name}: a row after row {max(0, error.args[0] - 1)} is too long",
            hint="look there for an opening quote that is never closed",
        ) from None


def _cuts(file: RowFile, layout: Layout, reading: RowReading) -> Iterator[tuple[int, Cut]]:
    """Yield the records as they are read, with the number of the first row of each cut."""
    _, cuts = split_header(read_utf8(file.origin, reading), layout.delimiter, file)
    first = 0
    for cut in cuts:
        yield first, cut
        first += len(cut.ends)


@dataclass(frozen=True, eq=False)
class Parsed:
    """Fields of some records.

    Attributes:
        columns: those asked for, of the good rows.
        good: which rows these are, from 0.
        bad: why the others are not; in their order.
    """

    columns: list[pa.Array[Any]]
    good: Sequence[int]
    bad: dict[int, str]


def _parse(cut: Cut, layout: Layout, places: Sequence[int]) -> Parsed:
    """Return the fields at `places` of all records."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    count = len(cut.ends)
    bad: dict[int, str] = {}

    def note_bad(row: InvalidRow) -> Literal["skip"]:
        expected = "1 was" if row.expected_columns == 1 else f"{row.expected_columns} were"
        bad[(row.number or 0) - 1] = f"{row.actual_columns} fields, where {expected} expected"
        return "skip"

    data = memoryview(cut.data)
    if cut.open:
        data = data[: int(cut.starts[-1])]
    if len(data):
        # By place and not by name: two columns may have one name.
        names = [str(at) for at in range(len(layout.names))]
        wanted = [str(at) for at in places]
        table = arrow_csv.read_csv(
            cast("IO[bytes]", pa.BufferReader(data)),
            # One thread: only then does Arrow tell the numbers of bad rows.
            read_options=arrow_csv.ReadOptions(
                block_size=len(data) + 1, use_threads=False, column_names=names
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=layout.delimiter,
                newlines_in_values=True,
                ignore_empty_lines=False,
                invalid_row_handler=note_bad,
            ),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=wanted,
                column_types=dict.fromkeys(wanted, pa.large_string()),
                strings_can_be_null=False,
                check_utf8=False,
            ),
        )
        columns: list[pa.Array[Any]] = [_one(column) for column in table.columns]
    else:
        columns = [pa.array([], pa.large_string()) for _ in places]
    if cut.open:
        bad[count - 1] = "a quote is opened and never closed"
    good = range(count) if not bad else [at for at in range(count) if at not in bad]
    if len(columns[0]) != len(good):
        raise AssertionError(f"{len(columns[0])} rows, where {len(good)} were cut")
    return Parsed(columns, good, bad)


def _one(column: pa.ChunkedArray[Any]) -> pa.Array[Any]:
    import pyarrow as pa

    return pa.concat_arrays(column.chunks or [pa.array([], column.type)])


def bad_records(cut: Cut, layout: Layout) -> dict[int, str]:
    """Return the records that are no rows of this table, from 0, with their reasons."""
    return _parse(cut, layout, [0]).bad


def read_rows(file: RowFile, reading: RowReading) -> Iterator[RowBatch]:
    """Yield all records; those that are bad are told."""
    layout, columns, values = file.facts, file.columns, reading.values
    if layout is None or columns is None:
        return
    names = [columns.text]
    if columns.id is not None:
        names.append(columns.id)
    if values is not None:
        names.append(values.name)
    places = [layout.at(name) for name in names]
    for first, cut in _cuts(file, layout, reading):
        parsed = _parse(cut, layout, sorted(set(places)))
        for row, reason in sorted(parsed.bad.items()):
            reading.tell_bad(file, first + row, reason)
        fields = dict(zip(sorted(set(places)), parsed.columns, strict=True))
        texts, *more = (
            spread(sound_array(fields[at])[0], parsed.good, 0, len(cut.ends)) for at in places
        )
        ids = more.pop(0) if columns.id is not None else None
        yield RowBatch(
            file.number,
            first,
            texts,
            None if ids is None else null_if_empty(ids),
            None if values is None else values.from_strings(more[0], file.origin, first),
        )


def gather_rows(file: RowFile, rows: NDArray[np.int64], reading: RowReading) -> Iterator[RowTexts]:
    """Yield some records again; only these are parsed."""
    import numpy as np

    layout, columns = file.facts, file.columns
    done = 0
    if layout is None or columns is None or not len(rows):
        return
    for first, cut in _cuts(file, layout, reading):
        stop = int(np.searchsorted(rows, first + len(cut.ends)))
        if stop > done:
            some = rows[done:stop]
            picked = _pick(cut, some - first)
            parsed = _parse(picked, layout, [layout.at(columns.text)])
            texts = spread(sound_array(parsed.columns[0])[0], parsed.good, 0, len(some))
            yield RowTexts(file.number, some, texts)
            done = stop
        if done == len(rows):
            return


def _pick(cut: Cut, rows: NDArray[np.int64]) -> Cut:
    """Return some of the records as a cut of their own."""
    import numpy as np

    starts, ends = cut.starts[rows], cut.ends[rows]
    data = b"".join([cut.data[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)])
    opened = cut.open and bool(len(rows)) and int(rows[-1]) == len(cut.ends) - 1
    return Cut(data, np.cumsum(ends - starts), opened)


def check_table(file: RowFile, reading: RowReading) -> None:
    """Raise if not every record can be decoded."""
    for _ in read_rows(file, reading):
        pass
