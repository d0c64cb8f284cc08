"""Adding documents to an index, batch by batch."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from likewise.cli.messages import notify

if TYPE_CHECKING:
    from likewise.documents import Batch
    from likewise.index.adding import Added, DocumentBatch
    from likewise.index.index import Index


def add_batches(index: Index, batches: Iterable[Batch], options: argparse.Namespace) -> Added:
    """Adds the batches of a reader."""
    from likewise.index.adding import DocumentBatch

    documents = (
        DocumentBatch(b.texts, b.ids, b.metadata, b.page_starts, b.references) for b in batches
    )
    return add_documents(index, documents, options)


def add_documents(
    index: Index, batches: Iterable[DocumentBatch], options: argparse.Namespace
) -> Added:
    """Adds each batch in a transaction. If this fails, the batches added before remain."""
    from likewise.index.adding import Added

    added = Added()
    try:
        for more in index.add_batches(batches, threads=options.threads):
            added += more
    except BaseException:
        if added.added or added.replaced:
            kept = f"{_counts(added)} before the run stopped; these remain in the index"
            notify(options, kept)
        raise
    return added


def report_added(index: Index, added: Added, options: argparse.Namespace) -> None:
    """Prints how many documents were added."""
    from likewise.run import counted
    from likewise.text.displayed import LookAlikes

    notify(options, *LookAlikes(added.lookalike_words, added.lookalike_documents).notes())
    documents = counted(len(index), "document")
    notify(options, f"{_counts(added)}; {options.database} has {documents}")


def _counts(added: Added) -> str:
    return f"{added.added:,} added, {added.replaced:,} replaced, {added.unchanged:,} unchanged"
