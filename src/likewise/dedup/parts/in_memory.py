"""`deduplicate` of paragraphs, lines and passages of texts in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.dedup.parts.cuts import Cuts
from likewise.dedup.parts.passages import PassageCounts, find_passage_cuts
from likewise.dedup.parts.repeated_parts import (
    CUT,
    PART,
    PartCounts,
    decide_parts,
    find_parts,
    sorted_cuts,
)
from likewise.dedup.parts.report import ungrouped_notes
from likewise.dedup.parts.result import DeduplicatedParts, Template
from likewise.dedup.parts.settings import PASSAGE
from likewise.dedup.parts.source import TextsInMemory, present
from likewise.dedup.parts.spill import Spill
from likewise.documents.texts import text_array_with_nulls
from likewise.errors import UsageError
from likewise.run import Stats, log_notes
from likewise.text.inputs import column_of, is_missing

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from likewise.arrays import U32
    from likewise.dedup.parts.settings import PartSettings
    from likewise.run import Progress
    from likewise.search.groups import Groups
    from likewise.text.inputs import GivenIds
    from likewise.types import Texts

DEFAULT_TEMPLATES = 10


def deduplicate_parts(
    texts: Any,
    ids: GivenIds[Any],
    settings: PartSettings,
    *,
    order: Callable[[U32], NDArray[np.int64]] | None,
    groups: Groups | None,
    progress: Progress,
) -> DeduplicatedParts[Any]:
    """Cuts repeated parts out of a column of texts.

    Args:
        texts: a column of large strings.
        order: puts documents in the order of keeping; None if it is that of the texts.
        groups: of the documents, where only parts of one group are compared.
    """
    stats = Stats(settings.to_dict())
    source = TextsInMemory(present(texts), order, progress)
    found: PartCounts | PassageCounts
    with stats.timed("find"):
        if settings.unit == PASSAGE:
            cuts, found = find_passage_cuts(
                source, len(texts), settings,
                lambda _, dtype, keys: Spill(None, dtype, keys), lambda: 1 << 34,
            )  # fmt: skip
        else:
            cuts, found = _repeated(source, len(texts), settings, groups)
    changed = np.unique(cuts.documents)
    kept = np.ones(len(texts), np.bool_)
    kept[changed[found.words[changed] == 0]] = False
    stats.counts |= {
        "documents": len(texts),
        **found.to_dict(),
        "changed": len(changed),
        "kept": int(np.count_nonzero(kept)),
        "removed": int(np.count_nonzero(~kept)),
    }
    templates = []
    if isinstance(found, PartCounts):
        templates = [
            Template(
                one.removed, ids[one.document], one.begin, one.end,
                texts[one.document].as_py()[one.begin : one.end].strip(),
            )
            for one in found.templates
        ]  # fmt: skip
    if groups is not None:
        stats.notes += ungrouped_notes(groups.missing)
        log_notes(stats.notes)
    return DeduplicatedParts(texts, ids, cuts, kept, templates, stats)


def column_with_nulls(texts: Texts) -> pa.LargeStringArray:
    """Texts as a column of large strings, null where there is none."""
    column = column_of(texts)
    values: list[Any] = column if isinstance(column, list) else column.to_pylist()
    strings = [None if is_missing(text) else text for text in values]
    for row, text in enumerate(strings):
        if not isinstance(text, str | None):
            raise UsageError(
                f"text {row} is not a str but {type(text).__name__}",
                hint="paragraphs, lines and passages are found in texts, not in tokens",
            )
    return text_array_with_nulls(strings)


def _repeated(
    source: TextsInMemory, documents: int, settings: PartSettings, groups: Groups | None
) -> tuple[Cuts, PartCounts]:
    spill = Spill(None, PART, lambda own: own["low"])
    counts = PartCounts(np.zeros(documents, np.uint32))
    hashes = None if groups is None else groups.hashes()
    for first, texts in source.batches("read"):
        own = None if hashes is None else hashes[first : first + len(texts)]
        parts, totals = find_parts(texts, first, settings, own)
        spill.append(parts)
        counts.words[first : first + len(totals)] = totals
        counts.parts += len(parts)
    cuts = Spill(None, CUT, lambda own: own["document"].astype(np.uint64))
    ranks = source.ranks(documents)
    decide_parts(
        spill, cuts, lambda own: own if ranks is None else ranks[own], settings, counts,
        DEFAULT_TEMPLATES,
    )  # fmt: skip
    return next(sorted_cuts(cuts), Cuts.none()), counts
