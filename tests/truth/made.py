"""Texts made from recipes, with the origin of every word.

A recipe is a list of pieces, each a table:

    text     the name of a file in `texts/`, "kjv" for the King James Version with all books
             in order, or "samples" for all sample essays
    words    [first, behind the last] of its words, or several such ranges; all, if not given
    say      instead of `text`: words of its own
    replace  every so many words, one is replaced by a word that no text here has
    drop     every so many words, one is left out
    insert   behind every so many words, one that no text here has is put in
    shuffle  it is cut into chunks of so many words, which come in another order
    times    how often it is repeated
    look     "upper", "lines" (other line breaks), "punctuated", "lookalike" (Cyrillic for Latin
             letters), "zero-width" (invisible characters inside words): the same words
    quoted   it is put in quotation marks
    excluded its words are left out of matching (by the exclusions of the pair)

The product is used for one thing: to cut a text into words (`words_of`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.statistics.gospels import king_james
from likewise.text.words import words_of

TEXTS = Path(__file__).parent / "texts"
ESSAYS = Path(__file__).parents[2] / "samples/essays"
BREAK = "\n\n"  # between pieces
LOOKALIKES = str.maketrans("aeopcxyABEHKMOPCTX", "аеорсхуАВЕНКМОРСТХ")
Origin = tuple[str, int]


class Token(NamedTuple):
    """A word as it is written and as it was, where it is from, and what follows it."""

    shown: str
    word: str
    origin: Origin | None
    gap: str


@dataclass(frozen=True)
class Made:
    """A text.

    Attributes:
        text: as it is given to the product.
        words: as they are read.
        origins: of each word, None for those that were put in.
        pieces: the number of the piece that each word is of.
        starts, ends: the place of each word in the text.
        excluded: for each word whether it is left out of matching.
    """

    text: str
    words: tuple[str, ...]
    origins: tuple[Origin | None, ...]
    pieces: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    excluded: tuple[bool, ...]

    def __len__(self) -> int:
        """Words that are matched."""
        return self.excluded.count(False)


@cache
def source(name: str) -> str:
    """A text by its name."""
    if name == "kjv":
        gospels, others = king_james()
        return "\n".join([*others[:39], *gospels.values(), *others[39:]])
    if name == "samples":
        return "\n\n".join(path.read_text("utf-8").strip() for path in sorted(ESSAYS.glob("*.txt")))
    text = (TEXTS / f"{name}.txt").read_text("utf-8").rstrip("\n")
    # In Thai one character may be a part of two words; decomposed, it is of one only.
    return unicodedata.normalize("NFKC", text) if name.startswith("th-") else text


@cache
def tokens_of(name: str) -> tuple[Token, ...]:
    return tuple(_cut(source(name), name))


@cache
def _unusual() -> tuple[str, ...]:
    return tuple(source("unusual-words").split())


def make(recipe: Sequence[Mapping[str, Any]]) -> Made:
    """The text of a recipe."""
    text = ""
    columns: list[tuple[str, Origin | None, int, int, int, bool]] = []
    number = 0
    for piece in recipe:
        tokens = _tokens(piece)
        for _ in range(piece.get("times", 1)):
            text += (BREAK if text else "") + ("“" if piece.get("quoted") else "")
            for token in tokens:
                start, end = len(text), len(text) + len(token.shown)
                excluded = piece.get("excluded", False)
                columns.append((token.word, token.origin, number, start, end, excluded))
                text += token.shown + token.gap
            text += "”" if piece.get("quoted") else ""
            number += 1
    if not columns:
        return Made(text, (), (), (), (), (), ())
    return Made(text, *zip(*columns, strict=True))


def _cut(text: str, name: str | None) -> Iterator[Token]:
    words = words_of(text)
    begins, ends = words.begins.tolist(), words.ends.tolist()
    for i, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        following = begins[i + 1] if i + 1 < len(begins) else len(text)
        word = text[begin:end]
        yield Token(word, word, None if name is None else (name, i), text[end:following])


def _tokens(piece: Mapping[str, Any]) -> list[Token]:
    if "say" in piece:
        tokens = list(_cut(piece["say"], None))
    else:
        every = tokens_of(piece["text"])
        ranges = piece.get("words", [0, len(every)])
        ranges = ranges if isinstance(ranges[0], list) else [ranges]
        tokens = [token for first, last in ranges for token in every[first:last]]
    if "shuffle" in piece:
        tokens = _shuffled(tokens, piece["shuffle"])
    tokens = _edited(tokens, piece)
    shown = _shown(tokens, piece.get("look"))
    # A piece that ends inside its source ends without what follows there.
    return [*shown[:-1], shown[-1]._replace(gap=shown[-1].gap.strip()[:1])] if shown else []


def _shuffled(tokens: Sequence[Token], words: int) -> list[Token]:
    chunks = [tokens[i : i + words] for i in range(0, len(tokens), words)]
    step = next(n for n in (7, 11, 13, 17) if len(chunks) % n)
    return [token for i in range(len(chunks)) for token in chunks[i * step % len(chunks)]]


def _edited(tokens: Sequence[Token], piece: Mapping[str, Any]) -> list[Token]:
    made: list[Token] = []
    unusual = _unusual()

    def other(i: int) -> str:
        return unusual[i % len(unusual)]

    for i, token in enumerate(tokens):
        if "replace" in piece and i % piece["replace"] == piece["replace"] // 2:
            new = other(i // piece["replace"])
            made.append(Token(new, new, None, token.gap))
        elif "drop" in piece and i % piece["drop"] == piece["drop"] // 2:
            continue
        elif "insert" in piece and i % piece["insert"] == piece["insert"] // 2:
            new = other(i // piece["insert"])
            made += [token._replace(gap=" "), Token(new, new, None, token.gap)]
        else:
            made.append(token)
    return made


def _shown(tokens: Sequence[Token], look: str | None) -> list[Token]:
    made = []
    for i, token in enumerate(tokens):
        shown, gap = token.shown, token.gap
        if look == "upper":
            shown = shown.upper()
        elif look == "lines":
            gap = "\n" if i % 7 == 6 else " " if gap else gap
        elif look == "punctuated":
            gap = (" – ", "; ", " ", ", ")[i % 4]
        elif look == "lookalike" and i % 3 == 0:
            shown = shown.translate(LOOKALIKES)
        elif look == "zero-width" and i % 2 == 0:
            shown = shown[:1] + "\u200b" + shown[1:] if len(shown) > 1 else shown
        made.append(token._replace(shown=shown, gap=gap))
    return made
