"""`MatchingText`: a text as it is matched, with the same places as the text itself.

Letters that only look like those of the text are put right, and what is excluded gives no words.
Both keep every character in its place, so that a passage found in one is a passage of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from likewise import _core
from likewise.evidence.exclusions import Range, bibliography, merge, phrases, quotations
from likewise.evidence.words import Words, words_of
from likewise.tricks import Tricks, find_tricks
from likewise.tricks.presence import find_all_tricks
from likewise.whole_numbers import check_whole

TEMPLATE_RUN = 6  # words in a row that are a template's
_NO_WORD = "\n"  # what stands in the place of a character that is left out


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What is left out of matching, each off unless it is asked for.

    Attributes:
        quotations, bibliography: parts of each text.
        phrases: set phrases, wherever they stand.
        templates: texts that everybody was given; what is taken from them is nobody's copy.
        min_passage: passages of fewer shared words.
        min_share: pairs that share less than this of both documents.
        same: documents of the same author or group, by these fields of their metadata.
        max_sources: passages that a document shares with more documents than this.
    """

    quotations: bool = False
    bibliography: bool = False
    phrases: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    min_passage: int = 0
    min_share: float = 0.0
    same: tuple[str, ...] = ()
    max_sources: int | None = None

    def __post_init__(self) -> None:
        from likewise.errors import UsageError

        check_whole("min_passage", self.min_passage, 0)
        if not 0 <= self.min_share <= 1:
            raise UsageError(f"min_share is {self.min_share:g}; it must be from 0 to 1")
        if unknown := set(self.same) - {"author", "group"}:
            raise UsageError(f"same={unknown.pop()!r} is neither author nor group")
        if self.max_sources is not None:
            check_whole("max_sources", self.max_sources, 1)

    @property
    def of_texts(self) -> bool:
        """Whether parts of texts are left out, and not only pairs or passages."""
        return bool(self.quotations or self.bibliography or self.phrases or self.templates)


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


def matching_text(text: str, exclusions: Exclusions, templates: Sequence[Words]) -> MatchingText:
    """A text without its tricks and what is excluded; `templates` are the words of those."""
    return _matching(text, find_tricks(text), exclusions, templates)


def matching_texts(
    texts: Sequence[str], exclusions: Exclusions, templates: Sequence[Words]
) -> list[MatchingText]:
    """The same of each of several."""
    return [
        _matching(text, tricks, exclusions, templates)
        for text, tricks in zip(texts, find_all_tricks(texts, threads=1), strict=True)
    ]


def _matching(
    text: str, tricks: Tricks, exclusions: Exclusions, templates: Sequence[Words]
) -> MatchingText:
    mended = tricks.mended
    if not exclusions.of_texts:
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
    excluded = {reason: ranges for reason, ranges in excluded.items() if ranges}
    left_out = merge([one for ranges in excluded.values() for one in ranges])
    return MatchingText(without(mended, left_out), tricks, excluded)


def without(text: str, ranges: Iterable[Range]) -> str:
    """The text with nothing in these ranges, at the same length."""
    parts, last = [], 0
    for start, end in ranges:
        parts += [text[last:start], _NO_WORD * (end - start)]
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
