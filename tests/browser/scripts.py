"""Texts of many scripts, in pairs that share a passage in the middle."""

from __future__ import annotations

import random

# Letters of each; those of two code units, and marks that combine with the letter before them.
ALPHABETS = {
    "astral": [chr(0x1D400 + number) for number in range(26)],
    "emoji": ["\U0001f600", "\U0001f469\u200d\U0001f680", "\U0001f1eb\U0001f1f7", "a", "b", "c"],
    "combining": ["e\u0301", "n\u0303", "o\u0308", "a\u030a", "c\u0327", "s", "t", "l"],
    "arabic": list("ابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
    "hebrew": list("אבגדהוזחטיכלמנסעפצקרשת"),
    "devanagari": ["क", "कि", "खा", "गु", "घे", "चो", "ज्ञ", "त्र", "न", "म"],
    "gothic": [chr(0x10330 + number) for number in range(26)],
}
CHINESE = [chr(0x4E00 + number) for number in range(0, 6000, 7)]
ASTRAL_CHINESE = [chr(0x20000 + number) for number in range(0, 6000, 7)]


def _words(letters: list[str], count: int, seed: str) -> str:
    chance = random.Random(seed)
    return " ".join("".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(count))


def _signs(letters: list[str], count: int, seed: str) -> str:
    return "".join(random.Random(seed).choices(letters, k=count))


def pairs() -> dict[str, tuple[str, str]]:
    """By the name of a script two texts."""
    made = {}
    for name, letters in ALPHABETS.items():
        own = [_words(letters, 30, f"{name} {number}") for number in range(4)]
        shared = _words(letters, 40, name)
        made[name] = (f"{own[0]} {shared} {own[1]}", f"\U0001f4da {own[2]}\n{shared}\n{own[3]}")
    for name, letters in (("chinese", CHINESE), ("astral chinese", ASTRAL_CHINESE)):
        own = [_signs(letters, 60, f"{name} {number}") for number in range(4)]
        shared = _signs(letters, 80, name)
        made[name] = (f"{own[0]}。{shared}。{own[1]}", f"{own[2]}，{shared}，{own[3]}")
    return made
