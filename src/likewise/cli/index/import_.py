"""`likewise index import`: documents out of an export into an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from likewise.cli.index.adding import tell_added, tell_kept
from likewise.cli.index.database import add_database
from likewise.cli.options import Parser, add_quiet, add_threads
from likewise.cli.progress import tell
from likewise.errors import SourceError

if TYPE_CHECKING:
    from likewise.cli.index.exchange import Part

DESCRIPTION = """\
Adds exported documents and their metadata to an index, as `likewise index add` would. The index
must exist; it may have a different profile or threshold than the exported one. Rows without text
are skipped."""

EXAMPLE = """\
  likewise index create finer.db --threshold 0.3
  likewise index import finer.db essays.parquet"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("index import", DESCRIPTION, EXAMPLE)
    add_database(made)
    made.add_argument(
        "file", metavar="FILE", help="a Parquet file written by `likewise index export`"
    )
    add_threads(made)
    add_quiet(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads and adds; the exit status."""
    options = parser().parse(arguments)
    from likewise.cli.index.exchange import read_documents
    from likewise.index.adding import Added, DocumentBatch
    from likewise.index.index import Index

    added, with_text, without_text = Added(), 0, 0

    def counted(part: Part) -> DocumentBatch:
        nonlocal with_text, without_text
        with_text += len(part.ids)
        without_text += part.without_text
        return DocumentBatch(part.texts, part.ids, part.metadata, part.page_starts)

    with Index(options.database) as index:
        try:
            parts = read_documents(options.file)
            for more in index.add_batches(map(counted, parts), threads=options.threads):
                added += more
        except BaseException:
            tell_kept(added, options.quiet)
            raise
        if without_text and not with_text:
            raise SourceError(
                f"{options.file}: the export of an index without texts cannot be imported",
                hint="copy such an index with `likewise index copy`",
            )
        if without_text:
            tell(f"{without_text:,} rows without text skipped")
        tell_added(index, options.database, added, options.quiet)
    return 0
