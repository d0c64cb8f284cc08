"""The first stage: every document read once; of each stay a digest and a key for each band."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.files.spool import Spool
from likewise.dedup.files.workspace import Appender
from likewise.errors import LikewiseError
from likewise.search.collection import MAX_DOCUMENTS
from likewise.sketches.scan import scan as scan_texts
from likewise.text.displayed import displayed_column
from likewise.text.inputs import from_arrow

if TYPE_CHECKING:
    from likewise.dedup.files.workspace import Facts, Workspace
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.batch import RowBatch
    from likewise.documents.tables.source import RowSource

STAGE = "scan"
DIGESTS, COUNTS, LENGTHS, SKETCHES = "digests", "counts", "lengths", "sketches"
IDS, VALUES = Spool("ids"), Spool("values")
LONGEST = 2**32 - 1


def band_file(band: int) -> str:
    """The keys of one band, of all documents."""
    return f"band-{band:03}"


@dataclass
class Met:
    """What was met so far; the cursor and the facts of the stage."""

    counts: list[int | None]  # rows of each finished file, None for one that is left out
    reasons: dict[str, str]  # why files are left out
    documents: int = 0
    without_text: int = 0
    bad_rows: int = 0  # of finished files
    bytes: int = 0
    lookalike_words: int = 0
    lookalike_documents: int = 0
    kind: str | None = None  # the type of the column that decides what is kept

    def to_dict(self) -> Facts:
        return dict(vars(self))


def scan(
    source: RowSource, settings: DedupSettings, workspace: Workspace, *, keep_sketches: bool
) -> Facts:
    """Scans what has not been scanned yet, and gives the facts of the stage."""
    done = workspace.facts(STAGE)
    if done is None:
        done = _scan(source, settings, workspace, keep_sketches)
    source.bad_rows = done.get("bad_rows", 0)  # what an earlier run met counts too
    for file, count in zip(source.files, done["counts"], strict=True):
        file.count = count
        if count is None:
            source.leave_out(file.number, done["reasons"][str(file.number)])
    return done


def _scan(
    source: RowSource, settings: DedupSettings, workspace: Workspace, keep_sketches: bool
) -> Facts:
    names = [DIGESTS, COUNTS, *map(band_file, range(settings.layout.bands))]
    names += [SKETCHES] if keep_sketches else []
    names += [LENGTHS] if settings.keep.by == "longest" else []
    names += IDS.files() if source.has_ids else []
    names += VALUES.files() if settings.keep.column is not None else []
    with Appender(workspace, STAGE, names) as appender:
        cursor = {key: value for key, value in appender.cursor.items() if key != "sizes"}
        met = Met(**cursor) if cursor else Met([], {})
        source.bad_rows = met.bad_rows  # those of this run come on top
        for number, count in enumerate(met.counts):
            if count is None:
                source.leave_out(number, met.reasons[str(number)])
        at = len(met.counts)
        for batch in ahead(source.batches(start=at)):
            while at < batch.file:
                _end_file(source, met, at)
                at += 1
                appender.note(met.to_dict)
            _scan_batch(batch, settings, appender, met, keep_sketches)
        while at < len(source.files):
            _end_file(source, met, at)
            at += 1
        appender.finish(met.to_dict())
    return met.to_dict()


def _end_file(source: RowSource, met: Met, number: int) -> None:
    file = source.files[number]
    if file.left_out is not None:
        met.reasons[str(number)] = file.left_out
        met.counts.append(None)
        return
    assert file.count is not None
    met.counts.append(file.count)
    met.bad_rows += file.bad_rows


def _scan_batch(
    batch: RowBatch, settings: DedupSettings, appender: Appender, met: Met, keep_sketches: bool
) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    texts: Any = batch.texts
    met.without_text += texts.null_count
    if texts.null_count:
        texts = texts.fill_null("")
    texts, words = displayed_column(texts, settings.profile, threads=settings.threads)
    met.lookalike_words += int(words.sum())
    met.lookalike_documents += int(np.count_nonzero(words))
    views = from_arrow(texts)
    found = scan_texts(
        views, settings.profile, values=settings.values, layout=settings.layout,
        keep_signatures=keep_sketches, threads=settings.threads,
    )  # fmt: skip
    met.documents += len(batch)
    met.bytes += views.nbytes
    if met.documents > MAX_DOCUMENTS:
        raise LikewiseError(f"one run takes at most {MAX_DOCUMENTS:,} documents")
    appender.append(DIGESTS, found.digests)
    appender.append(COUNTS, np.minimum(found.counts, LONGEST).astype(np.uint32))
    for band in range(settings.layout.bands):
        appender.append(band_file(band), found.band_keys[band])
    if keep_sketches:
        appender.append(SKETCHES, found.signatures)
    if settings.keep.by == "longest":
        appender.append(LENGTHS, np.asarray(pc.utf8_length(texts)).astype(np.uint32))
    if appender.has(IDS.files()[0]):
        ids = pa.nulls(len(batch), pa.large_string()) if batch.ids is None else batch.ids
        IDS.append(appender, ids)
    if settings.keep.column is not None:
        assert batch.values is not None
        met.kind = str(batch.values.type)
        VALUES.append(appender, batch.values)


def ahead(batches: Iterator[Any]) -> Iterator[Any]:
    """The same, with the next one read while the last one is worked on."""
    end = object()
    with ThreadPoolExecutor(1, "likewise-read") as reading:
        under_way = reading.submit(next, batches, end)
        while (batch := under_way.result()) is not end:
            under_way = reading.submit(next, batches, end)
            yield batch
            del batch
