"""`ShownText`: one text as it is shown, with its words, excluded parts and hidden characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likewise.documents.document import Document
from likewise.documents.texts import text_digest
from likewise.passages.common_text import CommonText
from likewise.passages.excluded_words import remaining_words
from likewise.passages.exclusions import bibliography, quotations
from likewise.passages.matching_text import MatchingText, matching_texts
from likewise.passages.ranges import Range
from likewise.passages.settings import NOTHING, Exclusions
from likewise.statistics.shared_runs import is_unspaced
from likewise.survey.hidden_characters import HiddenCharacters
from likewise.survey.paragraphs import join_lines
from likewise.survey.reference_marks import reference_marks
from likewise.text.words import Words, words_of


@dataclass(frozen=True, eq=False)
class ShownText:
    """A document, its text as it was matched, and what was to be excluded.

    `archive` is the name of the archive that it is in; None if it is under review.
    """

    document: Document
    matching: MatchingText
    exclude: Exclusions = NOTHING
    archive: str | None = None

    @cached_property
    def words(self) -> Words:
        """All of its words, as displayed; excluded ones too."""
        return words_of(self.matching.text)

    @cached_property
    def size(self) -> int:
        """The number of its words, without excluded ones."""
        return remaining_words(self.words, self.matching.excluded_ranges)

    def word_places(self, start: int, end: int) -> tuple[int, int]:
        """Which words begin in a range of characters: the first, and behind the last."""
        first, last = np.searchsorted(self.words.begins, (start, end)).tolist()
        return first, last

    @cached_property
    def hidden_characters(self) -> HiddenCharacters:
        hidden = len(self.document.hidden)
        return HiddenCharacters.find(self.document.text, self.matching.tricks, self.words, hidden)

    @cached_property
    def flags(self) -> list[list[Any]]:
        """Hidden text and characters as `ShownFlag` has them, in order."""
        found = [list(flag) for flag in self.hidden_characters.flags]
        found += [
            [one.offset, one.offset, "hidden", f"{one.why}: {one.text}", 1]
            for one in self.document.hidden
        ]
        return sorted(found)

    @cached_property
    def marks(self) -> list[list[Any]]:
        """[start, end, reason, first word, behind the last] of what is or can be excluded.

        Quotations and bibliography are always marked, other parts if they are excluded.
        """
        return sorted(
            [*place, reason, *self.word_places(*place)]
            for reason, places in {**self.matching.excluded, **self.marked_parts}.items()
            for place in places
        )

    @cached_property
    def marked_parts(self) -> dict[str, list[Range]]:
        """Its quotations and its bibliography, whether they are excluded or not."""
        text = self.document.text
        return {"quotation": quotations(text), "bibliography": bibliography(text)}

    @cached_property
    def digest(self) -> str:
        """By which a review mark knows whether this is still the text that was marked."""
        return text_digest(self.document.text)

    @cached_property
    def unspaced(self) -> bool:
        """Whether its script has no spaces between words."""
        return is_unspaced(self.words.letters)

    def to_dict(self) -> dict[str, Any]:
        """The text, its lines joined into paragraphs if it has pages, and all that is marked in it.

        `left_out` are the reasons by which parts were excluded from the search. `lookalikes` are
        the places of letters that look like others, and those others.
        """
        text, pages = self.document.text, self.document.page_starts
        references = self.document.references
        # Lines of verse are no paragraphs that a page has cut.
        is_prose = references is None or references.scheme == "sections"
        return {
            **self.document.described(),
            "archive": self.archive,
            "words": len(self.words),
            "digest": self.digest,
            "unspaced": self.unspaced,
            "text": text if pages is None or not is_prose else join_lines(text, pages),
            "page_starts": None if pages is None else list(pages),
            "references": reference_marks(references),
            "marks": self.marks,
            "left_out": self.exclude.reasons,
            "flags": self.flags,
            "flag_notes": self.hidden_characters.sentences(),
            "lookalikes": [list(self.hidden_characters.places), self.hidden_characters.letters],
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
