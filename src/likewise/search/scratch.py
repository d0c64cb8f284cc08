"""`Scratch`: texts on disk while a search runs, for collections larger than memory."""

from __future__ import annotations

import mmap
import tempfile
import weakref
from typing import TYPE_CHECKING

import numpy as np

from likewise._core import Texts
from likewise.errors import LikewiseError

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


class Scratch:
    """Texts appended to a file without a name, which is gone when the process ends.

    In memory stay 8 bytes a document. The file lies in the folder for temporary files (TMPDIR).
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="likewise-")  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._ends: list[NDArray[np.int64]] = [np.zeros(1, dtype=np.int64)]
        self._written = 0

    def append(self, texts: pa.LargeStringArray) -> None:
        """Writes the texts behind those that are there."""
        if len(texts) == 0:
            return
        _, offsets, data = texts.buffers()
        assert offsets is not None
        places = np.frombuffer(memoryview(offsets), dtype=np.int64)
        places = places[texts.offset : texts.offset + len(texts) + 1]
        if data is not None:
            try:
                self._file.write(memoryview(data)[places[0] : places[-1]])
                self._file.flush()
            except OSError as error:
                folder = tempfile.gettempdir()
                raise LikewiseError(
                    f"the scratch file in {folder} cannot be written: {error.strerror}",
                    hint="free some space there, set TMPDIR to another folder, or raise --memory",
                ) from error
        self._ends.append(places[1:] - places[0] + self._written)
        self._written += int(places[-1] - places[0])

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
