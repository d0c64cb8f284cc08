"""Names that Moodle and Canvas give to submissions that a teacher downloads.

Moodle: `Name_NUMBER_assignsubmission_file_/essay.docx`, with a folder per participant or without
one, and `…_onlinetext_` for text typed into a form. NUMBER is that of the participant in the
assignment, and the name is as the site shows it; a blind assignment has a word such as
"Participant" in its place.

Canvas: `surnamefirst_USER_SUBMISSION_essay.docx`, with `_LATE` behind the name where it was late.
Canvas removes spaces and punctuation from the name, so it cannot be split again.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_MOODLE = re.compile(r"(?:^|/)([^_/]+)_(\d+)_assignsubmission_(?:file|onlinetext)_")
# Numbers as Canvas gives them: at least three digits, the first of them not zero.
_CANVAS = re.compile(
    r"(?:^|/)([^\W\d_][^\W\d_\u2019'-]*(?:[\u2019'-][^\W\d_]+)*)(?:_late)?_([1-9]\d{2,})_([1-9]\d{2,})_[^/]+$",
    re.IGNORECASE,
)
_BLIND = frozenset(("participant", "teilnehmer", "teilnehmerin", "participante", "partecipante"))


class Submission(NamedTuple):
    """Whose submission a file is: the author as the name gives it, and a number of the system."""

    author: str
    number: str


def submission_of(path: str) -> Submission | None:
    """What the name of a downloaded submission says; None for any other path.

    >>> submission_of("Weiß Jürgen_4711_assignsubmission_file_/essay.docx")
    Submission(author='Weiß Jürgen', number='4711')
    >>> submission_of("weissjurgen_LATE_4711_90210_essay.docx")
    Submission(author='weissjurgen', number='4711')
    >>> submission_of("essay_2024.docx") is None
    True
    """
    if "_" not in path:
        return None
    if found := _MOODLE.search(path):
        author, number = found[1].strip(), found[2]
        blind = author.casefold() in _BLIND
        return Submission(f"{author} {number}" if blind else author, number) if author else None
    if found := _CANVAS.search(path):
        return Submission(found[1], found[2])
    return None
