"""`Scratch`: texts on disk while a search runs, for collections larger than memory."""

from __future__ import annotations

import mmap
import tempfile
import weakref
from typing import TYPE_CHECKING

import numpy as np

from likewise._core import Texts
from likewise.documents.texts import text_offsets
from likewise.errors import LikewiseError

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


def text_bytes(texts: pa.LargeStringArray) -> tuple[memoryview, NDArray[np.int64]]:
    """The bytes of texts, one after another, and where each of them ends."""
    offsets = text_offsets(texts)
    data = texts.buffers()[2]
    begin, end = int(offsets[0]), int(offsets[-1])
    view = memoryview(b"") if data is None else memoryview(data)[begin:end]
    return view, offsets[1:] - begin


class Scratch:
    """Texts appended to a file without a name, which is gone when the process ends.

    8 bytes per document stay in memory. The file is in the folder for temporary files (TMPDIR).
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="likewise-")  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._ends: list[NDArray[np.int64]] = [np.zeros(1, dtype=np.int64)]
        self._written = 0

    def append(self, texts: pa.LargeStringArray) -> None:
        """Writes the texts behind those that are there."""
        data, ends = text_bytes(texts)
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            folder = tempfile.gettempdir()
            raise LikewiseError(
                f"the scratch file in {folder} cannot be written: {error.strerror}",
                hint="free some space there, set TMPDIR to another folder, or raise `memory`",
            ) from error
        self._ends.append(ends + self._written)
        self._written += len(data)

    def select(self, chosen: NDArray[np.uint32]) -> Texts:
        """The chosen texts, read into memory."""
        self._file.flush()
        return Texts.from_file(self._file.fileno(), self._offsets(), chosen)

    def sizes(self) -> NDArray[np.int64]:
        """Bytes of each text."""
        return np.diff(self._offsets())

    def texts(self) -> Texts:
        """All of them, as views of the file; what is looked at may stay in memory."""
        self._file.flush()
        if self._written == 0:
            return Texts.from_buffers(b"", self._offsets(), True)
        view = mmap.mmap(self._file.fileno(), self._written, access=mmap.ACCESS_READ)
        return Texts.from_buffers(view, self._offsets(), True)

    def _offsets(self) -> NDArray[np.int64]:
        if len(self._ends) > 1:
            self._ends = [np.concatenate(self._ends)]
        return self._ends[0]
