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


def essays(seed: int, count: int = 14) -> dict[str, str]:
    """Texts with an assignment, a disclaimer of some, quotations, sources and a list of works."""
    draw = random.Random(seed)
    task, note = " ".join(some(60, f"task {seed}")), " ".join(some(30, f"note {seed}"))
    sources = [some(400, f"source {seed} {at}") for at in range(4)]
    works = "\n".join(
        f"Smith, J. (20{at:02}). {' '.join(some(6, f'work {seed} {at}'))}. London: Press, pp. {at}."
        for at in range(12)
    )
    texts = {}
    for number in range(count):
        parts = [task] if draw.random() < 0.7 else []
        for place in range(draw.randint(2, 6)):
            own = " ".join(some(draw.randint(20, 90), f"{seed} {number} {place}"))
            source = draw.choice(sources)
            begin = draw.randrange(300)
            copied = source[begin : begin + draw.randint(8, 80)]
            for at in range(0, len(copied), draw.randint(7, 40)):
                copied[at] = draw.choice(["changed", "words", "here"])
            taken = " ".join(copied)
            if draw.random() < 0.4:
                middle = len(copied) // 2
                taken = f"{' '.join(copied[:middle])} “{' '.join(copied[middle:])}”"
            parts += [own, taken] if draw.random() < 0.8 else [f"“{taken}”"]
        if draw.random() < 0.5:
            parts.insert(draw.randrange(len(parts)), note)
        if draw.random() < 0.6:
            parts.append(f"References\n\n{works}")
        texts[f"{number:02}.txt"] = "\n\n".join(parts)
    return texts
