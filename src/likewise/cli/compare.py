"""`likewise compare`: two texts by every measure."""

from __future__ import annotations

import os
from collections.abc import Sequence

from likewise.cli.options import Parser, add_level, add_output, add_profile, add_values
from likewise.cli.progress import tell
from likewise.errors import DocumentError, SourceError, UsageError

DESCRIPTION = """\
Compares two texts: words and shingles in common, Jaccard, Dice and containment, cosines, edit
distances, and what a sketch would estimate, with its interval.

A and B are files or - for stdin; with --literal they are the texts themselves."""

EXAMPLE = """\
  likewise compare essay-1.txt essay-2.txt
  likewise compare --literal "the cat sat on the mat" "the cat sat on the hat\""""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("compare", DESCRIPTION, EXAMPLE)
    made.add_argument("a", metavar="A", help="the first text")
    made.add_argument("b", metavar="B", help="the second text")
    made.add_argument("--literal", action="store_true", help="A and B are texts, not files")
    add_profile(made)
    add_values(made)
    add_level(made, "of the estimate's interval")
    made.add_argument("--encoding", metavar="NAME", help="of both files (default: detected)")
    add_output(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, compares and prints; the exit status."""
    options = parser().parse(arguments)
    from likewise.report.output import check_output, open_output

    check_output(options.output, binary=options.format == "parquet")
    texts: tuple[str, str] = (options.a, options.b)
    if not options.literal:
        if texts == ("-", "-"):
            raise UsageError("only one of the two can be stdin")
        texts = (
            _read(options.a, options.encoding, options.quiet),
            _read(options.b, options.encoding, options.quiet),
        )
    from likewise.evidence.comparison import compare
    from likewise.report.comparison import comparison_json, comparison_rows, comparison_text
    from likewise.report.rows import write_rows
    from likewise.report.table import printable

    comparison = compare(
        *texts, profile=options.profile, values=options.values, level=options.level
    )
    with open_output(options.output) as stream:
        if options.format == "table":
            names = [printable(_name(name, options.literal)) for name in (options.a, options.b)]
            stream.write(comparison_text(comparison, *names).encode("utf-8", "replace"))
        elif options.format == "jsonl":
            stream.write(
                comparison_json(comparison, options.a, options.b).encode("utf-8", "replace")
            )
        else:
            write_rows(comparison_rows(comparison), options.format, stream)
    return 0


def _read(name: str, encoding: str | None, quiet: bool) -> str:
    from likewise.documents.whole import read_text

    try:
        text, notes = read_text(name, encoding)
    except DocumentError as error:
        raise SourceError(str(error), hint=error.hint) from error
    for note in notes:
        tell(str(note), quiet)
    return text


def _name(given: str, literal: bool, most: int = 60) -> str:
    if not literal:
        return os.path.normpath(given) if given != "-" else "stdin"
    shown = " ".join(given.split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"
