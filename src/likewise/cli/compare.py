"""`likewise compare`: two texts by every measure."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.cli.options import Parser, add_level, add_output, add_profile, add_values
from likewise.cli.texts import add_two_texts, read_two, shown_name

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
    add_two_texts(made)
    add_profile(made)
    add_values(made)
    add_level(made, "of the estimate's interval")
    add_output(made)
    return made


def run(arguments: Sequence[str]) -> int:
    """Reads, compares and prints; the exit status."""
    options = parser().parse(arguments)
    from likewise.report.output import check_output, open_output

    check_output(options.output, binary=options.format == "parquet")
    texts = read_two(options)
    from likewise.evidence.comparison import compare
    from likewise.report.comparison import comparison_json, comparison_rows, comparison_text
    from likewise.report.rows import write_rows
    from likewise.report.table import printable

    comparison = compare(
        *texts, profile=options.profile, values=options.values, level=options.level
    )
    with open_output(options.output) as stream:
        if options.format == "table":
            names = [
                printable(shown_name(name, options.literal)) for name in (options.a, options.b)
            ]
            stream.write(comparison_text(comparison, *names).encode("utf-8", "replace"))
        elif options.format == "jsonl":
            stream.write(
                comparison_json(comparison, options.a, options.b).encode("utf-8", "replace")
            )
        else:
            write_rows(comparison_rows(comparison), options.format, stream)
    return 0
