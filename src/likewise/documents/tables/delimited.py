"""One row per record of CSV or TSV, below a header.

Quoted fields may contain line ends. A record with too many or too few fields is a bad row. A blank
line is a row whose fields are all empty. Rows are read by Arrow's streaming reader, and cut by
`records` where single rows are wanted: to read some again, or to write them.

Limitations: a row must be at most 256 MiB long, and so must what follows a quote that is never
closed.
"""

from __future__ import annotations

import csv
import io
import re
from typing import IO, TYPE_CHECKING, Any, ClassVar, cast

from likewise.documents import limits
from likewise.documents.batch import RowBatch
from likewise.documents.tables.bytes import MARK
from likewise.documents.tables.columns import TEXT_NAMES, choose_columns
from likewise.documents.tables.csv_stream import (
    ByteStream,
    block_sizes,
    convert_options,
    parse_options,
    stream_columns,
)
from likewise.documents.tables.records import (
    Cut,
    RowTooLongError,
    cut_records,
    field_pattern,
)
from likewise.documents.tables.text_table import TextTable
from likewise.documents.tables.values import as_numbers
from likewise.documents.texts import null_if_empty, sound_array, spread
from likewise.documents.utf8 import read_utf8
from likewise.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from likewise.documents.tables.csv_stream import CsvRows

_SAMPLE_BYTES = 100_000


class Csv(TextTable):
    """Comma-separated values; the delimiter is ; or a tab if the header has these and no comma."""

    extensions: ClassVar[tuple[str, ...]] = (".csv",)
    _delimiter: ClassVar[str | None] = None

    def open(self) -> None:
        """Find the delimiter and the columns."""
        stream = ByteStream(read_utf8(self.origin, self.reading))
        if stream.start:
            self._read_header(stream.start)
            if self.reading.values is not None:
                self._settle_values()

    def _read_header(self, start: bytes) -> None:
        line = start.partition(b"\n")[0].decode("utf-8", "ignore")
        self.delimiter = self._delimiter or find_delimiter(line)
        first = next(self._records([start]))
        header = first.data[: first.ends[0]].decode("utf-8", "ignore")
        try:
            self.names = next(csv.reader([header], delimiter=self.delimiter), [])
        except csv.Error as error:
            raise SourceError(f"{self.name}: its header cannot be read as CSV: {error}") from error
        self.reading.refuse_reserved(self.origin, self.names)
        # Every field is a string; numbers tell what is not the text where no column has its name.
        by_name = {self.reading.text, *TEXT_NAMES}
        rows = self._sample(start)
        found = {
            name: len(self.names) == 1
            or name in by_name
            or not _all_numbers([row[at] for row in rows if at < len(row)])
            for at, name in enumerate(self.names)
        }
        columns = choose_columns(self.origin, found, self.reading)
        self.check_columns(columns, self.names)
        self.check_values(self.names)
        self.columns = columns

    def _sample(self, start: bytes) -> list[list[str]]:
        # Shorter than the longest field that Python's parser takes.
        text = start[:_SAMPLE_BYTES].decode("utf-8", "ignore")
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter))[1:]

    def _settle_values(self) -> None:
        """See whether the column contains numbers: the first batch that has a value tells."""
        import pyarrow as pa

        values = self.reading.values
        assert values is not None
        for _, (column,), *_ in self._read_columns([values.name]):
            column = null_if_empty(sound_array(column)[0])
            if column.null_count == len(column):
                continue
            try:
                as_numbers(column)
                values.settle(self.origin, "numbers")
            except pa.ArrowInvalid:
                values.settle(self.origin, "strings")
            return

    def read(self) -> Iterator[RowBatch]:
        values, groups = self.reading.values, self.reading.groups
        for rows, columns, bad, stop in self._read_columns():
            assert self.columns is not None
            by_name = dict(zip(self._wanted(), columns, strict=True))
            ids = further = own = None
            if self.columns.id is not None:
                ids = null_if_empty(sound_array(by_name[self.columns.id])[0])
            if values is not None:
                further = values.from_strings(by_name[values.name], self.origin, rows)
            if groups is not None:
                own = groups.from_strings(by_name[groups.name], self.origin, rows)
            texts = sound_array(by_name[self.columns.text])[0]
            yield RowBatch(rows, texts, ids, further, bad, stop, self.number, groups=own)

    def _read_columns(self, names: Sequence[str] | None = None) -> Iterator[CsvRows]:
        """Yield columns, by default the text, the id and the further ones that are wanted."""
        stream = ByteStream(read_utf8(self.origin, self.reading))
        if not stream.start:
            return
        if self.columns is None:
            self._read_header(stream.start)
        names = names or self._wanted()
        done = 0
        for size in block_sizes():
            try:
                for rows in stream_columns(stream, names, self.delimiter, size, self.name, done):
                    done = rows[3]
                    yield rows
                return
            except RowTooLongError:
                if self.origin.size is None:
                    break  # a pipe gives its content once
                stream = ByteStream(read_utf8(self.origin, self.reading))
        raise self._too_long(done)

    def _wanted(self) -> list[str]:
        assert self.columns is not None
        further = [self.reading.values, self.reading.groups]
        names = [self.columns.text, self.columns.id, *(one.name for one in further if one)]
        return list(dict.fromkeys(name for name in names if name is not None))

    def _too_long(self, done: int) -> SourceError:
        return SourceError(
            f"{self.name}: a row after row {done} is larger than {limits.max_size()}",
            hint="look there for an opening quote that is never closed",
        )

    def _records(self, blocks: Iterable[bytes]) -> Iterator[Cut]:
        try:
            yield from cut_records(blocks, self.delimiter)
        except RowTooLongError as error:
            raise self._too_long(max(0, error.args[0] - 1)) from None

    def cut(self, blocks: Iterator[bytes]) -> tuple[bytes, Iterator[Cut]]:
        """Return the header with the blank lines before it, and the records after it."""
        start = next(blocks, b"")
        blank = start[: len(start) - len(start.lstrip(b"\r\n"))]
        if self.columns is None:
            return start, iter(())

        def remaining() -> Iterator[bytes]:
            yield start[len(blank) :]
            yield from blocks

        cuts = self._records(remaining())
        first = next(cuts)
        end = int(first.ends[0])

        def records() -> Iterator[Cut]:
            if len(first.ends) > 1:
                yield Cut(first.data[end:], first.ends[1:] - end, first.open)
            yield from cuts

        return blank + first.data[:end], records()

    def texts(self, cut: Cut) -> pa.LargeStringArray:
        assert self.columns is not None
        texts, bad = self._parse(cut, self.names.index(self.columns.text))
        good = [at for at in range(len(cut.ends)) if at not in bad]
        return cast("pa.LargeStringArray", spread(texts, good, 0, len(cut.ends)))

    def _parse(self, cut: Cut, place: int) -> tuple[pa.LargeStringArray, set[int]]:
        """Return the field at `place` of the good records, and which records are bad."""
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        bad: set[int] = set()

        def note_bad(row: arrow_csv.InvalidRow) -> Any:
            bad.add((row.number or 0) - 1)
            return "skip"

        # By place and not by name: two columns may have one name.
        names = [str(at) for at in range(len(self.names))]
        # A mark at the beginning of a text, not of the file: Arrow removes one.
        data = MARK + cut.data if cut.data.startswith(MARK) else cut.data
        table = arrow_csv.read_csv(
            cast("IO[bytes]", pa.BufferReader(data)),
            # One thread: only then does Arrow tell the numbers of bad rows.
            read_options=arrow_csv.ReadOptions(
                block_size=len(data) + 1, use_threads=False, column_names=names
            ),
            parse_options=parse_options(self.delimiter, note_bad),
            convert_options=convert_options([str(place)]),
        )
        chunks = table.column(0).chunks or [pa.array([], pa.large_string())]
        return sound_array(pa.concat_arrays(chunks))[0], bad

    def annotate_header(self, header: bytes, names: Sequence[str]) -> bytes:
        if self.columns is None:
            return header
        fields = (csv_field(name, self.delimiter) for name in names)
        return _append(header, "".join(self.delimiter + name for name in fields))

    def annotate(self, cut: Cut, batch: pa.RecordBatch, first: int) -> Iterable[bytes]:
        """Return records with more fields at their ends; bad ones and blank lines as they are."""
        columns = [
            [self.delimiter + csv_field(value, self.delimiter) for value in column.to_pylist()]
            for column in batch.columns
        ]
        _, bad = self._parse(cut, 0)
        if cut.open:
            bad.add(len(cut.ends) - 1)
        for at, (record, row) in enumerate(zip(cut, zip(*columns, strict=True), strict=False)):
            blank = len(self.names) > 1 and not record.strip(b"\r\n")
            yield record if blank or at in bad else _append(record, "".join(row))

    def replace_text(self, row: bytes, text: str) -> bytes:
        assert self.columns is not None
        field = field_pattern(self.delimiter)
        start = end = 0
        for _ in range(self.names.index(self.columns.text) + 1):
            found = field.match(row, start)
            assert found is not None
            start, end = found.end() + 1, found.end()
            begin = found.start()
        return row[:begin] + csv_field(text, self.delimiter).encode() + row[end:]


class Tsv(Csv):
    """Tab-separated values."""

    extensions = (".tsv", ".tab")
    _delimiter = "\t"


def find_delimiter(start: str) -> str:
    """Return the delimiter that the header has."""
    header = start.partition("\n")[0]
    return "," if "," in header else max(",;\t", key=header.count)


def _all_numbers(fields: Sequence[str]) -> bool:
    try:
        return len([float(field) for field in fields if field]) > 0
    except ValueError:
        return False


def csv_field(value: object, delimiter: str) -> str:
    """Return a value as a field, quoted where it must be; null is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if re.search(f'["\r\n{re.escape(delimiter)}]', text):
        return '"' + text.replace('"', '""') + '"'
    return text


def _append(record: bytes, added: str) -> bytes:
    content = record.removesuffix(b"\n").removesuffix(b"\r")
    return content + added.encode() + record[len(content) :]
