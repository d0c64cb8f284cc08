"""The fourth stage: the texts of the candidates, read again into one file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from likewise._core import Texts
from likewise.arrays import U32
from likewise.dedup.files.copies import FIRST
from likewise.dedup.files.scan import compared_texts, prefetched
from likewise.dedup.files.workspace import Appender
from likewise.errors import SourceError
from likewise.search.scratch import text_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.files.budget import Budget
    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Facts, Workspace


STAGE = "texts"
DATA, SIZES = "texts", "text-sizes"
SLOTS = "slots"  # the unique documents whose texts are in the file, in the order of reading


def gather(job: Job, wanted: U32) -> Facts:
    """Writes the texts of some unique documents, which ascend, as they are compared."""
    workspace = job.workspace
    documents = workspace.load(FIRST, np.uint32)[wanted]
    order = np.argsort(documents, kind="stable")
    documents = documents[order]
    workspace.save(SLOTS, wanted[order])
    with Appender(workspace, STAGE, [DATA, SIZES]) as appender:
        first = appender.cursor.get("file", 0)
        read = appender.size(SIZES) // 8
        for file, rows in job.row_map.by_file(documents):
            if file < first:
                continue
            for batch in prefetched(job.source.gather(file, rows)):
                texts, _ = compared_texts(batch.texts, job.settings)
                data, ends = text_bytes(texts)
                appender.append(DATA, data)
                appender.append(SIZES, np.diff(ends, prepend=0))
                read += len(texts)
                job.progress("read again", read, len(documents))
            appender.note({"file": file + 1})
        if read != len(documents):
            raise SourceError("a source has changed since it was read", hint="start over")
        return {"texts": read, "bytes": appender.size(DATA)}


class TextFile:
    """Texts in a file, by their places in it."""

    def __init__(self, workspace: Workspace, data: str, sizes: str) -> None:
        self.sizes = workspace.load(sizes, np.int64)
        self._offsets = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        self._file = open(workspace.path(data), "rb")  # noqa: SIM115
        self._all: Texts | None = None

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def nbytes(self) -> int:
        return int(self._offsets[-1])

    def read_all(self) -> None:
        """Keeps all texts in memory from here on."""
        self._all = Texts.from_buffers(self._file.read(), self._offsets, True)

    def text_sizes(self, chosen: U32) -> NDArray[np.int64]:
        return self.sizes[chosen]

    def select(self, chosen: U32) -> Texts:
        if self._all is not None:
            return self._all.select(chosen)
        return Texts.from_file(self._file.fileno(), self._offsets, chosen)

    def batches(self, start: int, size: int) -> Iterator[tuple[U32, Texts]]:
        """Places and texts from one of them on, up to about `size` bytes at a time."""
        while start < len(self):
            end = int(np.searchsorted(self._offsets, self._offsets[start] + size, side="right")) - 1
            places = np.arange(start, min(len(self), max(end, start + 1)), dtype=np.uint32)
            yield places, self.select(places)
            start = int(places[-1]) + 1

    def close(self) -> None:
        self._all = None
        self._file.close()


class GatheredTexts:
    """The texts that were gathered, by unique document: in memory if they fit, or from the file."""

    def __init__(self, workspace: Workspace, budget: Budget) -> None:
        self._file = TextFile(workspace, DATA, SIZES)
        self._documents = workspace.load(SLOTS, np.uint32)  # by their places in the file
        self._order = np.argsort(self._documents, kind="stable")
        self._unique = self._documents[self._order]
        if len(self) and self._file.nbytes + 24 * len(self) < budget.room(0.4):
            self._file.read_all()

    def __len__(self) -> int:
        return len(self._documents)

    def _slots(self, chosen: U32) -> U32:
        """Where in the file unique documents are."""
        return self._order[np.searchsorted(self._unique, chosen)].astype(np.uint32)

    def text_sizes(self, chosen: U32) -> NDArray[np.int64]:
        return self._file.text_sizes(self._slots(chosen))

    def select(self, chosen: U32) -> Texts:
        return self._file.select(self._slots(chosen))

    def batches(self, start: int, size: int) -> Iterator[tuple[U32, Texts]]:
        """Unique documents and texts in the order of the file, as `TextFile` gives them."""
        for places, texts in self._file.batches(start, size):
            yield self._documents[places], texts

    def close(self) -> None:
        self._file.close()
