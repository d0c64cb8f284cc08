"""`likewise compare`: two texts by every measure."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from likewise.cli.options import (
    Parser,
    add_level,
    add_min_words,
    add_output,
    add_profile,
    add_seed,
    add_trials,
    add_values,
    size_in_bytes,
)
from likewise.cli.progress import Progress, tell
from likewise.cli.texts import (
    add_two_texts,
    as_source_error,
    check_two,
    shown_name,
)
from likewise.errors import UsageError
from likewise.statistics.null_models import DEFAULT_NULL, SHUFFLES

if TYPE_CHECKING:
    from likewise.comparison.comparison import Comparison
    from likewise.documents.notice import Note
    from likewise.output.comparison import Sides
    from likewise.survey.viewed_document import ViewedDocument

DESCRIPTION = """\
Compares two texts by every measure: words and shingles in common, Jaccard, Dice and containment,
cosines, edit distances, a sketch's estimate with its interval, and the chance level. Also shows the
passages that both texts share, as `likewise passages` finds them.

A and B are files or - for stdin; with --literal they are the texts themselves. Files that would
need more than --memory are compared through scratch files on disk: exactly, but without edit
distances, estimate, chance level and passages."""

EXAMPLE = """\
  likewise compare essay-1.txt essay-2.txt
  likewise compare --literal "the cat sat on the mat" "the cat sat on the hat\""""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("compare", DESCRIPTION, EXAMPLE)
    add_two_texts(made)
    add_profile(made)
    add_values(made)
    add_level(made, "confidence level of the estimate's interval")
    chance = made.add_argument_group("chance level")
    chance.add_argument(
        "--null",
        choices=SHUFFLES,
        default=DEFAULT_NULL,
        help="chance level from the same words, or letters, in random order (default: words)",
    )
    add_trials(chance, "number of shuffles; 0 for no chance level")
    add_seed(chance)
    add_min_words(made)
    made.add_argument(
        "--memory",
        type=size_in_bytes,
        default=1 << 30,
        metavar="SIZE",
        help="compare through scratch files if more memory would be needed (default: 1GiB)",
    )
    add_output(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, compares and prints; the exit status."""
    options = parser().parse(arguments)
    from likewise.files import check_output, open_output, output_width

    check_output(options.output, binary=options.format == "parquet")
    from likewise.output.comparison import comparison_json, comparison_rows, comparison_text
    from likewise.output.rows import write_rows
    from likewise.output.table import printable

    comparison, sides = _compare(options)
    with open_output(options.output) as stream:
        if options.format == "table":
            names = [
                printable(shown_name(name, options.literal)) for name in (options.a, options.b)
            ]
            text = comparison_text(
                comparison, names[0], names[1], sides, output_width(options.output)
            )
            stream.write(text.encode("utf-8", "replace"))
        elif options.format == "jsonl":
            text = comparison_json(comparison, options.a, options.b, sides)
            stream.write(text.encode("utf-8", "replace"))
        else:
            write_rows(comparison_rows(comparison), options.format, stream)
    return 0


# What each byte of text takes while two texts are compared in memory: characters, words, hashes.
_BYTES_A_BYTE = 100
_PACKED = 5  # how many times longer a text may be than its compressed file


def _compare(options: argparse.Namespace) -> tuple[Comparison, Sides | None]:
    """In memory, with the texts; or by file, where that would take more than is allowed."""
    _check(options)
    if not options.literal:
        check_two(options)
        if sum(map(_text_size, (options.a, options.b))) * _BYTES_A_BYTE > options.memory:
            return _compare_by_file(options), None
    from likewise.comparison.comparison import compare
    from likewise.text.displayed import LookAlikes, displayed_strings
    from likewise.text.profile import Profile

    sides = _read(options.a, options), _read(options.b, options)
    lookalikes = LookAlikes()
    displayed_strings([side.text for side in sides], Profile.of(options.profile), found=lookalikes)
    for note in lookalikes.notes():
        tell(note, options.quiet)
    comparison = compare(
        sides[0].text,
        sides[1].text,
        profile=options.profile,
        values=options.values,
        level=options.level,
        null=options.null,
        trials=options.trials,
        seed=options.seed,
        min_words=options.min_words,
    )
    return comparison, sides


def _read(name: str, options: argparse.Namespace) -> ViewedDocument:
    """A text with its pages; what is odd about it is told on stderr."""
    from likewise.survey.viewed_document import ViewedDocument

    if options.literal:
        return ViewedDocument(name, name)
    from likewise.documents.single_file import read_document

    with as_source_error():
        extracted, notes = read_document(name, options.encoding, cache=not options.no_cache)
    for note in notes:
        tell(str(note), options.quiet)
    return ViewedDocument(name, extracted.text, extracted.page_starts)


def _compare_by_file(options: argparse.Namespace) -> Comparison:
    from likewise.comparison.files import compare_files

    notes: list[Note] = []
    with Progress(options.quiet) as progress, as_source_error(), ExitStack() as stack:
        comparison = compare_files(
            stack.enter_context(_on_disk(options.a)),
            stack.enter_context(_on_disk(options.b)),
            profile=options.profile,
            memory=options.memory,
            encoding=options.encoding,
            cache=not options.no_cache,
            progress=progress,
            notes=notes,
        )
    tell("compared through scratch files: the texts need more than --memory", options.quiet)
    for note in notes:
        tell(str(note), options.quiet)
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
    """A file as it is; stdin or a pipe, which can be read once only, as a file for a while."""
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
    """Bytes of a file's text, about; 0 for what can be read only once, and is held in memory."""
    if name == "-" or not os.path.isfile(name):
        return 0
    packed = name.lower().endswith((".gz", ".zst"))
    return os.path.getsize(name) * (_PACKED if packed else 1)
