"""`CutWords`: words of documents, cut when they are asked for; those asked for last are kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from likewise.text.words import Words, words_of

MOST_KEPT = 12_000_000  # words, with some 30 bytes for each


class CutWords:
    """The words of each text of a list, by its number.

    Args:
        texts: of which words are cut.
        stem_letters: as for `words_of`.
        most: words to keep.
    """

    def __init__(self, texts: Sequence[str], stem_letters: int, *, most: int = MOST_KEPT) -> None:
        self._texts = texts
        self._stem_letters = stem_letters
        self._most = most
        self._kept: OrderedDict[int, Words] = OrderedDict()
        self._held = 0

    def __getitem__(self, document: int) -> Words:
        words = self._kept.pop(document, None)
        if words is None:
            words = words_of(self._texts[document], stem_letters=self._stem_letters)
            self._held += len(words)
        self._kept[document] = words
        while self._held > self._most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._held -= len(oldest)
        return words
