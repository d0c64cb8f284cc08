"""The format of a result: what `--format` says, or else the name of the output."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from likewise.errors import UsageError

FORMATS_BY_NAME = {
    ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet",
    ".graphml": "graphml", ".tei": "tei", ".xml": "tei",
}  # fmt: skip
# What people expect something in that no result is written in.
_OTHERS = frozenset(
    (
        ".arrow", ".arrows", ".avro", ".bz2", ".db", ".docx", ".feather", ".gz", ".htm", ".html",
        ".ipc", ".json", ".ods", ".orc", ".pdf", ".sqlite", ".tab", ".tsv", ".xls", ".xlsx", ".xz",
        ".zip", ".zst",
    )
)  # fmt: skip


def settle_format(
    parser: argparse.ArgumentParser, arguments: Sequence[str], options: argparse.Namespace
) -> None:
    """Take the format from the name of the output where `--format` is not given.

    Raises `UsageError` if the name promises another format than is written.
    """
    output, format_ = getattr(options, "output", None), getattr(options, "format", None)
    if not output or parser.get_default("format") != "table":
        return
    ending = os.path.splitext(output)[1].lower()
    named = FORMATS_BY_NAME.get(ending)
    choices = next(one.choices for one in parser._actions if one.dest == "format") or ()
    if named is None and ending not in _OTHERS:
        return  # it promises nothing
    if _is_given(arguments):
        if named != format_ and not (ending == ".json" and format_ == "jsonl"):
            raise UsageError(
                f"{output}: its name does not fit --format {format_}",
                hint=f"choose a name that ends in {_ending(format_)}, or another --format",
            )
    elif named in choices:
        options.format = named
    else:
        endings = ", ".join(_ending(one) for one in choices if one != "table")
        raise UsageError(
            f"{output}: results are not written in this format",
            hint=f"choose a name that ends in {endings}, or in .txt for a table",
        )


def _is_given(arguments: Sequence[str]) -> bool:
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return any(one == "--format" or one.startswith("--format=") for one in arguments[:end])


def _ending(format_: str | None) -> str:
    return next((ending for ending, one in FORMATS_BY_NAME.items() if one == format_), ".txt")
