"""`run`: files deduplicated, stage by stage, within a budget of memory and able to go on."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise import __version__
from likewise.dedup import findings
from likewise.dedup.against import (
    LEVEL,
    Matches,
    Stored,
    StoredSignatures,
    hold_against,
    open_stored,
)
from likewise.dedup.decision import VerifiedPairs, decide
from likewise.dedup.files import budget as memory_budget
from likewise.dedup.files import candidates, copies, gather, scan, verdicts, verification
from likewise.dedup.files.budget import DEFAULT_MEMORY, Budget
from likewise.dedup.files.cleanup import node_of, sweep
from likewise.dedup.files.inputs import check_apart, check_no_source, check_unchanged, identity_of
from likewise.dedup.files.row_map import Places
from likewise.dedup.files.workspace import Workspace
from likewise.dedup.order import order_documents
from likewise.dedup.report import Report, excerpt
from likewise.dedup.signatures import save_signatures as write_signatures
from likewise.documents.tables.source import RowSource, open_rows
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import SourceError, UsageError
from likewise.files import open_output
from likewise.run import counted, silent
from likewise.text.displayed import LookAlikes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from likewise.dedup.decision import Decision
    from likewise.dedup.files.workspace import Facts
    from likewise.dedup.settings import DedupSettings
    from likewise.documents.sources import Shape
    from likewise.run import Progress

    U32 = NDArray[np.uint32]

Source = str | os.PathLike[str]
DECIDE, WRITE = "decide", "write"
DEFAULT_EXAMPLES = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read; as for `documents.tables.source.open_rows`."""

    text: str | None = None
    id: str | None = None
    shape: Shape = "auto"
    encoding: str | None = None
    cache: bool = True
    skip_bad: bool = False


def workspace_of(out: Source, scratch: Source | None = None) -> Path:
    """The folder where a run keeps what it has done so far: beside the output, or elsewhere."""
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
        annotate: keep all documents, and say of each what was decided.
        memory: bytes that the process may have in memory.
        scratch: the folder for working files; beside the output, if not given.
        against: an index, or signatures of an earlier run: documents that are similar to one there
            are removed first.
        save_signatures: a file for the signatures of this run.
        examples: how many clusters and removed documents the report tells of.
        overwrite: replace what is there.
        resume: go on with an unfinished run of the same inputs and settings.
        progress: told how far each stage has come.
        opened: given the source when it is open, for its notes.

    A run that fails leaves its working files, so that the next one can go on; a mistake in what was
    asked for leaves nothing.
    """
    budget = Budget(memory)
    reading = reading or Reading()
    stored = None if against is None else open_stored(os.fspath(against), settings)
    columns = verdicts.COLUMNS + (() if stored is None else verdicts.STORED_COLUMNS)

    def told(done: int) -> None:
        progress("read and sketch", done, source.total_bytes())

    source = open_rows(
        sources, text=reading.text, id=reading.id, column=settings.keep.column,
        shape=reading.shape, encoding=reading.encoding, cache=reading.cache,
        skip_bad=reading.skip_bad, reserved=columns if annotate else (),
        batch_bytes=budget.batch_bytes(), progress=told,
    )  # fmt: skip
    if opened is not None:
        opened(source)
    if save_signatures is not None:
        check_apart("signatures", os.fspath(save_signatures), [os.fspath(out)])
        check_no_source("signatures", os.fspath(save_signatures), source)
    inputs = identity_of(source)
    identity = {
        "version": __version__,
        "settings": settings.to_dict()
        | {"save_signatures": save_signatures is not None}
        | {"annotate": annotate, "text": reading.text, "id": reading.id, "shape": reading.shape}
        | {"encoding": reading.encoding, "skip_bad": reading.skip_bad, "examples": examples},
        "inputs": inputs,
        "against": None if stored is None else stored.identity(),
    }
    workspace = Workspace(workspace_of(out, scratch), identity, resume=resume)
    try:
        if workspace.resumed:
            sweep(out)
        own = _is_own(out, workspace)
        schema = verdicts.annotation_schema(stored is not None) if annotate else None
        target = Target(source, out, overwrite=overwrite or own, annotations=schema)
        task = _Run(
            source, target, settings, workspace, budget, progress, annotate, examples, inputs
        )
        report = task(stored, save_signatures)
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


def _is_own(out: Source, workspace: Workspace) -> bool:
    """Whether what stands there is what this run has put there, before it was killed."""
    noted = workspace.facts(WRITE) or workspace.cursor(WRITE)
    try:
        return "made" in noted and noted["made"] == node_of(out)
    except OSError:
        return False


class _Run:
    """The stages of one run, in their order."""

    def __init__(
        self,
        source: RowSource,
        target: Target,
        settings: DedupSettings,
        workspace: Workspace,
        budget: Budget,
        progress: Progress,
        annotate: bool,
        examples: int,
        inputs: Facts,
    ) -> None:
        self.source = source
        self.inputs = inputs
        self.target = target
        self.settings = settings
        self.workspace = workspace
        self.budget = budget
        self.progress = progress
        self.annotate = annotate
        self.examples = examples
        self.report = Report(settings.to_dict(), resumed=workspace.resumed)
        self.places = Places([])
        self.kind: str | None = None  # of the column that decides
        self.matches: Matches | None = None  # with what was there before

    def __call__(self, stored: Stored | None, save_signatures: Source | None) -> Report:
        earlier = stored.file if isinstance(stored, StoredSignatures) else None
        with self._timed("scan"):
            scanned = scan.scan(
                self.source, self.settings, self.workspace,
                keep_sketches=earlier is not None or save_signatures is not None,
            )  # fmt: skip
        self.places = Places(scanned["counts"])
        self.kind = scanned["kind"]
        with self._timed("copies"):
            copied = copies.find_copies(self.workspace, self.budget)
        self.workspace.drop(scan.DIGESTS)
        if stored is not None:
            with self._timed("against"):
                self.matches = hold_against(
                    stored, self.source, self.places, self.workspace, self.budget, self.progress
                )
        left_out = np.zeros(0, np.uint32) if self.matches is None else self.matches.unique
        with self._timed("candidates"):
            compared = candidates.find_candidates(
                self.settings, self.workspace, self.budget, self.progress, left_out
            )
        self.workspace.drop(*(scan.band_file(band) for band in range(self.settings.layout.bands)))
        with self._timed("texts"):
            if self.workspace.facts(gather.STAGE) is None:
                wanted = candidates.involved(self.workspace, copied["unique"])
                gather.gather(
                    self.source, self.places, wanted, self.settings, self.workspace, self.progress
                )
        found = self._verify_and_decide(copied["unique"])
        with self._timed("write"):
            self._write()
        if save_signatures is not None:
            with self._timed("signatures"), open_output(os.fspath(save_signatures)) as stream:
                write_signatures(stream, self.workspace, self.settings, self._ids_of, earlier)
        verified = self.workspace.facts(verification.STAGE) or {}
        self.report.counts = {
            "documents": scanned["documents"],
            "files": sum(len(file.origins) for file in self.source.files if file.left_out is None),
            "files_left_out": sum(count is None for count in scanned["counts"]),
            "bytes": scanned["bytes"],
            "without_text": scanned["without_text"],
            "lookalike_words": scanned["lookalike_words"],
            "lookalike_documents": scanned["lookalike_documents"],
            "without_shingles": copied["empty"] - scanned["without_text"],
            "unique": copied["unique"],
            **compared,
            "verified": verified["verified"],
            "below_threshold": verified["compared"] - verified["verified"],
            **found["counts"],
        }
        with self._timed("report"):
            self._tell(found)
        self.report.peak_memory = memory_budget.peak()
        return self.report

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.report.seconds[stage] = time.perf_counter() - start
        memory_budget.give_back()

    def _verify_and_decide(self, unique: int) -> Facts:
        found = self.workspace.facts(DECIDE)
        if found is not None:
            return found
        gathered = gather.GatheredTexts(self.workspace, self.budget)
        try:
            with self._timed("verify"):
                verification.verify(
                    self.settings, self.workspace, gathered, self.budget, self.progress
                )
            with self._timed("decide"):
                return self._decide(unique, gathered)
        finally:
            gathered.close()

    def _decide(self, unique: int, gathered: gather.GatheredTexts) -> Facts:
        self.progress("decide", 0, None)
        pairs = VerifiedPairs(
            self.workspace.load(verification.PAIRS, np.uint64),
            self.workspace.load(verification.SCORES, np.float64),
        )
        numbers = self.workspace.load(copies.NUMBERS, np.uint32)
        decision = decide(
            self._without_matches(numbers), unique, pairs, threshold=self.settings.threshold,
            chains=self.settings.chains, order_of=self._order,
            similarity_of=lambda some: verification.similarities(
                some, self.settings, gathered, self.budget.room(verification.SHARE)
            ),
        )  # fmt: skip
        self._remove_matches(decision, numbers, unique)
        verdicts.save(decision, self.workspace)
        found = findings.findings_of(decision, numbers, self.workspace, self.examples)
        self.workspace.finish(DECIDE, found)
        return found

    def _without_matches(self, numbers: U32) -> U32:
        """The numbers, NONE for documents that are similar to a stored one."""
        if not self.matches:
            return numbers
        others = numbers.copy()
        others[np.isin(numbers, self.matches.unique)] = copies.NONE
        return others

    def _remove_matches(self, decision: Decision, numbers: U32, unique: int) -> None:
        """Notes what documents are removed for: numbers behind the last are those of matches."""
        if not self.matches:
            return
        row = np.full(unique + 1, copies.NONE)
        row[self.matches.unique] = np.arange(len(self.matches), dtype=np.uint32)
        own = row[np.minimum(numbers, np.uint32(unique))]
        gone = np.flatnonzero(own != copies.NONE)
        decision.kept[gone] = False
        decision.similar_to[gone] = own[gone] + np.uint32(len(numbers))
        decision.similarity[gone] = self.matches.similarity[own[gone]]

    def _order(self, documents: U32) -> NDArray[np.int64]:
        """Documents from the best to the worst."""
        keep = self.settings.keep
        lengths = values = None
        ids: Any = None
        if keep.by == "longest":
            lengths = self.workspace.load(scan.LENGTHS, np.uint32)[documents]
        if keep.column is not None and self.kind is not None:
            values = scan.VALUES.take(self.workspace, self.kind, documents)
        if self.source.has_ids:
            ids = scan.IDS.take(self.workspace, "large_string", documents)
        return order_documents(keep, lengths=lengths, values=values, ids=ids, count=len(documents))

    def _ids_of(self, documents: U32) -> Any:
        """What documents, which ascend, are called; behind the last one, what matches are."""
        import pyarrow as pa

        cut = int(np.searchsorted(documents, len(self.places)))
        documents, stored = documents[:cut], documents[cut:] - np.uint32(len(self.places))
        if self.source.has_ids:
            names = scan.IDS.take(self.workspace, "large_string", documents).to_pylist()
        else:
            names = [None] * len(documents)
        shown = (
            self.source.display(*self.places.of(document)) if name is None else name
            for name, document in zip(names, documents.tolist(), strict=True)
        )
        others = [] if self.matches is None else [self.matches.id[i] for i in stored.tolist()]
        return pa.array([*shown, *others], pa.large_string())

    def _write(self) -> None:
        if _is_own(self.target.out, self.workspace):
            return
        judged = verdicts.SavedVerdicts(
            self.workspace, self.places, self._ids_of if self.annotate else None, self.matches
        )
        total = self.source.total_bytes()
        made: Facts = {}
        self.workspace.advance(WRITE, made)

        def whole(aside: str) -> None:
            check_unchanged(self.source, self.inputs)
            made["made"] = node_of(aside)
            self.workspace.advance(WRITE, made)

        write_rows(
            self.source, self.target, judged, group_bytes=min(128 << 20, self.budget.memory // 16),
            progress=lambda done: self.progress("write", done, total),
            check=whole,
        )  # fmt: skip
        self.workspace.finish(WRITE, made)

    def _tell(self, found: Facts) -> None:
        """Clusters, examples and notes."""
        self.report.cluster_sizes = found["cluster_sizes"]
        self.report.largest = found["largest"]
        self.report.most_chained = found["most_chained"]
        self.report.examples = self._examples(found["examples"])
        self.report.against = self._examples(found["against"])
        counts = self.report.counts
        lookalikes = LookAlikes(counts["lookalike_words"], counts["lookalike_documents"])
        self.report.notes += lookalikes.notes()
        if counts["large_buckets"]:
            self.report.notes.append(
                f"in {counted(counts['large_buckets'], 'bucket')} of more than "
                f"{self.settings.max_bucket:,} documents up to "
                f"{counted(counts['set_aside'], 'pair')} were not compared (max_bucket)"
            )
        estimates = (
            0 if self.matches is None else int(np.count_nonzero(~np.isnan(self.matches.low)))
        )
        if estimates:
            self.report.notes.append(
                f"{counted(estimates, 'text')} similar to stored ones by estimate, from signatures "
                "alone: not verified"
            )
        if counts["without_text"]:
            self.report.notes.append(f"documents without text, kept: {counts['without_text']:,}")
        if counts["without_shingles"]:
            self.report.notes.append(
                f"documents empty or too short to compare, kept: {counts['without_shingles']:,}"
            )

    def _examples(self, found: list[Facts]) -> list[Facts]:
        """Examples with ids and the beginnings of their texts."""
        documents = np.unique(
            np.array([n for one in found for n in (one["removed"], one["kept"])], np.uint32)
        )
        ids = dict(zip(documents.tolist(), self._ids_of(documents).to_pylist(), strict=True))
        begun: dict[int, str | None] = {}
        own = documents[documents < len(self.places)]
        for file, rows in self.places.by_file(own):
            start = int(self.places.starts[file])
            for some in self.source.gather(file, rows):
                for row, text in zip(some.rows, some.texts, strict=True):
                    begun[start + row] = excerpt(text.as_py())
        return [
            {
                "removed": ids[one["removed"]],
                "kept": ids[one["kept"]],
                "similarity": one["similarity"],
                "removed_text": begun[one["removed"]],
                **self._other_side(one["kept"], begun),
            }
            for one in found
        ]

    def _other_side(self, kept: int, begun: dict[int, str | None]) -> Facts:
        """The text of a kept document; or the interval of an estimate."""
        if kept < len(self.places):
            return {"kept_text": begun[kept]}
        assert self.matches is not None
        row = kept - len(self.places)
        if np.isnan(self.matches.low[row]):
            return {"estimate": False}
        low, high = float(self.matches.low[row]), float(self.matches.high[row])
        return {"estimate": True, "low": low, "high": high, "level": LEVEL}
