"""`TextTable`: what lines, JSON Lines and CSV have in common, whose rows are ranges of bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, ClassVar, TypeVar

from likewise.documents import limits
from likewise.documents.batch import RowBatch
from likewise.documents.tables.bytes import row_bytes
from likewise.documents.tables.records import RowTooLongError, cut_at_lines, cut_lines
from likewise.documents.tables.table import Table
from likewise.documents.utf8 import read_utf8
from likewise.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.documents.tables.records import Cut
    from likewise.documents.tables.table import RowEdits, Verdicts

T = TypeVar("T")


class TextTable(Table):
    """A table that is written byte for byte; with annotations it is written as UTF-8.

    Attributes:
        always_utf8: it is written as UTF-8 in any case.
    """

    always_utf8: ClassVar[bool] = False

    def read_lines(self) -> Iterator[bytes]:
        """Yield the text in blocks of whole lines."""
        return self._explain_long(cut_at_lines(read_utf8(self.origin, self.reading)))

    def _explain_long(self, lines: Iterator[T]) -> Iterator[T]:
        try:
            yield from lines
        except RowTooLongError as error:
            raise SourceError(
                f"{self.name}: line {error.args[0] + 1} is larger than {limits.max_size()}",
                hint="look there for missing line ends",
            ) from None

    def cut(self, blocks: Iterator[bytes]) -> tuple[bytes, Iterator[Cut]]:
        """Return the header (empty if there is none) and the rows after it."""
        return b"", self._explain_long(cut_lines(blocks))

    def texts(self, cut: Cut) -> pa.LargeStringArray:
        """Return the texts of some rows, null for bad ones."""
        raise NotImplementedError

    def annotate_header(self, header: bytes, names: Sequence[str]) -> bytes:
        """Return the header with the names of further columns."""
        return header

    def annotate(self, cut: Cut, batch: pa.RecordBatch, first: int) -> Iterable[bytes]:
        """Return rows, of which the first has the number `first`, with their annotations."""
        raise NotImplementedError

    def replace_text(self, row: bytes, text: str) -> bytes:
        """Return a row with another text, and all else as it was."""
        raise NotImplementedError

    def gather(self, rows: NDArray[np.int64]) -> Iterator[RowBatch]:
        """Yield some rows again; only these are parsed."""
        import numpy as np

        done = first = 0
        _, cuts = self.cut(read_utf8(self.origin, self.reading))
        for cut in cuts:
            stop = int(np.searchsorted(rows, first + len(cut.ends)))
            if stop > done:
                some = rows[done:stop]
                texts = self.texts(cut.pick(some - first))
                yield RowBatch(some.tolist(), texts, file=self.number)
                done = stop
            if done == len(rows):
                return
            first += len(cut.ends)

    def write(
        self,
        out: IO[bytes],
        verdicts: Verdicts,
        annotations: pa.Schema | None,
        room: int,
        edits: RowEdits | None = None,
    ) -> Iterator[tuple[int, int]]:
        if edits is not None and not len(edits.rows(self.number, 0, verdicts.count(self.number))):
            edits = None
        as_utf8 = self.always_utf8 or annotations is not None or edits is not None
        mark, blocks = row_bytes(self.origin, self.reading, as_utf8=as_utf8)
        header, cuts = self.cut(blocks)
        if annotations is not None:
            header = self.annotate_header(header, annotations.names)
        out.write(mark + header)
        first = 0
        for cut in cuts:
            count = written = len(cut.ends)
            if annotations is None:
                kept = verdicts.kept(self.number, first, first + count)
                if edits is not None and len(kept) == count:
                    cut, kept = self._edit(cut, kept, edits, first)
                written = _write_kept(out, cut, kept)
            else:
                added = verdicts.annotations(self.number, first, first + count)
                out.writelines(self.annotate(cut, added, first))
            yield count, written
            first += count

    def _edit(
        self, cut: Cut, kept: NDArray[np.bool_], edits: RowEdits, first: int
    ) -> tuple[Cut, NDArray[np.bool_]]:
        """Return the kept rows, of which the first has the number `first`, with their new texts."""
        import numpy as np

        rows = edits.rows(self.number, first, first + len(kept))
        if not len(rows):
            return cut, kept
        texts: Any = self.texts(cut.pick(rows - first)).to_pylist()
        changed = dict(
            zip((rows - first).tolist(), edits.edited(self.number, rows, texts), strict=True)
        )
        parts = [
            self.replace_text(row, changed[at]) if at in changed else row
            for at, row in enumerate(cut)
        ]
        ends = np.cumsum(list(map(len, parts)), dtype=np.int64)
        return replace(cut, data=b"".join(parts), ends=ends), kept


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


def json_fields(batch: pa.RecordBatch) -> list[str]:
    """Return each row of annotations as the inside of a JSON object."""
    keys = [json.dumps(name, ensure_ascii=False) for name in batch.schema.names]
    columns = [
        [json.dumps(value, ensure_ascii=False) for value in column.to_pylist()]
        for column in batch.columns
    ]
    return [
        ", ".join(f"{key}: {value}" for key, value in zip(keys, row, strict=True))
        for row in zip(*columns, strict=True)
    ]
