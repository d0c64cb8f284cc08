"""`Skipped` and `Note`: what reading has to tell besides the documents."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Skipped:
    """A document (or a file found in a folder) that was left out.

    Attributes:
        source: the file, as the user would recognise it.
        place: "line 17" (lines from 1, as editors count) or "row 16" (rows from 0, as ids count);
            empty when the file is the document.
        reason: why, in a few words.
    """

    source: str
    place: str
    reason: str

    def __str__(self) -> str:
        return f"{f'{self.source} {self.place}'.rstrip()}: {self.reason}"


@dataclass(frozen=True)
class Note:
    """A choice made for the user that may not be the one meant."""

    source: str
    message: str

    def __str__(self) -> str:
        return f"{self.source}: {self.message}"
