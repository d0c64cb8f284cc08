"""Texts of made-up words for the views' tests."""

from __future__ import annotations

import random

from likewise.documents.document import Document

_SYLLABLES = [a + b for a in "bdfglmnprst" for b in "aeiou"]
# So many that unrelated texts have few words in common.
_VOCABULARY = [
    f"{a}{b}{c}" for a in _SYLLABLES for b in _SYLLABLES for c in ("nd", "rk", "st", "l")
]


def some(count: int, seed: object) -> list[str]:
    """So many words, the same for the same seed."""
    return random.Random(str(seed)).choices(_VOCABULARY, k=count)


def document(id_: str, *parts: list[str], **more: object) -> Document:
    """A document of these words, each part a paragraph."""
    return Document("\n\n".join(" ".join(part) for part in parts), id=id_, **more)  # type: ignore[arg-type]
