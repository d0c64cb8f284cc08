"""Two texts from the command line: files, stdin, or the texts themselves."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager

from likewise.cli.options import add_no_cache
from likewise.cli.progress import tell
from likewise.errors import DocumentError, SourceError, UsageError


def add_two_texts(parser: argparse.ArgumentParser) -> None:
    """A, B, --literal, --encoding and --no-cache."""
    parser.add_argument("a", metavar="A", help="the first text")
    parser.add_argument("b", metavar="B", help="the second text")
    parser.add_argument("--literal", action="store_true", help="A and B are texts, not files")
    parser.add_argument(
        "--encoding", metavar="NAME", help="encoding of both files (default: detected)"
    )
    add_no_cache(parser)


def read_two(options: argparse.Namespace) -> tuple[str, str]:
    """The texts that A and B stand for."""
    if options.literal:
        return options.a, options.b
    check_two(options)
    return read_one(options.a, options), read_one(options.b, options)


def check_two(options: argparse.Namespace) -> None:
    """Raises if both are stdin, which can be read once only."""
    if options.a == options.b == "-" and not options.literal:
        raise UsageError("only one of the two can be stdin")


def read_one(name: str, options: argparse.Namespace) -> str:
    """The text of a file; what is odd about it is told on stderr."""
    from likewise.documents.single_file import read_text

    with as_source_error():
        text, notes = read_text(name, options.encoding, cache=not options.no_cache)
    for note in notes:
        tell(str(note), options.quiet)
    return text


@contextmanager
def as_source_error() -> Iterator[None]:
    """Where a file is named, a document that is bad is a source that is bad."""
    try:
        yield
    except DocumentError as error:
        raise SourceError(str(error), hint=error.hint) from error


def shown_name(given: str, literal: bool, most: int = 60) -> str:
    """What a text is called in a report: the file's name, or how the text begins."""
    if not literal:
        return os.path.normpath(given) if given != "-" else "stdin"
    shown = " ".join(given.split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"
