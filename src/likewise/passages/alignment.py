"""`align`: the passages that two texts share, however they were changed.

Single words are the evidence: a word that two stretches share speaks for copying as far as it is
rare elsewhere. That finds verbatim copies as well as edited, shuffled and translated ones, without
a list of stop words and in any language. `core/alignment/` has the algorithm.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.errors import UsageError
from likewise.passages.passage import Kind, Match, Passage, Runs, kind_of, score_of
from likewise.passages.settings import Spelling, check_spelling
from likewise.passages.spelling import spelling_of
from likewise.text.word_frequencies import Frequencies
from likewise.text.words import STEM_LETTERS, Words, words_of
from likewise.threads import thread_count


@dataclass(frozen=True, slots=True)
class AlignmentSettings:
    """What counts as a passage, and where it is searched for. Evidence is in natural logarithms: 7
    more is a thousand times likelier. "a" is the longer of the two texts.

    Attributes:
        least_evidence: a passage has at least this and log(words of a * words of b) more, for so
            many are the places where one might begin by chance.
        least_evidence_per_word: of the longer side.
        least_words: matched words.
        least_similarity: matched words of all words on both sides.
        least_run: a run of this many equal words is always a passage; 0 for no such rule.
            In scripts without spaces, twice as many letters: 12 letters are about three words.
        own_share: how far the background of a word is its rate in the rest of its own text; as for
            the rest, it is the rate in general.
        most_ratio: a word is at most this many times likelier in a copy than outside.
        least_lambda, most_lambda: limits to the share of a passage's words that is copied.
        edges: what a passage gains by beginning or ending anywhere, at a line's edge, at a
            sentence's, and at a blank line or the text's edge.
        window, stride: windows of b that are searched for in a, in words, and how far apart.
        candidate_evidence: of a window, at least, and log(words of a * windows of b) more.
        reach: how many words around a passage may join it in one round.
        context: how many words on each side say which occurrences of a word belong together.
        merge_least, merge_most: passages with no more words than that between them on both sides
            are one, if the gap is not longer than the shorter of them.
        reworded: whether to look for stretches that take their words from all over the other text.
        reworded_evidence: the minimum evidence of such a stretch, by different words that are in
            no run of equal words.
        reworded_evidence_per_word: of all of its words.
        reworded_distinct_per_word, reworded_distinct_per_thousand: its evidence by different words
            per word of the stretch, and per thousand words of its source.
        reworded_words, reworded_ratio: its minimum length, and how many times longer its source is.
        reworded_long: in texts of more words than this its source is narrowed down.
        stem_letters: words with this many first letters in common count as the same.
        spelling: "similar" to count words of similar spelling as shared, where the letters around
            them are the same: for scans and old prints. "exact" for identical words only.
    """

    least_evidence: float = 40.0
    least_evidence_per_word: float = 0.3
    least_words: int = 16
    least_similarity: float = 0.4
    least_run: int = 25
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
    reworded: bool = True
    reworded_evidence: float = 65.0
    reworded_evidence_per_word: float = 0.7
    reworded_distinct_per_word: float = 0.6
    reworded_distinct_per_thousand: float = 30.0
    reworded_words: int = 50
    reworded_ratio: float = 3.5
    reworded_long: int = 3000
    stem_letters: int = STEM_LETTERS
    spelling: Spelling = "exact"

    def __post_init__(self) -> None:
        check_spelling(self.spelling)
        _check(self, 0 <= self.own_share < 1, "own_share", "at least 0 and less than 1")
        _check(self, self.most_ratio > 1, "most_ratio", "greater than 1")
        limits = 0 < self.least_lambda <= self.most_lambda < 1
        _check(
            self,
            limits,
            "least_lambda",
            "greater than 0 and at most most_lambda, which must be less than 1",
        )
        _check(self, 1 <= self.stride <= self.window, "stride", "from 1 to window")
        _check(self, self.window <= 10_000, "window", "at most 10,000")
        _check(self, self.least_words >= 1, "least_words", "at least 1")
        _check(self, self.reworded_words >= 1, "reworded_words", "at least 1")
        _check(self, len(self.edges) == 4, "edges", "four numbers")
        for name in ("least_run", "reach", "context", "merge_least", "merge_most", "reworded_long"):
            _check(self, 0 <= getattr(self, name) <= 1_000_000, name, "from 0 to 1,000,000")

    def to_core(self) -> _core.AlignmentSettings:
        """The same for the core."""
        made = _core.AlignmentSettings()
        for one in fields(self):
            if one.name not in ("stem_letters", "spelling"):
                setattr(made, one.name, getattr(self, one.name))
        return made


def _check(settings: AlignmentSettings, is_valid: bool, name: str, expected: str) -> None:
    if not is_valid:
        raise UsageError(f"{name}={getattr(settings, name)!r} is not {expected}")


_DEFAULT = AlignmentSettings()


def align(
    a: str,
    b: str,
    *,
    rates: Frequencies | None = None,
    settings: AlignmentSettings = _DEFAULT,
) -> list[Passage]:
    """The passages that two texts share, in the order of `a`, and reworded ones after them.

    The order of the two texts makes no difference but for which is called a.

    Args:
        a, b: the texts.
        rates: how often words are met in general; if not given, by their length alone.
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

    `words` are those of the texts, where they have been cut already. What other texts there are
    makes no difference.
    """
    known = checked_rates(rates, settings)
    chosen = np.array(list(pairs), np.int64).reshape(-1, 2)
    if len(chosen) and not (chosen.min() >= 0 and chosen.max() < len(texts)):
        raise UsageError(f"pairs must refer to texts 0 to {len(texts) - 1}")
    if words is None:
        words = [words_of(text, stem_letters=settings.stem_letters) for text in texts]
    turned = [_is_longer(words[b], words[a]) for a, b in chosen.tolist()]
    ordered = np.where(np.array(turned, bool)[:, None], chosen[:, ::-1], chosen)
    found: list[list[Passage]] = [[] for _ in chosen]
    for i, passage in _passages(texts, words, ordered.astype(np.uint32), known, settings, threads):
        found[i].append(passage.turned() if turned[i] else passage)
    for passages in found:
        passages.sort(key=lambda one: (one.kind == "reworded", one.a_start, one.b_start))
    return found


def checked_rates(rates: Frequencies | None, settings: AlignmentSettings) -> Frequencies:
    """General word rates; those by the length of words alone, if none are given."""
    known = Frequencies(stem_letters=settings.stem_letters) if rates is None else rates
    if known.stem_letters != settings.stem_letters:
        raise UsageError(
            f"the rates use the first {known.stem_letters} letters of a word, "
            f"but the settings have stem_letters={settings.stem_letters}"
        )
    return known


def _is_longer(one: Words, other: Words) -> bool:
    """Whether a text is longer than another, or of equal length and first by words and gaps."""
    if len(one) != len(other):
        return len(one) > len(other)
    for own, others in ((one.hashes, other.hashes), (one.gaps, other.gaps)):
        differ = np.flatnonzero(own != others)
        if len(differ):
            return bool(own[differ[0]] < others[differ[0]])
    return False


def _passages(
    texts: Sequence[str],
    words: Sequence[Words],
    pairs: NDArray[np.uint32],
    rates: Frequencies,
    settings: AlignmentSettings,
    threads: int | None,
) -> Iterator[tuple[int, Passage]]:
    """The passages of all pairs, each with the number of its pair."""
    forms, first = _core.numbered(_joined([one.hashes for one in words], np.uint64))
    stems = _joined([one.stems for one in words], np.uint64)[first]
    letters = _joined([one.letters for one in words], np.uint8)[first]
    ids, some = _core.numbered(stems)
    characters = begins = np.empty(0, np.uint32)
    if similar := settings.spelling == "similar":
        characters, begins = spelling_of(texts, words)
    whole, evidence, matches = _core.align_pairs(
        ids[forms],
        forms,
        _joined([one.gaps for one in words], np.uint8),
        _joined([one.letters for one in words], np.uint8),
        np.cumsum([0, *map(len, words)]).astype(np.uint64),
        np.ascontiguousarray(pairs[:, 0]),
        np.ascontiguousarray(pairs[:, 1]),
        rates.rates(stems[some], letters[some]),
        settings.to_core(),
        characters=characters,
        spelling=begins,
        threads=thread_count(threads),
    )
    ends = [*whole[1:, 5].tolist(), len(matches)][: len(whole)]
    for numbers, worth, end in zip(whole.tolist(), evidence.tolist(), ends, strict=True):
        pair, *places, begin, reworded = numbers
        a, b = pairs[pair].tolist()
        sides = (texts[a], words[a]), (texts[b], words[b])
        runs = matches[begin:end].tolist()
        kind: Kind | None = "reworded" if reworded else None
        yield (
            pair,
            passage_of(runs, worth, *sides, places=places, kind=kind, similar=similar),
        )


def _joined(parts: list[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, kind)


def passage_of(
    runs: Runs,
    evidence: float,
    in_a: tuple[str, Words],
    in_b: tuple[str, Words],
    *,
    places: Sequence[int] | None = None,
    kind: Kind | None = None,
    similar: bool = False,
) -> Passage:
    """The passage with these matched words of two texts.

    `places` are the first word and that behind the last one, of a and of b; those of the matched
    words, if not given. Nor need the kind be. Where `similar` words may match, each run has either
    identical words or similar ones.
    """
    a, b, length = np.array(runs, np.int64).reshape(-1, 3).T
    if places is None:
        places = [int(p) for p in (a.min(), (a + length).max(), b.min(), (b + length).max())]
    a_begin, a_end, b_begin, b_end = places
    words_a, words_b = a_end - a_begin, b_end - b_begin
    matched = int(length.sum())
    (_, own), (_, others) = in_a, in_b
    identical = own.hashes[a] == others.hashes[b]
    same = [run for run, is_same in zip(runs, identical.tolist(), strict=True) if is_same]
    columns = own.begins[a], own.ends[a + length - 1], others.begins[b], others.ends[b + length - 1]
    return Passage(
        *_place(*in_a, a_begin, a_end),
        *_place(*in_b, b_begin, b_end),
        words=matched,
        run=int(length[identical].max(initial=0)),
        similarity=2 * matched / (words_a + words_b),
        kind=kind or kind_of(words_a, words_b, runs, same),
        evidence=evidence,
        a_words=words_a,
        b_words=words_b,
        score=score_of(same),
        similar=int(length[~identical].sum()) if similar else None,
        matches=tuple(
            Match(*places) for places in zip(*(one.tolist() for one in columns), strict=True)
        ),
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
