"""Which encoding bytes are in, and the text they hold.

In this order: the encoding the user gave; a byte order mark; UTF-8 if the bytes are valid UTF-8, or
all but a few places are; the best guess of charset-normalizer. A guess is told in a note.

Limitations: UTF-16 and UTF-32 without a mark look binary and need `encoding=`. In a short text a
guess may take one alphabet for another (Hebrew for Cyrillic has been seen).
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from likewise.errors import DocumentError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

# UTF-32's little-endian mark begins with UTF-16's, so it comes first.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_SIGNATURES: Mapping[bytes, str] = {
    b"%PDF-": "PDF",
    b"PK\x03\x04": "zip, docx, odt or epub",
    b"\xd0\xcf\x11\xe0": "old Microsoft Office",
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"Rar!": "rar",
    b"7z\xbc\xaf": "7z",
    b"PAR1": "Parquet",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"\x7fELF": "program",
}

# What git and grep look at, and enough.
_BINARY_SAMPLE = 8192

# Where guesses are equally good, the earlier wins: Western European text fits cp1250 as well.
_CANDIDATES = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("koi8_r", "cp932", "euc_jp", "gb18030", "big5", "cp949", "mac_roman"),
)
_GUESS_SAMPLE = 64 << 10


def check_encoding(encoding: str | None) -> None:
    """Raise `UsageError` for an encoding that Python does not know."""
    if encoding is None:
        return
    try:
        known = codecs.lookup(encoding)._is_text_encoding
    except (LookupError, ValueError):
        known = False
    if not known:
        raise UsageError(
            f"unknown encoding {encoding!r}", hint="use a name such as utf-8, cp1252 or utf-16"
        )


def marked_encoding(start: bytes) -> str | None:
    """Return the encoding that a byte order mark at `start` announces."""
    return next((encoding for mark, encoding in _MARKS if start.startswith(mark)), None)


def check_binary(start: bytes, source: str) -> None:
    """Raise `DocumentError` if a file that begins with `start` (and no mark) is not text."""
    for signature, what in _SIGNATURES.items():
        if start.startswith(signature):
            raise DocumentError(source, f"binary file ({what})")
    if b"\0" in start[:_BINARY_SAMPLE]:
        raise DocumentError(
            source,
            "binary file (it has NUL bytes)",
            hint="if it is UTF-16 text without a byte order mark, say --encoding utf-16-le",
        )


def decode(data: bytes, source: str, encoding: str | None = None) -> tuple[str, str | None]:
    """Return the text of a whole file, and what to tell the user about its encoding, if anything.

    Raises `DocumentError` where `data` are binary, or are not valid in `encoding`, or fit no
    encoding that is known.
    """
    if encoding is not None:
        return _decode_as(data, source, encoding), None
    if marked := marked_encoding(data):
        text = data.decode(marked, "replace")
        return text, damage(text.count("\ufffd") - data.count(b"\xef\xbf\xbd"), marked)
    check_binary(data, source)
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        pass
    if is_mostly_utf8(data):
        text, places = repair_utf8(data)
        return text, damage(places, "utf-8")
    guess = guess_encoding(data, source)
    try:
        return data.decode(guess), f"read as {guess}"
    except UnicodeDecodeError as error:
        raise unknown_encoding(source) from error


def _decode_as(data: bytes, source: str, encoding: str) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeError as error:  # some codecs raise no more than that
        place = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        raise DocumentError(
            source,
            f"not valid {encoding}: {getattr(error, 'reason', error)}{place}",
            hint="give another --encoding, or none to have it detected",
        ) from error


def damage(places: int, encoding: str) -> str | None:
    """Say that invalid bytes were replaced, if there were any."""
    if places <= 0:
        return None
    what = "1 place is" if places == 1 else f"{places} places are"
    return f"{what} not valid {encoding.removesuffix('-sig')}, and read as U+FFFD"


def repair_utf8(data: bytes) -> tuple[str, int]:
    """Decode UTF-8 with U+FFFD for what is invalid; return the text and how often that was."""
    text = data.decode("utf-8", "replace")
    return text, text.count("\ufffd") - data.count(b"\xef\xbf\xbd")


def is_mostly_utf8(data: bytes) -> bool:
    """Whether invalid `data` are UTF-8 with some damage rather than another encoding.

    Text in another encoding almost never holds a valid multi-byte sequence by chance, so ten good
    ones for a bad one are plenty.
    """
    text, damaged = repair_utf8(data)
    good = len(re.findall(r"[^\x00-\x7f]", text)) - damaged
    return good >= 10 * damaged


def guess_encoding(data: bytes, source: str) -> str:
    """Guess the encoding of text that is not UTF-8; raise `DocumentError` where nothing fits."""
    from charset_normalizer import from_bytes

    matches = from_bytes(_telling_lines(data), cp_isolation=list(_CANDIDATES))
    best = matches.best()
    if best is None:
        raise unknown_encoding(source)
    equals = {
        name
        for match in matches
        if (match.chaos, match.coherence) == (best.chaos, best.coherence)
        for name in (match.encoding, *match.could_be_from_charset)
    }
    return next((name for name in _CANDIDATES if name in equals), best.encoding)


def _telling_lines(data: bytes) -> bytes:
    """Return the first lines that are not ASCII: the only ones that tell encodings apart."""
    lines: list[bytes] = []
    size = 0
    for line in data.split(b"\n"):
        if line.isascii():
            continue
        # A line may be a whole book: begin with the word that tells.
        telling = re.search(rb"[\x80-\xff]", line)
        start = line.rfind(b" ", 0, telling.start()) + 1 if telling else 0
        lines.append(line[start:])
        size += len(lines[-1])
        if size >= _GUESS_SAMPLE:
            break
    sample = b"\n".join(lines)
    if len(sample) <= _GUESS_SAMPLE:
        return sample
    # Cut at a blank, which is never half of a character in the candidates.
    cut = max(sample.rfind(b"\n", 0, _GUESS_SAMPLE), sample.rfind(b" ", 0, _GUESS_SAMPLE))
    return sample[:cut] if cut > 0 else sample


def unknown_encoding(source: str) -> DocumentError:
    return DocumentError(
        source, "not UTF-8, nor any encoding that is known", hint="give the --encoding"
    )
