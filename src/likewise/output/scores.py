"""Scores of documents as text and as rows: one per document and source."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple

from likewise.output.passages import Documents, titled
from likewise.output.rows import Columns, Rows
from likewise.output.table import aligned, percent
from likewise.passages.scores import DocumentScore, SourceScore
from likewise.run import counted

_COLUMNS: Columns = {
    "document": (str, "document.id"),
    "size": (int, "document.size"),
    "matched": (int, "document.matched"),
    "share": (float, "document.share"),
    "longest_run": (int, "document.longest_run"),
    "source": (str, "source.id"),
    "rank": (int, "source.rank"),
    "credited": (int, "source.credited"),
    "rank_all": (int, "source.rank_all"),
    "words": (int, "source.words"),
    "share_of_document": (float, "source.share"),
    "share_of_source": (float, "source.share_of_source"),
    "passages": (int, "source.passages"),
    "run": (int, "source.longest_run"),
    "chance_run": (int, "source.chance_run"),
}
_MAX_SHOWN_SOURCES = 20  # of a document in a table
_HEADER = ("source", "best match", "all sources", "of source", "passages", "longest run",
           "by chance")  # fmt: skip


def scores_text(
    scores: Collection[DocumentScore], documents: Documents, sources: Documents, shown: int | None
) -> Iterator[str]:
    """A block of lines per document."""
    if not scores:
        yield "no passages\n"
    for number, score in enumerate(islice(scores, shown)):
        if number:
            yield "\n"
        yield from _block(score, documents, sources)
    if shown is not None and len(scores) > shown:
        yield f"\n… and {counted(len(scores) - shown, 'more document')}\n"


def _block(score: DocumentScore, documents: Documents, sources: Documents) -> Iterator[str]:
    yield f"{titled(score.id, documents[score.id])}\n"
    yield (
        f"   {score.matched:,} of {counted(score.size, 'word')} in passages: "
        f"{percent(score.share)}, longest run {counted(score.longest_run, 'word')}\n"
    )
    rows = [_cells(source, score, sources) for source in score.sources[:_MAX_SHOWN_SOURCES]]
    for line in aligned(_HEADER, rows, _HEADER[1:]).splitlines():
        yield f"   {line}\n"
    if (left := len(score.sources) - _MAX_SHOWN_SOURCES) > 0:
        yield f"   … and {counted(left, 'more source')}\n"


def _cells(source: SourceScore, score: DocumentScore, sources: Documents) -> list[str]:
    return [
        titled(source.id, sources[source.id]),
        f"{source.credited:,} ({percent(source.credited / score.size)})",
        f"{source.words:,} ({percent(source.share)})",
        percent(source.share_of_source),
        f"{source.passages:,}",
        f"{source.longest_run:,}",
        "" if source.chance_run is None else f"{source.chance_run:,}",
    ]


class _SourceOfDocument(NamedTuple):
    document: DocumentScore
    source: SourceScore


def score_rows(scores: Collection[DocumentScore]) -> Rows:
    """One row per source of a document, each with the document's own values."""
    records = [_SourceOfDocument(score, source) for score in scores for source in score.sources]
    return Rows.of(records, _COLUMNS, "sources")
