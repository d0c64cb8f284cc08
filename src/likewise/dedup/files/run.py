"""`run`: files without the documents that are similar to a kept one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from likewise.arrays import U32, U64
from likewise.dedup import against
from likewise.dedup.against import Stored, StoredSignatures, open_stored
from likewise.dedup.decision import decide
from likewise.dedup.files import (
    candidates,
    containment,
    copies,
    gather,
    scan,
    verdicts,
    verification,
)
from likewise.dedup.files.findings import describe_examples, findings_of, notes_on
from likewise.dedup.files.inputs import check_apart, check_no_source
from likewise.dedup.files.staged_run import RunOptions, Source, StagedRun
from likewise.dedup.report import Report
from likewise.dedup.rules import NONE
from likewise.dedup.signatures import save_signatures as write_signatures
from likewise.files import check_new, check_no_index, open_output

if TYPE_CHECKING:
    from likewise.dedup.decision import Decision
    from likewise.dedup.files.workspace import Facts, Workspace
    from likewise.dedup.settings import DedupSettings

DECIDE, SIGNATURES = "decide", "signatures"


def run(
    sources: Source | Sequence[Source],
    out: Source,
    settings: DedupSettings,
    options: RunOptions | None = None,
    *,
    against: Source | None = None,
    save_signatures: Source | None = None,
) -> Report:
    """Writes the sources to `out` without the documents that are similar to a kept one.

    Args:
        sources: files, folders and patterns.
        out: the file or the folder to write, in the format of the sources.
        settings: what is decided.
        options: of the run; `overwrite` applies to the signatures as well.
        against: an index, or signatures of an earlier run: documents that are similar to one there
            are removed first.
        save_signatures: a file for the signatures of this run.
    """
    options = options or RunOptions()
    given = None if against is None else os.fspath(against)
    with open_stored(given, settings) as stored:
        run = DocumentRun(sources, out, settings, options, stored, save_signatures)
        check_apart("output", run.out, [] if given is None else [given])
        if save_signatures is not None:
            # If they replaced those of `against`, every document would be a copy of itself next
            # time.
            others = [run.out] if given is None else [run.out, given]
            check_apart("signatures", os.fspath(save_signatures), others)
            check_no_source("signatures", os.fspath(save_signatures), run.source)
            check_no_index(os.fspath(save_signatures))
        return run.run(
            verdicts.annotation_schema(stored is not None) if options.annotate else None,
            settings={"save_signatures": save_signatures is not None},
            against=None if stored is None else stored.identity(),
        )


class DocumentRun(StagedRun[Report]):
    """The stages of one run, in their order."""

    settings: DedupSettings

    def __init__(
        self,
        sources: Source | Sequence[Source],
        out: Source,
        settings: DedupSettings,
        options: RunOptions,
        stored: Stored | None,
        signatures: Source | None,
    ) -> None:
        self.stored = stored
        self.signatures = None if signatures is None else os.fspath(signatures)
        added = verdicts.COLUMNS + (() if stored is None else verdicts.STORED_COLUMNS)
        super().__init__(
            sources, out, settings, options, Report(settings.to_dict()), added=added,
            reading="read and sketch",
        )  # fmt: skip

    def check(self, workspace: Workspace) -> None:
        if self.signatures is not None and not (
            self.options.overwrite or workspace.cursor(SIGNATURES)
        ):
            check_new(self.signatures)

    def stages(self) -> None:
        job, stored, signatures = self.job, self.stored, self.signatures
        earlier = stored.file if isinstance(stored, StoredSignatures) else None
        keep_sketches = earlier is not None or signatures is not None
        scanned = self.scan(lambda: scan.scan(job, keep_sketches=keep_sketches))
        copied = self.stage(copies.STAGE, lambda: copies.find_copies(job))
        job.workspace.drop(scan.DIGESTS)
        by_containment = job.settings.measure == "containment"
        if by_containment:
            every = np.arange(copied["unique"], dtype=np.uint32)
            self.stage(gather.STAGE, lambda: gather.gather(job, every))
        if stored is not None:
            self.stage(against.STAGE, lambda: against.find_matches(job, stored))
            job.matches = against.Matches.load(job.workspace)
        if not by_containment:
            compared = self.stage(candidates.STAGE, lambda: candidates.find_candidates(job))
            job.workspace.drop(*map(scan.band_file, range(job.settings.bands)))
            self.stage(gather.STAGE, lambda: gather.gather(job, candidates.involved(job.workspace)))
        with closing(gather.GatheredTexts(job.workspace, job.budget)) as texts:
            if by_containment:
                compared = self.stage(
                    containment.STAGE, lambda: containment.find_candidates(job, texts)
                )
            verified = self.stage(verification.STAGE, lambda: verification.verify(job, texts))
            findings = self.stage(DECIDE, lambda: self._decide(texts))
        self.write(lambda: verdicts.SavedVerdicts(job, annotate=self.options.annotate))
        if signatures is not None:
            # Noted before the file is there: if the run is killed, the next one may replace it.
            job.workspace.advance(SIGNATURES, {"started": True})
            with self.timed(SIGNATURES), open_output(signatures) as stream:
                write_signatures(stream, job, earlier)
        with self.timed("report"):
            self.report.counts = self.counts(scanned) | self._search_counts(
                scanned, copied, compared, verified
            )
            self._describe(findings)

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
        return findings_of(decision, numbers, job.workspace, self.options.examples)

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

    def _search_counts(
        self, scanned: Facts, copied: Facts, compared: Facts, verified: Facts
    ) -> Facts:
        return {
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
