"""Columns of CSV from a stream of bytes, by Arrow, with the numbers of their rows."""

from __future__ import annotations

import codecs
import io
import sys
from array import array
from bisect import bisect_left
from typing import IO, TYPE_CHECKING, Any, Literal, cast

from likewise.documents import limits
from likewise.documents.stream import BLOCK
from likewise.documents.tables.records import RowTooLongError
from likewise.documents.texts import text_offsets
from likewise.errors import SourceError
from likewise.run import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pyarrow as pa
    from pyarrow.csv import ConvertOptions, InvalidRow, ParseOptions

    # Numbers of good rows; their columns; bad rows with reasons; the number after the last row.
    CsvRows = tuple[Sequence[int], Sequence[pa.LargeStringArray], Mapping[int, str], int]


def block_sizes() -> tuple[int, ...]:
    """Return block sizes to try in turn: Arrow cannot read a row that is longer than its block."""
    return BLOCK, 32 * BLOCK, limits.MAX_DOCUMENT_BYTES


class ByteStream(io.RawIOBase):
    """Blocks as a file, without blank lines before the header.

    Attributes:
        start: the first block.
    """

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self.start = next(self._blocks, b"").lstrip(b"\r\n")
        while self.start.startswith(codecs.BOM_UTF8):  # which Arrow would remove as well
            self.start = self.start[len(codecs.BOM_UTF8) :]
        self._left = memoryview(self.start)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Return `size` bytes, fewer only at the end: to Arrow a short read is a short block."""
        parts: list[memoryview] = []
        missing = size if size >= 0 else sys.maxsize
        while missing and self._fill():
            parts.append(self._left[:missing])
            self._left = self._left[missing:]
            missing -= len(parts[-1])
        return b"".join(parts)

    def _fill(self) -> bool:
        """See to it that something is left; return False at the end."""
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return False
            self._left = memoryview(block)
        return True


def stream_columns(
    stream: ByteStream, names: Sequence[str], delimiter: str, size: int, source: str, done: int
) -> Iterator[CsvRows]:
    """Yield some columns as strings from row `done` on, reading blocks of `size` bytes.

    Raises `RowTooLongError` for a row that does not fit a block, and `SourceError` that names the
    `source`.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    bad: dict[int, str] = {}

    def note_bad(row: InvalidRow) -> Literal["skip"]:
        bad[(row.number or 0) - 2] = bad_row_reason(row)  # Arrow counts from 1, and the header too
        return "skip"

    first = 0
    try:
        unique = list(dict.fromkeys(names))
        for batch in arrow_csv.open_csv(
            cast("IO[Any]", pa.PythonFile(stream, mode="r")),
            # One thread: only then does Arrow tell the numbers of bad rows.
            read_options=arrow_csv.ReadOptions(block_size=size, use_threads=False),
            parse_options=parse_options(delimiter, note_bad),
            convert_options=convert_options(unique),
        ):
            rows = good_rows(first, len(batch), bad)
            first = rows[-1] + 1 if len(batch) else first
            if first > done:
                old = bisect_left(rows, done)
                met = {row: bad[row] for row in sorted(bad) if done <= row < first}
                columns = [cast("pa.LargeStringArray", batch.column(name)[old:]) for name in names]
                # Arrow takes some rows that are longer than a block.
                if any(_longest(column) > limits.MAX_DOCUMENT_BYTES for column in columns):
                    raise RowTooLongError(done)
                yield rows[old:], columns, met, first
            for row in [row for row in bad if row < first]:
                del bad[row]
    except pa.ArrowInvalid as error:
        if "straddl" in str(error):
            raise RowTooLongError(done) from None
        if "Empty CSV file" in str(error):
            return  # a header without a line end
        raise SourceError(f"{source}: cannot be read as CSV: {error}") from error
    if bad and max(bad) >= done:
        empty: list[pa.LargeStringArray] = [pa.array([], pa.large_string()) for _ in names]
        yield range(0), empty, bad, max(bad) + 1


def _longest(column: pa.LargeStringArray) -> int:
    offsets = text_offsets(column)
    return int((offsets[1:] - offsets[:-1]).max(initial=0))


def good_rows(first: int, count: int, bad: Mapping[int, str]) -> Sequence[int]:
    """Return the numbers of the next `count` good rows, from row `first` on."""
    later = sorted(row for row in bad if row >= first)
    if not later or later[0] >= first + count:
        return range(first, first + count)
    rows = array("q")
    for stop in later:
        room = count - len(rows)
        rows.extend(range(first, min(stop, first + room)))
        if stop >= first + room:
            break
        first = stop + 1
    rows.extend(range(first, first + count - len(rows)))
    return rows


def bad_row_reason(row: InvalidRow) -> str:
    """Return what is wrong with a row that Arrow refuses."""
    reason = f"{counted(row.actual_columns, 'field')} instead of {row.expected_columns}"
    if row.text is not None and row.text.count('"') % 2 == 1:
        reason += "; a quote is opened and never closed"
    return reason


def parse_options(delimiter: str, note_bad: Callable[[InvalidRow], Any]) -> ParseOptions:
    """Return how records are parsed, whole files and single rows alike."""
    from pyarrow import csv as arrow_csv

    return arrow_csv.ParseOptions(
        delimiter=delimiter,
        newlines_in_values=True,
        ignore_empty_lines=False,
        invalid_row_handler=note_bad,
    )


def convert_options(names: Sequence[str]) -> ConvertOptions:
    """Return how fields are converted: columns as strings that are as yet unchecked."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    return arrow_csv.ConvertOptions(
        include_columns=list(names),
        column_types=dict.fromkeys(names, pa.large_string()),
        strings_can_be_null=False,
        check_utf8=False,
    )
