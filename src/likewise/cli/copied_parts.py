"""A hint to the command that finds copied parts, after whole documents were compared."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Sequence

from likewise.documents.kinds import split_name
from likewise.storage.address import is_remote, shown

PARAGRAPH_BYTES = 1000
_MAX_SOURCE_CHARACTERS = 100


def copied_parts_hint(
    options: argparse.Namespace, *, found: int, documents: int, size: int
) -> list[str]:
    """One line; none if documents are no longer than a paragraph and something was found.

    Args:
        options: those of `pairs` or of `index query`.
        found: how many pairs or matches were found.
        documents, size: how many documents were read, and their bytes in total.
    """
    database = getattr(options, "database", None)
    command = "pairs" if database is None else "index query"
    needed = 2 if command == "pairs" else 1
    if documents < needed or (found and size <= PARAGRAPH_BYTES * documents):
        return []
    against = getattr(options, "against", None) or []
    words = ["likewise", "passages"]
    if database is not None:
        words = ["likewise", "index", "passages", shlex.quote(database)]
    words += _shortened(options.sources)
    if against:
        words += ["--against", *_shortened(against)]
    shape = options.shape
    if shape is None and command == "pairs" and _by_line([options.sources, against]):
        shape = "lines"
    if shape is not None:
        words.append(f"--{shape}")
    for name in ("text", "id"):
        if (column := getattr(options, name)) is not None:
            words += [f"--{name}", shlex.quote(column)]
    return [f"{command} compares whole documents; to find copied parts, run: {' '.join(words)}"]


def _by_line(sides: Sequence[Sequence[str]]) -> bool:
    """Whether `pairs` reads all sources line by line, and `passages` each file as a document."""
    from likewise.documents.sources import find_origins

    given = [side for side in sides if side]
    if any(len(side) > 1 or not _may_be_lines(side[0]) for side in given):
        return False
    return all(find_origins(side, "auto")[0][0].kind == "lines" for side in given)


def _may_be_lines(source: str) -> bool:
    if is_remote(source):  # which is not listed just to see this
        return split_name(source)[0] == ".txt"
    return os.path.isfile(source)


def _shortened(sources: Sequence[str]) -> list[str]:
    """Sources quoted for a shell; only the first, if there are very many."""
    quoted = [shlex.quote(shown(source)) for source in sources]
    length = 0
    for number, source in enumerate(quoted):
        length += len(source) + 1
        if number and length > _MAX_SOURCE_CHARACTERS:
            return [*quoted[:number], "…"]
    return quoted
