"""Streams of bytes in any encoding → blocks of valid UTF-8, for what is read row by row.

The rules are those of `encoding.decode`, taken one block at a time: text is taken for UTF-8
from its first valid character beyond ASCII on; if the first such block is not UTF-8, its encoding
is guessed, and holds for the rest of the stream.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import chain

from likewise.documents.encoding import (
    check_binary,
    damage,
    guess_encoding,
    is_mostly_utf8,
    marked_encoding,
    removed,
    repair_utf8,
    unmarked_utf16,
)
from likewise.documents.origin import Origin
from likewise.documents.reading import Reading
from likewise.documents.stream import read_blocks
from likewise.documents.texts import scrub, wrap_texts
from likewise.errors import SourceError


def read_utf8(origin: Origin, reading: Reading) -> Iterator[bytes]:
    """Yield the text of `origin` as blocks of valid UTF-8 without a byte order mark.

    Characters are never cut. Blocks are about `stream.BLOCK` long. Raises `DocumentError` if the
    stream is binary, `SourceError` if it is not in the encoding that the user gave.
    """
    blocks = read_blocks(origin, reading)
    start = next(blocks, b"")
    rest: Iterator[bytes] = chain([start], blocks)
    if reading.encoding is not None:
        yield from _transcode(rest, reading.encoding, "strict", origin, reading)
        return
    marked = marked_encoding(start)
    if marked == "utf-8-sig":
        yield from _check(chain([start[3:]], blocks), origin, reading, certain=True)
    elif marked is not None:
        yield from _transcode(rest, marked, "replace", origin, reading)
    elif utf16 := unmarked_utf16(start):
        reading.note(origin, f"read as {utf16}")
        yield from _transcode(rest, utf16, "replace", origin, reading)
    else:
        # In a table a NUL byte may part what it should not: rows are written back as they are.
        plain = origin.kind in ("text", "lines")
        check_binary(start, origin.name, nul=plain)
        rest = _without_nuls(rest, origin, reading) if plain else rest
        yield from _check(rest, origin, reading, certain=False)


def begins_as_utf8(origin: Origin) -> bool:
    """Whether `read_utf8` takes the first block of a file for UTF-8."""
    start = next(read_blocks(origin, Reading()), b"")
    marked = marked_encoding(start)
    if marked is not None or unmarked_utf16(start):
        return marked == "utf-8-sig"
    start = start[: len(start) - _cut_character(start)]
    return start.isascii() or _is_utf8(start) or is_mostly_utf8(start)


def _without_nuls(blocks: Iterator[bytes], origin: Origin, reading: Reading) -> Iterator[bytes]:
    nuls = 0
    for block in blocks:
        nuls += block.count(0)
        yield block.replace(b"\0", b"") if nuls else block
    if note := removed(nuls):
        reading.note(origin, note)


def _check(
    blocks: Iterator[bytes], origin: Origin, reading: Reading, *, certain: bool
) -> Iterator[bytes]:
    """Pass valid UTF-8 on; mend it where it is damaged; guess the encoding where it is another."""
    places = 0
    carry = b""
    block = next(blocks, b"")
    while block or carry:
        following = next(blocks, b"")
        data = carry + block
        # A character cut by the end of the last block is damage; elsewhere it waits for its rest.
        whole = len(data) - (_cut_character(data) if following else 0)
        data, carry = data[:whole], data[whole:]
        block = following
        if data.isascii():
            yield data
        elif _is_utf8(data):
            certain = True
            yield data
        elif certain or is_mostly_utf8(data):
            certain = True
            text, damaged = repair_utf8(data)
            places += damaged
            yield text.encode()
        else:
            guess, note = guess_encoding(data, origin.name)
            reading.note(origin, note)
            rest = chain([data, carry, block], blocks)
            yield from _transcode(rest, guess, "replace", origin, reading)
            return
    if damaged_note := damage(places, "utf-8"):
        reading.note(origin, damaged_note)


def _transcode(
    blocks: Iterator[bytes], encoding: str, errors: str, origin: Origin, reading: Reading
) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    places = 0
    first = True
    try:
        for block, final in chain(((block, False) for block in blocks), [(b"", True)]):
            text = decoder.decode(block, final)
            if first and text:
                text = text.removeprefix("\ufeff")
                first = False
            if errors == "replace":
                places += text.count("\ufffd")
            if text:
                yield scrub(text).encode()
    except UnicodeError as error:  # some codecs raise no more than that
        raise SourceError(
            f"{origin.name}: not valid {encoding}: {getattr(error, 'reason', error)}",
            hint="use another `encoding`, or omit it to detect the encoding",
        ) from error
    if note := damage(places, encoding):
        reading.note(origin, note)


def _is_utf8(data: bytes) -> bool:
    """Arrow's check is several times faster than decoding, and makes no copy."""
    import numpy as np
    import pyarrow as pa

    try:
        wrap_texts(np.array([0, len(data)], dtype=np.int64), data).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _cut_character(data: bytes) -> int:
    """Return how many bytes at the end of `data` begin a UTF-8 character without ending it."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte < 0x80:
            return 0
        if byte >= 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if back < length else 0
    return 0
