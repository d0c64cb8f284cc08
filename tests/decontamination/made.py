"""Documents and items of made-up words, so that nothing is shared unless it was planted."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_SYLLABLES = ("ba", "de", "fi", "go", "lu", "mar", "nen", "pit", "ros", "sud", "tak", "vel", "zon")


def words(count: int, seed: int, vocabulary: int = 3000) -> list[str]:
    """Words of a vocabulary that every seed shares."""
    chance = random.Random(seed)
    letters = random.Random(0)
    known = [
        "".join(letters.choices(_SYLLABLES, k=letters.randint(1, 4))) for _ in range(vocabulary)
    ]
    return chance.choices(known, k=count)


def text(count: int, seed: int) -> str:
    return " ".join(words(count, seed))


def documents(count: int, seed: int = 1000, size: int = 120) -> list[str]:
    return [text(size, seed + at) for at in range(count)]


def items(count: int, seed: int = 5000, size: int = 30) -> list[str]:
    return [text(size, seed + at) for at in range(count)]


def edited(of: str, every: int) -> str:
    """One word in `every` replaced."""
    return " ".join(f"anders{at}" if at % every == every // 2 else word
                    for at, word in enumerate(of.split()))  # fmt: skip


def write_jsonl(path: Path, texts: Iterable[str | None], **columns: Any) -> Path:
    """With an id, further columns that are equal in all rows, and the text in between."""
    path.write_text(
        "".join(
            json.dumps({"id": f"d{at}", **columns, "text": one}, ensure_ascii=False) + "\n"
            for at, one in enumerate(texts)
        ),
        encoding="utf-8",
    )
    return path
