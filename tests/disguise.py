"""A text, and a copy of it that looks the same and is stored in other letters."""

from __future__ import annotations

ORIGINAL = (
    "The water that leaves the surface of a lake on a warm and windy day comes back as rain over "
    "the hills, and the river that carries it down again has done so since long before anybody "
    "thought of measuring how much of it there was. "
)
_LOOKALIKES = str.maketrans("aceop", "асеор")


def disguised(text: str) -> str:
    """Every second word with Cyrillic letters in the place of those that look like them."""
    words = text.split(" ")
    words[::2] = [word.translate(_LOOKALIKES) for word in words[::2]]
    return " ".join(words)


COPY = disguised(ORIGINAL)
OTHER = "Nothing here was taken from anywhere, and whoever reads this sentence reads it first."
