"""The fourth stage: the texts of the candidates, read again into one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likewise._core import Texts
from likewise.arrays import U32
from likewise.dedup.files.candidates import involved
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


def gather(job: Job) -> Facts:
    """Writes the texts of candidates as they are compared."""
    workspace = job.workspace
    wanted = involved(workspace)
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


class GatheredTexts:
    """The texts that were gathered, by unique document: in memory if they fit, or from the file."""

    def __init__(self, workspace: Workspace, budget: Budget) -> None:
        self._sizes = workspace.load(SIZES, np.int64)
        self._offsets = np.concatenate([[0], np.cumsum(self._sizes)]).astype(np.int64)
        slots = workspace.load(SLOTS, np.uint32)
        self._order = np.argsort(slots, kind="stable")
        self._unique = slots[self._order]
        self._file = open(workspace.path(DATA), "rb")  # noqa: SIM115
        self._all: Texts | None = None
        if len(slots) and self._offsets[-1] + 24 * len(slots) < budget.room(0.4):
            self._all = Texts.from_buffers(self._file.read(), self._offsets, True)

    def _slots(self, chosen: U32) -> U32:
        """Where in the file unique documents are."""
        return self._order[np.searchsorted(self._unique, chosen)].astype(np.uint32)

    def text_sizes(self, chosen: U32) -> NDArray[np.int64]:
        return self._sizes[self._slots(chosen)]

    def select(self, chosen: U32) -> Texts:
        slots = self._slots(chosen)
        if self._all is not None:
            return self._all.select(slots)
        return Texts.from_file(self._file.fileno(), self._offsets, slots)

    def close(self) -> None:
        self._all = None
        self._file.close()
