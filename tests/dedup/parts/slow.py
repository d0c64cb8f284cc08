"""Slow, obvious versions of what finds repeated parts, and texts to try them on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import strategies as st

# Few words, so that runs of them come again; each is one word to every version of this code.
WORDS = ("one", "Two", "three", "vier", "été", "ДВА", "три", "語", "本", "١٢", "x9")
SEPARATORS = (" ", " ", " ", ", ", ". ", "\n", "\n\n", " – ", "; ", "\r\n", "! “", "” ", " (", ") ")


@st.composite
def documents(draw: st.DrawFn, most: int = 6) -> list[str]:
    """Texts of few different words, some copied from others."""
    words = WORDS[: draw(st.sampled_from([2, 4, len(WORDS)]))]
    made: list[str] = []
    for _ in range(draw(st.integers(1, most))):
        parts: list[str] = []
        for _ in range(draw(st.integers(0, 4))):
            earlier = [text for text in made if text]
            copied: bool = draw(st.booleans())
            if earlier and copied:
                own = draw(st.sampled_from(earlier)).split(" ")
                start = draw(st.integers(0, len(own)))
                parts += " ".join(own[start : start + draw(st.integers(0, 30))]), " "
            else:
                for word in draw(st.lists(st.sampled_from(words), max_size=20)):
                    parts += word, draw(st.sampled_from(SEPARATORS))
        made.append("".join(parts))
    return made


def words_of(text: str) -> list[str]:
    """The words of a text, letter by letter in Chinese."""
    return re.findall(r"[語本]|[^\W語本]+", text.casefold())


def without_passages(texts: Sequence[Sequence[str]], least: int) -> list[list[str]]:
    """What is left of the words of texts, the first first."""
    left = [list(words) for words in texts]
    while (shorter := _one_round(left, least)) != left:
        left = shorter
    return left


def _one_round(texts: list[list[str]], least: int) -> list[list[str]]:
    whole: set[tuple[str, ...]] = set()  # runs of words that stay as they are
    made = []
    for words in texts:
        cut: set[int] = set()

        def stay(first: int, words: list[str] = words, cut: set[int] = cut) -> None:
            if first >= 0 and cut.isdisjoint(range(first, first + least)):
                whole.add(tuple(words[first : first + least]))

        for first in range(len(words) - least + 1):
            stay(first - least)
            if tuple(words[first : first + least]) in whole:
                cut |= set(range(first, first + least))
        for first in range(len(words) - least + 1):
            stay(first)
        made.append([word for at, word in enumerate(words) if at not in cut])
    return made


def repeated_runs(texts: Sequence[Sequence[str]], least: int) -> set[tuple[str, ...]]:
    """Runs of words that occur at two places which do not overlap."""
    last: dict[tuple[str, ...], tuple[int, int]] = {}
    repeated = set()
    for number, words in enumerate(texts):
        for first in range(len(words) - least + 1):
            run = tuple(words[first : first + least])
            where = last.setdefault(run, (number, first))
            if where[0] != number or where[1] + least <= first:
                repeated.add(run)
    return repeated


_END = r"\n\r\v\f\x85\u2028\u2029"
_LINE = re.compile(rf"[^{_END}]*(?:\r\n|[{_END}])|[^{_END}]+$")


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends."""
    return _LINE.findall(text)


def paragraphs_of(text: str) -> list[str]:
    """The paragraphs of a text with the blank lines around them."""
    made: list[list[str]] = [[]]
    for line in lines_of(text):
        own = made[-1]
        if own and (
            own[-1][-1] in "\f\u2029"
            or (line.strip() and not own[-1].strip() and any(map(str.strip, own)))
        ):
            made.append(own := [])
        own.append(line)
    return ["".join(own) for own in made]


def without_parts(texts: Sequence[str], unit: str, least: int, count: int) -> list[str]:
    """What is left of texts without repeated lines or paragraphs, the first first."""
    split = lines_of if unit == "line" else paragraphs_of
    parts = [[(part, tuple(words_of(part))) for part in split(text)] for text in texts]
    times: dict[tuple[str, ...], int] = {}
    for own in parts:
        for _, words in own:
            times[words] = times.get(words, 0) + 1
    seen = set()
    made = []
    for own in parts:
        left = []
        for part, words in own:
            if len(words) >= least and words in seen and times[words] >= count:
                continue
            seen.add(words)
            left.append(part)
        made.append("".join(left))
    return made
