"""Damage: to bytes, to markup and to the structure of zip files."""

from __future__ import annotations

import copy
import io
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping

from lxml import etree

_WORDS = (
    *(
        "the",
        "quick",
        "brown",
        "fox",
        "naïve",
        "café",
        "Straße",
        "здравствуй",
        "мир",
        "你好",
        "世界",
    ),
    *(
        "שלום",
        "مرحبا",
        "ﷺ",
        "e\u0301",
        "\u200b",
        "\ufeff",
        "𝕏",
        "👩‍👩‍👧",
        "a" * 40,
        "\u202eabc",
        "Ω",
    ),
    *("'", '"', "&amp;", "<b>", "]]>", "=1+1", "--", "\\", "{", "}", "\t", "\x0c", "\ufffd", "ﬃ"),
)
_BYTES = (
    *(b"\0", b"\xff", b"\x80", b"\n", b"\r", b'"', b"<", b">", b"&", b"{", b"}", b"\\", b"(", b")"),
    *(
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"PK\3\4",
        b"PK\5\6",
        b"PK\1\2",
        b"%PDF-",
        b"\0" * 64,
    ),
    *(b"4294967295", b"-1", b"99999999999999999999", b"0", b"1e999", b"NaN", b"\xed\xa0\x80"),
    *(
        b"\x28\xb5\x2f\xfd",
        b"\x1f\x8b\x08",
        b"PAR1",
        b"{\\rtf1",
        b"<!DOCTYPE html>",
        b"\xd0\xcf\x11\xe0",
    ),
)
_VALUES = ("", "0", "-1", "1e99", "99999999999", "none", "ffffff", "../../x", "a b", "true", "é")
_ENTITIES = ("nbsp", "lol", "#0", "#xD800", "#1114112", "eacute")
_NUMBERS = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF)


def words(rng: random.Random, most: int = 30) -> str:
    """Return some words of many scripts, and some that are markup elsewhere."""
    return " ".join(rng.choices(_WORDS, k=rng.randint(0, most)))


def mutate(rng: random.Random, data: bytes, most: int = 6) -> bytes:
    """Return `data` with a few changes, or none."""
    out = bytearray(data)
    for _ in range(rng.randint(0, most)):
        at = rng.randint(0, len(out))
        end = min(len(out), at + rng.choice((1, 1, 2, 4, 16, 256)))
        match rng.randrange(9):
            case 0 if at < len(out):
                out[at] ^= 1 << rng.randrange(8)
            case 1:
                out[at:end] = rng.randbytes(end - at)
            case 2:
                out[at:end] = b""
            case 3:
                out[at:at] = out[at:end] * rng.choice((1, 2, 50))
            case 4:
                out[at:at] = rng.choice(_BYTES)
            case 5:
                out[at:end] = rng.choice(_BYTES)
            case 6 if rng.random() < 0.3:
                out[at:] = b""
            case 7:
                out[at : at + 4] = struct.pack(rng.choice(("<I", ">I")), rng.choice(_NUMBERS))
            case 8:
                _change_number(rng, out)
    return bytes(out)


def _change_number(rng: random.Random, out: bytearray) -> None:
    """Write another number in the place of one that is written in digits."""
    found = list(re.finditer(rb"-?\d+", out))
    if found:
        chosen = rng.choice(found)
        out[slice(*chosen.span())] = b"%d" % rng.choice((0, -1, 2, 65536, 1 << 31, 1 << 63, 10**30))


def mutate_markup(rng: random.Random, markup: str) -> str:
    """Return markup with elements removed, repeated, nested deeply, or changed."""
    for _ in range(rng.randint(0, 4)):
        tags = list(re.finditer(r"<[^<>]*>", markup))
        if not tags:
            return markup
        first, last = sorted((rng.choice(tags), rng.choice(tags)), key=lambda tag: tag.start())
        inside = _change_markup(rng, first[0], markup[first.start() : last.end()], last[0])
        markup = markup[: first.start()] + inside + markup[last.end() :]
    if rng.random() < 0.05:
        entities = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
        markup = f"<!DOCTYPE x [{entities}]>{markup}&b;"
    return markup


def _change_markup(rng: random.Random, first: str, inside: str, last: str) -> str:
    deep = rng.choice((3, 100, 1000))
    changes = (
        lambda: "",
        lambda: inside * rng.choice((2, 20)),
        lambda: inside + words(rng),
        lambda: first * deep + words(rng, 3),
        lambda: first * deep + inside + last * deep,
        lambda: inside.replace("=", rng.choice(("=-", "=999999999", "", "='")), 1),
        lambda: inside.replace("/", "", 1),
        lambda: f"<!--{inside}",
        lambda: f"<![CDATA[{inside}]]>",
        lambda: f"&{rng.choice(_ENTITIES)};{inside}",
        lambda: inside.upper(),
        lambda: re.sub(r"\d+", str(rng.choice((0, -1, 10**9, 10**20))), inside),
    )
    return rng.choice(changes)()


def open_zip(data: bytes) -> dict[str, bytes]:
    """Return the members of a zip file that is sound."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def mutate_zip(rng: random.Random, members: Mapping[str, bytes]) -> bytes:
    """Return a zip file of these members, some changed, lost, renamed or misdescribed."""
    entries = [(name, _mutate_member(rng, name, content)) for name, content in members.items()]
    match rng.randrange(16):
        case 0 if entries:
            entries.pop(rng.randrange(len(entries)))
        case 1 if entries:
            at = rng.randrange(len(entries))
            name = rng.choice((entries[at][0].upper(), "", "../x", "a" * 300, "é\0b", "mimetype"))
            entries[at] = (name, entries[at][1])
        case 2 if entries:
            entries.append(rng.choice(entries))
        case 3:
            rng.shuffle(entries)
    data = write_zip(rng, entries)
    return mutate(rng, data) if rng.random() < 0.2 else data


def _mutate_member(rng: random.Random, name: str, content: bytes) -> bytes:
    if name != "mimetype" and rng.random() < 0.4:
        content = _mutate_tree(rng, content)
    if rng.random() < 0.05:
        content = mutate_markup(rng, content.decode("utf-8", "replace")).encode("utf-8", "replace")
    return mutate(rng, content, 3) if rng.random() < 0.05 else content


def _mutate_tree(rng: random.Random, content: bytes) -> bytes:
    """Return XML that is well-formed still, with elements moved, repeated, nested or lost."""
    try:
        root = etree.fromstring(content)
    except etree.XMLSyntaxError:
        return content
    for _ in range(rng.randint(1, 5)):
        elements = list(root.iter())
        one, other = rng.choice(elements), rng.choice(elements)
        match rng.randrange(7):
            case 0 if one is not root:
                one.getparent().remove(one)
            case 1:
                one.extend([copy.deepcopy(other) for _ in range(rng.choice((1, 20)))])
            case 2:
                for _ in range(rng.choice((3, 100, 300))):
                    one = etree.SubElement(one, other.tag)
                one.text = "deep"
            case 3:
                one.attrib.update(dict.fromkeys(other.attrib, rng.choice(_VALUES)))
            case 4:
                one.attrib.update(other.attrib)
            case 5:
                one.tag = other.tag
            case 6:
                one.text, one.tail = rng.choice((None, "tail", "\n", " ")), other.text
    return etree.tostring(root, encoding=rng.choice(("utf-8", "utf-16", "ascii")))


def write_zip(rng: random.Random, entries: list[tuple[str, bytes]]) -> bytes:
    """Write a zip file by hand, so that every field can be wrong."""
    out = bytearray()
    directory = bytearray()
    for name, content in entries:
        encoded = name.encode("utf-8", "replace")
        method = rng.choice((8, 8, 8, 0))
        packed = content
        if method == 8:
            packer = zlib.compressobj(6, zlib.DEFLATED, -15)
            packed = packer.compress(content) + packer.flush()
        fields = [0x800, method, 0, 0x21, zlib.crc32(content), len(packed), len(content)]
        if rng.random() < 0.02:
            fields[rng.choice((0, 1))] = rng.choice((0, 1, 9, 12, 14, 93, 0x841))
        if rng.random() < 0.02:
            fields[rng.choice((4, 5, 6))] = rng.choice(_NUMBERS)
        offset = len(out)
        out += struct.pack("<4s3H2H3I2H", b"PK\3\4", 20, *fields, len(encoded), 0)
        out += encoded + packed
        version = 20 if rng.random() > 0.02 else rng.choice((45, 63, 255))
        place = offset if rng.random() > 0.02 else rng.choice(_NUMBERS)
        mode = 0 if rng.random() > 0.02 else 0o120777 << 16
        head = (b"PK\1\2", version, version, *fields, len(encoded), 0, 0, 0, 0, mode, place)
        directory += struct.pack("<4s4H2H3I3H2H2I", *head)
        directory += encoded
    count = min(len(entries), 0xFFFF)
    end = [0, 0, count, count, len(directory), len(out), 0]
    if rng.random() < 0.1:
        end[rng.randrange(7)] = rng.choice((0, 1, 0xFF, 0xFFFF))
    return bytes(out + directory + struct.pack("<4s4H2IH", b"PK\5\6", *end))
