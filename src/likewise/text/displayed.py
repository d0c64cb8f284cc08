"""Texts as they are displayed: look-alike letters of another script are replaced.

Every text that is cut into shingles under a profile with `letters=displayed` comes through here.
Only texts with letters of two scripts are examined; the core removes invisible characters under
every profile.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from likewise._core import Texts
from likewise.arrays import Ints
from likewise.run import counted
from likewise.text.inputs import column_of, from_arrow, views_of
from likewise.text.obfuscation.letters import mend_letters
from likewise.text.obfuscation.presence import may_be_mended, may_have_lookalikes

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.text.profile import Profile

_CHARACTERS_AT_ONCE = 1 << 20
_BLOCK = 1 << 16  # characters of a long text that are examined together
_MAX_WORD = 1 << 12  # characters
_SPACE = re.compile(r"\s")


@dataclass(slots=True)
class LookAlikes:
    """The numbers of words with look-alike letters, and of documents with such words."""

    words: int = 0
    documents: int = 0

    def count(self, words: Iterable[int]) -> None:
        """Adds the words of each of several documents."""
        for number in words:
            self.words += number
            self.documents += number > 0

    def notes(self) -> list[str]:
        """One sentence for a summary; nothing, if there were none."""
        if not self.words:
            return []
        contain = "word contains" if self.words == 1 else "words contain"
        documents = counted(self.documents, "document")
        return [
            f"{self.words:,} {contain} look-alike letters (in {documents}); compared as displayed"
        ]


def displayed_strings(
    texts: Sequence[str], profile: Profile, *, threads: int = 1, found: LookAlikes | None = None
) -> Sequence[str]:
    """Strings as the profile compares them; counts what was replaced in `found`."""
    if profile.letters == "stored" or all(map(str.isascii, texts)):
        return texts
    changed = _changed(Texts.from_strings(texts, threads), texts, threads)
    if not changed:
        return texts
    if found is not None:
        found.count(words for _, words in changed.values())
    return [changed[at][0] if at in changed else text for at, text in enumerate(texts)]


def displayed_texts(
    texts: Any, profile: Profile, *, threads: int = 1, found: LookAlikes | None = None
) -> Texts:
    """The same of whatever `column_of` takes; `Texts` are taken to be as they are compared."""
    if isinstance(texts, Texts):
        return texts
    column = column_of(texts)
    views = views_of(column, threads=threads)
    if profile.letters == "stored":
        return views
    changed = _changed(views, column, threads)
    if not changed:
        return views
    if found is not None:
        found.count(words for _, words in changed.values())
    order = np.arange(len(views), dtype=np.uint32)
    order[list(changed)] = np.arange(len(views), len(views) + len(changed), dtype=np.uint32)
    mended = Texts.from_strings([text for text, _ in changed.values()])
    return Texts.concatenated([views, mended]).select(order)


def displayed_column(
    column: pa.LargeStringArray, profile: Profile, *, threads: int = 1
) -> tuple[pa.LargeStringArray, Ints]:
    """The same of an Arrow column without nulls; and of each text how many words were changed."""
    words = np.zeros(len(column), np.int64)
    if profile.letters == "stored":
        return column, words
    changed = _changed(from_arrow(column), column, threads)
    if not changed:
        return column, words
    import pyarrow as pa
    import pyarrow.compute as pc

    places = list(changed)
    words[places] = [count for _, count in changed.values()]
    compute: Any = pc
    mended = pa.array([text for text, _ in changed.values()], column.type)
    return cast("pa.LargeStringArray", compute.replace_with_mask(column, words > 0, mended)), words


def displayed_blocks(
    blocks: Iterable[str], profile: Profile, found: LookAlikes | None = None
) -> Iterator[str]:
    """The same for one text that does not fit in memory, block by block.

    Only the block around a word counts, not the whole text, so some words may be left as stored.
    Blocks are cut by the text alone, however it is read.
    """
    if profile.letters == "stored":
        yield from blocks
        return
    words = 0
    for block in _cut(blocks):
        own = LookAlikes()
        yield displayed_strings([block], profile, found=own)[0]
        words += own.words
    if found is not None:
        found.count([words])


def _cut(blocks: Iterable[str]) -> Iterator[str]:
    """Blocks that end at the first space after `_BLOCK` characters, or in an endless word."""
    text = ""
    for block in blocks:
        text += block
        while len(text) >= _BLOCK + _MAX_WORD:
            space = _SPACE.search(text, _BLOCK, _BLOCK + _MAX_WORD)
            cut = space.end() if space else _BLOCK + _MAX_WORD
            yield text[:cut]
            text = text[cut:]
    if text:
        yield text


def _changed(views: Texts, texts: Any, threads: int) -> dict[int, tuple[str, int]]:
    """By place, ascending, each text that differs when displayed, and the number of such words.

    `texts` are the same as `views`.
    """
    changed = {}
    for place, text in _suspicious(views, texts, threads):
        mended, flags = mend_letters(text)
        if flags:
            changed[place] = mended, len(flags)
    return changed


def _suspicious(views: Texts, texts: Any, threads: int) -> Iterator[tuple[int, str]]:
    """The texts that may have look-alike letters, with their places."""
    places: list[int] = np.flatnonzero(may_have_lookalikes(views, threads=threads)).tolist()
    part: list[tuple[int, str]] = []
    size = 0
    for place in places:
        text = texts[place] if isinstance(texts, Sequence) else texts[place].as_py()
        part.append((place, text))
        size += len(text)
        if size >= _CHARACTERS_AT_ONCE or place == places[-1]:
            mendable = may_be_mended([text for _, text in part]).tolist()
            yield from (one for one, wanted in zip(part, mendable, strict=True) if wanted)
            part, size = [], 0
