"""Made-up texts that share blocks of words, with the families that they have, for Hypothesis."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from likewise.documents.document import Document
from likewise.survey.shown_text import ShownText, shown_texts
from likewise.survey.synopsis.columns import family_columns
from likewise.survey.synopsis.synopsis import Synopsis
from likewise.survey.synopsis.units import SharedWording, Stretch

ENDS = ("", "", "", "", ".", ".\n", ",", ".\n\n")


@dataclass(frozen=True)
class Made:
    """Texts, and the families of the words that they share."""

    texts: list[ShownText]
    families: list[SharedWording]

    def __repr__(self) -> str:  # Hypothesis shows it, and warns of long ones
        return repr([one.document.text for one in self.texts])[:2000]

    def synopsis(self) -> Synopsis:
        return Synopsis(self.texts, self.families, sorted(family_columns(self.families)), 12)


@st.composite
def shared_blocks(draw: st.DrawFn, max_texts: int = 5) -> Made:
    """Two to five texts of blocks that several of them may have, in any order, and fillers.

    A text lacks some words of a block, and has others in their place; ends of sentences and lines
    are anywhere.
    """
    count = draw(st.integers(2, max_texts))
    blocks = draw(st.lists(st.integers(1, 40), max_size=6))
    members: list[list[tuple[int, int, list[int]]]] = [[] for _ in blocks]
    texts = []
    for text in range(count):
        order = draw(st.lists(st.sampled_from(range(len(blocks))), max_size=7)) if blocks else []
        words: list[str] = []
        for at, block in enumerate(order):
            words += [f"f{text}x{at}x{i}" for i in range(draw(st.integers(0, 30)))]
            lacking = draw(st.sets(st.integers(0, blocks[block] - 1), max_size=blocks[block] // 2))
            numbers = [-1 if i in lacking else len(words) + i for i in range(blocks[block])]
            words += [
                f"o{text}x{at}x{i}" if i in lacking else f"b{block}x{i}"
                for i in range(blocks[block])
            ]
            members[block].append((text, at, numbers))
        words += [f"e{text}x{i}" for i in range(draw(st.integers(0, 100)))]
        ends = draw(st.lists(st.sampled_from(ENDS), min_size=len(words), max_size=len(words)))
        parts = [f"{word.capitalize() if i % 3 else word}{end}"
                 for i, (word, end) in enumerate(zip(words, ends, strict=True))]  # fmt: skip
        texts.append(" ".join(parts))
    families = [family for own in members if (family := _family(own)) is not None]
    documents = [Document(text, id=f"text {number}") for number, text in enumerate(texts)]
    return Made(shown_texts(documents), families)


def _family(members: list[tuple[int, int, list[int]]]) -> SharedWording | None:
    """The family of a block, as `find_families` would have it; None if one text alone has it."""
    stretches, columns = [], []
    for text, _, numbers in members:
        used = [number for number in numbers if number >= 0]
        if used:
            stretches.append(Stretch(text, min(used), max(used) + 1))
            columns.append(numbers)
    if len({one.text for one in stretches}) < 2:
        return None
    table = np.array(columns, np.int32).T
    table = table[(table >= 0).sum(axis=1) > 1]
    kept = np.flatnonzero((table >= 0).any(axis=0))
    # As the real ones: a stretch ends with words that another has.
    trimmed = [
        Stretch(stretches[at].text, int(own.min()), int(own.max()) + 1)
        for at in kept
        for own in [table[table[:, at] >= 0, at]]
    ]
    if len({one.text for one in trimmed}) < 2:
        return None
    return SharedWording(tuple(trimmed), np.ascontiguousarray(table[:, kept]))


def slow_masks(made: Made) -> list[list[set[int]]]:
    """For each word of each text, the texts that have it."""
    masks = [[{number} for _ in range(len(text.words))] for number, text in enumerate(made.texts)]
    for family in made.families:
        for column in family.columns.tolist():
            places = [(one.text, word) for one, word in
                      zip(family.stretches, column, strict=True) if word >= 0]  # fmt: skip
            texts = {text for text, _ in places}
            for text, word in places:
                masks[text][word] = texts
    return masks


def counts_by_texts(masks: list[list[set[int]]]) -> dict[tuple[int, ...], list[int]]:
    """By the texts that have a word, the number of such words in each of them."""
    found: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0] * len(masks))
    for text, own in enumerate(masks):
        for texts in own:
            found[tuple(sorted(texts))][text] += 1
    return found
