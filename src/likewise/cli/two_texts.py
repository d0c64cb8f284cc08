"""The two texts that a command compares: files, stdin, or the texts themselves."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager

from likewise.cli.messages import notify
from likewise.errors import DocumentError, SourceError, UsageError

MAX_NAME_CHARACTERS = 60


def read_two(options: argparse.Namespace) -> tuple[str, str]:
    """The texts that A and B name."""
    if options.literal:
        return options.a, options.b
    check_two(options)
    return read_one(options.a, options), read_one(options.b, options)


def check_two(options: argparse.Namespace) -> None:
    """Raises if both are stdin, which can be read only once."""
    if options.a == options.b == "-" and not options.literal:
        raise UsageError("only one of the two can be stdin")


def read_one(name: str, options: argparse.Namespace) -> str:
    """The text of a file; prints notes on it."""
    from likewise.documents.single_file import read_text

    with as_source_error():
        text, notes = read_text(name, options.encoding, cache=options.cache)
    notify(options, *notes)
    return text


@contextmanager
def as_source_error() -> Iterator[None]:
    """A document that was named and cannot be read is an error of the source."""
    try:
        yield
    except DocumentError as error:
        raise SourceError(str(error), hint=error.hint) from error


def shown_names(options: argparse.Namespace) -> tuple[str, str]:
    """What reports call the texts: the file's name, or the beginning of the text."""
    return _shown_name(options.a, options.literal), _shown_name(options.b, options.literal)


def _shown_name(given: str, literal: bool) -> str:
    if not literal:
        return os.path.normpath(given) if given != "-" else "stdin"
    shown = " ".join(given.split())
    most = MAX_NAME_CHARACTERS
    return shown if len(shown) <= most else shown[: most - 1] + "…"
