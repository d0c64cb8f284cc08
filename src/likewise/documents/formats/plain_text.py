"""Plain text in any encoding. Not one of `FORMATS`: anything may be plain text."""

from __future__ import annotations

from likewise.documents.document import Document
from likewise.documents.encoding import decode
from likewise.documents.unreadable import UnreadableError
from likewise.errors import DocumentError


def extract_plain_text(data: bytes, encoding: str | None = None) -> Document:
    """Return the text; raise `UnreadableError` where it is binary or in another encoding."""
    try:
        text, note = decode(data, "", encoding)
    except DocumentError as error:
        raise UnreadableError(error.reason, hint=error.hint) from error
    return Document(text, notes=(note,) if note else ())
