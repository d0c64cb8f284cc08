"""Documents on their way into an index, batch by batch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from likewise.cli.progress import tell

if TYPE_CHECKING:
    from likewise.documents import Batch
    from likewise.index.adding import Added
    from likewise.index.index import Index


def add_batches(
    index: Index, batches: Iterable[Batch], *, threads: int | None, quiet: bool
) -> Added:
    """Adds each batch as one transaction. However this ends, what was added before stays."""
    from likewise.index.adding import Added

    added = Added()
    try:
        for batch in batches:
            added += index.add(
                batch.texts, batch.ids, page_starts=batch.page_starts, threads=threads
            )
    except BaseException:
        tell_kept(added, quiet)
        raise
    return added


def tell_kept(added: Added, quiet: bool) -> None:
    """What had been added before something went wrong."""
    if added.added or added.replaced:
        tell(f"{_words(added)} before it ended; they stay", quiet)


def tell_added(index: Index, name: str, added: Added, quiet: bool) -> None:
    """What became of the documents."""
    from likewise.search.stats import counted

    tell(f"{_words(added)}; {name} has {counted(len(index), 'document')}", quiet)


def _words(added: Added) -> str:
    return f"{added.added:,} added, {added.replaced:,} replaced, {added.unchanged:,} unchanged"
