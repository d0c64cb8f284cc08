"""Where rows end in the bytes of a text file: lines, and records of CSV whose quotes hold lines.

Reading and writing cut by these functions alone, so that a row has the same number in both. The
rules for records are Arrow's: a quote counts at the beginning of a field only, a doubled one inside
is a quote, and a row ends with "\\n", "\\r\\n" or "\\r".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likewise.documents import limits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class RowTooLongError(Exception):
    """A row is longer than `limits.MAX_DOCUMENT_BYTES`. `args[0]` is the number of rows before."""


@dataclass(frozen=True, eq=False)
class Cut:
    """Whole rows.

    Attributes:
        data: their bytes, line ends included.
        ends: where each row ends in `data`, its line end included.
        open: the last row is the rest of the file, after a quote that is never closed.
    """

    data: bytes
    ends: NDArray[np.int64]
    open: bool = False

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each row begins."""
        import numpy as np

        return np.concatenate((np.zeros(1, np.int64), self.ends[:-1]))

    def __iter__(self) -> Iterator[bytes]:
        for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True):
            yield self.data[start:end]

    def pick(self, rows: NDArray[np.int64]) -> Cut:
        """Return some of the rows as a cut of their own."""
        import numpy as np

        pairs = zip(self.starts[rows].tolist(), self.ends[rows].tolist(), strict=True)
        parts = [self.data[start:end] for start, end in pairs]
        for at, following in enumerate(parts[1:] if b"\r" in self.data else ()):
            if following.startswith(b"\n") and parts[at].endswith(b"\r"):
                parts[at] += b"\n"  # else a blank row would become a part of this end
        opened = self.open and bool(len(rows)) and int(rows[-1]) == len(self.ends) - 1
        return Cut(b"".join(parts), np.cumsum(list(map(len, parts)), dtype=np.int64), opened)


def cut_at_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes, cut so that each block but the last ends with a line's end.

    Raises `RowTooLongError`.
    """
    # Parts of a long line wait in a list: adding them up one by one would be quadratic.
    waiting: list[bytes] = []
    size = done = 0
    for block in blocks:
        end = block.rfind(b"\n") + 1
        if not end:
            waiting.append(block)
            size += len(block)
            if size > limits.MAX_DOCUMENT_BYTES:
                raise RowTooLongError(done)
            continue
        cut = b"".join([*waiting, block[:end]])
        yield cut
        done += cut.count(b"\n")
        waiting = [block[end:]] if end < len(block) else []
        size = len(block) - end
    if waiting:
        yield b"".join(waiting)


def plain_ends(block: bytes) -> bytes:
    """Return the same lines, each ended by "\\n" alone."""
    # A search for one byte is ten times as fast as for two.
    return block.replace(b"\r\n", b"\n") if b"\r" in block else block


def cut_lines(blocks: Iterable[bytes]) -> Iterator[Cut]:
    """Yield the lines of a file; the last one may lack its end."""
    for block in cut_at_lines(blocks):
        if block:
            yield Cut(block, _line_ends(block))


def _line_ends(data: bytes) -> NDArray[np.int64]:
    import numpy as np

    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
    return ends if data.endswith(b"\n") else np.append(ends, len(data))


def cut_records(blocks: Iterable[bytes], delimiter: str) -> Iterator[Cut]:
    """Yield the records of a file, the header too; the last one may lack its end.

    Raises `RowTooLongError`.
    """
    pattern = _record_pattern(delimiter)
    waiting: list[bytes] = []
    size = 0
    wanted = 0  # a record that did not end is looked at again when there is twice as much of it
    done = 0
    for block in blocks:
        waiting.append(block)
        size += len(block)
        if size < wanted:
            continue
        data = b"".join(waiting)
        ends = _record_ends(data, pattern)
        if len(ends):
            yield Cut(data[: ends[-1]], ends)
            done += len(ends)
            data = data[ends[-1] :]
        waiting, size = [data], len(data)
        if size > limits.MAX_DOCUMENT_BYTES:
            raise RowTooLongError(done)
        wanted = min(2 * size, limits.MAX_DOCUMENT_BYTES)
    data = b"".join(waiting)
    if not data:
        return
    if len(data) > limits.MAX_DOCUMENT_BYTES:
        raise RowTooLongError(done)
    ends = _record_ends(data, pattern, last=True)
    whole = int(ends[-1]) if len(ends) else 0
    if whole:
        yield Cut(data[:whole], ends)
    if whole < len(data):
        rest = data[whole:]
        yield Cut(rest, _single(len(rest)), open=pattern.match(rest + b"\n") is None)


def _single(end: int) -> NDArray[np.int64]:
    import numpy as np

    return np.array([end], np.int64)


def field_pattern(delimiter: str) -> re.Pattern[bytes]:
    """Return what a field of a whole record is."""
    return re.compile(_field(re.escape(delimiter.encode())))


def _field(mark: bytes) -> bytes:
    # Nothing here is ever tried again in another way, so long fields cost no stack and no time.
    return rb'(?:"[^"]*+(?:""[^"]*+)*+"|(?!"))[^' + mark + rb"\r\n]*+"


def _record_pattern(delimiter: str) -> re.Pattern[bytes]:
    mark = re.escape(delimiter.encode())
    field = _field(mark)
    return re.compile(field + rb"(?:" + mark + field + rb")*+(?:\n|\r\n?+)")


def _record_ends(
    data: bytes, pattern: re.Pattern[bytes], *, last: bool = False
) -> NDArray[np.int64]:
    """Return the ends of the records that end for certain, whatever follows `data`."""
    import numpy as np

    if b'"' not in data and b"\r" not in data:
        return np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
    ends: list[int] = []
    at = 0
    # By `match`: a search would look for a record after a quote that is not closed.
    while found := pattern.match(data, at):
        at = found.end()
        ends.append(at)
    if ends and not last and at == len(data) and data.endswith(b"\r"):
        ends.pop()  # a "\n" may follow
    return np.array(ends, np.int64)
