"""One row per line of plain text.

A line ends with "\\n" or "\\r\\n" and with nothing else; the last one may lack its end. A blank
line is an empty text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from likewise.documents.batch import RowBatch
from likewise.documents.tables.records import plain_ends
from likewise.documents.tables.text_table import TextTable, json_fields
from likewise.documents.texts import wrap_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from likewise.documents.tables.records import Cut


class Lines(TextTable):
    """Lines of plain text. With annotations they become JSON Lines."""

    def read(self) -> Iterator[RowBatch]:
        first = 0
        for block in self.read_lines():
            texts = split_lines(block)
            yield RowBatch(range(first, first + len(texts)), texts, file=self.number)
            first += len(texts)

    def texts(self, cut: Cut) -> pa.LargeStringArray:
        return split_lines(cut.data)

    def annotate(self, cut: Cut, batch: pa.RecordBatch, first: int) -> Iterable[bytes]:
        for line, added in zip(cut, json_fields(batch), strict=False):
            content = line.removesuffix(b"\n").removesuffix(b"\r")
            text = json.dumps(content.decode(), ensure_ascii=False)
            yield f'{{"text": {text}, {added}}}\n'.encode()

    def replace_text(self, row: bytes, text: str) -> bytes:
        return text.encode() + row[len(row.removesuffix(b"\n").removesuffix(b"\r")) :]


def split_lines(block: bytes) -> pa.LargeStringArray:
    """Return the lines of a block without their ends."""
    import numpy as np

    block = plain_ends(block)
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))
    # Texts lie side by side in Arrow, so each line moves forward by the ends that came before it.
    ends = ends - np.arange(len(ends))
    data = block.replace(b"\n", b"")
    if not block.endswith(b"\n"):
        ends = np.append(ends, len(data))
    return wrap_texts(np.concatenate(([0], ends)).astype(np.int64, copy=False), data)
