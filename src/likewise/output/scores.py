"""Scores of documents for people, and as rows for programs: one for each document and source."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import astuple
from itertools import islice
from typing import TYPE_CHECKING

from likewise.output.passages import titled
from likewise.output.rows import Rows, Value
from likewise.output.table import aligned
from likewise.run import counted

if TYPE_CHECKING:
    from likewise.output.passages import Documents
    from likewise.passages.scores import DocumentScore, SourceScore

COLUMNS = {
    "document": str,
    "size": int,
    "matched": int,
    "share": float,
    "longest_run": int,
    "source": str,
    "rank": int,
    "credited": int,
    "rank_all": int,
    "words": int,
    "share_of_document": float,
    "share_of_source": float,
    "passages": int,
    "run": int,
    "chance_run": int,
}
_SHOWN_SOURCES = 20  # of a document in a table
_HEADER = ("source", "best match", "all sources", "of source", "passages", "longest run",
           "by chance")  # fmt: skip


def scores_text(
    scores: Collection[DocumentScore], documents: Documents, sources: Documents, shown: int | None
) -> Iterator[str]:
    """A block for each document, in lines that end: how much is shared, and with which."""
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
        f"   {score.matched:,} of {counted(score.size, 'word')} in passages: {score.share:.0%}, "
        f"longest run {counted(score.longest_run, 'word')}\n"
    )
    rows = [_cells(source, score, sources) for source in score.sources[:_SHOWN_SOURCES]]
    for line in aligned(_HEADER, rows, _HEADER[1:]).splitlines():
        yield f"   {line}\n"
    if (left := len(score.sources) - _SHOWN_SOURCES) > 0:
        yield f"   … and {counted(left, 'more source')}\n"


def _cells(source: SourceScore, score: DocumentScore, sources: Documents) -> list[str]:
    return [
        titled(source.id, sources[source.id]),
        f"{source.credited:,} ({source.credited / score.size:.0%})",
        f"{source.words:,} ({source.share:.0%})",
        f"{source.share_of_source:.0%}",
        f"{source.passages:,}",
        f"{source.longest_run:,}",
        "" if source.chance_run is None else f"{source.chance_run:,}",
    ]


def score_rows(scores: Collection[DocumentScore]) -> Rows:
    """One source of a document a row, with the document's own values in each."""
    return Rows(
        list(COLUMNS),
        (_row(score, source) for score in scores for source in score.sources),
        sum(len(score.sources) for score in scores),
        many="sources",
        kinds=tuple(COLUMNS.values()),
    )


def _row(score: DocumentScore, source: SourceScore) -> tuple[Value, ...]:
    own = (score.id, score.size, score.matched, score.share, score.longest_run)
    return (*own, *astuple(source))
