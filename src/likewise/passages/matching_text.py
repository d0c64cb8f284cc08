"""`MatchingText`: a text as it is matched, with the same offsets as the text itself.

Look-alike letters are replaced by those that they look like. That keeps every character in its
place, so that a passage of one is a passage of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from likewise import _core
from likewise.passages.common_text import CommonText
from likewise.passages.exclusions import bibliography, phrases, quotations
from likewise.passages.ranges import Range, blanked, merge, word_range
from likewise.passages.settings import NOTHING, Exclusions
from likewise.text.obfuscation import Tricks, find_tricks
from likewise.text.obfuscation.presence import find_all_tricks
from likewise.text.words import Words, words_of

MIN_TEMPLATE_RUN = 6  # words in a row that are taken from a template


@dataclass(frozen=True, slots=True)
class MatchingText:
    """One text.

    Attributes:
        text: as displayed, and as it is aligned; as long as the original.
        tricks: hidden and look-alike characters that were found and undone.
        excluded: by reason the ranges whose words are not shared.
    """

    text: str
    tricks: Tricks
    excluded: Mapping[str, Sequence[Range]]

    @property
    def altered(self) -> bool:
        """Whether it differs from the text itself."""
        return bool(self.tricks or self.excluded)

    @property
    def excluded_ranges(self) -> list[Range]:
        """All of them, in order."""
        return merge(one for ranges in self.excluded.values() for one in ranges)

    @property
    def remaining_text(self) -> str:
        """The text without excluded words, to find candidates by; as long as the original."""
        return blanked(self.text, self.excluded_ranges) if self.excluded else self.text


def matching_text(
    text: str, exclusions: Exclusions = NOTHING, common: CommonText | None = None
) -> MatchingText:
    """A text as displayed, and its excluded parts; `common` is that of its collection."""
    return matching_texts([text], exclusions, common)[0]


def matching_texts(
    texts: Sequence[str],
    exclusions: Exclusions = NOTHING,
    common: CommonText | None = None,
    *,
    threads: int = 1,
) -> list[MatchingText]:
    """`matching_text` of each of several."""
    return [
        _matching(text, tricks, exclusions, common)
        for text, tricks in zip(texts, find_all_tricks(texts, threads=threads), strict=True)
    ]


def _matching(
    text: str, tricks: Tricks, exclusions: Exclusions, common: CommonText | None
) -> MatchingText:
    mended = tricks.mended
    excluded: dict[str, list[Range]] = {}
    if exclusions.quotations:
        excluded["quotation"] = quotations(text)
    if exclusions.bibliography:
        excluded["bibliography"] = bibliography(text)
    if exclusions.phrases:
        excluded["phrase"] = phrases(mended, exclusions.phrases)
    if exclusions.templates:
        excluded["template"] = template_ranges(mended, exclusions.templates)
    if common is not None:
        excluded["common text"] = common.ranges(mended)
    excluded = {reason: ranges for reason, ranges in excluded.items() if ranges}
    return MatchingText(mended, tricks, excluded)


def count_excluded(texts: Iterable[MatchingText]) -> dict[str, tuple[int, int]]:
    """By reason, how many parts were excluded, and from how many texts."""
    counts: dict[str, tuple[int, int]] = {}
    for text in texts:
        for reason, ranges in text.excluded.items():
            parts, documents = counts.get(reason, (0, 0))
            counts[reason] = parts + len(ranges), documents + 1
    return counts


def find_common_text(texts: Sequence[str], exclusions: Exclusions) -> CommonText | None:
    """Common text of a collection; None unless it is to be excluded.

    What is common does not depend on other exclusions, so that each can be switched by itself; its
    `passages` are those beyond them.
    """
    if exclusions.common_text == "keep":
        return None
    common = CommonText.of(texts, lambda number: words_of(find_tricks(texts[number]).mended))
    if common is None or len(exclusions.reasons) == 1:
        return common
    beyond = CommonText.of(
        texts, lambda number: words_of(matching_text(texts[number], exclusions).remaining_text)
    )
    return replace(common, passages=beyond.passages if beyond else ())


@lru_cache(maxsize=4)  # the same templates are excluded from text after text
def _template_words(templates: tuple[str, ...]) -> list[Words]:
    return list(map(words_of, templates))


def template_ranges(text: str, templates: tuple[str, ...]) -> list[Range]:
    """Runs of words that are in one of the templates."""
    own = words_of(text)
    found = []
    for template in _template_words(templates):
        _, numbers = np.unique(np.concatenate([own.hashes, template.hashes]), return_inverse=True)
        ids = numbers.astype(np.uint32)
        runs = _core.common_runs(ids[: len(own)], ids[len(own) :], least=MIN_TEMPLATE_RUN)
        found += [word_range(own, begin, begin + words) for begin, _, words in runs.tolist()]
    return merge(found)
