"""Shows two to five texts in parallel columns: passages that they share side by side, words that
agree in the same colour, and each text complete and in its own order. What another text has in
another place is shown beside it, with a link to that place. Also counts the words that all texts
have in common, those of each pair, and those of one text only, for each text by itself (`likewise
study witnesses` counts a word that several texts share once, and shows what chance gives).

A SOURCE is a file, in the order of the columns; or a folder or a table, as for `likewise
passages`, with two to five documents. Words agree where passages of two texts match them, as
`likewise passages` finds them. With -o, the synopsis is a single HTML page that needs no other
file and no network; without it, the counts are printed.

example:
  likewise synopsis matthew.txt mark.txt luke.txt -o synopsis.html
  likewise synopsis draft-1.docx draft-2.docx final.pdf -o drafts.html
  likewise synopsis matthew.txt mark.txt luke.txt --format csv
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from likewise.cli.exclusions import exclusions_of
from likewise.cli.inputs import Inputs
from likewise.cli.messages import notify
from likewise.cli.options import READING_PLACES, choice, path, sources, text
from likewise.cli.page_time import page_time
from likewise.cli.parser import Parser, arguments_for
from likewise.cli.progress import Progress
from likewise.errors import UsageError
from likewise.output.rows import FORMATS
from likewise.passages.settings import PassageSettings

if TYPE_CHECKING:
    from likewise.documents import Document
    from likewise.survey.synopsis.synopsis import Synopsis

OPTIONS = {
    "SOURCE": sources("the texts, two to five, in the order of the columns"),
    "--output": path("output", "FILE", "write the synopsis to FILE as an HTML page", short="-o"),
    "--title": text("TEXT", "title of the page", "the names of the texts"),
    "--format": choice(
        FORMATS,
        "print the counts in this format (default: table, if there is no --output)",
        None,
    ),
}


def add_options(parser: Parser) -> None:
    parser.add("SOURCE")
    parser.add("--min-words --spelling --threads", PassageSettings, "search")
    parser.add(
        "--no-quotations --no-bibliography --phrases --template --min-passage", group="exclusions"
    )
    parser.add(READING_PLACES, group="reading")
    parser.add("--metadata --metadata-column")
    parser.add("--output --title --format --quiet", group="output")


def run(options: argparse.Namespace) -> int:
    from likewise.survey.synopsis.synopsis import MAX_TEXTS, MIN_TEXTS, make_synopsis
    from likewise.threads import thread_count

    PassageSettings(**arguments_for(PassageSettings, options))  # raises before any reading
    thread_count(options.threads)
    exclude = exclusions_of(options)
    time = page_time()
    with Progress(options.quiet) as progress:
        inputs = Inputs(options, progress, shape="files")
        reader = inputs.open(options.sources)
        documents: list[Document] = []
        for batch in reader:
            documents += batch.documents()
            if len(documents) > MAX_TEXTS:
                break
        if not MIN_TEXTS <= len(documents) <= MAX_TEXTS:
            inputs.report()
            found = f"more than {MAX_TEXTS}" if len(documents) > MAX_TEXTS else len(documents)
            raise UsageError(
                f"a synopsis shows {MIN_TEXTS} to {MAX_TEXTS} texts; the sources have {found}",
                hint="name the files that are to be shown, in the order of the columns",
            )
        synopsis = make_synopsis(
            documents, **arguments_for(make_synopsis, options, exclude=exclude, progress=progress)
        )
        progress("write", 0, None)
        if options.output is not None:
            _write_page(synopsis, inputs, time, options)
    status = inputs.report()
    notify(options, *synopsis.notes())
    if options.output is not None:
        from likewise.files import output_size

        size = f"{output_size(options.output) / 1e6:.1f} MB"
        notify(options, f"{synopsis.summary()}; {options.output}, {size}")
    if options.output is None or options.format is not None:
        _print_counts(synopsis, options.format or "table")
    return status


def _write_page(synopsis: Synopsis, inputs: Inputs, time: str, options: argparse.Namespace) -> None:
    from likewise.documents.texts import scrub
    from likewise.files import open_output
    from likewise.pages.synopsis_page import write_synopsis
    from likewise.survey.settings import RunFacts

    skipped = [item for reader in inputs.readers for item in reader.skipped]
    facts = RunFacts(
        title=scrub(options.title or ""),
        command=scrub(options.command_line),
        made=time,
        notes=[*inputs.notes(), *(f"Not shown: {item}" for item in skipped)],
    )
    with open_output(options.output) as stream:
        write_synopsis(synopsis, facts, stream)


def _print_counts(synopsis: Synopsis, format_: str) -> None:
    from likewise.files import open_output
    from likewise.output.rows import write_rows
    from likewise.output.traditions import tradition_rows, traditions_text

    with open_output(None) as stream:
        if format_ == "table":
            for line in traditions_text(synopsis):
                stream.write(line.encode("utf-8", "replace"))
        else:
            write_rows(tradition_rows(synopsis), format_, stream)
