"""`excluded_words`: where phrases, templates and passages are in a document, as a page needs it.

A page of a report finds them itself, by the same rules (`pages/static/texts/found_words.js`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from likewise.passages.exclusions import phrases
from likewise.passages.matching_text import MIN_TEMPLATE_RUN, template_ranges
from likewise.passages.ranges import Range, word_range
from likewise.text.obfuscation import find_tricks
from likewise.text.words import words_of


@dataclass(frozen=True, slots=True)
class ExcludedTexts:
    """What is searched for: texts by the reason for which their words are excluded.

    `passages` are templates, or phrases if they are shorter than a run of a template.
    """

    phrases: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()

    def words_in(self, text: str) -> dict[str, list[int]]:
        """By reason the excluded words of a text: first word, behind the last, and so on."""
        displayed = find_tricks(text).mended
        words = words_of(displayed)
        short = [one for one in self.passages if len(words_of(one)) < MIN_TEMPLATE_RUN]
        long = tuple(one for one in self.passages if one not in short)
        found: dict[str, Sequence[Range]] = {
            "phrase": phrases(displayed, self.phrases),
            "template": template_ranges(displayed, self.templates),
            "passage": [*phrases(displayed, short), *template_ranges(displayed, long)],
        }
        return {
            reason: np.searchsorted(words.begins, np.array(places).reshape(-1)).tolist()
            for reason, places in found.items()
            if places
        }


def text_of_words(text: str, first: int, last: int) -> str:
    """The text from one word to that before another, as it is displayed; empty for no words."""
    displayed = find_tricks(text).mended
    words = words_of(displayed)
    if not 0 <= first < last <= len(words):
        return ""
    return displayed[slice(*word_range(words, first, last))]
