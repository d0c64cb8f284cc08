"""`run_parts`: files of any size without repeated paragraphs, lines or passages."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from likewise import __version__
from likewise.dedup.files import budget as memory
from likewise.dedup.files.budget import DEFAULT_MEMORY, Budget
from likewise.dedup.files.cleanup import node_of, remove_unfinished
from likewise.dedup.files.columns import BATCHES, COLUMNS, append_columns
from likewise.dedup.files.inputs import check_unchanged, identity_of
from likewise.dedup.files.job import Job
from likewise.dedup.files.row_map import RowMap
from likewise.dedup.files.run import DEFAULT_EXAMPLES, WRITE, Reading, Source, is_own, workspace_of
from likewise.dedup.files.scan import Scanned, prefetched
from likewise.dedup.files.workspace import Appender, Workspace, disk_errors
from likewise.dedup.parts.cuts import Cuts, write_cuts
from likewise.dedup.parts.passages import find_passage_cuts, fingerprints_of
from likewise.dedup.parts.repeated_parts import (
    CUT,
    PART,
    PartCounts,
    decide_parts,
    find_parts,
    sorted_cuts,
)
from likewise.dedup.parts.report import PartReport
from likewise.dedup.parts.settings import PASSAGE
from likewise.dedup.parts.source import TextsInFiles, present
from likewise.dedup.parts.spill import Spill
from likewise.dedup.parts.verdicts import COLUMNS as ADDED
from likewise.dedup.parts.verdicts import CutEdits, PartVerdicts, annotation_schema
from likewise.documents.tables.source import RowSource, open_rows
from likewise.documents.tables.table import check_replaceable
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import LikewiseError, SourceError, UsageError
from likewise.files import check_no_index
from likewise.run import silent
from likewise.search.collection import MAX_DOCUMENTS
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likewise.dedup.files.workspace import Facts
    from likewise.dedup.parts.settings import PartSettings
    from likewise.run import Progress

SCAN, FIND = "scan", "find"
WORDS, LEFT = "words", "words-left"  # of each document, at first and in the end


def run_parts(
    sources: Source | Sequence[Source],
    out: Source,
    settings: PartSettings,
    *,
    reading: Reading | None = None,
    annotate: bool = False,
    memory: int = DEFAULT_MEMORY,
    scratch: Source | None = None,
    examples: int = DEFAULT_EXAMPLES,
    overwrite: bool = False,
    resume: bool = True,
    progress: Progress = silent,
    opened: Callable[[RowSource], None] | None = None,
) -> PartReport:
    """Writes the sources to `out` without repeated parts; arguments as of `dedup.files.run.run`.

    A run that is interrupted is resumed after the stage that it had finished.
    """
    budget = Budget(memory)
    check_whole("examples", examples, 0)
    reading = reading or Reading()
    source = open_rows(
        sources, column=settings.keep.column, reserved=ADDED if annotate else (),
        batch_bytes=budget.batch_bytes(), **vars(reading),
        progress=lambda done: progress("read", done, source.total_bytes()),
    )  # fmt: skip
    if opened is not None:
        opened(source)
    check_no_index(os.fspath(out))
    if not annotate:
        _check_plain(source)
    inputs = identity_of(source)
    identity = {
        "version": __version__,
        "settings": settings.to_dict()
        | {"annotate": annotate, "examples": examples}
        | {name: value for name, value in vars(reading).items() if name != "cache"},
        "inputs": inputs,
    }
    workspace = Workspace(workspace_of(out, scratch), identity, resume=resume)
    try:
        if workspace.resumed:
            remove_unfinished(out)
        target = Target(
            source, out, overwrite=overwrite or is_own(out, workspace),
            annotations=annotation_schema() if annotate else None,
        )  # fmt: skip
        # Of the settings a job needs no more than which document is kept.
        job = Job(source, cast("Any", settings), workspace, budget, progress)
        with disk_errors(workspace.folder):
            stages = _Run(
                job, settings, target, annotate=annotate, examples=examples, inputs=inputs
            )
            report = stages()
    except BaseException as error:
        if isinstance(error, SourceError) or (
            isinstance(error, UsageError) and not workspace.resumed
        ):
            workspace.remove()
        else:
            workspace.close()
        raise
    workspace.remove()
    return report


def _check_plain(source: RowSource) -> None:
    """Refuses documents that cannot be written without some of their parts."""
    for file in source.files:
        check_replaceable(file)
        if file.kind != "documents":
            continue
        for origin in file.origins:
            if origin.kind != "text":
                raise UsageError(
                    f"{origin.name}: parts cannot be removed from such a document, only from plain "
                    "text and tables",
                    hint="use `annotate=True` to list the parts, or save it as plain text",
                )


class _Run:
    """The stages, and the report on them."""

    def __init__(
        self,
        job: Job,
        settings: PartSettings,
        target: Target,
        *,
        annotate: bool,
        examples: int,
        inputs: Facts,
    ) -> None:
        self.job = job
        self.settings = settings
        self.target = target
        self.annotate = annotate
        self.examples = examples
        self.inputs = inputs
        self.report = PartReport(settings.to_dict(), resumed=job.workspace.resumed)

    def __call__(self) -> PartReport:
        job, report = self.job, self.report
        scanned = self._stage(SCAN, self._scan)
        Scanned(**scanned).restore(job.source)
        job.row_map = RowMap(scanned["counts"])
        found = self._stage(FIND, self._find_passages if self._passages else self._decide)
        self._scanned().remove()
        cuts = Cuts.open(job.workspace.folder)
        dropped = self._dropped(cuts)
        with self._timed(WRITE):
            self._write(cuts, dropped)
        files = job.source.files
        report.counts = {
            "documents": scanned["documents"],
            "files": sum(len(file.origins) for file in files if file.left_out is None),
            "files_left_out": sum(count is None for count in scanned["counts"]),
            "bytes": scanned["bytes"],
            "without_text": scanned["without_text"],
            **found["counts"],
            "changed": len(np.unique(cuts.documents)),
            "kept": scanned["documents"] - len(dropped),
            "removed": len(dropped),
        }
        report.templates = self._describe(found.get("templates", []))
        if report.counts["without_text"]:
            report.notes.append(f"documents without text, kept: {report.counts['without_text']:,}")
        report.peak_memory = memory.peak()
        return report

    @property
    def _passages(self) -> bool:
        return self.settings.unit == PASSAGE

    def _stage(self, name: str, work: Callable[[], Facts]) -> Facts:
        """The result of a stage, which may have been finished by an earlier run."""
        with self._timed(name):
            facts = self.job.workspace.facts(name)
            if facts is None:
                facts = work()
                self.job.workspace.finish(name, facts)
        return facts

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.report.seconds[stage] = time.perf_counter() - start
        memory.release()

    def _spill(self, name: str, dtype: Any, keys: Callable[[Any], Any]) -> Spill:
        job = self.job
        return Spill(job.workspace.path(name), dtype, keys, lambda: job.budget.room(0.4))

    def _scan(self) -> Facts:
        """Counts the documents, and sets aside what decides on them: the digests of lines and
        paragraphs, so that the texts are not read once more; of passages the fingerprints."""
        job, settings = self.job, self.settings
        source, scanned = job.source, Scanned()
        spill = self._scanned(again=False)
        with Appender(job.workspace, SCAN, [COLUMNS, BATCHES, WORDS]) as appender:
            for batch in prefetched(source.batches()):
                while len(scanned.counts) < batch.file:
                    scanned.end_file(source)
                self._append_columns(batch, appender)
                texts = present(batch.texts)
                if self._passages:
                    own, words = fingerprints_of(texts, settings)
                else:
                    own, words = find_parts(texts, scanned.documents, settings)
                spill.append(own)
                appender.append(WORDS, words)
                scanned.documents += len(batch)
                scanned.bytes += texts.nbytes
                scanned.without_text += batch.texts.null_count
                if scanned.documents > MAX_DOCUMENTS:
                    raise LikewiseError(f"one run takes at most {MAX_DOCUMENTS:,} documents")
            while len(scanned.counts) < len(source.files):
                scanned.end_file(source)
        spill.flush()
        job.budget.check(scanned.documents)
        return vars(scanned)

    def _scanned(self, *, again: bool = True) -> Spill:
        """What the scan sets aside of the texts; it stays until the next stage is finished."""
        job = self.job
        dtype: Any = np.uint64 if self._passages else PART
        return Spill(
            job.workspace.path("scanned"), dtype,
            lambda own: own if self._passages else own["low"],
            lambda: job.budget.room(0.4), again=again,
        )  # fmt: skip

    def _append_columns(self, batch: Any, appender: Appender) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        settings = self.settings
        columns: dict[str, Any] = {}
        if settings.keep.by == "longest":
            columns["length"] = pc.utf8_length(present(batch.texts)).cast(pa.uint32())
        if self.job.source.has_ids:
            empty = batch.ids is None
            columns["id"] = pa.nulls(len(batch), pa.large_string()) if empty else batch.ids
        if settings.keep.column is not None:
            columns["value"] = batch.values
        if columns:
            append_columns(appender, columns)

    def _decide(self) -> Facts:
        """Which paragraphs or lines are cut."""
        job = self.job
        documents = len(job.row_map)
        counts = PartCounts(job.workspace.load(WORDS, np.uint32))
        words = int(counts.words.sum(dtype=np.int64))
        scale = np.uint64(2**64 // max(1, documents) - 1)
        cuts = self._spill("cuts", CUT, lambda own: own["document"].astype(np.uint64) * scale)
        ranks = TextsInFiles(job).ranks(documents)
        job.progress("decide", 0, None)
        decide_parts(
            self._scanned(), cuts, lambda own: own if ranks is None else ranks[own],
            self.settings, counts, self.examples,
        )  # fmt: skip
        write_cuts(job.workspace, sorted_cuts(cuts))
        job.workspace.save(LEFT, counts.words)
        return {
            "counts": {
                "words": words,
                "removed_words": counts.removed_words,
                "removed_parts": counts.removed,
                "repeated": counts.repeated,
            },
            "templates": [asdict(one) for one in counts.templates],
        }

    def _find_passages(self) -> Facts:
        job = self.job
        cuts, found = find_passage_cuts(
            TextsInFiles(job), len(job.row_map), self.settings, self._spill,
            lambda: job.budget.room(0.25), (self._scanned(), job.workspace.load(WORDS, np.uint32)),
        )  # fmt: skip
        write_cuts(job.workspace, [cuts])
        job.workspace.save(LEFT, found.words)
        left = int(found.words.sum(dtype=np.int64))
        return {
            "counts": {
                "words": found.all_words,
                "removed_words": found.all_words - left,
                "removed_parts": len(cuts),
                "rounds": found.rounds,
            }
        }

    def _dropped(self, cuts: Cuts) -> Any:
        """Documents of which nothing is left."""
        changed = np.unique(cuts.documents)
        left = self.job.workspace.load(LEFT, np.uint32)
        return changed[left[changed] == 0]

    def _write(self, cuts: Cuts, dropped: Any) -> None:
        job = self.job
        if is_own(self.target.out, job.workspace):
            return
        total = job.source.total_bytes()
        made: Facts = {}
        job.workspace.advance(WRITE, made)

        def check(aside: str) -> None:
            check_unchanged(job.source, self.inputs)
            made["made"] = node_of(aside)
            job.workspace.advance(WRITE, made)

        write_rows(
            job.source, self.target, PartVerdicts(job.row_map, cuts, dropped),
            group_bytes=min(128 << 20, job.budget.memory // 16),
            progress=lambda done: job.progress("write", done, total), check=check,
            edits=None if self.annotate else CutEdits(job.row_map, cuts, dropped),
        )  # fmt: skip
        job.workspace.finish(WRITE, made)

    def _describe(self, templates: list[Facts]) -> list[Facts]:
        """The same with ids and texts."""
        job = self.job
        documents = np.unique(np.array([one["document"] for one in templates], np.uint32))
        if not len(documents):
            return []
        ids = dict(zip(documents.tolist(), job.ids(documents).to_pylist(), strict=True))
        texts = {
            int(document): text
            for some, column in TextsInFiles(job).gather(documents)
            for document, text in zip(some, column.to_pylist(), strict=True)
        }
        return [
            {
                "removed": one["removed"],
                "document": ids[one["document"]],
                "start": one["begin"],
                "end": one["end"],
                "text": texts[one["document"]][one["begin"] : one["end"]].strip(),
            }
            for one in templates
        ]
