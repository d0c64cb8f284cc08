"""`MatchingText`: a text as it is matched, with the same places as the text itself.

Letters that only look like those of the text are put right, and what is excluded gives no words.
Both keep every character in its place, so that a passage found in one is a passage of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from likewise import _core
from likewise.passages.common_text import CommonText
from likewise.passages.exclusions import Range, bibliography, merge, phrases, quotations
from likewise.passages.settings import Exclusions as Exclusions
from likewise.text.obfuscation import Tricks, find_tricks
from likewise.text.obfuscation.presence import find_all_tricks
from likewise.text.words import CUT, Words, words_of

TEMPLATE_RUN = 6  # words in a row that are a template's


@dataclass(frozen=True, slots=True)
class MatchingText:
    """One text.

    Attributes:
        text: as it is matched; as long as the original.
        tricks: what was found to be other than it looks, and was put right.
        excluded: by reason the ranges that give no words.
    """

    text: str
    tricks: Tricks
    excluded: Mapping[str, Sequence[Range]]


def matching_text(
    text: str,
    exclusions: Exclusions,
    templates: Sequence[Words],
    common: CommonText | None = None,
) -> MatchingText:
    """A text as displayed and without what is excluded.

    `templates` are the words of those, and `common` is the common text of the collection.
    """
    return _matching(text, find_tricks(text), exclusions, templates, common)


def matching_texts(
    texts: Sequence[str],
    exclusions: Exclusions,
    templates: Sequence[Words],
    common: CommonText | None = None,
) -> list[MatchingText]:
    """The same of each of several."""
    return [
        _matching(text, tricks, exclusions, templates, common)
        for text, tricks in zip(texts, find_all_tricks(texts, threads=1), strict=True)
    ]


def _matching(
    text: str,
    tricks: Tricks,
    exclusions: Exclusions,
    templates: Sequence[Words],
    common: CommonText | None,
) -> MatchingText:
    mended = tricks.mended
    if common is None and not exclusions.of_texts:
        return MatchingText(mended, tricks, {})
    excluded: dict[str, list[Range]] = {}
    if exclusions.quotations:
        excluded["quotation"] = quotations(text)
    if exclusions.bibliography:
        excluded["bibliography"] = bibliography(text)
    if exclusions.phrases:
        excluded["phrase"] = phrases(mended, exclusions.phrases)
    if templates:
        excluded["template"] = _taken_from(mended, templates)
    if common is not None:
        excluded["common text"] = common.ranges(mended)
    excluded = {reason: ranges for reason, ranges in excluded.items() if ranges}
    left_out = merge([one for ranges in excluded.values() for one in ranges])
    return MatchingText(without(mended, left_out), tricks, excluded)


def find_common_text(
    texts: Sequence[str], exclusions: Exclusions, templates: Sequence[Words]
) -> CommonText | None:
    """The common text of a collection beyond what else is excluded; None unless it is asked for."""
    if exclusions.common_text == "keep":
        return None
    return CommonText.of(
        texts, lambda number: words_of(matching_text(texts[number], exclusions, templates).text)
    )


def without(text: str, ranges: Iterable[Range]) -> str:
    """The text with nothing in these ranges, at the same length."""
    parts, last = [], 0
    for start, end in ranges:
        parts += [text[last:start], CUT * (end - start)]
        last = end
    return "".join([*parts, text[last:]])


def _taken_from(text: str, templates: Sequence[Words]) -> list[Range]:
    """Runs of words that stand in one of the templates."""
    own = words_of(text)
    found = []
    for template in templates:
        _, numbers = np.unique(np.concatenate([own.hashes, template.hashes]), return_inverse=True)
        ids = numbers.astype(np.uint32)
        runs = _core.common_runs(ids[: len(own)], ids[len(own) :], least=TEMPLATE_RUN)
        for begin, _, words in runs.tolist():
            found.append(Range(int(own.begins[begin]), int(own.ends[begin + words - 1])))
    return merge(found)
