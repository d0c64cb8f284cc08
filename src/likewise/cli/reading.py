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
    shape: Shape = "auto",
) -> Reader:
    """A reader of the sources, with the options of `add_reading`; `shape` where they say nothing.

    Commands for essays say "files", so that a single text is one document.
    """
    from likewise.documents import Reader

    reader = Reader(
        sources,
        text=options.text,
        id=options.id,
        shape="lines" if options.lines else "whole" if options.whole else shape,
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
    from likewise.documents.notice import note_lines
    from likewise.run import counted

    notes = [note for reader in readers for note in reader.notes]
    for line in note_lines(notes + ([] if metadata is None else metadata.notes)):
        tell(line, options.quiet)
    skipped = [item for reader in readers for item in reader.skipped]
    for item in skipped:
        tell(f"skipped {item}", options.quiet)
    if skipped:  # said even where little is to be said: nothing is lost silently
        what = "document" if any(item.place for item in skipped) else "file"
        tell(f"{counted(len(skipped), what)} skipped")
    return 1 if skipped and options.strict else 0


def tell_alone(reader: Reader, options: argparse.Namespace) -> None:
    """Say so where a collection is one document, which shares nothing with itself."""
    if reader.documents == 1:
        tell(
            "only 1 document: there is nothing to compare it with "
            "(give another file or a folder; --lines reads one document per line)",
            options.quiet,
        )
