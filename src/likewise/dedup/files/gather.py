"""The fourth stage: the texts of the candidates, read again into one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likewise._core import Texts
from likewise.dedup.files.copies import FIRST
from likewise.dedup.files.scan import ahead
from likewise.dedup.files.workspace import Appender
from likewise.documents.texts import text_offsets
from likewise.errors import SourceError
from likewise.text.displayed import displayed_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.files.budget import Budget
    from likewise.dedup.files.row_map import Places
    from likewise.dedup.files.workspace import Facts, Workspace
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.tables.source import RowSource
    from likewise.run import Progress

STAGE = "texts"
DATA, SIZES = "texts", "text-sizes"
SLOTS = "slots"  # the unique documents whose texts are in the file, in the order of reading


def gather(
    source: RowSource,
    places: Places,
    wanted: NDArray[np.uint32],
    settings: DedupSettings,
    workspace: Workspace,
    progress: Progress,
) -> Facts:
    """Writes the texts of unique documents as they are compared; gives the facts of the stage."""
    done = workspace.facts(STAGE)
    if done is not None:
        return done
    documents = workspace.load(FIRST, np.uint32)[wanted]
    order = np.argsort(documents, kind="stable")
    documents = documents[order]
    workspace.save(SLOTS, wanted[order])
    with Appender(workspace, STAGE, [DATA, SIZES]) as appender:
        first = appender.cursor.get("file", 0)
        read = appender.size(SIZES) // 8
        for file, rows in places.by_file(documents):
            if file < first:
                continue
            for some in ahead(source.gather(file, rows)):
                texts = some.texts.fill_null("") if some.texts.null_count else some.texts
                texts, _ = displayed_column(texts, settings.profile, threads=settings.threads)
                offsets = text_offsets(texts)
                data = texts.buffers()[2]
                if data is not None:
                    appender.append(DATA, memoryview(data)[int(offsets[0]) : int(offsets[-1])])
                appender.append(SIZES, np.diff(offsets))
                read += len(texts)
                progress("read again", read, len(documents))
            appender.note(lambda file=file: {"file": file + 1})  # type: ignore[misc]
        size = appender.size(DATA)
        if read != len(documents):
            raise SourceError("a source has changed since it was read", hint="start over")
        facts = {"texts": read, "bytes": size}
        appender.finish(facts)
    return facts


class GatheredTexts:
    """The texts that were gathered, by unique document: in memory if they fit, or from the file."""

    def __init__(self, workspace: Workspace, budget: Budget) -> None:
        sizes = workspace.load(SIZES, np.int64)
        self.offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.sizes = sizes
        slots = workspace.load(SLOTS, np.uint32)
        self._order = np.argsort(slots, kind="stable")
        self._slots = slots[self._order]
        self._file = open(workspace.path(DATA), "rb")  # noqa: SIM115
        self._all: Texts | None = None
        if len(sizes) and self.offsets[-1] + 24 * len(sizes) < budget.room(0.4):
            self._all = Texts.from_buffers(self._file.read(), self.offsets, True)

    def slots(self, unique: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Where in the file unique documents are."""
        return self._order[np.searchsorted(self._slots, unique)].astype(np.uint32)

    def select(self, slots: NDArray[np.uint32]) -> Texts:
        """Some texts."""
        if self._all is not None:
            return self._all.select(slots)
        return Texts.from_file(self._file.fileno(), self.offsets, slots)

    def close(self) -> None:
        self._all = None
        self._file.close()
