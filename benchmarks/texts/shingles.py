"""Word 3-shingles in Python, for peers that take tokens: the set that likewise calls word:3.

Texts of the corpus are lower case with single spaces, so ``split`` gives the words. A text of
fewer than three words is one shingle, itself. Repeats are kept where the peer ignores them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Shingles of all documents at once would take 20 kB a document; a batch keeps the peers' memory
# and caches in order, and is long enough for them to use their threads.
BATCH = 5_000


def shingle_list(text: str) -> list[str]:
    """Return the shingles in order by the fastest way known in pure Python."""
    words = text.split()
    if len(words) < 3:
        return [text] if words else []
    return list(map(" ".join, zip(words, words[1:], words[2:], strict=False)))


def shingle_list_by_slices(text: str) -> list[str]:
    """Return the same list by slices, the way most tutorials and peers' scripts write it."""
    words = text.split()
    if len(words) < 3:
        return [text] if words else []
    return [" ".join(words[place : place + 3]) for place in range(len(words) - 2)]


def batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Cut ``texts`` into runs of at most ``BATCH`` documents."""
    for start in range(0, len(texts), BATCH):
        yield texts[start : start + BATCH]
