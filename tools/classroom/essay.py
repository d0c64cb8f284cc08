"""`Essay`: one document of the class, before it is written to a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tools.classroom.sentence import TEMPLATE, Paragraph, Sentence

Format = Literal["docx", "pdf", "txt"]
Origins = NDArray[np.int64]


@dataclass(eq=False)
class Essay:
    """A title page and paragraphs.

    Attributes:
        folder: of the class: "this-year", "last-year" or "sources".
        id: the path below that folder, which is the document's id in likewise.
        author, group, title, date: as in the table of metadata.
        format: of the file.
        title_page: its lines and paragraphs.
        body: the paragraphs behind it.
        header: the line at the top of every page of a PDF; the footer of a DOCX.
    """

    folder: str
    id: str
    author: str
    group: str
    title: str
    date: str
    format: Format
    title_page: Sequence[Paragraph] = field(repr=False)
    body: Sequence[Paragraph] = field(repr=False)
    header: str

    @property
    def path(self) -> str:
        """Below the folder of the class."""
        return f"{self.folder}/{self.id}"

    @property
    def sentences(self) -> list[Sentence]:
        """All of them, in order."""
        return [one for paragraph in (*self.title_page, *self.body) for one in paragraph]

    @cached_property
    def origins(self) -> Origins:
        """The origin of each word."""
        return np.array([o for one in self.sentences for o in one.origins], np.int64)

    @cached_property
    def hashes(self) -> NDArray[np.uint64]:
        """The words."""
        return np.concatenate([one.words.hashes for one in self.sentences])

    def size(self, *, template: bool) -> int:
        """Its words, with those of the assignment or without."""
        return len(self.origins) if template else int((self.origins < TEMPLATE).sum())

    def planted_range(self, number: int) -> tuple[int, int]:
        """The first word of a planted copy, and the one behind its last."""
        of = np.repeat(
            [s.planted for s in self.sentences], [len(s.origins) for s in self.sentences]
        )
        return _span(of == number)

    def range_of(self, origins: Iterable[int]) -> tuple[int, int]:
        """The range of words in which all of these are."""
        return _span(np.isin(self.origins, list(origins)))


def _span(chosen: NDArray[np.bool_]) -> tuple[int, int]:
    places = np.flatnonzero(chosen)
    return int(places[0]), int(places[-1]) + 1


def text_of(paragraph: Paragraph) -> str:
    """The paragraph in one line."""
    return " ".join(sentence.text for sentence in paragraph)
