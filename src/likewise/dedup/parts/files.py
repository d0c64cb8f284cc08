"""`run_parts`: files of any size without repeated paragraphs, lines or passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.files.columns import BATCHES, COLUMNS, append_decisive
from likewise.dedup.files.scan import STAGE as SCAN
from likewise.dedup.files.scan import Scanned, check_groups, hash_groups
from likewise.dedup.files.staged_run import RunOptions, Source, StagedRun
from likewise.dedup.files.workspace import Appender, disk_errors
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
from likewise.dedup.parts.report import PartReport, ungrouped_notes
from likewise.dedup.parts.settings import PASSAGE
from likewise.dedup.parts.source import TextsInFiles, present
from likewise.dedup.parts.spill import Spill
from likewise.dedup.parts.verdicts import COLUMNS as ADDED
from likewise.dedup.parts.verdicts import CutEdits, PartVerdicts, annotation_schema
from likewise.documents.tables.table import check_replaceable
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.dedup.files.workspace import Facts
    from likewise.dedup.parts.settings import PartSettings
    from likewise.documents.tables.source import RowSource

FIND = "find"
WORDS, LEFT = "words", "words-left"  # of each document, at first and in the end


def run_parts(
    sources: Source | Sequence[Source],
    out: Source,
    settings: PartSettings,
    options: RunOptions | None = None,
) -> PartReport:
    """Writes the sources to `out` without repeated parts; arguments as of `dedup.files.run.run`.

    A run that is interrupted is resumed after the stage that it had finished.
    """
    run = PartRun(
        sources, out, settings, options or RunOptions(), PartReport(settings.to_dict()),
        added=ADDED, reading="read",
    )  # fmt: skip
    if not run.options.annotate:
        _check_plain(run.source)
    return run.run(annotation_schema() if run.options.annotate else None)


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


class PartRun(StagedRun[PartReport]):
    """The stages, and the report on them."""

    settings: PartSettings

    def stages(self) -> None:
        with disk_errors(self.job.workspace.folder):
            self._stages()

    def _stages(self) -> None:
        job, report = self.job, self.report
        scanned = self.scan(self._scan)
        found = self.stage(FIND, self._find_passages if self._passages else self._decide)
        self._scanned().remove()
        cuts = Cuts.open(job.workspace.folder)
        dropped = self._dropped(cuts)
        self.write(
            lambda: PartVerdicts(job.row_map, cuts, dropped),
            None if self.options.annotate else CutEdits(job.row_map, cuts, dropped),
        )
        report.counts = self.counts(scanned) | {
            **found["counts"],
            "changed": len(np.unique(cuts.documents)),
            "kept": scanned["documents"] - len(dropped),
            "removed": len(dropped),
        }
        report.templates = self._describe(found.get("templates", []))
        report.notes += ungrouped_notes(scanned["without_group"])
        if report.counts["without_text"]:
            report.notes.append(f"documents without text, kept: {report.counts['without_text']:,}")

    @property
    def _passages(self) -> bool:
        return self.settings.unit == PASSAGE

    def _spill(self, name: str, dtype: Any, keys: Callable[[Any], Any]) -> Spill:
        job = self.job
        return Spill(job.workspace.path(name), dtype, keys, lambda: job.budget.room(0.4))

    def _scan(self) -> Facts:
        """Counts the documents, and sets aside what decides on them: the digests of lines and
        paragraphs, so that the texts are not read once more; of passages the fingerprints."""
        job, settings, scanned = self.job, self.settings, Scanned()
        spill = self._scanned(again=False)
        with Appender(job.workspace, SCAN, [COLUMNS, BATCHES, WORDS]) as appender:
            for batch in scanned.batches(self.source):
                texts = present(batch.texts)
                append_decisive(appender, batch, texts, settings.keep, ids=self.source.has_ids)
                if self._passages:
                    own, words = fingerprints_of(texts, settings)
                else:
                    groups = None if settings.groups is None else hash_groups(batch, scanned)
                    own, words = find_parts(texts, scanned.documents, settings, groups)
                spill.append(own)
                appender.append(WORDS, words)
                scanned.bytes += texts.nbytes
        check_groups(self.source, scanned)
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

    def _decide(self) -> Facts:
        """Which paragraphs or lines are cut."""
        job = self.job
        documents = len(job.row_map)
        counts = PartCounts(job.workspace.load(WORDS, np.uint32))
        scale = np.uint64(2**64 // max(1, documents) - 1)
        cuts = self._spill("cuts", CUT, lambda own: own["document"].astype(np.uint64) * scale)
        ranks = TextsInFiles(job).ranks(documents)
        job.progress("decide", 0, None)
        decide_parts(
            self._scanned(), cuts, lambda own: own if ranks is None else ranks[own],
            self.settings, counts, self.options.examples,
        )  # fmt: skip
        write_cuts(job.workspace, sorted_cuts(cuts))
        job.workspace.save(LEFT, counts.words)
        return {"counts": counts.to_dict(), "templates": [asdict(one) for one in counts.templates]}

    def _find_passages(self) -> Facts:
        job = self.job
        cuts, found = find_passage_cuts(
            TextsInFiles(job), len(job.row_map), self.settings, self._spill,
            lambda: job.budget.room(0.25), (self._scanned(), job.workspace.load(WORDS, np.uint32)),
        )  # fmt: skip
        write_cuts(job.workspace, [cuts])
        job.workspace.save(LEFT, found.words)
        return {"counts": found.to_dict()}

    def _dropped(self, cuts: Cuts) -> Any:
        """Documents of which nothing is left."""
        changed = np.unique(cuts.documents)
        left = self.job.workspace.load(LEFT, np.uint32)
        return changed[left[changed] == 0]

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
