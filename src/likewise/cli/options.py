"""The options that several commands have, each described once.

A command lists the names of its options; its own `OPTIONS` come before these.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from likewise.cli.parser import Option, Role, number, size_in_bytes, whole_number
from likewise.documents.numbered import RULES
from likewise.output.rows import FORMATS
from likewise.passages.settings import DEFAULT_MIN_WORDS, SPELLINGS
from likewise.search.settings import DEFAULT_NULL_PAIRS
from likewise.statistics.bands import (
    DEFAULT_MAX_BUCKET,
    DEFAULT_RECALL,
    DEFAULT_THRESHOLD,
    DEFAULT_VALUES,
)
from likewise.text.profile import DEFAULT_PROFILE

READING = "--text --id --lines|--whole --encoding --no-cache --strict"
READING_PLACES = READING.replace("--encoding", "--encoding --places")
OUTPUT = "--format --output --quiet"
TWO_TEXTS = "A B --literal --encoding --no-cache"
EXCLUSIONS = (
    "--no-quotations --no-bibliography --phrases --template --min-passage --min-share "
    "--max-sources --other"
)


def flag(help_: str, **more: Any) -> Option:
    """An option without a value: False, unless it is given."""
    return Option(help_, more={"action": "store_true", **more})


def constant(dest: str, value: object, help_: str) -> Option:
    """An option without a value that sets `dest` to one."""
    return Option(help_, more={"action": "store_const", "dest": dest, "const": value})


def text(metavar: str, help_: str, otherwise: str = "", **more: Any) -> Option:
    return Option(help_, metavar, otherwise=otherwise, more=more)


def path(role: Role, metavar: str, help_: str, otherwise: str = "", **more: Any) -> Option:
    """A file or folder; see `Role`."""
    return Option(help_, metavar, otherwise=otherwise, more=more, path=role)


def whole(
    metavar: str | tuple[str, ...],
    help_: str,
    default: Any = None,
    otherwise: str = "",
    **more: Any,
) -> Option:
    return Option(help_, metavar, whole_number, default, otherwise, more)


def real(metavar: str, help_: str, default: Any = None, otherwise: str = "", **more: Any) -> Option:
    return Option(help_, metavar, number, default, otherwise, more)


def size(help_: str, default: int | None = None) -> Option:
    return Option(help_, "SIZE", size_in_bytes, default)


def choice(choices: tuple[str, ...], help_: str, default: str | None = None, **more: Any) -> Option:
    return Option(help_, default=default, more={"choices": choices, **more})


def sources(help_: str, nargs: str = "+") -> Option:
    return path("source", "SOURCE", help_, dest="sources", nargs=nargs)


def shared(name: str, **changes: Any) -> Option:
    """An option of this table with other words or another default."""
    return replace(OPTIONS[name], **changes)


OPTIONS: dict[str, Option] = {
    # Arguments
    "SOURCE": sources("the collection"),
    "DB": path("input", "DB", "the index file", dest="database"),
    "A": path("input", "A", "the first text", dest="a"),
    "B": path("input", "B", "the second text", dest="b"),
    "--literal": flag("A and B are texts, not files"),
    # Search for pairs
    "--profile": Option(
        "how text becomes shingles: word:3, char:5, tweets, gospels, papers, or with changes as in "
        "word:3,case=keep",
        "PROFILE",
        default=DEFAULT_PROFILE,
    ),
    "--threshold": real("T", "minimum similarity", DEFAULT_THRESHOLD, f"{DEFAULT_THRESHOLD:g}"),
    "--recall": real("R", "share of pairs at the threshold that must be found", DEFAULT_RECALL),
    "--values": whole("K", "number of values per signature", DEFAULT_VALUES),
    "--bands": whole("B", "number of bands", otherwise="chosen automatically"),
    "--rows": whole("R", "number of rows per band", otherwise="chosen automatically"),
    "--max-bucket": whole(
        "N",
        "do not compare all documents of a bucket larger than N with each other",
        DEFAULT_MAX_BUCKET,
    ),
    "--within": text(
        "COLUMN",
        "compare only documents with the same value in this column of a table, or in this field "
        "of --metadata",
        dest="within_column",
    ),
    "--across": text(
        "COLUMN", "compare only documents with different values in COLUMN", dest="across_column"
    ),
    "--engine": choice(
        ("local", "spark"),
        "local: run on this machine; spark: run on a Spark cluster, for tables with an id column",
        "local",
    ),
    "--master": text(
        "URL",
        "address of the Spark cluster: spark://HOST:7077, yarn, local[4]",
        "Spark's own configuration, or this machine",
    ),
    "--threads": whole("N", "number of threads", otherwise="all cores"),
    # Search for passages
    "--min-words": whole("N", "report every run of at least N identical words", DEFAULT_MIN_WORDS),
    "--spelling": choice(
        SPELLINGS,
        "count only identical words as shared, or similar ones too: for scanned text and old "
        "spelling",
        "exact",
    ),
    "--runs-only": Option(
        "compare only documents that share a run of --min-words words: faster, but misses copies "
        "without one",
        more={"action": "store_false", "dest": "edited"},
    ),
    "--language": text(
        "CODE",
        "use a word frequency list for this language, such as en, instead of estimating "
        "frequencies from word lengths; requires likewise[frequencies]",
    ),
    "--no-quotations": flag("exclude text in quotation marks", dest="quotations"),
    "--no-bibliography": flag("exclude the bibliography at the end", dest="bibliography"),
    "--phrases": path("input", "FILE", "exclude the phrases of FILE, one per line"),
    "--template": path(
        "input",
        "FILE",
        "exclude text from FILE, such as the assignment that everyone was given; repeatable",
        action="append",
    ),
    "--min-passage": whole("N", "exclude passages of fewer than N shared words"),
    "--min-share": real(
        "S", "exclude pairs that share less than this of both documents, for example 0.05"
    ),
    "--max-sources": whole("N", "exclude passages that a document shares with more than N others"),
    "--other": choice(
        ("author", "group"),
        "exclude pairs with the same author or group, by --metadata; repeatable",
        action="append",
    ),
    "--common-text": choice(
        ("keep", "exclude"),
        "exclude text that many of the documents have, such as an assignment, a masthead or a "
        "template (default: keep it and report it)",
    ),
    # Chance and estimates
    "--level": real("L", "confidence level of the intervals", 0.95),
    "--seed": whole("N", "random seed; the same seed gives the same result", 0),
    "--trials": whole("N", "number of shuffles", otherwise="19 to 999 times, as the length allows"),
    "--null-pairs": whole("N", "number of pairs of the collection to examine", DEFAULT_NULL_PAIRS),
    "--repeats": whole("N", "number of estimates", 50),
    "--draws": whole(
        "N", "number of shingles that sampling estimators draw from each text", 10_000
    ),
    "--urn": whole("N", "size of the urn", otherwise="the size of both texts together"),
    # Reading
    "--text": text("COLUMN", "column that contains the text"),
    "--id": text("COLUMN", "column that contains the id"),
    "--lines": constant("shape", "lines", "read one document per line"),
    "--whole": constant("shape", "whole", "read one document per file"),
    "--encoding": text("NAME", "encoding of all files", "detected"),
    "--places": choice(
        RULES,
        "what is numbered in plain text: verses (Mt 3,7 or 3:7), lines of verse, or sections; "
        "places are cited by these numbers, which are not compared",
    ),
    "--no-cache": Option(
        "extract the text of PDF and other documents again, and do not cache it",
        more={"action": "store_false", "dest": "cache"},
    ),
    "--strict": flag("exit status 1 if a document was skipped"),
    "--metadata": path(
        "input",
        "TABLE",
        "a .csv, .tsv, .xlsx, .jsonl or .parquet file with the title, author, date and group of "
        "each document; columns are found by their content and headers",
    ),
    "--metadata-column": text(
        "FIELD=COLUMN",
        "take FIELD (file, title, author, date or group) from this column of --metadata; "
        "repeatable",
        action="append",
    ),
    "--add": flag("add the documents after all have been checked"),
    # Output
    "--top": whole(
        "N",
        "print only the N pairs with the most shared words; with --scores, the N documents with "
        "the highest share; with --families, the N families of the most documents",
    ),
    "--scores": flag(
        "print how much of each document is shared and with which others, instead of passages"
    ),
    "--families": flag(
        "print wording that several documents share, all of them together, instead of passages of "
        "two"
    ),
    "--shared-by": text(
        "ID", "with --families: only those that all of these documents share", nargs="+"
    ),
    "--not-by": text("ID", "with --families: only those that none of these has", nargs="+"),
    "--context": whole("N", "in a table: words of context on each side of a passage", 8),
    "--differences": flag("in a table and in jsonl: show replaced, removed and added words"),
    "--format": choice(FORMATS, "output format", "table"),
    "--output": path("output", "FILE", "write to FILE instead of stdout", short="-o"),
    "--plot": path("output", "FILE", "write a plot to FILE (.svg, .png or .pdf)"),
    "--quiet": flag("print no progress and no notes"),
    "--stats": flag("print settings, counts and times to stderr"),
}
