"""A report without names: its options, and the key, for `likewise report`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from likewise.cli.inputs import Inputs
from likewise.cli.messages import notify
from likewise.errors import UsageError

if TYPE_CHECKING:
    from likewise.survey.anonymous.survey import AnonymousSurvey
    from likewise.survey.survey import Survey

MAX_NAMED = 10


def check_names(options: argparse.Namespace) -> None:
    """Raises if options of an anonymous report are given without it, or a key would be lost."""
    from likewise.files import check_new

    if not options.anonymous:
        given = {
            "--key": options.key is not None,
            "--keep-dates": options.keep_dates,
            "--overwrite": options.overwrite,
        }
        if name := next((name for name, is_given in given.items() if is_given), None):
            raise UsageError(f"{name} requires --anonymous", hint="add --anonymous")
    elif options.key is None:
        if options.overwrite:
            raise UsageError("--overwrite requires --key", hint="--key FILE")
    elif not options.overwrite:
        check_new(options.key)


def anonymous_survey(
    survey: Survey, options: argparse.Namespace, inputs: Inputs
) -> AnonymousSurvey:
    """The survey without names, by the options of the command."""
    from likewise.survey.anonymous.survey import AnonymousSurvey

    table = inputs.metadata
    return AnonymousSurvey(
        survey,
        title=options.title or "",
        keep_dates=options.keep_dates,
        authors=() if table is None else table.authors,
        identifiers=() if table is None else table.identifiers,
    )


@contextmanager
def key_written(shown: Survey | AnonymousSurvey, options: argparse.Namespace) -> Iterator[None]:
    """Writes the key around the report: neither is there without the other."""
    from likewise.files import open_output
    from likewise.pages.key_file import write_key
    from likewise.survey.anonymous.survey import AnonymousSurvey

    if options.key is None or not isinstance(shown, AnonymousSurvey):
        yield
        return
    with open_output(options.key, private=True) as stream:
        write_key(shown.key(), stream)
        yield


def report_names(shown: Survey | AnonymousSurvey, options: argparse.Namespace) -> None:
    """Prints what was replaced, and which names may still be in the texts."""
    from likewise.survey.anonymous.survey import AnonymousSurvey

    if not isinstance(shown, AnonymousSurvey):
        return
    notify(options, shown.run.notes[0])
    if ordinary := shown.ordinary:
        more = f" and {len(ordinary) - MAX_NAMED:,} more" if len(ordinary) > MAX_NAMED else ""
        notify(
            options,
            "ordinary words of these texts, which were replaced only beside other names of the "
            f"person and where authors put their own name: {', '.join(ordinary[:MAX_NAMED])}{more}",
        )
    if options.key is None:
        notify(options, "no key was written; --key FILE writes what the numbers stand for")
    else:
        notify(options, f"{options.key} says what the numbers stand for; keep it apart")
