"""The third stage for containment: documents that may be in another, and in an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from likewise.dedup.against import Matches
from likewise.dedup.containers import (
    TwoStores,
    count_shingles,
    find_containers,
    open_index,
    stored_texts,
)
from likewise.dedup.files.candidates import admission, merge
from likewise.dedup.files.copies import FIRST, NUMBERS
from likewise.dedup.files.gather import GatheredTexts, TextFile
from likewise.dedup.files.scan import COUNTS, compared_texts
from likewise.dedup.files.workspace import Appender
from likewise.search.containment import WORD_BYTES, ContainmentSearch, count_bytes
from likewise.search.scratch import text_bytes

if TYPE_CHECKING:
    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Facts
    from likewise.dedup.settings import DedupSettings
    from likewise.index.index import Index

STAGE = "containment"
RUNS = "containment-runs"  # sorted runs of candidates, one after another
BOILERPLATE = "boilerplate"  # unique documents for which not all was compared

EARLIER_STAGE = "earlier"
EARLIER_TEXTS, EARLIER_SIZES = "earlier-texts", "earlier-sizes"
SHARE = 0.6  # of the memory that is left


def count_elements(job: Job) -> int:
    """How many shingles the unique documents have."""
    workspace = job.workspace
    unique = workspace.path(FIRST).stat().st_size // 4
    return count_shingles(
        workspace.load(COUNTS, np.uint32), workspace.load(NUMBERS, np.uint32), unique
    )


def find_candidates(job: Job, texts: GatheredTexts) -> Facts:
    """Writes the candidates, container << 32 | contained, and documents of boilerplate.

    What was found for some of the documents is kept if the run is interrupted.
    """
    settings, workspace = job.settings, job.workspace
    elements = count_elements(job)
    job.budget.check(len(texts), count_bytes(elements))
    search = ContainmentSearch(
        texts, None, elements, settings.profile, settings.threshold,
        settings.max_bucket, settings.threads, job.budget.room(SHARE), job.progress,
    )  # fmt: skip
    with Appender(workspace, STAGE, [RUNS, BOILERPLATE]) as appender:
        ends: list[int] = appender.cursor.get("ends", [])
        for run in search.runs(appender.cursor.get("done", 0)):
            appender.append(RUNS, run.pairs)
            appender.append(BOILERPLATE, run.boilerplate)
            ends.append(appender.size(RUNS) // 8)
            if run.done is not None:
                appender.note({"done": run.done, "ends": ends})
        boilerplate = appender.size(BOILERPLATE) // 4
    runs = [(RUNS, begin, end) for begin, end in zip([0, *ends], ends, strict=False)]
    count = merge(workspace, job.budget, runs, admission(job))
    workspace.drop(RUNS)
    return {"candidates": count, "boilerplate": boilerplate}


class EarlierIndex:
    """Documents of an index that stores texts, which are copied to the working files."""

    def __init__(self, index: Index, settings: DedupSettings) -> None:
        self._index = open_index(index)
        self._settings = settings

    def identity(self) -> Any:
        return [self._index.name, repr(self._index.state())]

    def find(self, job: Job) -> Matches:
        """The unique documents that are contained in a stored one."""
        ids = self._copy(job)
        workspace, settings = job.workspace, job.settings
        earlier = TextFile(workspace, EARLIER_TEXTS, EARLIER_SIZES)
        own = GatheredTexts(workspace, job.budget)
        try:
            elements = count_elements(job) + earlier.nbytes // WORD_BYTES
            job.budget.check(len(own) + len(earlier), count_bytes(elements))
            found = find_containers(
                own, earlier, TwoStores(own, earlier, len(own)), len(own), elements, settings,
                room=job.budget.room(SHARE), progress=job.progress,
            )  # fmt: skip
        finally:
            own.close()
            earlier.close()
        workspace.drop(EARLIER_TEXTS, EARLIER_SIZES)
        figures = [(value, np.nan, np.nan) for value in found.similarity.tolist()]
        return Matches.of(found.unique, [ids[i] for i in found.earlier.tolist()], figures)

    def _copy(self, job: Job) -> list[str]:
        """Writes the texts as they are compared; returns the ids."""
        ids: list[str] = []
        with Appender(job.workspace, EARLIER_STAGE, [EARLIER_TEXTS, EARLIER_SIZES]) as appender:
            for some, texts in stored_texts(self._index):
                compared, _ = compared_texts(pa.array(texts, pa.large_string()), self._settings)
                data, ends = text_bytes(compared)
                appender.append(EARLIER_TEXTS, data)
                appender.append(EARLIER_SIZES, np.diff(ends, prepend=0))
                ids += some
                job.progress("read the index", len(ids), None)
        return ids
