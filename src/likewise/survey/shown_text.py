"""`ShownText`: one text as it is shown, with its words, excluded parts and hidden characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likewise.documents.document import Document
from likewise.passages.common_text import CommonText
from likewise.passages.exclusions import bibliography, quotations
from likewise.passages.matching_text import MatchingText, matching_texts
from likewise.passages.settings import NOTHING, Exclusions
from likewise.statistics.shared_runs import is_unspaced
from likewise.survey.paragraphs import join_lines
from likewise.text.words import Words, words_of


@dataclass(frozen=True, eq=False)
class ShownText:
    """A document, its text as it was matched, and what was to be excluded."""

    document: Document
    matching: MatchingText
    exclude: Exclusions = NOTHING

    @cached_property
    def words(self) -> Words:
        """All of its words, as displayed; excluded ones too."""
        return words_of(self.matching.tricks.mended)

    @cached_property
    def matched_words(self) -> Words:
        """The words that were matched: all but excluded ones."""
        return words_of(self.matching.text) if self.matching.excluded else self.words

    def word_places(self, start: int, end: int) -> tuple[int, int]:
        """Which words begin in a range of characters: the first, and behind the last."""
        first, last = np.searchsorted(self.words.begins, (start, end)).tolist()
        return first, last

    @cached_property
    def flags(self) -> list[list[Any]]:
        """Hidden and look-alike characters: [start, end, kind, how it is shown], in order."""
        found = [
            [flag.start, flag.end, flag.kind, flag.shown] for flag in self.matching.tricks.flags
        ]
        found += [
            [one.offset, one.offset, "hidden", f"{one.why}: {one.text}"]
            for one in self.document.hidden
        ]
        return sorted(found)

    def to_dict(self) -> dict[str, Any]:
        """The text, its lines joined into paragraphs if it has pages, and all that is marked in it.

        `marks` are [start, end, reason, first word, behind the last]: quotations and bibliography
        are always marked, other parts if they are excluded. `left_out` are the reasons by which
        parts were excluded from the search.
        """
        text, pages = self.document.text, self.document.page_starts
        marks = {
            **self.matching.excluded,
            "quotation": quotations(text),
            "bibliography": bibliography(text),
        }
        return {
            **self.document.described(),
            "words": len(self.words),
            "unspaced": is_unspaced(self.words.letters),
            "text": text if pages is None else join_lines(text, pages),
            "page_starts": None if pages is None else list(pages),
            "marks": sorted(
                [*place, reason, *self.word_places(*place)]
                for reason, places in marks.items()
                for place in places
            ),
            "left_out": self.exclude.reasons,
            "flags": self.flags,
        }


def shown_texts(
    documents: Iterable[Document],
    exclude: Exclusions = NOTHING,
    common: CommonText | None = None,
) -> list[ShownText]:
    """Documents as they are shown; `common` is the common text of their collection, if excluded."""
    given = list(documents)
    matched = matching_texts([document.text for document in given], exclude, common)
    return [ShownText(document, one, exclude) for document, one in zip(given, matched, strict=True)]
