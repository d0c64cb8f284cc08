"""Documents on their way into an index, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from likewise.cli.progress import tell

if TYPE_CHECKING:
    from likewise.documents import Batch
    from likewise.index.adding import Added, DocumentBatch
    from likewise.index.index import Index


def add_batches(
    index: Index, batches: Iterable[Batch], *, threads: int | None, quiet: bool
) -> Added:
    """Adds each batch as one transaction. However this ends, what was added before stays."""
    from likewise.index.adding import Added

    added = Added()
    try:
        for more in index.add_batches(map(_for_index, batches), threads=threads):
            added += more
    except BaseException:
        tell_kept(added, quiet)
        raise
    return added


def _for_index(batch: Batch) -> DocumentBatch:
    from likewise.index.adding import DocumentBatch

    about = None
    if batch.metadata is not None:
        about = [None if found is None else found.known() for found in batch.metadata]
    return DocumentBatch(batch.texts, batch.ids, about, batch.page_starts)


def tell_kept(added: Added, quiet: bool) -> None:
    """What had been added before something went wrong."""
    if added.added or added.replaced:
        tell(f"{_words(added)} before the run stopped; these remain in the index", quiet)


def tell_added(index: Index, name: str, added: Added, quiet: bool) -> None:
    """What became of the documents."""
    from likewise.run import counted
    from likewise.text.displayed import LookAlikes

    for note in LookAlikes(added.lookalike_words, added.lookalike_documents).notes():
        tell(note, quiet)
    tell(f"{_words(added)}; {name} has {counted(len(index), 'document')}", quiet)


def _words(added: Added) -> str:
    return f"{added.added:,} added, {added.replaced:,} replaced, {added.unchanged:,} unchanged"
