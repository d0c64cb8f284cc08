"""Compares two texts by every measure: words and shingles in common, Jaccard, Dice and
containment, cosines, edit distances, a sketch's estimate with its interval, and the chance level.
Also shows the passages that both texts share, as `likewise passages` finds them.

A and B are files or - for stdin; with --literal they are the texts themselves. Files that would
need more than --memory are compared through scratch files on disk: exactly, but without edit
distances, estimate, chance level and passages.

example:
  likewise compare essay-1.txt essay-2.txt
  likewise compare --literal "the cat sat on the mat" "the cat sat on the hat"
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from likewise.cli.messages import notify
from likewise.cli.options import OUTPUT, TWO_TEXTS, choice, shared, size
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.cli.two_texts import as_source_error, check_two, shown_names
from likewise.errors import UsageError
from likewise.statistics.null_models import SHUFFLES

if TYPE_CHECKING:
    from likewise.comparison.comparison import Comparison
    from likewise.documents import Document, Note
    from likewise.output.comparison import Sides

OPTIONS = {
    "--encoding": shared("--encoding", help="encoding of both files"),
    "--level": shared("--level", help="confidence level of the estimate's interval"),
    "--null": choice(
        SHUFFLES, "chance level from the same words, or letters, in random order", "words"
    ),
    "--trials": shared("--trials", help="number of shuffles; 0 for no chance level"),
    "--memory": size("compare through scratch files if more memory would be needed", 1 << 30),
}

# Memory for each byte of text while two texts are compared: characters, words, hashes.
_MEMORY_PER_BYTE = 100
_MAX_COMPRESSION = 5  # how many times longer a text may be than its compressed file


def add_options(parser: Parser) -> None:
    parser.add(f"{TWO_TEXTS} --places --profile --values --level")
    parser.add("--null --trials --seed", group="chance level")
    parser.add("--min-words --spelling --memory")
    parser.add(OUTPUT, group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.files import open_output, output_width
    from likewise.output.comparison import comparison_json, comparison_rows, comparison_text
    from likewise.output.rows import write_rows
    from likewise.output.table import printable

    _check(options)
    comparison, sides = _compare(options)
    with open_output(options.output) as stream:
        if options.format == "table":
            a, b = map(printable, shown_names(options))
            text = comparison_text(comparison, a, b, sides, output_width(options.output))
            stream.write(text.encode("utf-8", "replace"))
        elif options.format == "jsonl":
            text = comparison_json(comparison, options.a, options.b, sides)
            stream.write(text.encode("utf-8", "replace"))
        else:
            write_rows(
                comparison_rows(comparison),
                options.format,
                stream,
                to_file=options.output is not None,
            )
    return 0


def _compare(options: argparse.Namespace) -> tuple[Comparison, Sides | None]:
    """In memory, with the texts; or through files, if that would take more than --memory."""
    check_two(options)
    sizes = [0 if options.literal else _text_size(name) for name in (options.a, options.b)]
    if sum(sizes) * _MEMORY_PER_BYTE > options.memory:
        if options.places is not None:
            raise UsageError(
                "--places is not available for texts that need more than --memory",
                hint="give more memory, or compare parts of the texts",
            )
        return _compare_files(options), None
    from likewise.comparison.comparison import compare
    from likewise.text.displayed import LookAlikes, displayed_strings
    from likewise.text.profile import Profile

    sides = _read(options.a, options), _read(options.b, options)
    texts = [side.text for side in sides]
    lookalikes = LookAlikes()
    displayed_strings(texts, Profile.of(options.profile), found=lookalikes)
    notify(options, *lookalikes.notes())
    return compare(*texts, **arguments_for(compare, options)), sides


def _read(name: str, options: argparse.Namespace) -> Document:
    """A text with its pages; prints notes on it."""
    from likewise.documents.document import Document
    from likewise.documents.single_file import read_document

    if options.literal:
        return Document(name, id=name)
    with as_source_error():
        document, notes = read_document(
            name, options.encoding, cache=options.cache, places=options.places
        )
    notify(options, *notes)
    return replace(document, id=name)


def _compare_files(options: argparse.Namespace) -> Comparison:
    from likewise.comparison.files import compare_files

    notes: list[Note] = []
    with Progress(options.quiet) as progress, as_source_error(), ExitStack() as stack:
        comparison = compare_files(
            stack.enter_context(_on_disk(options.a)),
            stack.enter_context(_on_disk(options.b)),
            **arguments_for(compare_files, options, progress=progress, notes=notes),
        )
    notify(options, "compared through scratch files: the texts need more than --memory", *notes)
    return comparison


def _check(options: argparse.Namespace) -> None:
    """Raises for invalid options, whichever way the texts are compared."""
    from likewise.comparison.files import MIN_MEMORY_BYTES
    from likewise.passages.fingerprints import Winnowing
    from likewise.statistics.bands import check_values
    from likewise.statistics.estimate import check_level
    from likewise.statistics.shuffles import check_shuffle
    from likewise.text.profile import Profile

    Profile.of(options.profile)
    check_values(options.values)
    check_level(options.level)
    check_shuffle(options.null, options.trials, options.seed)
    Winnowing(options.min_words)
    if options.memory < MIN_MEMORY_BYTES:
        raise UsageError(f"--memory is {options.memory:,} bytes; it must be at least 16MiB")


@contextmanager
def _on_disk(name: str) -> Iterator[str]:
    """A file as it is; stdin or a pipe, which can be read only once, as a temporary file."""
    if name != "-" and os.path.isfile(name):
        yield name
        return
    import shutil
    import sys
    import tempfile

    suffix = os.path.splitext(name)[1] if name != "-" else ""
    with tempfile.NamedTemporaryFile(prefix="likewise-", suffix=suffix) as copy:
        if name == "-":
            shutil.copyfileobj(sys.stdin.buffer, copy)
        else:
            with open(name, "rb") as source:
                shutil.copyfileobj(source, copy)
        copy.flush()
        yield copy.name


def _text_size(name: str) -> int:
    """About the bytes of a file's text; 0 for stdin and pipes, which are read into memory."""
    if name == "-" or not os.path.isfile(name):
        return 0
    compressed = name.lower().endswith((".gz", ".zst"))
    return os.path.getsize(name) * (_MAX_COMPRESSION if compressed else 1)
