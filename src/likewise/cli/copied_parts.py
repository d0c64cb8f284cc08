"""What to run for copied parts, said where whole documents were compared."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Sequence

PARAGRAPH_BYTES = 1000
_LONGEST_SOURCES = 100  # characters


def copied_parts_hint(
    options: argparse.Namespace, *, found: int, documents: int, size: int
) -> list[str]:
    """One line; none where documents are no longer than a paragraph and something was found.

    Args:
        options: of `pairs` or of `index query`.
        found: how much was found.
        documents, size: how many were read, and how many bytes they have together.
    """
    database = getattr(options, "database", None)
    command = "pairs" if database is None else "index query"
    least = 2 if command == "pairs" else 1
    if documents < least or (found and size <= PARAGRAPH_BYTES * documents):
        return []
    against = getattr(options, "against", None) or []
    words = ["likewise", "passages"]
    if database is not None:
        words = ["likewise", "index", "passages", shlex.quote(database)]
    words += _shortened(options.sources)
    if against:
        words += ["--against", *_shortened(against)]
    lines = options.lines or (command == "pairs" and _by_line(options, against))
    words += [f"--{name}" for name, on in (("whole", options.whole), ("lines", lines)) if on]
    for name in ("text", "id"):
        if (column := getattr(options, name)) is not None:
            words += [f"--{name}", shlex.quote(column)]
    return [f"{command} compares whole documents; to find copied parts, run: {' '.join(words)}"]


def _by_line(options: argparse.Namespace, against: Sequence[str]) -> bool:
    """Whether `pairs` reads all sources line by line, where `passages` takes each file whole."""
    from likewise.documents.sources import find_origins

    sides = [side for side in (options.sources, against) if side]
    if options.whole or any(len(side) > 1 or not os.path.isfile(side[0]) for side in sides):
        return False
    return all(find_origins(side, "auto")[0][0].kind == "lines" for side in sides)


def _shortened(sources: Sequence[str]) -> list[str]:
    """Sources as a shell takes them; of very many the first."""
    quoted = [shlex.quote(source) for source in sources]
    length = 0
    for number, source in enumerate(quoted):
        length += len(source) + 1
        if number and length > _LONGEST_SOURCES:
            return [*quoted[:number], "…"]
    return quoted
