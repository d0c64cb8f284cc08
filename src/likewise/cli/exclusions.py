"""What the options exclude from a search for passages."""

from __future__ import annotations

import argparse

from likewise.cli.parser import arguments_for
from likewise.cli.two_texts import read_one
from likewise.errors import UsageError
from likewise.passages.settings import Exclusions


def exclusions_of(options: argparse.Namespace) -> Exclusions:
    """The exclusions; reads the files of phrases and templates."""
    same = getattr(options, "other", None)
    if same and options.metadata is None:
        raise UsageError(
            f"excluding documents with the same {same[0]} requires a metadata table",
            hint="--metadata TABLE",
        )
    phrases = read_one(options.phrases, options).splitlines() if options.phrases else []
    return Exclusions(
        **arguments_for(
            Exclusions,
            options,
            phrases=tuple(phrase for phrase in phrases if phrase.strip()),
            templates=tuple(read_one(name, options) for name in options.template or ()),
            same=tuple(dict.fromkeys(same or ())),
        )
    )
