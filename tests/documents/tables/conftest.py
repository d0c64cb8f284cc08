"""What the tests of rows share: all rows of a source, and a way to write some of them."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import zstandard

from likewise.documents.tables.source import open_rows
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray

PACKERS = {"": lambda data: data, ".gz": gzip.compress, ".zst": zstandard.compress}


def unpack(path: Path) -> bytes:
    """The content of a file, whatever it is packed with."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix == ".zst":
        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return data


class Masks:
    """Verdicts in memory: a mask for each file, and a batch of annotations for each file."""

    def __init__(
        self,
        masks: Sequence[NDArray[np.bool_]],
        annotations: Sequence[pa.RecordBatch] | None = None,
    ) -> None:
        self._masks = masks
        self._annotations = annotations

    def count(self, file: int) -> int:
        return len(self._masks[file])

    def kept(self, file: int, start: int, stop: int) -> NDArray[np.bool_]:
        return self._masks[file][start:stop]

    def schema(self, file: int) -> pa.Schema:
        assert self._annotations is not None
        return self._annotations[file].schema

    def annotations(self, file: int, start: int, stop: int) -> pa.RecordBatch:
        assert self._annotations is not None
        return self._annotations[file].slice(start, stop - start)


class AllRows:
    """All rows of a source, by file."""

    def __init__(self, sources: Any, **options: Any) -> None:
        self.source = open_rows(sources, **options)
        files = self.source.files
        self.texts: list[list[str | None]] = [[] for _ in files]
        self.ids: list[list[str | None] | None] = [None for _ in files]
        self.values: list[list[Any]] = [[] for _ in files]
        for batch in self.source.batches():
            assert batch.first == len(self.texts[batch.file])
            assert batch.rows == range(batch.first, batch.first + len(batch))
            self.texts[batch.file] += batch.texts.to_pylist()
            if batch.ids is not None:
                self.ids[batch.file] = (self.ids[batch.file] or []) + batch.ids.to_pylist()
            if batch.values is not None:
                self.values[batch.file] += batch.values.to_pylist()
        self.bad = [str(bad) for bad in self.source.bad]
        self.notes = [str(note) for note in self.source.notes]
        self.skipped = [str(skipped) for skipped in self.source.skipped]

    def keep(self, out: Path, kept: Sequence[Sequence[bool]], **options: Any) -> Any:
        """Write the rows that are kept."""
        masks = Masks([np.array(mask, np.bool_) for mask in kept])
        return write_rows(self.source, Target(self.source, out, **options), masks)


@pytest.fixture
def rows() -> type[AllRows]:
    return AllRows
