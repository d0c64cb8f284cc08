"""`KeyRow`: what a number of an anonymous report stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A document, or a file that could not be read.

    Attributes:
        number: what the report calls it.
        file: what it is called.
        known: its title, author, date and group, as far as they are known.
        group: what the report calls its group.
        archive: the name of the archive that it is in.
        reason: why it could not be read.
    """

    number: str
    file: str
    known: Mapping[str, str]
    group: str | None = None
    archive: str | None = None
    reason: str | None = None
