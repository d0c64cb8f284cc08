"""The bytes of a text file as they are written back: as they are, or as UTF-8 where they must be.

Rows are cut at bytes of ASCII (line ends, quotes, delimiters), which in most encodings stand for
nothing else. A file in another encoding (UTF-16, for one) is written as UTF-8.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import chain

from likewise.documents.encoding import marked_encoding, unmarked_utf16
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.stream import read_blocks
from likewise.documents.utf8 import read_utf8

MARK = codecs.BOM_UTF8
# Encodings of several bytes a character in which no byte of ASCII is part of another character,
# but for letters and "\", "|", "}" and the like.
_SAFE = frozenset({"utf-8", "cp932", "shift_jis", "euc_jp", "gb18030", "gbk", "gb2312", "big5",
                   "cp949", "euc_kr"})  # fmt: skip


def row_bytes(origin: Origin, reading: Reading, *, as_utf8: bool) -> tuple[bytes, Iterator[bytes]]:
    """Return a UTF-8 byte order mark, if the file begins with one, and the blocks after it.

    With `as_utf8` the blocks are those that the rows were read from; else those of the file, if its
    encoding allows.
    """
    blocks = read_blocks(origin, reading)
    start = next(blocks, b"")
    mark = MARK if start.startswith(MARK) and _is_utf8(reading.encoding) else b""
    plain = _is_ascii_based(start, reading.encoding)
    if not plain:
        reading.note(origin, "written as utf-8")
    if as_utf8 or not plain:
        return mark, read_utf8(origin, reading)
    rows = chain([start[len(mark) :]], blocks)
    if origin.kind == "lines" and not mark and reading.encoding is None:  # as they were read
        return mark, (block.replace(b"\0", b"") for block in rows)
    return mark, rows


def _is_utf8(encoding: str | None) -> bool:
    return encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")


def _is_ascii_based(start: bytes, encoding: str | None) -> bool:
    if encoding is None:
        # What is guessed without a mark is always such an encoding, but for UTF-16.
        return marked_encoding(start) in (None, "utf-8-sig") and not unmarked_utf16(start)
    name = codecs.lookup(encoding).name
    if name in _SAFE or name == "utf-8-sig":
        return True
    ascii_ = bytes(range(128))
    try:
        # Of one byte a character, and the first half is ASCII.
        one_each = all(len(bytes([byte]).decode(encoding, "replace")) == 1 for byte in range(256))
        return one_each and ascii_.decode(encoding) == ascii_.decode("ascii")
    except UnicodeError:
        return False
