"""`StagedRun`: from files to files, in stages that can be resumed, within a budget of memory."""

from __future__ import annotations

import hashlib
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from likewise import __version__
from likewise.dedup.files import budget as memory
from likewise.dedup.files.budget import DEFAULT_MEMORY, Budget
from likewise.dedup.files.cleanup import node_of, remove_unfinished
from likewise.dedup.files.inputs import check_unchanged, identity_of
from likewise.dedup.files.job import Job
from likewise.dedup.files.row_map import RowMap
from likewise.dedup.files.scan import STAGE as SCAN
from likewise.dedup.files.scan import Scanned
from likewise.dedup.files.workspace import Workspace
from likewise.dedup.report import Report
from likewise.documents.tables.source import RowSource, open_rows
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import SourceError, UsageError
from likewise.files import check_no_index
from likewise.run import silent
from likewise.storage.address import is_remote, path_of
from likewise.whole_numbers import check_whole

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.dedup.files.workspace import Facts
    from likewise.documents.sources import Shape
    from likewise.documents.tables.table import RowEdits, Verdicts
    from likewise.run import Progress

Source = str | os.PathLike[str]
WRITE = "write"
DEFAULT_EXAMPLES = 10
R = TypeVar("R", bound=Report)


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


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What applies whatever is removed.

    Attributes:
        reading: how the sources are read.
        annotate: keep all documents, and add columns with what was decided.
        memory: bytes that the process may have in memory.
        scratch: the folder for working files; next to the output, if not given.
        examples: how many clusters, removed documents or templates the report lists.
        overwrite: replace an existing output.
        resume: resume an unfinished run of the same inputs and settings.
        progress: called as each stage advances.
        opened: called with the source when it is open, for its notes.
    """

    reading: Reading = Reading()
    annotate: bool = False
    memory: int = DEFAULT_MEMORY
    scratch: Source | None = None
    examples: int = DEFAULT_EXAMPLES
    overwrite: bool = False
    resume: bool = True
    progress: Progress = silent
    opened: Callable[[RowSource], None] | None = None


def workspace_of(out: Source, scratch: Source | None = None) -> Path:
    """The folder for the working files of a run: next to the output, or elsewhere.

    Of an output in a store, they are in the current folder.
    """
    if is_remote(out):
        target = Path(path_of(os.fspath(out)).rstrip("/"))
        tag = hashlib.sha256(os.fspath(out).encode("utf-8", "replace")).hexdigest()[:12]
        return Path(scratch or ".") / f".{target.name}.{tag}.likewise"
    target = Path(os.path.abspath(out))
    if scratch is None:
        return target.parent / f".{target.name}.likewise"
    tag = hashlib.sha256(os.fsencode(target)).hexdigest()[:12]
    return Path(scratch) / f"{target.name}.{tag}.likewise"


class StagedRun(ABC, Generic[R]):
    """Sources written to `out` without what a subclass decides to remove.

    A run that fails leaves its working files, so that the next one can resume it; a `UsageError`
    leaves nothing.
    """

    job: Job
    target: Target

    def __init__(
        self,
        sources: Source | Sequence[Source],
        out: Source,
        settings: Any,
        options: RunOptions,
        report: R,
        *,
        added: Sequence[str],
        reading: str,
    ) -> None:
        """Opens the sources.

        Args:
            settings: what is decided; a job needs `keep` of it in any case.
            report: to be filled in.
            added: the columns that `annotate` adds.
            reading: what the first pass is called in `progress`.
        """
        self.out = os.fspath(out)
        self.settings = settings
        self.options = options
        self.report = report
        self.budget = Budget(options.memory)
        check_whole("examples", options.examples, 0)
        self.source = open_rows(
            sources, column=settings.keep.column, reserved=added if options.annotate else (),
            batch_bytes=self.budget.batch_bytes(), **vars(options.reading),
            progress=lambda done: options.progress(reading, done, self.source.total_bytes()),
        )  # fmt: skip
        self.source.reading.threads = self.budget.readers(settings.threads)
        if options.opened is not None:
            options.opened(self.source)
        check_no_index(self.out)
        self.inputs = identity_of(self.source)

    def run(self, annotations: pa.Schema | None = None, **identity: Any) -> R:
        """Runs all stages, or those that an earlier run has not finished.

        Args:
            annotations: the schema of what `annotate` adds; None without it.
            identity: what affects the result besides inputs and options; `settings` are added to
                those of the run.
        """
        options = self.options
        own = {name: value for name, value in vars(options.reading).items() if name != "cache"}
        own |= {"annotate": options.annotate, "examples": options.examples}
        identity["settings"] = self.settings.to_dict() | identity.get("settings", {}) | own
        workspace = Workspace(
            workspace_of(self.out, options.scratch),
            {"version": __version__, "inputs": self.inputs, **identity}, resume=options.resume,
        )  # fmt: skip
        try:
            self.report.resumed = workspace.resumed
            if workspace.resumed:
                remove_unfinished(self.out)
            self.check(workspace)
            self.target = Target(
                self.source, self.out, annotations=annotations, overwrite=options.overwrite,
                own=is_own(self.out, workspace),
                aside=workspace.folder if is_remote(self.out) else None,
            )  # fmt: skip
            self.job = Job(self.source, self.settings, workspace, self.budget, options.progress)
            self.stages()
            self.report.peak_memory = memory.peak()
        except BaseException as error:
            if isinstance(error, SourceError) or (
                isinstance(error, UsageError) and not workspace.resumed
            ):
                workspace.remove()
            else:
                workspace.close()
            raise
        workspace.remove()
        return self.report

    def check(self, workspace: Workspace) -> None:
        """Refuses what cannot be written, before any work."""

    @abstractmethod
    def stages(self) -> None:
        """Decides and writes, and fills in the report."""

    def stage(self, name: str, work: Callable[[], Facts]) -> Facts:
        """The result of a stage, which may have been finished by an earlier run."""
        with self.timed(name):
            facts = self.job.workspace.facts(name)
            if facts is None:
                facts = work()
                self.job.workspace.finish(name, facts)
        return facts

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.report.seconds[stage] = time.perf_counter() - start
        memory.release()

    def scan(self, work: Callable[[], Facts]) -> Facts:
        """The first stage: it reads everything, and counts the rows of each file."""
        scanned = self.stage(SCAN, work)
        Scanned(**scanned).restore(self.source)
        self.job.row_map = RowMap(scanned["counts"])
        return scanned

    def counts(self, scanned: Facts) -> Facts:
        """What was read."""
        files = self.source.files
        return {
            "documents": scanned["documents"],
            "files": sum(len(file.origins) for file in files if file.left_out is None),
            "files_left_out": sum(count is None for count in scanned["counts"]),
            "bytes": scanned["bytes"],
            "without_text": scanned["without_text"],
        }

    def write(self, verdicts: Callable[[], Verdicts], edits: RowEdits | None = None) -> None:
        """The last stage: rows as decided, or as an earlier run has written them."""
        job, total = self.job, self.source.total_bytes()
        with self.timed(WRITE):
            if is_written(self.out, job.workspace):
                return
            made: Facts = {}
            job.workspace.advance(WRITE, made)

            def check(aside: str) -> None:
                check_unchanged(self.source, self.inputs)
                made["made"] = node_of(aside)
                job.workspace.advance(WRITE, made)

            write_rows(
                self.source, self.target, verdicts(),
                threads=self.settings.threads, room=job.budget.room(0.5), edits=edits, check=check,
                progress=lambda done: job.progress("write", done, total),
            )  # fmt: skip
            job.workspace.finish(WRITE, made)


def is_own(out: Source, workspace: Workspace) -> bool:
    """Whether the output was put there by this run, before it was killed."""
    noted = workspace.facts(WRITE) or workspace.cursor(WRITE)
    if is_remote(out):
        return "made" in noted
    try:
        return "made" in noted and noted["made"] == node_of(out)
    except OSError:
        return False


def is_written(out: Source, workspace: Workspace) -> bool:
    """Whether the output of this run is there, complete."""
    return is_own(out, workspace) and (not is_remote(out) or workspace.facts(WRITE) is not None)
