"""One row per element of a JSON array, as in `[{"text": "…"}, {"text": "…"}]`.

An element is an object, or a string, which is the text itself. The array is cut into elements in
blocks and never in memory as a whole; elements are read as lines of JSON Lines are. Unlike a line,
an element that is not valid JSON makes the whole file invalid, and is an error.

Limitations: arrays are written as UTF-8. An element must be at most 256 MiB long.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, ClassVar

from likewise.documents import limits
from likewise.documents.tables.json_values import InvalidRowError, parse_json
from likewise.documents.tables.jsonl import JsonLines, annotate_line
from likewise.documents.tables.records import Cut
from likewise.documents.tables.text_table import json_fields
from likewise.documents.utf8 import begins_as_utf8, read_utf8
from likewise.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.documents.tables.table import RowEdits, Verdicts

_BLANKS = b" \t\r\n"
_LEAD = b"," + _BLANKS
_QUOTE, _ESCAPE, _OPEN, _CLOSE, _COMMA = range(1, 6)
_SIGNS = {b'"': _QUOTE, b"\\": _ESCAPE, b"{[": _OPEN, b"}]": _CLOSE, b",": _COMMA}


class JsonArray(JsonLines):
    """A JSON array. Annotations become keys at the end of each object; a string becomes one."""

    extensions: ClassVar[tuple[str, ...]] = ()  # `.json`, if that is what the file contains
    unit = "element"

    def row_blocks(self) -> Iterator[list[str]]:
        for cut in self.cut(read_utf8(self.origin, self.reading))[1]:
            yield self.row_strings(cut)

    def row_strings(self, cut: Cut) -> list[str]:
        return [row.lstrip(_LEAD).rstrip(_BLANKS).decode() for row in cut]

    def parse_row(self, row: str) -> dict[str, Any]:
        if not row:
            raise InvalidRowError("there is nothing between two commas, or after the last one")
        return {"text": parse_json(row)} if row.startswith('"') else super().parse_row(row)

    def reason(self, number: int, error: Exception) -> str:
        if isinstance(error, InvalidRowError):
            raise SourceError(
                f"{self.name} {self.origin.place(number)}: {error}",
                hint="correct the file; it is not a valid JSON array",
            )
        return str(error)

    def cut(self, blocks: Iterator[bytes]) -> tuple[bytes, Iterator[Cut]]:
        """Return all up to the bracket, and the elements, each with the comma before it."""
        self._array = ArrayCutter(blocks, self.name)
        return self._array.header, self._array.cuts()

    def write(
        self,
        out: IO[bytes],
        verdicts: Verdicts,
        annotations: pa.Schema | None,
        room: int,
        edits: RowEdits | None = None,
    ) -> Iterator[tuple[int, int]]:
        if not begins_as_utf8(self.origin):
            self.reading.note(self.origin, "written as utf-8")
        elements: Any = _Elements(out)
        yield from super().write(elements, verdicts, annotations, room, edits)
        out.write(self._array.tail)

    always_utf8 = True

    def annotate(self, cut: Cut, batch: pa.RecordBatch, first: int) -> Iterable[bytes]:
        names = batch.schema.names
        for number, (row, added) in enumerate(zip(cut, json_fields(batch), strict=False), first):
            element = row.lstrip(_LEAD)
            lead = row[: len(row) - len(element)]
            if element.startswith(b'"'):
                text = element.rstrip(_BLANKS)
                yield lead + b'{"text": ' + text + f", {added}}}".encode() + element[len(text) :]
            else:
                place = f"{self.name} {self.origin.place(number)}"
                yield lead + annotate_line(element, added, names, place)

    def replace_text(self, row: bytes, text: str) -> bytes:
        element = row.lstrip(_LEAD)
        lead = row[: len(row) - len(element)]
        if element.startswith(b'"'):
            new = json.dumps(text, ensure_ascii=False).encode()
            return lead + new + element[len(element.rstrip(_BLANKS)) :]
        return lead + super().replace_text(element, text)


class _Elements:
    """Writes a header, then elements; the first of them without the comma before it."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._pieces = 0

    def write(self, data: bytes | memoryview) -> None:
        if data:
            self._pieces += 1
            if self._pieces == 2 and bytes(data[:1]) == b",":
                data = data[1:]
            self._out.write(data)

    def writelines(self, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            self.write(piece)


class ArrayCutter:
    """Cuts the elements out of blocks of UTF-8 that contain a JSON array.

    Only quotes, brackets and commas are looked at. Together, the header, the cuts and the tail are
    the blocks.

    Attributes:
        header: all up to and including the bracket.
        tail: what follows the last element, once all have been cut.

    Raises `SourceError` that names the source where there is no array, where it does not end, or
    where something follows it.
    """

    def __init__(self, blocks: Iterator[bytes], name: str) -> None:
        self._name = name
        self.tail = b""
        start = b""
        for block in blocks:
            start += block
            if start.strip(_BLANKS):
                break
        at = len(start) - len(start.lstrip(_BLANKS)) + 1
        self.header = start[:at]
        if not self.header.endswith(b"["):
            raise SourceError(f"{name}: not a JSON array", hint="write the rows as a JSON array")
        self._blocks = chain([start[at:]], blocks)
        self._state = _State()

    def cuts(self) -> Iterator[Cut]:
        import numpy as np

        waiting: list[bytes] = []  # parts of the element that has not ended
        size = done = 0
        for block in self._blocks:
            ends, close = self._state.advance(block)
            last = int(ends[-1]) if len(ends) else 0
            if len(ends):
                before = b"".join(waiting)
                yield Cut(before + block[:last], ends + len(before))
                waiting, size = [], 0
                done += len(ends)
            waiting.append(block[last : close if close >= 0 else len(block)])
            size += len(waiting[-1])
            if size > limits.MAX_DOCUMENT_BYTES:
                raise SourceError(
                    f"{self._name}: row {done} is larger than {limits.max_size()}",
                    hint="look there for a quote or a bracket that is never closed",
                )
            if close >= 0:
                data = b"".join(waiting)
                row = data.rstrip(_BLANKS)
                if done or row:
                    yield Cut(row, np.array([len(row)], np.int64))
                self._finish(data[len(row) :] + block[close:], done)
                return
        raise SourceError(
            f"{self._name}: the array does not end; it is cut off in row {done}",
            hint="create or download the file again; it may be truncated",
        )

    def _finish(self, tail: bytes, row: int) -> None:
        """Check that nothing follows the array."""
        if not tail.lstrip(_BLANKS).startswith(b"]"):
            raise SourceError(
                f"{self._name}: row {row} has a bracket that does not match",
                hint="correct the file; it is not a valid JSON array",
            )
        parts = [tail, *self._blocks]
        self.tail = b"".join(parts)
        if self.tail.strip(_BLANKS) != b"]":
            raise SourceError(
                f"{self._name}: there is more after the end of the array",
                hint="one file must have one array; write several as JSON Lines (.jsonl)",
            )


class _State:
    """Where a block begins: how deep in brackets, whether in a string, and after a backslash."""

    def __init__(self) -> None:
        self._depth = 1
        self._inside = 0
        self._escaped = False

    def advance(self, block: bytes) -> tuple[NDArray[np.int64], int]:
        """Return where the commas between elements are, and the bracket that ends the array.

        That is -1 where the array does not end in this block.
        """
        import numpy as np

        kinds = _kinds()[np.frombuffer(block, np.uint8)]
        at = np.flatnonzero(kinds)
        kind = kinds[at]
        escaped = self._find_escaped(at[kind == _ESCAPE], len(block))
        quote = (kind == _QUOTE) & ~escaped[at]
        quotes = np.cumsum(quote, dtype=np.int64) + self._inside
        outside = (quotes - quote) % 2 == 0
        change = ((kind == _OPEN).astype(np.int64) - (kind == _CLOSE)) * outside
        depth = np.cumsum(change) + self._depth
        closes = at[(depth == 0) & (change < 0)]
        close = int(closes[0]) if len(closes) else -1
        if len(at):
            self._inside = int(quotes[-1]) % 2
            self._depth = int(depth[-1])
        ends = at[(kind == _COMMA) & outside & (depth == 1)]
        return ends if close < 0 else ends[ends < close], close

    def _find_escaped(self, backslashes: NDArray[np.int64], size: int) -> NDArray[np.bool_]:
        """Return which bytes a backslash stands before that is not itself escaped."""
        import numpy as np

        escaped = np.zeros(size + 1, np.bool_)
        escaped[0] = self._escaped
        if len(backslashes):
            count = len(backslashes)
            begins = np.flatnonzero(np.diff(backslashes, prepend=-2) != 1)
            runs = np.repeat(begins, np.diff(np.append(begins, count)))
            odd = (np.arange(count) - runs) % 2 == 1
            if self._escaped and backslashes[0] == 0:  # the first run begins with an escaped one
                own = runs == 0
                odd[own] = ~odd[own]
            escaped[backslashes[~odd] + 1] = True
        if size:
            self._escaped = bool(escaped[size])
        return escaped


def _kinds() -> NDArray[np.uint8]:
    """Return for each byte which of the signs it is."""
    import numpy as np

    table = np.zeros(256, np.uint8)
    for signs, kind in _SIGNS.items():
        table[list(signs)] = kind
    return table
