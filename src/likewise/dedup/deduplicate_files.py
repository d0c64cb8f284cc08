"""`deduplicate_files`: files of any size, as `likewise dedup` does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from likewise.dedup.files.budget import DEFAULT_MEMORY
from likewise.dedup.files.run import run
from likewise.dedup.files.staged_run import DEFAULT_EXAMPLES, Reading, RunOptions, Source
from likewise.dedup.parts.files import run_parts
from likewise.dedup.parts.settings import DOCUMENT, part_settings
from likewise.dedup.report import Report
from likewise.dedup.settings import DedupOptions, DedupSettings, group_rule
from likewise.documents.notice import note_lines
from likewise.run import Progress, log_notes, silent

if TYPE_CHECKING:
    from likewise.dedup.parts.settings import CutAt
    from likewise.documents.sources import Shape
    from likewise.documents.tables.source import RowSource


def deduplicate_files(
    sources: Source | Sequence[Source],
    out: Source,
    *,
    against: Source | None = None,
    save_signatures: Source | None = None,
    annotate: bool = False,
    text: str | None = None,
    id: str | None = None,  # the name of the option
    shape: Shape = "auto",
    encoding: str | None = None,
    cache: bool = True,
    skip_bad: bool = False,
    memory: int = DEFAULT_MEMORY,
    scratch: Source | None = None,
    examples: int = DEFAULT_EXAMPLES,
    overwrite: bool = False,
    resume: bool = True,
    threads: int | None = None,
    progress: Progress = silent,
    unit: str = DOCUMENT,
    min_words: int | None = None,
    min_count: int | None = None,
    cut_at: CutAt | None = None,
    within: str | None = None,
    across: str | None = None,
    **options: Unpack[DedupOptions],
) -> Report:
    """Writes files without the documents that are similar to a kept one, or without paragraphs,
    lines or passages that occur elsewhere.

    Args:
        sources: files, folders and patterns.
        out: the file or the folder to write, in the format of the sources.
        against: an index, or signatures of an earlier run: documents that are similar to one there
            are removed first.
        save_signatures: a file for the signatures of this run, for `against` and `Signatures.load`.
        annotate: keep all documents, and add columns with the decision.
        text, id: the columns of tables that have the text and the id.
        shape: "auto", "lines" (a document per line) or "whole" (a document per file).
        encoding: of all files; detected, if not given.
        cache: whether to use the user's cache of text extracted from documents.
        skip_bad: skip files that cannot be read.
        memory: bytes that the process may have in memory.
        scratch: the folder for working files; next to the output, if not given.
        examples: how many clusters and removed documents the report lists.
        overwrite: replace an existing output, and existing signatures.
        resume: resume an unfinished run of the same inputs and settings.
        threads: how many to use; all processors, if not given.
        progress: called with the name of a stage, how much of it is done, and how much there is.
        unit, min_words, min_count, cut_at: what is removed, as in `deduplicate`. But for documents,
            the report is a `PartReport`, and `against` and `save_signatures` do not apply.
        within: a column of tables, such as the site: only documents with the same value are
            compared, so that equal texts of different sites stay.
        across: a column of tables: only documents with different values are compared, as in
            `deduplicate`. Neither applies with `against` and `save_signatures`.
        options: profile, measure, threshold, recall, values, max_bucket, keep and chains, as in
            `deduplicate`.

    Returns a report with counts, clusters and examples. Skipped files and rows are logged as
    warnings by the logger "likewise". A run that fails leaves its working files, and the same call
    resumes it.
    """
    stored: dict[str, Any] = {"against": against, "save_signatures": save_signatures}
    rule = group_rule(within, across, stored)
    group = across if within is None else within
    opened: list[RowSource] = []
    own = RunOptions(
        reading=Reading(text, id, shape, encoding, cache, skip_bad, group), annotate=annotate,
        memory=memory, scratch=scratch, examples=examples, overwrite=overwrite, resume=resume,
        progress=progress, opened=opened.append,
    )  # fmt: skip
    part_options = {"min_words": min_words, "min_count": min_count, "cut_at": cut_at}
    parts = part_settings(
        unit, part_options,
        {**options, **stored, "within": within, "across": across}, threads,
    )  # fmt: skip
    report: Report
    if parts is not None:
        report = run_parts(sources, out, parts, own)
    else:
        report = run(
            sources, out, DedupSettings.checked(**options, threads=threads, groups=rule), own,
            **stored,
        )  # fmt: skip
    source = opened[0]
    skipped = [f"skipped {item}" for item in [*source.skipped, *source.bad]]
    log_notes([*note_lines(source.notes), *skipped, *report.notes])
    return report
