"""`align`: which passages of one text were copied from another, however they were changed.

Single words are the evidence: a word that two stretches share speaks for copying as far as it is
rare elsewhere. That finds verbatim copies as well as edited, shuffled and translated ones, without
a list of stop words and in any language. `core/alignment.hpp` says how.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.errors import UsageError
from likewise.evidence.frequencies import Frequencies
from likewise.evidence.passage import Passage, kind_of
from likewise.evidence.words import STEM_LETTERS, Words, words_of
from likewise.threads import thread_count

_JUDGES = {"a": _core.Judge.a, "either": _core.Judge.either, "both": _core.Judge.both}


@dataclass(frozen=True, slots=True)
class AlignmentSettings:
    """What counts as a copied passage, and where it is looked for. Evidence is in natural
    logarithms: 7 more is a thousand times likelier.

    Attributes:
        judge: whose evidence decides: that of "a", the text that may hold copies; that of
            "either", where nobody knows which text came first; or "both" must have enough.
        least_evidence: a passage has at least this and log(words of a * words of b) more, for so
            many are the places where one might begin by chance.
        least_evidence_per_word: of the longer side.
        least_words: on each side.
        least_run: so many equal words in a row are a passage whatever the words tell; 0 for never.
        one_source: of passages that are half the same in a, only the best stays.
        own_share: how far the background of a word is its rate in the rest of its own text; as for
            the rest, it is the rate in general.
        most_ratio: a word is no more than so many times likelier in a copy than outside.
        least_lambda, most_lambda: limits to the share of a passage's words that is copied.
        edges: what a passage gains by beginning or ending anywhere, at a line's edge, at a
            sentence's, and at a blank line or the text's edge.
        window, stride: windows of b that are looked for in a, in words, and how far apart.
        candidate_evidence: of a window, at least, and log(words of a * windows of b) more.
        reach: how many words around a passage may join it in one round.
        context: how many words on each side say which occurrences of a word belong together.
        merge_least, merge_most: passages with no more words than that between them on both sides
            are one, if the gap is not longer than the shorter of them.
        summaries: whether to look for a stretch of a that takes its words from all over b.
        summary_evidence, summary_evidence_per_word, summary_words: it has at least these; the
            evidence is that of its different words.
        summary_ratio: b is at least so many times longer.
        summary_gain: its evidence is so many times that of any other passage in its place.
        summary_whole: its source is all of b, not only from the first to the last telling word.
        stem_letters: words with so many first letters in common count as the same.
    """

    judge: Literal["a", "either", "both"] = "a"
    least_evidence: float = 40.0
    least_evidence_per_word: float = 0.3
    least_words: int = 15
    least_run: int = 25
    one_source: bool = True
    own_share: float = 0.5
    most_ratio: float = 500.0
    least_lambda: float = 0.4
    most_lambda: float = 0.97
    edges: tuple[float, float, float, float] = (0.0, 5.0, 7.0, 7.0)
    window: int = 60
    stride: int = 30
    candidate_evidence: float = 3.0
    reach: int = 40
    context: int = 10
    merge_least: int = 8
    merge_most: int = 40
    summaries: bool = True
    summary_evidence: float = 60.0
    summary_evidence_per_word: float = 0.7
    summary_words: int = 50
    summary_ratio: float = 3.5
    summary_gain: float = 1.0
    summary_whole: bool = False
    stem_letters: int = STEM_LETTERS

    def __post_init__(self) -> None:
        if self.judge not in _JUDGES:
            raise UsageError(f"judge={self.judge!r} is not one of {', '.join(_JUDGES)}")
        _check(self, 0 <= self.own_share < 1, "own_share", "from 0 to below 1")
        _check(self, self.most_ratio > 1, "most_ratio", "above 1")
        limits = 0 < self.least_lambda <= self.most_lambda < 1
        _check(self, limits, "least_lambda", "above 0 and up to most_lambda, which is below 1")
        _check(self, 1 <= self.stride <= self.window, "stride", "from 1 to window")
        _check(self, self.window <= 10_000, "window", "at most 10,000")
        _check(self, self.least_words >= 1, "least_words", "at least 1")
        _check(self, self.summary_words >= 1, "summary_words", "at least 1")
        _check(self, len(self.edges) == 4, "edges", "four numbers")
        for name in ("least_run", "reach", "context", "merge_least", "merge_most"):
            _check(self, 0 <= getattr(self, name) <= 1_000_000, name, "from 0 to 1,000,000")

    def to_core(self) -> _core.AlignmentSettings:
        """The same for the core."""
        made = _core.AlignmentSettings()
        for field in fields(self):
            if field.name != "stem_letters":
                value = getattr(self, field.name)
                setattr(made, field.name, _JUDGES[value] if field.name == "judge" else value)
        return made


def _check(settings: AlignmentSettings, holds: bool, name: str, expected: str) -> None:
    if not holds:
        raise UsageError(f"{name}={getattr(settings, name)!r} is not {expected}")


_DEFAULT = AlignmentSettings()


def align(
    a: str,
    b: str,
    *,
    rates: Frequencies | None = None,
    settings: AlignmentSettings = _DEFAULT,
) -> list[Passage]:
    """The passages of `a` that have their words from `b`, in the order of `a`.

    Args:
        a: the text that may hold copies.
        b: the text that they may come from.
        rates: how often words are met in general, from a collection or for a language; if not
            given, guessed by their length.
        settings: what counts as a passage.
    """
    return align_pairs([a, b], [(0, 1)], rates=rates, settings=settings, threads=1)[0]


def align_pairs(
    texts: Sequence[str],
    pairs: Iterable[tuple[int, int]],
    *,
    rates: Frequencies | None = None,
    settings: AlignmentSettings = _DEFAULT,
    threads: int | None = None,
    words: Sequence[Words] | None = None,
) -> list[list[Passage]]:
    """`align` for many pairs of texts, each given by the two places of its texts in `texts`.

    `words` are those of the texts, where they have been cut already.
    """
    known = Frequencies(stem_letters=settings.stem_letters) if rates is None else rates
    if known.stem_letters != settings.stem_letters:
        raise UsageError(
            f"rates were counted by {known.stem_letters} letters of a word, "
            f"and the settings ask for {settings.stem_letters}"
        )
    chosen = np.array(list(pairs), np.int64).reshape(-1, 2)
    if len(chosen) and not (chosen.min() >= 0 and chosen.max() < len(texts)):
        raise UsageError(f"pairs must be of texts 0 to {len(texts) - 1}")
    if words is None:
        words = [words_of(text, stem_letters=settings.stem_letters) for text in texts]
    whole, real = _fragments(words, chosen.astype(np.uint32), known, settings, threads)
    found: list[list[Passage]] = [[] for _ in chosen]
    for numbers, evidence in zip(whole.tolist(), real[:, 0].tolist(), strict=True):
        a, b = chosen[numbers[0]]
        sides = ((texts[a], words[a]), (texts[b], words[b]))
        found[numbers[0]].append(_passage(numbers, evidence, sides))
    return found


def _fragments(
    words: Sequence[Words],
    pairs: NDArray[np.uint32],
    rates: Frequencies,
    settings: AlignmentSettings,
    threads: int | None,
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    forms, first = _core.numbered(_joined([one.hashes for one in words], np.uint64))
    stems = _joined([one.stems for one in words], np.uint64)[first]
    letters = _joined([one.letters for one in words], np.uint8)[first]
    ids, some = _core.numbered(stems)
    return _core.align_pairs(
        ids[forms],
        forms,
        _joined([one.gaps for one in words], np.uint8),
        np.cumsum([0, *map(len, words)]).astype(np.uint64),
        np.ascontiguousarray(pairs[:, 0]),
        np.ascontiguousarray(pairs[:, 1]),
        rates.rates(stems[some], letters[some]),
        settings.to_core(),
        threads=thread_count(threads),
    )


def _joined(parts: list[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, kind)


def _passage(
    numbers: list[int], evidence: float, sides: tuple[tuple[str, Words], tuple[str, Words]]
) -> Passage:
    _, a_begin, a_end, b_begin, b_end, shared, in_order, adjacent, run, summary = numbers
    words_a, words_b = a_end - a_begin, b_end - b_begin
    return Passage(
        *_place(*sides[0], a_begin, a_end),
        *_place(*sides[1], b_begin, b_end),
        words=shared,
        run=run,
        similarity=2 * shared / (words_a + words_b),
        kind=kind_of(words_a, words_b, shared, in_order, adjacent, summary=bool(summary)),
        evidence=evidence,
    )


def _place(text: str, words: Words, begin: int, end: int) -> tuple[int, int]:
    """From word to word, in code points, with the punctuation that clings to them."""
    start, stop = int(words.begins[begin]), int(words.ends[end - 1])
    first = int(words.ends[begin - 1]) if begin else 0
    last = int(words.begins[end]) if end < len(words) else len(text)
    # A straight quotation mark may open or close: behind a word it closes, before one it opens.
    while start > first and _opens(text[start - 1]):
        start -= 1
    while (
        stop < last and not text[stop].isspace() and (text[stop] in "\"'" or not _opens(text[stop]))
    ):
        stop += 1
    return start, stop


def _opens(character: str) -> bool:
    """Brackets and quotation marks that begin something."""
    return unicodedata.category(character) in ("Ps", "Pi") or character in "\"'¿¡"
