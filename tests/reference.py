"""Slow, obvious versions of what the core does; the fast ones must equal them.

`profile` is any object with the attributes unit ("word" | "char"), k, case ("fold" | "keep"),
accents ("keep" | "strip"), punctuation ("drop" | "keep"), spaces ("one" | "drop" | "keep"), digits
("keep" | "drop"), greek ("keep" | "drop"), stop_words (normalised words), min_word_length, count
("set" | "bag") and seed.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

import unicodedata2

Profile = Any

# --- Unicode properties that unicodedata2 does not have


def is_ignorable(c: str) -> bool:
    """Property Default_Ignorable_Code_Point, from DerivedCoreProperties.txt."""
    code = ord(c)
    return (
        code in (0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0)
        or 0x180B <= code <= 0x180F
        or 0x200B <= code <= 0x200F
        or 0x202A <= code <= 0x202E
        or 0x2060 <= code <= 0x206F
        or 0xFE00 <= code <= 0xFE0F
        or 0xFFF0 <= code <= 0xFFF8
        or 0x1BCA0 <= code <= 0x1BCA3
        or 0x1D173 <= code <= 0x1D17A
        or 0xE0000 <= code <= 0xE0FFF
    )


def is_space(c: str) -> bool:
    """Property White_Space, from PropList.txt."""
    return unicodedata2.category(c) in ("Zs", "Zl", "Zp") or c in "\t\n\x0b\x0c\r\x85"


def is_accent(c: str) -> bool:
    blocks = (
        (0x300, 0x36F),
        (0x1AB0, 0x1AFF),
        (0x1DC0, 0x1DFF),
        (0x20D0, 0x20FF),
        (0xFE20, 0xFE2F),
    )
    return unicodedata2.category(c)[0] == "M" and any(a <= ord(c) <= b for a, b in blocks)


def is_unspaced(c: str) -> bool:
    """Whether c is a letter of a script that is written without spaces between words."""
    blocks = {
        "Thai": (0x0E00, 0x0E7F),
        "Lao": (0x0E80, 0x0EFF),
        "Tibetan": (0x0F00, 0x0FFF),
        "Myanmar": (0x1000, 0x109F),
        "Myanmar Extended-A": (0xAA60, 0xAA7F),
        "Myanmar Extended-B": (0xA9E0, 0xA9FF),
        "Khmer": (0x1780, 0x17FF),
        "CJK Symbols and Punctuation": (0x3000, 0x303F),
        "Hiragana": (0x3040, 0x309F),
        "Katakana": (0x30A0, 0x30FF),
        "Katakana Phonetic Extensions": (0x31F0, 0x31FF),
        "Kana Extended-B": (0x1AFF0, 0x1AFFF),
        "Kana Supplement": (0x1B000, 0x1B0FF),
        "Kana Extended-A": (0x1B100, 0x1B12F),
        "Small Kana Extension": (0x1B130, 0x1B16F),
        "CJK Unified Ideographs": (0x4E00, 0x9FFF),
        "CJK Extension A": (0x3400, 0x4DBF),
        "CJK Extension B": (0x20000, 0x2A6DF),
        "CJK Extension C": (0x2A700, 0x2B73F),
        "CJK Extension D": (0x2B740, 0x2B81F),
        "CJK Extension E": (0x2B820, 0x2CEAF),
        "CJK Extension F": (0x2CEB0, 0x2EBEF),
        "CJK Extension G": (0x30000, 0x3134F),
        "CJK Extension H": (0x31350, 0x323AF),
        "CJK Extension I": (0x2EBF0, 0x2EE5F),
        "CJK Compatibility Ideographs": (0xF900, 0xFAFF),
        "CJK Compatibility Ideographs Supplement": (0x2F800, 0x2FA1F),
        "Old Chinese Iteration Mark": (0x16FE3, 0x16FE3),
    }
    category = unicodedata2.category(c)
    letter = category[0] == "L" or category == "Nl"
    return letter and any(a <= ord(c) <= b for a, b in blocks.values())


# --- preparation


def fold(text: str) -> str:
    """Full case folding of the characters that Unicode 15.1 assigns."""
    return "".join(c if unicodedata2.category(c) == "Cn" else c.casefold() for c in text)


def normalise(text: str, profile: Profile) -> str:
    text = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    text = "".join(c for c in text if not is_ignorable(c))
    text = unicodedata2.normalize("NFKC", text)
    if profile.case == "fold":
        text = unicodedata2.normalize("NFKC", fold(text))
    if profile.accents == "strip":
        text = "".join(c for c in unicodedata2.normalize("NFD", text) if not is_accent(c))
        text = unicodedata2.normalize("NFC", text)
    return text


def is_dropped(c: str, profile: Profile) -> bool:
    category = unicodedata2.category(c)
    if profile.digits == "drop" and category[0] == "N":
        return True
    greek = category[0] == "L" and (0x370 <= ord(c) <= 0x3FF or 0x1F00 <= ord(c) <= 0x1FFF)
    return profile.greek == "drop" and greek


def pieces(text: str, profile: Profile) -> Iterator[tuple[str, str]]:
    """The normalised text cut into ("word" | "letter" | "space" | "symbol" | "other" | "dropped",
    text). A "letter" is one of an unspaced script, with its marks; only words are longer than a
    character otherwise."""
    piece, name = "", ""
    for c in normalise(text, profile):
        category = unicodedata2.category(c)
        if is_dropped(c, profile):
            now = "dropped"
        elif category[0] in "LMN":
            now = "letter" if is_unspaced(c) else "word"
        elif is_space(c):
            now = "space"
        else:
            now = "symbol" if category[0] in "PS" else "other"
        if now == "word" and (name == "word" or (name == "letter" and category[0] == "M")):
            piece += c
            continue
        if piece:
            yield name, piece
        piece, name = c, now
    if piece:
        yield name, piece


def has_clumps(profile: Profile) -> bool:
    """Whether a word is all that stands between spaces, with the marks that cling to it."""
    return profile.unit == "char" and profile.punctuation == "keep"


def is_left_out(name: str, piece: str, profile: Profile) -> bool:
    too_short = name == "word" and len(piece) < profile.min_word_length
    return (too_short and not has_clumps(profile)) or piece in profile.stop_words


def without_short_clumps(parts: list[tuple[str, str]], profile: Profile) -> list[tuple[str, str]]:
    """Without the stretches between spaces that hold letters or numbers, but too few of them."""
    if not has_clumps(profile):
        return parts
    kept = []
    for between, clump in groupby(parts, key=lambda part: part[0] in ("space", "dropped")):
        members = list(clump)
        letters = sum(len(piece) for name, piece in members if name == "word")
        exempt = between or any(name == "letter" for name, _ in members)
        if exempt or letters == 0 or letters >= profile.min_word_length:
            kept += members
    return kept


def words(text: str, profile: Profile) -> list[str]:
    kinds = ("word", "letter", "symbol") if profile.punctuation == "keep" else ("word", "letter")
    return [
        piece
        for name, piece in pieces(text, profile)
        if name in kinds and not is_left_out(name, piece, profile)
    ]


def prepared(text: str, profile: Profile) -> str:
    """The text from which shingles are cut."""
    if profile.unit == "word":
        return " ".join(words(text, profile))
    result = ""
    for name, piece in without_short_clumps(list(pieces(text, profile)), profile):
        if name in ("word", "letter"):
            result += "" if is_left_out(name, piece, profile) else piece
        elif name == "space":
            result += piece if profile.spaces == "keep" else " "
        elif name == "dropped":
            result += " "
        else:
            result += piece if profile.punctuation == "keep" else " "
    if profile.spaces == "one":
        return " ".join(part for part in result.split(" ") if part)
    if profile.spaces == "drop":
        return result.replace(" ", "")
    return result


# --- shingles and their hashes (core/hash.hpp)

MASK = 2**64 - 1
WORD_STEP = 0x9E3779B97F4A7C15
FINAL_FACTOR = 0xD6E8FEB86659FD93


def shingles(text: str, profile: Profile) -> list[str]:
    """In order, with repeats. A text shorter than k, unless it is empty, is one shingle."""
    parts = words(text, profile) if profile.unit == "word" else list(prepared(text, profile))
    glue = " " if profile.unit == "word" else ""
    if not parts:
        return []
    if len(parts) < profile.k:
        return [glue.join(parts)]
    return [glue.join(parts[i : i + profile.k]) for i in range(len(parts) - profile.k + 1)]


def fold_multiply(a: int, b: int) -> int:
    product = a * b
    return (product & MASK) ^ (product >> 64)


def hash_key(seed: int) -> tuple[int, int, int]:
    def mix(z: int) -> int:
        z &= MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return z ^ z >> 31

    first, second, last = 0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0
    return mix(seed + first), mix(seed + second), mix(seed + last)


def hash_bytes(data: bytes, seed: int) -> int:
    first, second, last = hash_key(seed)
    carry, rest = 0, data
    while len(rest) > 16:
        low, high = int.from_bytes(rest[:8], "little"), int.from_bytes(rest[8:16], "little")
        carry = fold_multiply(low ^ last ^ carry, high ^ second ^ carry)
        rest = rest[16:]
    low, high = int.from_bytes(rest[:8], "little"), int.from_bytes(rest[8:], "little")
    return fold_multiply(low ^ carry ^ first, high ^ (second + len(data) & MASK))


def finish(state: int, seed: int) -> int:
    return fold_multiply(state ^ hash_key(seed)[2], FINAL_FACTOR)


def shingle_hash(shingle: str, profile: Profile) -> int:
    if profile.unit == "char":
        return finish(hash_bytes(shingle.encode(), profile.seed), profile.seed)
    state = 0
    for word in shingle.split(" "):
        state = (state * WORD_STEP + hash_bytes(word.encode(), profile.seed)) & MASK
    return finish(state, profile.seed)


def occurrence_hash(shingle: int, occurrence: int) -> int:
    if occurrence == 0:
        return shingle
    return fold_multiply(shingle ^ (occurrence * WORD_STEP & MASK), FINAL_FACTOR ^ occurrence)


def shingle_hashes(text: str, profile: Profile) -> list[int]:
    hashes, seen = [], Counter[str]()
    for shingle in shingles(text, profile):
        earlier = seen[shingle] if profile.count == "bag" else 0
        hashes.append(occurrence_hash(shingle_hash(shingle, profile), earlier))
        seen[shingle] += 1
    return hashes


# --- shared runs


def common_runs(a: list[int], b: list[int]) -> list[int]:
    """The lengths of all maximal common runs of two lists, in all places of both."""
    lengths = []
    for i in range(len(a)):
        for j in range(len(b)):
            if i and j and a[i - 1] == b[j - 1]:
                continue  # inside a run that began before
            length = 0
            while i + length < len(a) and j + length < len(b) and a[i + length] == b[j + length]:
                length += 1
            if length:
                lengths.append(length)
    return lengths


# --- shared passages


def without_excluded(
    passages: Any, places: list[list[tuple[int, int]]], excluded: list[list[tuple[int, int]]]
) -> list[list[tuple[int, int, int, int]]]:
    """The runs of matched words, in characters, of what excluded ranges leave of each passage.

    `places` are begin and end of each word of a and of b; at least 12 words are a passage, or 24
    letters if every word is one.
    """

    def number(side: int, place: int) -> int:
        return next(i for i, (begin, _) in enumerate(places[side]) if begin == place)

    out = [
        {i for i, (begin, _) in enumerate(words) if any(s <= begin < e for s, e in ranges)}
        for words, ranges in zip(places, excluded, strict=True)
    ]

    def stretches_before(side: int, word: int) -> int:
        return sum(i in out[side] and i - 1 not in out[side] for i in range(word))

    left = []
    for passage in passages:
        pairs = []  # of equal words
        for match in passage.matches:
            words = sum(match.a_start <= begin < match.a_end for begin, _ in places[0])
            a, b = number(0, match.a_start), number(1, match.b_start)
            pairs += [(a + i, b + i) for i in range(words)]
        ends = (passage.a_start, passage.a_end), (passage.b_start, passage.b_end)
        touched = any(
            start <= places[side][word][0] < end
            for side, (start, end) in enumerate(ends)
            for word in out[side]
        )
        groups: dict[Any, list[tuple[int, int]]] = {}
        for a, b in sorted(pairs):
            if not touched:
                groups.setdefault(None, []).append((a, b))
            elif a not in out[0] and b not in out[1]:
                key = stretches_before(0, a), stretches_before(1, b)
                groups.setdefault(key, []).append((a, b))
        letters = all(end - begin == 1 for words in places for begin, end in words)
        for group in groups.values():
            if not touched or _score(group) >= (24 if letters else 12):
                left.append(_runs(group, places))
    return left


def _score(pairs: list[tuple[int, int]]) -> int:
    """The most matched less changed words of any stretch of pairs in the same order.

    A stretch has all matched words between its ends, in the order of a or in that of b.
    """
    best = 0
    for ordered in (sorted(pairs), sorted((b, a) for a, b in pairs)):
        for first in range(len(ordered)):
            score = 1
            best = max(best, score)
            for (a, b), (next_a, next_b) in pairwise(ordered[first:]):
                if next_b <= b:
                    break
                score += 1 - max(next_a - a - 1, next_b - b - 1)
                best = max(best, score)
    return best


def _runs(
    pairs: list[tuple[int, int]], places: list[list[tuple[int, int]]]
) -> list[tuple[int, int, int, int]]:
    runs: list[list[tuple[int, int]]] = []
    for a, b in pairs:
        if runs and runs[-1][-1] == (a - 1, b - 1):
            runs[-1].append((a, b))
        else:
            runs.append([(a, b)])
    return [
        (
            places[0][run[0][0]][0], places[0][run[-1][0]][1],
            places[1][run[0][1]][0], places[1][run[-1][1]][1],
        )
        for run in runs
    ]  # fmt: skip


def matched_places(passages: Any, places: list[tuple[int, int]], side: str) -> set[int]:
    """The words of one text, by number, that some passage matches; reworded ones match none.

    `places` are begin and end of each word; `side` is "a" or "b".
    """
    return {
        i
        for passage in passages
        if passage.kind != "reworded"
        for match in passage.matches
        for i, (begin, end) in enumerate(places)
        if getattr(match, f"{side}_start") <= begin and end <= getattr(match, f"{side}_end")
    }


# --- Passage families


def align_columns(parts: list[int], runs: list[tuple[int, int, int]]) -> list[int]:
    """For each word the smallest one of its column: runs join columns without a part in common."""
    columns = [{word} for word in range(len(parts))]
    for a, b, length in runs:
        for x, y in zip(range(a, a + length), range(b, b + length), strict=True):
            one, other = columns[x], columns[y]
            if one is not other and not {parts[i] for i in one} & {parts[i] for i in other}:
                for word in (both := one | other):
                    columns[word] = both
    return [min(column) for column in columns]
