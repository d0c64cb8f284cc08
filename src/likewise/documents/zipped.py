"""`Zipped`: zip files from strangers, read within limits.

What headers say is not believed: sizes are counted while a member is unpacked. Only the two
methods are taken that every zip program writes, stored and deflated; others can ask for gigabytes
to unpack a few bytes.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO

from likewise.documents.limits import MAX_DOCUMENT_BYTES, size_in_words
from likewise.documents.unreadable import DAMAGED, ENCRYPTED, UnreadableError

_CHUNK = 1 << 16
_METHODS = (0, 8)  # stored, deflated
_TAIL = 22 + (1 << 16) + 76  # the end record with the longest comment, and those of zip64


@dataclass(frozen=True)
class Limits:
    """What a zip file may take.

    Attributes:
        members: how many it may hold.
        directory: bytes of its list of members.
        member, total: bytes of one member, and of all that are read, unpacked.
        ratio: how many times larger than packed a member may become once it is over `harmless`.
    """

    members: int = 100_000
    directory: int = 16 << 20
    member: int = MAX_DOCUMENT_BYTES
    total: int = 4 << 30
    ratio: int = 200
    harmless: int = 1 << 20


LIMITS = Limits()


class TotalError(UnreadableError):
    """All that was read is too much: what is left is not read either."""


class Zipped:
    """A zip file that is open. Raises `UnreadableError` where it is damaged or over the limits."""

    def __init__(self, file: IO[bytes], limits: Limits = LIMITS) -> None:
        import zipfile  # seldom needed, and slow to load

        self._limits = limits
        self._total = 0
        if _directory_bytes(file) > limits.directory:
            raise UnreadableError(
                f"its list of members is larger than {size_in_words(limits.directory)}"
            )
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, struct.error) as error:
            raise UnreadableError(DAMAGED) from error
        except NotImplementedError as error:  # made for a later version of zip
            raise UnreadableError(f"unsupported kind of zip ({error})") from error
        self.members = self._zip.infolist()
        if len(self.members) > limits.members:
            raise UnreadableError(f"it has more than {limits.members:,} members")
        if _is_cut(file, self.members):
            raise UnreadableError(DAMAGED)  # some members would be lost unseen
        self._by_name = {member.filename: member for member in self.members}

    @property
    def names(self) -> set[str]:
        return set(self._by_name)

    @property
    def files(self) -> int:
        """How many members are files, not folders."""
        return sum(not member.filename.endswith("/") for member in self.members)

    def get(self, name: str) -> bytes | None:
        """Return the member of this name, None if there is none."""
        member = self._by_name.get(name)
        return None if member is None else self.read(member)

    def start(self, name: str, size: int) -> bytes:
        """Return the first `size` bytes of the member of this name, or all of a shorter one."""
        return self._read(self._by_name[name], size)

    def read(self, member: zipfile.ZipInfo) -> bytes:
        """Return a member unpacked; raise `UnreadableError` if it is bad or becomes too large."""
        return self._read(member)

    def _read(self, member: zipfile.ZipInfo, most: int | None = None) -> bytes:
        import zipfile

        if member.flag_bits & 0x41:
            raise UnreadableError(ENCRYPTED)
        if member.compress_type not in _METHODS:
            raise UnreadableError("unsupported compression method")
        parts: list[bytes] = []
        size = 0
        try:
            with self._zip.open(member) as stream:
                while (most is None or size < most) and (part := stream.read(_CHUNK)):
                    size += len(part)
                    self._total += len(part)
                    self._check(size, member.compress_size)
                    parts.append(part)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise UnreadableError(DAMAGED) from error
        except NotImplementedError as error:
            raise UnreadableError("unsupported compression") from error
        except RuntimeError as error:  # zipfile's for a password that is missing
            raise UnreadableError(ENCRYPTED) from error
        return b"".join(parts)[:most]

    def _check(self, size: int, packed: int) -> None:
        limits = self._limits
        if self._total > limits.total:
            raise TotalError(f"more than {size_in_words(limits.total)} unpacked in total")
        if size > limits.member:
            raise UnreadableError(f"larger than {size_in_words(limits.member)} unpacked")
        if size > limits.harmless and size > limits.ratio * packed:
            raise UnreadableError(
                f"a zip bomb? It becomes more than {limits.ratio} times as large when unpacked"
            )


def _directory_bytes(file: IO[bytes]) -> int:
    """Return how long the list of members is, by any record at the end that may tell it.

    zipfile reads it whole before anything can be checked.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    file.seek(0)
    return max(_fields(tail, b"PK\5\6", "<12xL", 0xFFFFFFFF), _fields(tail, b"PK\6\6", "<40xQ", 0))


def _is_cut(file: IO[bytes], members: list[zipfile.ZipInfo]) -> bool:
    """Whether the file has other members than those listed, by its end and by its beginning."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _TAIL))
    tail = file.read(_TAIL)
    file.seek(0)
    begins = file.read(4) == b"PK\3\4"
    at = tail.rfind(b"PK\5\6")
    if at < 0 or at + 22 > len(tail):
        return False
    count, comment = struct.unpack_from("<10xH8xH", tail, at)
    if count not in (0xFFFF, len(members) & 0xFFFF):  # 0xFFFF: another record counts them
        return True
    # The end of a document that is stored in an archive, whose own end is damaged.
    goes_on = at + 22 + comment < len(tail)
    return goes_on and begins and all(member.header_offset for member in members)


def _fields(tail: bytes, signature: bytes, layout: str, unknown: int) -> int:
    largest = 0
    at = tail.find(signature)
    while at >= 0:
        if at + struct.calcsize(layout) <= len(tail):
            (value,) = struct.unpack_from(layout, tail, at)
            largest = max(largest, 0 if value == unknown else value)
        at = tail.find(signature, at + 1)
    return largest
