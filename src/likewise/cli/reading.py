"""Collections from the command line: opened, read with progress, and told about."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.cli.progress import Progress, tell

if TYPE_CHECKING:
    from likewise.documents import Reader
    from likewise.documents.metadata import MetadataTable
    from likewise.documents.sources import Shape


def open_reader(
    sources: Sequence[str],
    options: argparse.Namespace,
    progress: Progress,
    stage: str = "read",
    metadata: MetadataTable | None = None,
) -> Reader:
    """A reader of the sources, with the options of `add_reading`."""
    from likewise.documents import Reader

    shape: Shape = "lines" if options.lines else "whole" if options.whole else "auto"
    reader = Reader(
        sources,
        text=options.text,
        id=options.id,
        shape=shape,
        encoding=options.encoding,
        cache=not options.no_cache,
        metadata=metadata,
        progress=lambda done: progress(stage, done, reader.total_bytes()),
    )
    return reader


def open_metadata(options: argparse.Namespace) -> MetadataTable | None:
    """The table of `add_metadata`, if one is named."""
    if options.metadata is None:
        return None
    from likewise.documents.metadata import MetadataTable

    return MetadataTable.read(options.metadata, options.encoding)


def tell_reading(
    readers: Sequence[Reader], options: argparse.Namespace, metadata: MetadataTable | None = None
) -> int:
    """Notes and skipped documents, on stderr; the exit status that they call for."""
    notes = [note for reader in readers for note in reader.notes]
    for note in notes + ([] if metadata is None else metadata.notes):
        tell(str(note), options.quiet)
    skipped = [item for reader in readers for item in reader.skipped]
    for item in skipped:
        tell(f"skipped {item}", options.quiet)
    if skipped:  # said even where little is to be said: nothing is lost silently
        tell(f"{len(skipped):,} skipped in all")
    return 1 if skipped and options.strict else 0
