"""`CutWords`: the words of documents, cut on demand and cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from likewise.text.words import Words, words_of

MAX_CACHED_WORDS = 12_000_000  # with some 30 bytes each


class CutWords:
    """The words of each text of a list, by its number; the most recently used are cached."""

    def __init__(
        self, texts: Sequence[str], stem_letters: int, *, most: int = MAX_CACHED_WORDS
    ) -> None:
        self._texts = texts
        self._stem_letters = stem_letters
        self._most = most
        self._cache: OrderedDict[int, Words] = OrderedDict()
        self._size = 0

    def __getitem__(self, document: int) -> Words:
        words = self._cache.pop(document, None)
        if words is None:
            words = words_of(self._texts[document], stem_letters=self._stem_letters)
            self._size += len(words)
        self._cache[document] = words
        while self._size > self._most and len(self._cache) > 1:
            _, oldest = self._cache.popitem(last=False)
            self._size -= len(oldest)
        return words
