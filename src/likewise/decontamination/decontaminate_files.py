"""`decontaminate_files`: training files of any size, checked against benchmarks and written back.

The benchmarks fit in memory. Documents are read twice: to search them, and to write them; only
what was found stays in memory in between.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from likewise.decontamination.benchmark_files import open_benchmarks, read_benchmarks
from likewise.decontamination.contamination import Contamination, has_words, without_places
from likewise.decontamination.decontaminate import items_of
from likewise.decontamination.detector import Detector
from likewise.decontamination.row_verdicts import (
    ANNOTATIONS,
    CutVerdicts,
    RowVerdicts,
    annotation_schema,
    row_notes,
)
from likewise.decontamination.settings import (
    Action,
    DecontaminationOptions,
    DecontaminationSettings,
    check_action,
)
from likewise.dedup.files.inputs import check_apart, check_no_source, check_unchanged, identity_of
from likewise.dedup.files.scan import prefetched
from likewise.documents.notice import note_lines
from likewise.documents.tables.source import open_rows
from likewise.documents.tables.table import check_replaceable
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import UsageError
from likewise.files import check_no_index
from likewise.run import Progress, Stats, log_notes, silent
from likewise.threads import thread_count

if TYPE_CHECKING:
    from likewise.documents.batch import RowBatch
    from likewise.documents.sources import Shape
    from likewise.documents.tables.source import RowSource

Source = str | os.PathLike[str]


@dataclass(slots=True, repr=False, kw_only=True)
class FileContamination(Contamination):
    """What was found in files.

    Attributes:
        skipped: files and rows that could not be read, in words.
    """

    skipped: list[str] = field(default_factory=list)


def decontaminate_files(
    sources: Source | Sequence[Source],
    out: Source,
    *,
    against: Source | Sequence[Source],
    action: Action = "drop",
    text: str | None = None,
    id: str | None = None,  # the name of the option
    item_text: str | None = None,
    item_id: str | None = None,
    benchmark: str | None = None,
    shape: Shape = "auto",
    encoding: str | None = None,
    cache: bool = True,
    skip_bad: bool = False,
    overwrite: bool = False,
    threads: int | None = None,
    progress: Progress = silent,
    **options: Unpack[DecontaminationOptions],
) -> FileContamination:
    """Writes files without the documents that contain items of benchmarks.

    Args:
        sources: training documents: files, folders and patterns.
        out: the file or the folder to write, in the format of the sources.
        against: files of benchmarks; each is a benchmark with its name, unless `benchmark` names a
            column.
        action: "drop" leaves out documents with a hit, "cut" only the shared passages and documents
            of which nothing is left; "annotate" keeps all and adds columns.
        text, id: the columns of training tables that have the text and the id.
        item_text, item_id, benchmark: the columns of benchmarks that have the text of an item, its
            id, and the name of its benchmark.
        shape: "auto", "lines" (a document per line) or "whole" (a document per file).
        encoding: of all training files; detected, if not given.
        cache: whether to use the user's cache of text extracted from documents.
        skip_bad: skip training files that cannot be read.
        overwrite: replace an existing output.
        threads: how many to use; all processors, if not given.
        progress: called with the name of a stage, how much of it is done, and how much there is.
        options: min_words, max_p, max_documents, planted and seed, as in `decontaminate`.

    The output is the same whatever the number of threads. It appears complete or not at all.
    """
    check_action(action)
    settings = DecontaminationSettings(**options)
    stats = Stats(settings.to_dict() | {"action": action})
    run = _Run(settings, action, stats, thread_count(threads), progress)
    source = open_rows(
        sources, text=text, id=id, shape=shape, encoding=encoding, cache=cache, skip_bad=skip_bad,
        reserved=ANNOTATIONS if action == "annotate" else (),
        progress=lambda done: progress("search", done, source.total_bytes()),
    )  # fmt: skip
    if action == "cut":
        _check_can_be_cut(source)
    items = open_benchmarks(
        against, text=item_text, id=item_id, benchmark=benchmark, encoding=None, cache=cache
    )
    schema = annotation_schema() if action == "annotate" else None
    check_no_index(os.fspath(out))
    check_apart("output", os.fspath(out), items.paths)
    check_no_source("output", os.fspath(out), items)
    target = Target(source, out, overwrite=overwrite, annotations=schema)
    found = run(source, items, target)
    skipped = [f"skipped {item}" for item in [*source.skipped, *source.bad]]
    result = FileContamination(
        hits=found.hits, benchmarks=found.benchmarks, recall=found.recall, expected=found.expected,
        templates=found.templates, stats=stats, skipped=skipped,
    )  # fmt: skip
    stats.notes[:0] = note_lines([*source.notes, *items.notes])
    stats.counts |= {"bad_rows": source.bad_rows, "files_left_out": len(source.skipped)}
    log_notes([*stats.notes, *skipped])
    return result


def _check_can_be_cut(source: RowSource) -> None:
    for file in source.files:
        check_replaceable(file)
        if file.kind == "documents":
            raise UsageError(
                f"{file.origin.name}: text can be cut out of tables and of files with a document "
                "per line, not out of documents",
                hint="drop or annotate documents, or put their texts into a table",
            )


class _Run:
    """The stages of one run."""

    def __init__(
        self,
        settings: DecontaminationSettings,
        action: Action,
        stats: Stats,
        threads: int,
        progress: Progress,
    ) -> None:
        self._settings = settings
        self._action = action
        self._stats = stats
        self._threads = threads
        self._progress = progress
        self._ids: dict[int, str] = {}

    def __call__(self, source: RowSource, benchmarks: RowSource, target: Target) -> Contamination:
        stats = self._stats
        inputs = identity_of(source)
        with stats.timed("items"):
            self._progress("read benchmarks", 0, None)
            given = read_benchmarks(benchmarks)
            items = items_of(
                given.texts, given.ids, given.benchmarks, self._settings, self._threads
            )
        detector = Detector(items, given.texts, self._settings, self._threads)
        with stats.timed("search"):
            for batch in prefetched(source.batches()):
                self._search(source, batch, detector)
        found = Contamination.of(
            detector.finish(stats, self._progress), items, stats, self._ids.__getitem__
        )
        counts = [file.count or 0 if file.left_out is None else 0 for file in source.files]
        with stats.timed("write"):
            total = source.total_bytes()
            verdicts = self._verdicts(source, counts, found)
            written = write_rows(
                source, target, verdicts, threads=self._threads,
                edits=verdicts if isinstance(verdicts, CutVerdicts) else None,
                progress=lambda done: self._progress("write", done, total),
                check=lambda _: check_unchanged(source, inputs),
            )  # fmt: skip
        stats.counts |= {"kept": written.rows, "removed": written.removed}
        return found

    def _search(self, source: RowSource, batch: RowBatch, detector: Detector) -> None:
        first = detector.documents
        for at in detector.add(batch.texts):
            id_ = None if batch.ids is None else batch.ids[at].as_py()
            row = source.display(batch.file, batch.rows[at])
            self._ids[first + at] = row if id_ is None else id_

    def _verdicts(
        self, source: RowSource, counts: Sequence[int], found: Contamination
    ) -> RowVerdicts:
        places = found.places()
        if self._action == "annotate":
            return RowVerdicts(counts, (), row_notes(found))
        if self._action == "drop":
            return RowVerdicts(counts, list(places), {})
        texts = _cut_texts(source, counts, places)
        return CutVerdicts(counts, [row for row in places if row not in texts], texts)


def _cut_texts(
    source: RowSource, counts: Sequence[int], places: dict[int, list[tuple[int, int]]]
) -> dict[int, str]:
    """By row, texts without some places; none for texts of which nothing is left."""
    rows = np.array(list(places), np.int64)
    starts = np.array([0, *accumulate(counts)], np.int64)
    texts: dict[int, str] = {}
    for file, (first, stop) in enumerate(pairwise(starts.tolist())):
        own = rows[(rows >= first) & (rows < stop)]
        for batch in source.gather(file, own - first):
            read: list[Any] = batch.texts.to_pylist()
            for row, text in zip(batch.rows, read, strict=True):
                left = without_places(text, places[first + row])
                if has_words(left):
                    texts[first + row] = left
    return texts
