"""Zip archives: each member a document.

Members come in the order of their paths, as files of a folder do, and hidden ones are passed over
as there. Nothing is ever unpacked to the disk; still, a path that leads out of the archive is
refused, since it would be in ids and reports.
"""

from __future__ import annotations

import contextlib
import io
import re
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import IO

from likewise.documents.extraction.single_document import load_document
from likewise.documents.kinds import EXTENSIONS, is_litter, split_name, unsupported
from likewise.documents.origin import Origin
from likewise.documents.tables.formats import COLUMNED
from likewise.documents.texts import scrub
from likewise.documents.unreadable import UnreadableError
from likewise.documents.zipped import TotalError, Zipped
from likewise.errors import SourceError

_UTF8_NAME = 0x800


@dataclass(frozen=True)
class Member:
    """A member of an archive: its document, and its bytes or why there are none."""

    document: Origin
    content: bytes | UnreadableError
    packed: int = 0  # bytes in the archive


def open_archive(origin: Origin) -> IO[bytes]:
    """Return the archive as a file that can be read in any order."""
    if origin.path is None or origin.compression is not None or origin.size is None:
        return io.BytesIO(load_document(origin))
    try:
        return origin.open()
    except OSError as error:
        raise SourceError(f"{origin.name}: cannot be read: {error.strerror}") from error


def read_members(package: Zipped, origin: Origin, *, whole: bool) -> Iterator[Member]:
    """Yield the members of an archive that are documents, or that should be but cannot be read.

    `whole`: tables are read as plain text, each as one document.
    """
    seen: set[str] = set()
    named = [(member_name(member), member) for member in package.members]
    listed = sorted((pair for pair in named if not pair[0].endswith("/")), key=itemgetter(0))
    for at, (name, member) in enumerate(listed):
        path = name.replace("\\", "/")
        document = _as_document(origin, path)
        try:
            check_path(name)
            if _is_hidden(path):
                continue
            if path in seen:
                raise UnreadableError("duplicate path in the archive")
            seen.add(path)
            kind = _choose_kind(path, member, whole=whole)
            content = package.read(member)
            yield Member(replace(document, kind=kind), content, member.compress_size)
        except TotalError as error:
            left = len(listed) - at
            reason = f"{error.reason}; {left} of its {len(listed)} members were not read"
            yield Member(replace(origin, named=False), UnreadableError(reason))
            return
        except UnreadableError as error:
            yield Member(document, error, member.compress_size)


def member_name(member: zipfile.ZipInfo) -> str:
    """Return the name of a member as its maker meant it.

    Names are in UTF-8 if they say so; many programs write UTF-8 and do not say so; what is left is
    in the code page that the format prescribes.
    """
    name = member.orig_filename
    if not member.flag_bits & _UTF8_NAME:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return scrub(name)


def check_path(name: str) -> None:
    """Raise `UnreadableError` for a member's name that is more than a path below the archive."""
    if not name:
        raise UnreadableError("a member without a name")
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        raise UnreadableError("its name has control characters")
    parts = name.replace("\\", "/").split("/")
    if parts[0] == "" or re.match(r"[A-Za-z]:", parts[0]) or ".." in parts:
        raise UnreadableError("its path points outside the archive")


def _is_hidden(path: str) -> bool:
    return any(map(is_litter, path.split("/")))


def _choose_kind(path: str, member: zipfile.ZipInfo, *, whole: bool) -> str:
    if stat.S_ISLNK(member.external_attr >> 16):
        raise UnreadableError("a link, not followed")
    extension, compression = split_name(path)
    kind = EXTENSIONS.get(extension)
    if kind == "zip":
        raise UnreadableError("an archive in an archive; unpack it first")
    if compression is not None:
        raise UnreadableError("compressed inside the archive; decompress it first")
    if kind is None:
        raise UnreadableError(unsupported(extension))
    if kind in COLUMNED:
        if not whole:
            raise UnreadableError("a table in an archive; unpack it first")
        return "text"
    return kind


def _as_document(origin: Origin, path: str) -> Origin:
    shown = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in path
    )
    return replace(
        origin,
        path=None,
        name=f"{origin.name}/{shown}",
        id=f"{origin.id}/{path}",
        kind="text",
        compression=None,
        named=False,
        size=None,
        stored=None,
    )
