"""`Breaks`: where a text may be cut into rows, which is where its sentences and lines end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from likewise.documents.document import Document
from likewise.documents.references import References
from likewise.survey.paragraphs import join_lines
from likewise.text.words import Words

NO_BREAK, SENTENCE, LINE, PARAGRAPH = range(4)
_LINE_GAP, _SENTENCE_GAP, _PARAGRAPH_GAP = 1, 2, 3  # of `Words.gaps`
_MIN_WRAPPED_LINES = 5
_MIN_CONTINUED = 0.5  # of the lines of a text whose lines were broken to fit a width


def shown_text(document: Document) -> str:
    """The text as it is shown in columns, as long as the text itself.

    Lines are joined where they end at the width of a page: in documents with pages, and in plain
    text most of whose lines go on in lower case; but not those of a text with numbered verses.
    """
    references = document.references
    is_verse = references is not None and references.scheme != "sections"
    if is_verse or (document.page_starts is None and not is_wrapped(document.text)):
        return document.text
    return join_lines(document.text, document.page_starts or ())


def is_wrapped(text: str) -> bool:
    """Whether lines end at a width, and not where a verse, an item or a paragraph ends."""
    lines = [line.strip() for line in text.split("\n")]
    following = [line for before, line in pairwise(lines) if before and line]
    continued = sum(line[0].islower() for line in following)
    return len(following) >= _MIN_WRAPPED_LINES and continued > _MIN_CONTINUED * len(following)


@dataclass(frozen=True, eq=False)
class Breaks:
    """The breaks of one text.

    Attributes:
        strengths: of the break before each word and after the last: NO_BREAK, SENTENCE, LINE
            (also verses and sections) or PARAGRAPH. There is always one at both ends.
    """

    strengths: NDArray[np.int8]

    @classmethod
    def of(cls, text: str, words: Words, references: References | None = None) -> Breaks:
        """The breaks of a text as it is shown; a verse or section begins with a break."""
        gaps = words.gaps
        strengths = np.zeros(len(words) + 1, np.int8)
        strengths[gaps == _SENTENCE_GAP] = SENTENCE
        ends = np.array([found.start() for found in re.finditer("\n", text)], np.int64)
        if len(words):
            # Line ends before each word; a line that was joined has none.
            before = np.searchsorted(ends, words.begins)
            strengths[1:-1][np.diff(before) > 0] = LINE
        if references is not None:
            begins = np.searchsorted(words.begins, references.offsets)
            strengths[begins] = np.maximum(strengths[begins], LINE)
        strengths[gaps == _PARAGRAPH_GAP] = PARAGRAPH
        strengths[[0, -1]] = PARAGRAPH
        return cls(strengths)

    def strongest(self, start: int, stop: int) -> int | None:
        """The strongest break at word `start` or after and not after `stop`, the last of equals."""
        part = self.strengths[start : stop + 1]
        if not part.any():
            return None
        return stop - int(part[::-1].argmax())


_OPENING = "([{“‘«‹„‚「『（《〈【¿¡"


def cut_place(text: str, words: Words, number: int) -> int:
    """The character at which a cell that begins with this word begins.

    Signs that belong to the word, such as an opening quotation mark, are in front of it.
    """
    if number <= 0:
        return 0
    if number >= len(words):
        return len(text)
    start, end = int(words.ends[number - 1]), int(words.begins[number])
    between = text[start:end]
    spaces = [at for at, sign in enumerate(between, 1) if sign.isspace()]
    if spaces:
        return start + spaces[-1]
    return max(start, end - (len(between) - len(between.rstrip(_OPENING))))
