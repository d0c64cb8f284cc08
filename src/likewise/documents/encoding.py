"""Which encoding bytes are in, and the text they hold.

In this order: the encoding the user gave; a byte order mark; UTF-16 without one, where that is
clear; UTF-8 if the bytes are valid UTF-8, or all but a few places are; a guess (`code_pages`). A
guess is reported in a note, and so are bytes that mean nothing, which become U+FFFD, and NUL bytes,
which are removed.

Limitations: UTF-32 without a mark needs `encoding=`. In a short text a guess may take one alphabet
for another (Hebrew for Cyrillic has been seen).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping

from likewise.errors import DocumentError, UsageError

OR_OPTION = " or use `encoding`"
"""The end of a reason; the server, which has no such option, removes it."""

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

# Bytes that text has none of. Programs, pictures and packed data have 10 % of them and more, if not
# everywhere (a program may hold a long text), then at their beginning.
_CONTROL = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1b"))
_MAX_CONTROL = 0.05
_HEAD = 512
_MAX_UNKNOWN = 0.01  # of a text's characters, where an encoding fits all others

# As read from UTF-8: characters that other encodings hardly ever give by chance, and others.
_CLEAR_UTF8 = re.compile("[\u00a0-\u017f\u0800-\ufffc\U00010000-\U0010ffff]")
_COUNT_BYTES = 1 << 16
_DOUBTFUL_UTF8 = re.compile("[\u0080-\u009f\u0180-\u07ff]")

_MAX_NAME = 40
# All of Python's, but for those that are for other things than files (idna, unicode_escape), and
# those that take quadratic time (punycode, utf-7 block by block).
_TEXT_ENCODINGS = frozenset((
    "ascii", "utf-8", "utf-8-sig",
    *(f"utf-{bits}{order}" for bits in (16, 32) for order in ("", "-le", "-be")),
    *(f"iso8859-{part}" for part in range(1, 17) if part != 12),
    *(f"cp{page}" for page in (
        "037", 273, 424, 437, 500, 720, 737, 775, 850, 852, 855, 856, 857, 858, 860, 861, 862, 863,
        864, 865, 866, 869, 874, 875, 932, 949, 950, 1006, 1026, 1125, 1140, *range(1250, 1259),
    )),
    *(f"mac-{script}" for script in (
        "arabic", "croatian", "cyrillic", "farsi", "greek", "iceland", "latin2", "roman",
        "romanian", "turkish",
    )),
    "hp-roman8", "koi8-r", "koi8-t", "koi8-u", "kz1048", "palmos", "ptcp154", "tis-620",
    "big5", "big5hkscs", "gb18030", "gb2312", "gbk", "hz", "johab",
    "shift_jis", "shift_jis_2004", "shift_jisx0213",
    *(f"euc_{name}" for name in ("jis_2004", "jisx0213", "jp", "kr")),
    *(f"iso2022_{name}" for name in ("jp", "jp_1", "jp_2", "jp_2004", "jp_3", "jp_ext", "kr")),
))  # fmt: skip

_UTF16_SAMPLE = 8192
_PRINTED_ASCII = bytes((*b"\t\n\f\r", *range(32, 127)))
_MIN_NUL = 0.2  # of the bytes, in UTF-16 of which nearly all other bytes are ASCII
_UTF16_SIGNS = " \n,.\u3001\u3002\uff0c"  # which text of any length has, in every language


def is_text_encoding(encoding: str) -> bool:
    """Whether Python has this encoding, and it is one of texts that takes linear time."""
    try:
        return len(encoding) <= _MAX_NAME and codecs.lookup(encoding).name in _TEXT_ENCODINGS
    except (LookupError, ValueError):
        return False


def check_encoding(encoding: str | None) -> None:
    """Raise `UsageError` for what is not an encoding of texts."""
    if encoding is not None and not is_text_encoding(encoding):
        raise UsageError(
            f"unknown encoding {encoding!r}", hint="use a name such as utf-8, cp1252 or utf-16"
        )


def marked_encoding(start: bytes) -> str | None:
    """Return the encoding that a byte order mark at `start` announces."""
    return next((encoding for mark, encoding in _MARKS if start.startswith(mark)), None)


def check_binary(start: bytes, source: str, *, nul: bool = False) -> None:
    """Raise `DocumentError` if a file that begins with `start` (and no mark) is not text.

    `nul`: a few NUL bytes do no harm, and the caller removes them.
    """
    for signature, what in _SIGNATURES.items():
        if start.startswith(signature):
            raise DocumentError(source, f"binary file ({what})")
    has_nul = b"\0" in start
    # What is left when a program dies while it saves: text, and NUL bytes to the end of the block.
    text = start.rstrip(b"\0")
    dense = (has_nul or not _is_utf8(text)) and any(
        _count_control(part) > _MAX_CONTROL * len(part) for part in (text, text[:_HEAD])
    )
    if dense or (has_nul and not (nul and text)):
        raise DocumentError(
            source,
            "binary file (it has NUL bytes)" if has_nul else "binary file",
            hint="if it is UTF-16 text without a byte order mark, use `encoding=utf-16-le`",
        )


def _is_utf8(start: bytes) -> bool:
    """Whether the beginning of a file is UTF-8; its last character may be cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return True


def _count_control(data: bytes) -> int:
    return len(data) - len(data.translate(None, _CONTROL))


def unmarked_utf16(start: bytes) -> str | None:
    """Return "utf-16-le" or "utf-16-be" if a file begins with such text; else None."""
    if not _count_control(start):
        return None  # one half of a space, at least, would be a control character
    sample = start[: min(len(start), _UTF16_SAMPLE) // 2 * 2]
    nuls = sample.count(0)
    odd = len(sample.translate(None, _PRINTED_ASCII)) - nuls
    if odd < 0.1 * len(sample) and nuls < _MIN_NUL * len(sample):
        return None  # ASCII with a few NUL bytes; two letters of it may look like one of Chinese
    for encoding in ("utf-16-le", "utf-16-be"):
        # The sample may end in the middle of a character.
        text = sample.decode(encoding, "replace").removesuffix("\ufffd")
        ordinary = sum(sign.isprintable() or sign in "\t\r\n\f" for sign in text)
        signs = sum(map(text.count, _UTF16_SIGNS))
        if text and ordinary >= 0.99 * len(text) and signs >= 0.02 * len(text):
            return encoding
    return None


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
    if utf16 := unmarked_utf16(data):
        text = data.decode(utf16, "replace")
        return text, join_notes(f"read as {utf16}", damage(text.count("\ufffd"), utf16))
    check_binary(data, source, nul=True)
    nuls = data.count(0)
    text, note = _decode_bytes(data.replace(b"\0", b"") if nuls else data, source)
    return text, join_notes(removed(nuls), note)


def _decode_bytes(data: bytes, source: str) -> tuple[str, str | None]:
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        pass
    if is_mostly_utf8(data):
        text, places = repair_utf8(data)
        return text, damage(places, "utf-8")
    guess, note = guess_encoding(data, source)
    text = data.decode(guess, "replace")
    return text, join_notes(note, damage(text.count("\ufffd"), guess))


def guess_encoding(data: bytes, source: str) -> tuple[str, str]:
    """Guess the encoding of text that is not UTF-8, and say so in a note.

    Text that is nearly all ASCII is taken for cp1252, whatever its other bytes mean. Raises
    `DocumentError` where nothing fits.
    """
    from likewise.documents import code_pages

    guess = code_pages.guess_encoding(data)
    if guess is not None:
        text = data.decode(guess, "replace")
        if text.count("\ufffd") <= _MAX_UNKNOWN * len(text):
            return guess, f"read as {guess}"
    if code_pages.is_nearly_ascii(data):
        return "cp1252", "read as cp1252, but some bytes look wrong"
    raise unknown_encoding(source)


def _decode_as(data: bytes, source: str, encoding: str) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeError as error:  # some codecs raise no more than that
        place = f" at byte {error.start}" if isinstance(error, UnicodeDecodeError) else ""
        raise DocumentError(
            source,
            f"not valid {encoding}: {getattr(error, 'reason', error)}{place}",
            hint="use another `encoding`, or omit it to detect the encoding",
        ) from error


def damage(places: int, encoding: str) -> str | None:
    """Say that invalid bytes were replaced, if there were any."""
    if places <= 0:
        return None
    what = "1 place is" if places == 1 else f"{places:,} places are"
    verb = "was" if places == 1 else "were"
    return f"{what} not valid {encoding.removesuffix('-sig')} and {verb} replaced by U+FFFD"


def removed(nuls: int) -> str | None:
    """Say that NUL bytes were removed, if there were any."""
    if not nuls:
        return None
    return f"{nuls:,} NUL byte{' was' if nuls == 1 else 's were'} removed"


def join_notes(*notes: str | None) -> str | None:
    """Return several notes on one file as one."""
    return "; ".join(filter(None, notes)) or None


def repair_utf8(data: bytes) -> tuple[str, int]:
    """Decode UTF-8 with U+FFFD for what is invalid; return the text and how often that was."""
    text = data.decode("utf-8", "replace")
    return text, text.count("\ufffd") - data.count(b"\xef\xbf\xbd")


def is_mostly_utf8(data: bytes) -> bool:
    """Whether invalid `data` are UTF-8 with some damage rather than another encoding.

    Text in another encoding hardly ever contains a valid sequence of three bytes, or one of two for
    an accented Latin letter, by chance: one for each bad place is enough. Other sequences of two
    bytes do occur (`’é` in Mac Roman), and ten are needed.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    clear = doubtful = unknown = 0
    # Block by block: a list of all characters takes forty times the memory of the text.
    for start in range(0, len(data), _COUNT_BYTES):
        block = data[start : start + _COUNT_BYTES]
        text = decoder.decode(block, start + len(block) == len(data))
        clear += len(_CLEAR_UTF8.findall(text))
        doubtful += len(_DOUBTFUL_UTF8.findall(text))
        unknown += text.count("\ufffd")
    return clear + doubtful / 10 >= unknown - data.count(b"\xef\xbf\xbd")


def unknown_encoding(source: str) -> DocumentError:
    return DocumentError(source, f"unknown encoding: save it as UTF-8{OR_OPTION}")
