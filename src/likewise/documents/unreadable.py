"""`UnreadableError`: why bytes give no text, whatever the file is called."""

from __future__ import annotations


class UnreadableError(Exception):
    """A document without text to be had.

    Attributes:
        reason: in a few words, for the list of what was skipped.
        lasting: the same bytes will fail in the same way again. Running out of time or memory is
            not lasting: on another day it may go well.
        hint: what to do about it, if anything.
    """

    def __init__(self, reason: str, *, lasting: bool = True, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.lasting = lasting
        self.hint = hint


ENCRYPTED = "encrypted, needs a password"
DAMAGED = "damaged or truncated"
EMPTY = "an empty file"
NO_TEXT = "no text"
