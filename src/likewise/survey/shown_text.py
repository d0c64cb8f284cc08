"""`ShownText`: one text as it is shown, with its words, what is left out of it and its flags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from likewise.passages.common_text import CommonText
from likewise.passages.exclusions import Range, bibliography, quotations
from likewise.passages.matching_text import Exclusions, MatchingText, matching_texts
from likewise.statistics.shared_runs import is_unspaced
from likewise.survey.paragraphs import join_lines
from likewise.survey.viewed_document import ViewedDocument
from likewise.text.words import Words, words_of

NOTHING = Exclusions()


@dataclass(frozen=True, eq=False)
class ShownText:
    """A document, and its text as it was matched.

    Attributes:
        document: as it was read.
        matching: what was matched of its text: tricks undone, what is excluded left out.
        exclude: what was asked to be left out.
    """

    document: ViewedDocument
    matching: MatchingText
    exclude: Exclusions = NOTHING

    @cached_property
    def words(self) -> Words:
        """All of its words; look-alike letters are put right, nothing is left out."""
        return words_of(self.matching.tricks.mended)

    @cached_property
    def matched_words(self) -> Words:
        """The words that were matched: all but those that were left out."""
        return words_of(self.matching.text) if self.matching.excluded else self.words

    def word_places(self, start: int, end: int) -> tuple[int, int]:
        """Which words begin in a range of characters: the first, and behind the last."""
        first, last = np.searchsorted(self.words.begins, (start, end)).tolist()
        return first, last

    @cached_property
    def flags(self) -> list[list[Any]]:
        """Places where what is shown and what is stored are not the same, in order."""
        found = [
            [flag.start, flag.end, flag.kind, flag.shown] for flag in self.matching.tricks.flags
        ]
        found += [
            [one.offset, one.offset, "hidden", f"{one.why}: {one.text}"]
            for one in self.document.hidden
        ]
        return sorted(found)

    def _marks(self) -> Iterator[tuple[str, Range]]:
        """Quotations and the bibliography, whether or not they were left out; other parts if so."""
        text = self.document.text
        yield from (("quotation", place) for place in quotations(text))
        yield from (("bibliography", place) for place in bibliography(text))
        for reason in ("phrase", "template", "common text"):
            yield from ((reason, place) for place in self.matching.excluded.get(reason, ()))

    def to_dict(self) -> dict[str, Any]:
        """DocumentText: the text, and everything that is marked in it.

        The lines of a printed page are joined into paragraphs; offsets are those of the text as it
        was read.

        `marks` are [start, end, reason, first word, behind the last]; of these reasons `left_out`
        were left out of the search itself. `flags` are [start, end, kind, how it is shown].
        """
        text, pages = self.document.text, self.document.page_starts
        marks = sorted(
            [place.start, place.end, reason, *self.word_places(place.start, place.end)]
            for reason, place in self._marks()
        )
        return {
            **self.document.described(),
            "words": len(self.words),
            "unspaced": is_unspaced(self.words.letters),
            "text": text if pages is None else join_lines(text, pages),
            "page_starts": None if pages is None else list(pages),
            "marks": marks,
            "left_out": reasons_left_out(self.exclude),
            "flags": self.flags,
        }


def reasons_left_out(exclude: Exclusions) -> list[str]:
    """By which reasons parts of texts are left out of the search."""
    asked = {
        "quotation": exclude.quotations,
        "bibliography": exclude.bibliography,
        "phrase": exclude.phrases,
        "template": exclude.templates,
        "common text": exclude.common_text == "exclude",
    }
    return [reason for reason, on in asked.items() if on]


def shown_texts(
    documents: Iterable[ViewedDocument],
    exclude: Exclusions = NOTHING,
    templates: Sequence[Words] | None = None,
    common: CommonText | None = None,
) -> list[ShownText]:
    """Documents as they are shown.

    `templates` are the words of those that are excluded, if they have been cut already; `common` is
    the common text of the collection, if that is excluded.
    """
    held = list(documents)
    cut = list(map(words_of, exclude.templates)) if templates is None else templates
    matched = matching_texts([document.text for document in held], exclude, cut, common)
    return [ShownText(document, one, exclude) for document, one in zip(held, matched, strict=True)]
