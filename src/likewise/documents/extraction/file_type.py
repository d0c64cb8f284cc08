"""What a file is by its content, whatever it is called.

Names lie: a PDF called .txt, a login page saved as .pdf, a Word document called .odt. Where the
content is clear it decides, with a note; where it is not, the reason says what was found.
"""

from __future__ import annotations

import io
from collections.abc import Container

from likewise.documents.encoding import check_binary, marked_encoding
from likewise.documents.formats import FORMATS, MEDIA_TYPES
from likewise.documents.unreadable import DAMAGED, EMPTY, ENCRYPTED, UnreadableError
from likewise.documents.zipped import Zipped
from likewise.errors import DocumentError

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_OLD_STREAMS = (("PowerPoint Document", ".ppt"), ("Workbook", ".xls"))
_MARKUP_WITHIN = 1024
_MAX_MEDIA_TYPE = 256


def may_be_document(start: bytes) -> bool:
    """Whether a file called a text may be something else, by how it begins."""
    return _by_magic(start) is not None or start.startswith((_OLD_OFFICE, *_ZIP))


def in_words(kind: str) -> str:
    """Return what messages call a file of this kind."""
    if kind in FORMATS:
        return FORMATS[kind].words
    return "a zip archive" if kind == "zip" else "plain text"


def settle_kind(kind: str, data: bytes) -> tuple[str, str | None]:
    """Return the kind to read a document as, and a note if that is not the kind it is called.

    Args:
        kind: by its name: one of `FORMATS`, or "text".
        data: all of it.

    Raises `UnreadableError` for what is clearly nothing that can be read.
    """
    found = _find_kind(kind, data)
    return found, kind_note(kind, found)


def kind_note(kind: str, found: str) -> str | None:
    """Return what to tell of a document that is of another kind than its name says."""
    if found == kind:
        return None
    read_as = {"text": "text", "zip": "an archive"}.get(found, found.upper())
    return f"{in_words(found)} despite its name; read as {read_as}"


def _by_magic(data: bytes) -> str | None:
    for kind, known in FORMATS.items():
        if known.magic and data.startswith(known.magic):
            return kind
    return None


def _find_kind(kind: str, data: bytes) -> str:
    if found := _by_magic(data):
        return found
    if data.startswith(_ZIP):
        return _settle_zip(kind, data)
    if data.startswith(_OLD_OFFICE):
        raise _old_office(data)
    if kind == "text":
        return kind  # its encoding is looked at elsewhere, and what is binary is found there
    if not data:
        raise UnreadableError(EMPTY)
    known = FORMATS[kind]
    if known.markup or (known.magic and known.magic in data[: known.magic_range]):
        return kind
    start = data[:_MARKUP_WITHIN].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for other, known in FORMATS.items():
        if known.markup and start.startswith(known.markup):
            return other
    return _text_or_nothing(kind, data)


def _settle_zip(kind: str, data: bytes) -> str:
    try:
        package = Zipped(io.BytesIO(data))
        found = container_kind(package)
    except UnreadableError:
        if kind in FORMATS:
            raise
        return kind
    if found in FORMATS:
        return found
    if any(name.endswith(".iwa") for name in package.names):  # Apple's Pages and Keynote
        slides = any(name.startswith("Index/Slide") for name in package.names)
        raise _unsupported(".key" if slides else ".pages")
    if kind == "text":  # what kind of binary file it is will be reported
        return kind
    raise UnreadableError(f"not {in_words(kind)}: {_other(package.names)}")


def container_kind(package: Zipped) -> str:
    """Return the format of a zip container, or "zip" for an archive of files."""
    names = package.names
    if "[Content_Types].xml" in names:
        for kind, known in FORMATS.items():
            if known.member in names:
                return kind
    if "mimetype" in names:
        mimetype = package.start("mimetype", _MAX_MEDIA_TYPE).strip().decode("latin-1")
        return MEDIA_TYPES.get(mimetype, "zip")
    return "zip"


def _other(names: Container[str]) -> str:
    if "xl/workbook.xml" in names:
        return "an Excel workbook"
    if "ppt/presentation.xml" in names:
        return "a PowerPoint presentation"
    return "another kind of zip archive"


def _old_office(data: bytes) -> UnreadableError:
    # A DOCX with a password is wrapped into the older format.
    if _ENCRYPTED_PACKAGE in data:
        return UnreadableError(ENCRYPTED)
    for stream, extension in _OLD_STREAMS:
        if stream.encode("utf-16-le") in data:
            return _unsupported(extension)
    return _unsupported(".doc")


def _unsupported(extension: str) -> UnreadableError:
    from likewise.documents.kinds import unsupported  # which imports this module

    return UnreadableError(unsupported(extension))


def _text_or_nothing(kind: str, data: bytes) -> str:
    """Return "text" for text with a wrong name; raise `UnreadableError` for anything else."""
    if marked_encoding(data) is None:
        try:
            check_binary(data, "")
            data.decode("utf-8")
        except (DocumentError, UnicodeDecodeError) as error:
            reason = error.reason if isinstance(error, DocumentError) else DAMAGED
            raise UnreadableError(f"not {in_words(kind)}: {reason}") from error
    return "text"
