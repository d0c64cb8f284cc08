"""`write_synopsis`: a synopsis as one HTML file that needs no other file and no network."""

from __future__ import annotations

from typing import BinaryIO

from likewise.documents.texts import scrub
from likewise.pages.embedded import data_element, embedded_json
from likewise.pages.page import end, head
from likewise.survey.settings import RunFacts
from likewise.survey.synopsis.synopsis import Synopsis

ENTRY = "synopsis.js"


def write_synopsis(synopsis: Synopsis, run: RunFacts, stream: BinaryIO) -> None:
    """Write the page; `run` has its title, the command and the time."""
    from likewise import __version__

    data = {
        "version": __version__,
        "title": run.title,
        "command": run.command,
        "made": run.made,
        **synopsis.to_dict(),
    }
    data["notes"] = [*run.notes, *data["notes"]]
    stream.write(head(scrub(run.title) or "Synopsis", ENTRY))
    stream.write(data_element("synopsis", embedded_json(data)))
    stream.write(end(ENTRY))
