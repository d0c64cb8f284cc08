"""The first stage: every document read once; of each stay a digest and a key for each band."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.files.columns import BATCHES, COLUMNS, append_decisive
from likewise.dedup.files.workspace import Appender
from likewise.errors import LikewiseError, UsageError
from likewise.search.collection import MAX_DOCUMENTS
from likewise.search.groups import group_hashes
from likewise.sketches.scan import scan as scan_texts
from likewise.text.displayed import displayed_column
from likewise.text.inputs import from_arrow
from likewise.threads import thread_pool

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.files.job import Job
    from likewise.dedup.files.workspace import Facts
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.batch import RowBatch
    from likewise.documents.tables.source import RowSource

STAGE = "scan"
DIGESTS, COUNTS, SKETCHES = "digests", "counts", "sketches"
GROUPS = "groups"  # of each document the hash of its group, where there are groups
MAX_COUNT = 2**32 - 1


def band_file(band: int) -> str:
    """The keys of one band, of all documents."""
    return f"band-{band:03}"


@dataclass
class Scanned:
    """What was read so far; the cursor and the facts of the stage."""

    counts: list[int | None] = field(default_factory=list)  # rows by file, None if excluded
    reasons: dict[str, str] = field(default_factory=dict)  # why files are excluded
    documents: int = 0
    without_text: int = 0
    bad_rows: int = 0  # of finished files
    bytes: int = 0
    lookalike_words: int = 0
    lookalike_documents: int = 0
    without_group: int = 0

    def end_file(self, source: RowSource) -> None:
        """Counts the next file."""
        file = source.files[len(self.counts)]
        self.counts.append(None if file.left_out is not None else file.count)
        if file.left_out is not None:
            self.reasons[str(file.number)] = file.left_out
        else:
            self.bad_rows += file.bad_rows

    def batches(
        self, source: RowSource, note: Callable[[Facts], None] | None = None
    ) -> Iterator[RowBatch]:
        """What has not been read yet; counted when the next batch is wanted."""
        for batch in prefetched(source.batches(start=len(self.counts))):
            while len(self.counts) < batch.file:
                self.end_file(source)
                if note is not None:
                    note(vars(self))
            yield batch
            self.documents += len(batch)
            self.without_text += batch.texts.null_count
            if self.documents > MAX_DOCUMENTS:
                raise LikewiseError(f"one run takes at most {MAX_DOCUMENTS:,} documents")
        while len(self.counts) < len(source.files):
            self.end_file(source)

    def restore(self, source: RowSource) -> None:
        """Lets the source know of files that were read before."""
        source.bad_rows = self.bad_rows
        for number, count in enumerate(self.counts):
            source.files[number].count = count
            if count is None:
                source.leave_out(number, self.reasons[str(number)])


def scan(job: Job, *, keep_sketches: bool) -> Facts:
    """Scans what has not been scanned yet."""
    source = job.source
    names = [DIGESTS, COUNTS, COLUMNS, BATCHES, *map(band_file, range(job.settings.bands))]
    names += [SKETCHES] if keep_sketches else []
    names += [GROUPS] if job.settings.groups is not None else []
    with Appender(job.workspace, STAGE, names) as appender:
        scanned = Scanned(**appender.cursor)
        scanned.restore(source)
        for batch in scanned.batches(source, appender.note):
            _scan_batch(batch, job, appender, scanned, keep_sketches)
    check_groups(source, scanned)
    return vars(scanned)


def _scan_batch(
    batch: RowBatch, job: Job, appender: Appender, scanned: Scanned, keep_sketches: bool
) -> None:
    settings = job.settings
    texts, words = compared_texts(batch.texts, settings)
    views = from_arrow(texts)
    found = scan_texts(
        views, settings.profile, values=settings.values, layout=settings.layout,
        keep_signatures=keep_sketches, threads=settings.threads,
    )  # fmt: skip
    digests, keys = found.digests, found.keys
    if settings.groups is not None:
        hashes = hash_groups(batch, scanned)
        appender.append(GROUPS, hashes)
        if settings.groups == "within":  # so that nothing has the same of two groups
            digests = digests ^ hashes[:, None]
            keys = None if keys is None else keys ^ hashes
    scanned.lookalike_words += int(words.sum())
    scanned.lookalike_documents += int(np.count_nonzero(words))
    scanned.bytes += views.nbytes
    appender.append(DIGESTS, digests)
    appender.append(COUNTS, np.minimum(found.counts, MAX_COUNT).astype(np.uint32))
    for band, own in enumerate(() if keys is None else keys):
        appender.append(band_file(band), own)
    if keep_sketches:
        appender.append(SKETCHES, found.signatures)
    append_decisive(appender, batch, texts, settings.keep, ids=job.source.has_ids)


def check_groups(source: RowSource, scanned: Scanned) -> None:
    """Raises if there are documents, but none has a group."""
    groups = source.reading.groups
    if groups is not None and 0 < scanned.documents == scanned.without_group:
        raise UsageError(
            f"no document has a value for {groups.name!r}", hint="name another column of the table"
        )


def hash_groups(batch: RowBatch, scanned: Scanned) -> NDArray[np.uint64]:
    """Of the next documents; those without a group are counted."""
    assert batch.groups is not None
    scanned.without_group += batch.groups.null_count
    numbers = np.arange(scanned.documents, scanned.documents + len(batch))
    return group_hashes(batch.groups.to_pylist(), numbers)


def compared_texts(texts: Any, settings: DedupSettings) -> tuple[Any, NDArray[np.int64]]:
    """A column as it is compared, and of each text how many words have look-alike letters."""
    present = texts.fill_null("") if texts.null_count else texts
    return displayed_column(present, settings.profile, threads=settings.threads)


def prefetched(batches: Iterator[Any]) -> Iterator[Any]:
    """The same, with the next one read while the last one is worked on."""
    end = object()
    with thread_pool(1, "read") as reading:
        under_way = reading.submit(next, batches, end)
        while (batch := under_way.result()) is not end:
            under_way = reading.submit(next, batches, end)
            yield batch
            del batch
