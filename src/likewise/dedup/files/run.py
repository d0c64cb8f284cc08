"""`run`: files deduplicated, stage by stage, within a budget of memory; it can be resumed."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from likewise import __version__
from likewise.arrays import U32, U64
from likewise.dedup import against
from likewise.dedup.against import Stored, StoredSignatures, open_stored
from likewise.dedup.decision import decide
from likewise.dedup.files import budget as memory
from likewise.dedup.files import (
    candidates,
    containment,
    copies,
    gather,
    scan,
    verdicts,
    verification,
)
from likewise.dedup.files.budget import DEFAULT_MEMORY, Budget
from likewise.dedup.files.cleanup import node_of, remove_unfinished
from likewise.dedup.files.findings import describe_examples, findings_of, notes_on
from likewise.dedup.files.inputs import check_apart, check_no_source, check_unchanged, identity_of
from likewise.dedup.files.job import Job
from likewise.dedup.files.row_map import RowMap
from likewise.dedup.files.workspace import Workspace
from likewise.dedup.report import Report
from likewise.dedup.rules import NONE
from likewise.dedup.signatures import save_signatures as write_signatures
from likewise.documents.tables.source import RowSource, open_rows
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import SourceError, UsageError
from likewise.files import check_new, check_no_index, open_output
from likewise.run import silent
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    from likewise.dedup.decision import Decision
    from likewise.dedup.files.workspace import Facts
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.sources import Shape
    from likewise.run import Progress


Source = str | os.PathLike[str]
DECIDE, WRITE, SIGNATURES = "decide", "write", "signatures"
DEFAULT_EXAMPLES = 10


@dataclass(frozen=True)
class Reading:
    """How sources are read; as for `documents.tables.source.open_rows`."""

    text: str | None = None
    id: str | None = None
    shape: Shape = "auto"
    encoding: str | None = None
    cache: bool = True
    skip_bad: bool = False
    group: str | None = None


def workspace_of(out: Source, scratch: Source | None = None) -> Path:
    """The folder for the working files of a run: next to the output, or elsewhere."""
    target = Path(os.path.abspath(out))
    if scratch is None:
        return target.parent / f".{target.name}.likewise"
    tag = hashlib.sha256(os.fsencode(target)).hexdigest()[:12]
    return Path(scratch) / f"{target.name}.{tag}.likewise"


def run(
    sources: Source | Sequence[Source],
    out: Source,
    settings: DedupSettings,
    *,
    reading: Reading | None = None,
    annotate: bool = False,
    memory: int = DEFAULT_MEMORY,
    scratch: Source | None = None,
    against: Source | None = None,
    save_signatures: Source | None = None,
    examples: int = DEFAULT_EXAMPLES,
    overwrite: bool = False,
    resume: bool = True,
    progress: Progress = silent,
    opened: Callable[[RowSource], None] | None = None,
) -> Report:
    """Writes the sources to `out` without the documents that are similar to a kept one.

    Args:
        sources: files, folders and patterns.
        out: the file or the folder to write, in the format of the sources.
        settings: what is decided.
        reading: how the sources are read.
        annotate: keep all documents, and add columns with the decision.
        memory: bytes that the process may have in memory.
        scratch: the folder for working files; next to the output, if not given.
        against: an index, or signatures of an earlier run: documents that are similar to one there
            are removed first.
        save_signatures: a file for the signatures of this run.
        examples: how many clusters and removed documents the report lists.
        overwrite: replace an existing output, and existing signatures.
        resume: resume an unfinished run of the same inputs and settings.
        progress: called as each stage advances.
        opened: called with the source when it is open, for its notes.

    A run that fails leaves its working files, so that the next one can resume it; a `UsageError`
    leaves nothing.
    """
    budget = Budget(memory)
    check_whole("examples", examples, 0)
    reading = reading or Reading()
    stored = None if against is None else open_stored(os.fspath(against), settings)
    columns = verdicts.COLUMNS + (() if stored is None else verdicts.STORED_COLUMNS)

    source = open_rows(
        sources, column=settings.keep.column, reserved=columns if annotate else (),
        batch_bytes=budget.batch_bytes(), **vars(reading),
        progress=lambda done: progress("read and sketch", done, source.total_bytes()),
    )  # fmt: skip
    if opened is not None:
        opened(source)
    stored_files = [] if against is None else [os.fspath(against)]
    check_apart("output", os.fspath(out), stored_files)
    check_no_index(os.fspath(out))
    if save_signatures is not None:
        # If they replaced those of `against`, every document would be a copy of itself next time.
        check_apart("signatures", os.fspath(save_signatures), [os.fspath(out), *stored_files])
        check_no_source("signatures", os.fspath(save_signatures), source)
        check_no_index(os.fspath(save_signatures))
    inputs = identity_of(source)
    identity = {
        "version": __version__,
        "settings": settings.to_dict()
        | {"save_signatures": save_signatures is not None, "annotate": annotate}
        | {"examples": examples}
        | {name: value for name, value in vars(reading).items() if name != "cache"},
        "inputs": inputs,
        "against": None if stored is None else stored.identity(),
    }
    workspace = Workspace(workspace_of(out, scratch), identity, resume=resume)
    try:
        if workspace.resumed:
            remove_unfinished(out)
        if save_signatures is not None and not (overwrite or workspace.cursor(SIGNATURES)):
            check_new(os.fspath(save_signatures))
        own = is_own(out, workspace)
        schema = verdicts.annotation_schema(stored is not None) if annotate else None
        target = Target(source, out, overwrite=overwrite or own, annotations=schema)
        job = Job(source, settings, workspace, budget, progress)
        stages = _Run(job, target, annotate=annotate, examples=examples, inputs=inputs)
        report = stages(stored, save_signatures)
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


def is_own(out: Source, workspace: Workspace) -> bool:
    """Whether the output was put there by this run, before it was killed."""
    noted = workspace.facts(WRITE) or workspace.cursor(WRITE)
    try:
        return "made" in noted and noted["made"] == node_of(out)
    except OSError:
        return False


class _Run:
    """The stages of one run, in their order."""

    def __init__(
        self, job: Job, target: Target, *, annotate: bool, examples: int, inputs: Facts
    ) -> None:
        self.job = job
        self.target = target
        self.annotate = annotate
        self.examples = examples
        self.inputs = inputs
        self.report = Report(job.settings.to_dict(), resumed=job.workspace.resumed)

    def __call__(self, stored: Stored | None, signatures: Source | None) -> Report:
        job = self.job
        earlier = stored.file if isinstance(stored, StoredSignatures) else None
        keep_sketches = earlier is not None or signatures is not None
        scanned = self._stage(scan.STAGE, lambda: scan.scan(job, keep_sketches=keep_sketches))
        scan.Scanned(**scanned).restore(job.source)
        job.row_map = RowMap(scanned["counts"])
        copied = self._stage(copies.STAGE, lambda: copies.find_copies(job))
        job.workspace.drop(scan.DIGESTS)
        by_containment = job.settings.measure == "containment"
        if by_containment:
            every = np.arange(copied["unique"], dtype=np.uint32)
            self._stage(gather.STAGE, lambda: gather.gather(job, every))
        if stored is not None:
            self._stage(against.STAGE, lambda: against.find_matches(job, stored))
            job.matches = against.Matches.load(job.workspace)
        if not by_containment:
            compared = self._stage(candidates.STAGE, lambda: candidates.find_candidates(job))
            job.workspace.drop(*map(scan.band_file, range(job.settings.bands)))
            self._stage(
                gather.STAGE, lambda: gather.gather(job, candidates.involved(job.workspace))
            )
        with closing(gather.GatheredTexts(job.workspace, job.budget)) as texts:
            if by_containment:
                compared = self._stage(
                    containment.STAGE, lambda: containment.find_candidates(job, texts)
                )
            verified = self._stage(verification.STAGE, lambda: verification.verify(job, texts))
            findings = self._stage(DECIDE, lambda: self._decide(texts))
        with self._timed(WRITE):
            self._write()
        if signatures is not None:
            # Noted before the file is there: if the run is killed, the next one may replace it.
            job.workspace.advance(SIGNATURES, {"started": True})
            with self._timed(SIGNATURES), open_output(os.fspath(signatures)) as stream:
                write_signatures(stream, job, earlier)
        with self._timed("report"):
            self.report.counts = self._counts(scanned, copied, compared, verified)
            self._describe(findings)
        self.report.peak_memory = memory.peak()
        return self.report

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

    def _decide(self, texts: gather.GatheredTexts) -> Facts:
        job = self.job
        job.progress("decide", 0, None)
        numbers = job.workspace.load(copies.NUMBERS, np.uint32)
        unique = job.workspace.path(copies.FIRST).stat().st_size // 4
        decision = decide(
            self._without_matches(numbers), unique, verification.load_pairs(job.workspace),
            job.settings, order_of=job.order,
            similarity_of=lambda pairs: verification.similarities(pairs, job, texts),
            boilerplate=self._boilerplate(), groups=self._groups(),
        )  # fmt: skip
        self._remove_matches(decision, numbers, unique)
        verdicts.save(decision, job.workspace)
        return findings_of(decision, numbers, job.workspace, self.examples)

    def _boilerplate(self) -> U32 | None:
        if self.job.settings.measure == "jaccard":
            return None
        return self.job.workspace.load(containment.BOILERPLATE, np.uint32)

    def _groups(self) -> U64 | None:
        if self.job.settings.groups != "across":
            return None
        return self.job.workspace.load(scan.GROUPS, np.uint64)

    def _without_matches(self, numbers: U32) -> U32:
        """The numbers, NONE for documents that are similar to a stored one."""
        if not self.job.matches:
            return numbers
        return np.where(np.isin(numbers, self.job.matches.unique), NONE, numbers)

    def _remove_matches(self, decision: Decision, numbers: U32, unique: int) -> None:
        """Notes what documents are removed for: numbers after the last are those of matches."""
        matches = self.job.matches
        if not matches:
            return
        row = np.full(unique + 1, NONE)
        row[matches.unique] = np.arange(len(matches), dtype=np.uint32)
        own = row[np.minimum(numbers, np.uint32(unique))]
        gone = np.flatnonzero(own != NONE)
        decision.kept[gone] = False
        decision.similar_to[gone] = own[gone] + np.uint32(len(numbers))
        decision.similarity[gone] = matches.similarity[own[gone]]

    def _write(self) -> None:
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
            job.source, self.target, verdicts.SavedVerdicts(job, annotate=self.annotate),
            group_bytes=min(128 << 20, job.budget.memory // 16),
            progress=lambda done: job.progress("write", done, total), check=check,
        )  # fmt: skip
        job.workspace.finish(WRITE, made)

    def _counts(self, scanned: Facts, copied: Facts, compared: Facts, verified: Facts) -> Facts:
        files = self.job.source.files
        return {
            "documents": scanned["documents"],
            "files": sum(len(file.origins) for file in files if file.left_out is None),
            "files_left_out": sum(count is None for count in scanned["counts"]),
            "bytes": scanned["bytes"],
            "without_text": scanned["without_text"],
            "lookalike_words": scanned["lookalike_words"],
            "lookalike_documents": scanned["lookalike_documents"],
            "without_shingles": copied["empty"] - scanned["without_text"],
            "unique": copied["unique"],
            **(
                {}
                if self.job.settings.groups is None
                else {"without_group": scanned["without_group"]}
            ),
            **compared,
            "verified": verified["verified"],
            "below_threshold": verified["compared"] - verified["verified"],
        }

    def _describe(self, findings: Facts) -> None:
        """Clusters, examples and notes."""
        report = self.report
        report.counts |= findings["counts"]
        report.cluster_sizes = findings["cluster_sizes"]
        report.largest = findings["largest"]
        report.most_chained = findings["most_chained"]
        report.examples = describe_examples(self.job, findings["examples"])
        report.against = describe_examples(self.job, findings["against"])
        report.notes += notes_on(self.job, report.counts)
