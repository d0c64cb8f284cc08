"""Write core/unicode_tables.hpp: the Unicode 15.1 data of the core, in a compact form.

    python tools/make_unicode_tables.py > core/unicode_tables.hpp

Needs unicodedata2==15.1.0 and any Python from 3.11 on: categories, decompositions and combining
classes come from unicodedata2; case folding comes from str.casefold() for the characters assigned
in 15.1, whose folding no later version changes.

The core expands these lists into lookup tables when it first needs them (core/unicode.cpp). Before
anything is written, `prove` checks over every code point what the fast loop of core/prepare.cpp
takes for granted about boundaries between characters.
"""

from collections.abc import Callable, Iterable, Iterator

import unicodedata2 as unicode

LAST = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)
HANGUL_SYLLABLES = range(0xAC00, 0xD7A4)
VOWEL_JAMO, TRAILING_JAMO = range(0x1161, 0x1176), range(0x11A8, 0x11C3)

# Property Default_Ignorable_Code_Point.
IGNORABLE = [
    *[0x00AD, 0x034F, 0x061C, 0x3164, 0xFEFF, 0xFFA0],
    *range(0x115F, 0x1161),
    *range(0x17B4, 0x17B6),
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10),
    *range(0xFFF0, 0xFFF9),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE1000),
]
# Property White_Space.
WHITE_SPACE = [
    *range(0x09, 0x0E),
    *[0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000],
    *range(0x2000, 0x200B),
]
# Scripts written without spaces, where each letter is a word.
UNSPACED = [
    (0x0E00, 0x0E7F),  # Thai
    (0x0E80, 0x0EFF),  # Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3000, 0x303F),  # iteration marks, ideographic zero and numerals
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),  # Katakana phonetic extensions
    (0x3400, 0x4DBF),  # Han, extension A
    (0x4E00, 0x9FFF),  # Han
    (0xA9E0, 0xA9FF),  # Myanmar extended B
    (0xAA60, 0xAA7F),  # Myanmar extended A
    (0xF900, 0xFAFF),  # Han, compatibility
    (0xFF66, 0xFF9F),  # Katakana, half width
    (0x16FE3, 0x16FE3),  # old Chinese iteration mark
    (0x1AFF0, 0x1B16F),  # Kana extensions and supplements
    (0x20000, 0x323AF),  # Han, extensions B to I
]
GREEK_BLOCKS = [(0x0370, 0x03FF), (0x1F00, 0x1FFF)]
# Blocks of combining marks that strip_accents drops.
ACCENT_BLOCKS = [
    (0x0300, 0x036F),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
]
# In the order of enum Kind in core/unicode.hpp.
KINDS = [
    "space",
    "control",
    "symbol",
    "letter",
    "greek",
    "number",
    "mark",
    "accent",
    "unspaced",
    "unspaced_number",
    "ignorable",
]

ignorable = frozenset(IGNORABLE)
white_space = frozenset(WHITE_SPACE)


def inside(code: int, blocks: list[tuple[int, int]]) -> bool:
    return any(first <= code <= last for first, last in blocks)


def kind(code: int) -> str:
    category = unicode.category(chr(code))
    if code in ignorable:
        return "ignorable"
    if code in white_space:
        return "space"
    match category[0]:
        case "L" if inside(code, UNSPACED):
            return "unspaced"
        case "L":
            return "greek" if inside(code, GREEK_BLOCKS) else "letter"
        case "N":
            return "unspaced_number" if category == "Nl" and inside(code, UNSPACED) else "number"
        case "M":
            return "accent" if inside(code, ACCENT_BLOCKS) else "mark"
        case "C":
            return "control"
        case _:
            return "symbol"


def fold(text: str) -> str:
    return "".join(c if unicode.category(c) == "Cn" else c.casefold() for c in text)


def characters() -> Iterator[str]:
    return (chr(code) for code in range(LAST + 1) if code not in SURROGATES)


def nfkc(text: str) -> str:
    return str(unicode.normalize("NFKC", text))


def nfkd(text: str) -> str:
    return str(unicode.normalize("NFKD", text))


def compositions() -> dict[tuple[str, str], str]:
    """Pairs that NFC joins, Hangul left out: the core computes those."""
    pairs = {}
    for c in characters():
        parts = unicode.decomposition(c).split()
        if len(parts) != 2 or parts[0].startswith("<"):
            continue
        if unicode.normalize("NFC", c) == c:  # not excluded from composition
            pairs[chr(int(parts[0], 16)), chr(int(parts[1], 16))] = c
    return pairs


def prove(pairs: dict[tuple[str, str], str]) -> int:
    """Check the assumptions of the fast loop; return the most bytes that one byte can become."""
    joins_backwards = {second for _, second in pairs}
    joins_backwards |= {chr(code) for code in (*VOWEL_JAMO, *TRAILING_JAMO)}
    combining = unicode.combining

    def boundary_before(text: str) -> bool:
        first = nfkd(text)[0]
        return combining(first) == 0 and first not in joins_backwards

    def strip(text: str) -> str:
        kept = (c for c in unicode.normalize("NFD", text) if kind(ord(c)) != "accent")
        return str(unicode.normalize("NFC", "".join(kept)))

    growth = 0.0
    for c in characters():
        if ord(c) in ignorable:
            continue
        folded = nfkc(fold(nfkc(c)))
        for result in (nfkc(c), folded, strip(nfkc(c)), strip(folded)):
            # Ignorable characters are removed once, at the start.
            assert not any(ord(r) in ignorable for r in result), hex(ord(c))
            # Room for each character of the result and a space before each.
            growth = max(growth, (len(result.encode()) + len(result)) / len(c.encode()))
        # A normalised text holds no compatibility characters, so that NFKD serves for NFD.
        for result in (nfkc(c), folded):
            assert unicode.normalize("NFD", result) == nfkd(result), hex(ord(c))
        if boundary_before(c):
            # Whatever composes with c keeps the first character of its decomposition, so a
            # boundary before c is one before the composite too. Then it must outlive folding ...
            assert boundary_before(fold(c)), hex(ord(c))
            assert boundary_before(folded), hex(ord(c))
            # ... and the removal of accents, unless c itself goes: the core knows of these.
            if kind(ord(c)) != "accent":
                assert boundary_before(strip(nfkc(c))), hex(ord(c))
                assert boundary_before(strip(folded)), hex(ord(c))
        elif combining(c) != 0 and c not in joins_backwards and nfkc(c) == c == fold(c):
            # A passive mark: it never composes, so in order it can be copied.
            assert nfkd(c) == c, hex(ord(c))
    for code in (*range(0x80), *range(0xC0, 0x100), *range(0x400, 0x480)):
        # begins_starter() in core/prepare.cpp knows them by their first byte.
        assert boundary_before(chr(code)), hex(code)
        assert kind(code) not in ("accent", "ignorable"), hex(code)
    for first, second in pairs:
        # Only starters compose with what follows, and the composite begins as its first part does.
        assert combining(first) == 0
        assert nfkd(pairs[first, second])[0] == nfkd(first)[0]
    return int(-(-growth // 1))


def runs(value: Callable[[int], int], shift: int) -> list[int]:
    """Where each run of equal values starts: start << shift | value."""
    result, last = [], -1
    for code in range(LAST + 1):
        if (now := value(code)) != last:
            result.append(code << shift | now)
            last = now
    return result


def mapping(function: Callable[[str], str]) -> tuple[list[int], list[int]]:
    """Every c with function(c) != c, as runs of neighbours (first << 8 | length) and, one after
    the other, the code points that each becomes, the last of them marked by bit 31."""
    keys: list[int] = []
    pool: list[int] = []
    for c in characters():
        if ord(c) in HANGUL_SYLLABLES or ord(c) in ignorable or (image := function(c)) == c:
            continue
        extends = keys and (keys[-1] >> 8) + (keys[-1] & 0xFF) == ord(c) and keys[-1] & 0xFF < 0xFF
        if extends:
            keys[-1] += 1
        else:
            keys.append(ord(c) << 8 | 1)
        pool += [ord(i) for i in image[:-1]] + [ord(image[-1]) | 1 << 31]
    return keys, pool


def array(name: str, why: str, values: Iterable[int]) -> str:
    lines, line = [], "   "
    for value in values:
        text = f" {value:#x},"
        if len(line) + len(text) > 100:
            lines.append(line)
            line = "   "
        line += text
    body = "\n".join([*lines, line])
    return f"// {why}\ninline constexpr std::uint32_t {name}[] = {{\n{body}\n}};\n"


def main() -> None:
    assert unicode.unidata_version == "15.1.0", unicode.unidata_version
    pairs = compositions()
    growth = prove(pairs)
    decomposed, decompositions = mapping(nfkd)
    folded, foldings = mapping(fold)
    joined = [ord(c) for (a, b), ab in sorted(pairs.items()) for c in (a, b, ab)]
    print("// Unicode 15.1 data, written by tools/make_unicode_tables.py; do not edit.")
    print("// clang-format off")
    print("#pragma once\n\n#include <cstdint>\n\nnamespace likewise::tables {\n")
    print(
        "// No byte of input becomes more bytes than this, a space before each character included."
    )
    print(f"inline constexpr unsigned kMaxGrowth = {growth};\n")
    print(
        array(
            "kKinds",
            "Runs of one Kind: first << 4 | kind.",
            runs(lambda c: KINDS.index(kind(c)), 4),
        )
    )
    print(
        array(
            "kCombiningClasses",
            "Runs of one canonical combining class: first << 8 | class.",
            runs(lambda c: unicode.combining(chr(c)), 8),
        )
    )
    what = "runs of neighbours, first << 8 | length."
    images = "what they become, in order; bit 31 marks the last code point of each."
    print(
        array(
            "kDecomposed",
            f"Full compatibility decompositions (Hangul left out): {what}",
            decomposed,
        )
    )
    print(array("kDecompositions", f"... {images}", decompositions))
    print(array("kFolded", f"Full case folding: {what}", folded))
    print(array("kFoldings", f"... {images}", foldings))
    print(
        array(
            "kCompositions",
            "Canonical compositions (Hangul left out): first, second, both.",
            joined,
        )
    )
    print("}  // namespace likewise::tables")


if __name__ == "__main__":
    main()
