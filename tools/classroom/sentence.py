"""`Sentence`: text whose words each have a known origin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from likewise.text.words import Words, words_of

OWN = 0
"""The origin of a word that was written here and is in no other document."""

TEMPLATE = 1_000_000_000
"""Origins from this number on are words of the assignment."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of text that is not broken into paragraphs.

    Attributes:
        text: as the author sees it.
        origins: one number for each word, as the product cuts words. Two documents share a word
            exactly where both have the same origin; `OWN` is shared with nobody.
        planted: the number of the planted copy that the sentence is part of; 0 for none.
    """

    text: str
    origins: tuple[int, ...]
    planted: int = 0

    def __post_init__(self) -> None:
        if len(words_of(self.text)) != len(self.origins):
            raise ValueError(f"{len(self.origins)} origins do not fit the words of {self.text!r}")

    @property
    def words(self) -> Words:
        return words_of(self.text)

    def with_text(self, text: str) -> Sentence:
        """The same words, written in another way."""
        return replace(self, text=text)

    def part(self, first: int, last: int) -> Sentence:
        """Words `first` to `last`, the latter excluded, with the punctuation that follows them."""
        words = self.words
        end = len(self.text) if last == len(words) else int(words.begins[last])
        text = self.text[int(words.begins[first]) : end].rstrip()
        return replace(self, text=text, origins=self.origins[first:last])


Paragraph = tuple[Sentence, ...]


def own(text: str) -> Sentence:
    """A sentence that no other document has."""
    return Sentence(text, (OWN,) * len(words_of(text)))


def count(sentences: Iterable[Sentence]) -> int:
    """How many words they have."""
    return sum(len(sentence.origins) for sentence in sentences)


def marked(sentences: Iterable[Sentence], planted: int) -> Paragraph:
    """The sentences as part of a planted copy."""
    return tuple(replace(sentence, planted=planted) for sentence in sentences)


def cut(sentences: Sequence[Sentence], first: int, last: int) -> Paragraph:
    """Words `first` to `last` of consecutive sentences, the latter excluded."""
    made: list[Sentence] = []
    at = 0
    for sentence in sentences:
        size = len(sentence.origins)
        begin, end = max(first - at, 0), min(last - at, size)
        if begin < end:
            made.append(sentence.part(begin, end))
        at += size
    return tuple(made)
