"""`AttributedText`: the quotations and citations of a text, and by them the group of a passage.

A passage is quoted if most of its matched words are in quotation marks or block quotes. It is cited
if a citation is in it, in the rest of the sentences in which it begins and ends (at most
`MAX_WORDS_BESIDE` words from it), or directly behind the last of them. Where it is quoted, all of
the quotation is taken for the passage, and an author named in the sentence before it counts too. A
passage in a bibliography is cited. The two texts of a passage have each their own group.

The group depends on the two texts alone: excluded text does not change it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from likewise.passages.attribution.citations import find_citations
from likewise.passages.attribution.sentences import sentence_end, sentence_start
from likewise.passages.attribution.works_listed import WorksListed
from likewise.passages.exclusions.quotations import quotations
from likewise.passages.passage import Attribution, Passage
from likewise.passages.ranges import Range
from likewise.statistics.shared_runs import is_unspaced
from likewise.text.words import Words

MAX_WORDS_BESIDE = 30  # twice as many letters in scripts without spaces
_CLOSING = re.compile(r"[\s.,;:!?…”\"»’“)\]。」』」、，]{0,12}")


class AttributedText:
    """One text, as it was aligned.

    Attributes:
        quoted: where it quotes, in order.
        cited: where it cites, in order.
        listed: its bibliography and notes.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.listed = WorksListed.of(text)
        self.quoted = quotations(text)
        self.cited = find_citations(text, self.listed)
        self._cited_starts = [one.start for one in self.cited]
        self._cited_ends = [one.end for one in self.cited]

    def attribution(self, matches: Iterable[Sequence[int]], words: Words) -> Attribution:
        """The group of a passage with these matched words, as ranges of characters.

        `words` are all words of the text.
        """
        places = np.array(list(matches), np.int64).reshape(-1, 2)
        runs: list[list[int]] = np.searchsorted(words.begins, places).tolist()
        matched = sum(last - first for first, last in runs)
        if not matched:
            return "neither"
        first, last = min(run[0] for run in runs), max(run[1] for run in runs)
        place = Range(int(words.begins[first]), int(words.ends[last - 1]))
        quotes = _touching(self.quoted, place)
        is_quoted = 2 * _words_in(words, runs, quotes) > matched
        is_cited = self._is_cited(words, place, quotes if is_quoted else ())
        if not is_cited and self.listed.works:
            is_cited = 2 * _words_in(words, runs, [self.listed.works]) > matched
        if is_quoted:
            return "quoted and cited" if is_cited else "quoted"
        return "cited" if is_cited else "neither"

    def _is_cited(self, words: Words, place: Range, quotes: Sequence[Range]) -> bool:
        start, end = place
        if quotes:
            start, end = min(start, quotes[0].start), max(end, quotes[-1].end)
        beside = MAX_WORDS_BESIDE * (2 if is_unspaced(words.letters) else 1)
        first = int(np.searchsorted(words.ends, start, "right")) - beside
        last = int(np.searchsorted(words.begins, end)) + beside
        floor = int(words.begins[first]) if first > 0 else 0
        limit = int(words.begins[last]) if last < len(words) else len(self._text)
        begin = sentence_start(self._text, start, floor, self.cited)
        stop = max(end, sentence_end(self._text, _last_letter(self._text, end), limit, self.cited))
        if self._has_citation(begin, stop) or self._cites_at(stop):
            return True
        return bool(quotes) and self._is_introduced(begin, floor)

    def _has_citation(self, start: int, end: int) -> bool:
        at = bisect_left(self._cited_ends, start + 1)
        return at < len(self.cited) and self._cited_starts[at] < end

    def _cites_at(self, place: int) -> bool:
        """Whether a citation is right behind a place, with nothing but marks between."""
        found = _CLOSING.match(self._text, place)
        behind = place if found is None else found.end()
        at = bisect_left(self._cited_starts, place)
        return at < len(self.cited) and self._cited_starts[at] <= behind

    def _is_introduced(self, start: int, floor: int) -> bool:
        """Whether the sentence before a quotation names its author, other than at its own end."""
        end = floor + len(self._text[floor:start].rstrip())
        begin = sentence_start(self._text, max(floor, end - 1), floor, self.cited)
        at = bisect_left(self._cited_ends, begin + 1)
        if at >= len(self.cited) or self._cited_starts[at] >= end:
            return False
        between = self._text[self._cited_ends[at] : end]
        return any(c.isalnum() for c in between)


def _touching(ranges: Sequence[Range], place: Range) -> list[Range]:
    """The ranges that have a place in common with another one."""
    first = bisect_left(ranges, place.start, key=lambda one: one.end)
    last = bisect_left(ranges, place.end, key=lambda one: one.start)
    return list(ranges[first:last])


def _words_in(words: Words, runs: Sequence[Sequence[int]], ranges: Sequence[Range]) -> int:
    """How many words of these runs are in the ranges."""
    edges = np.searchsorted(words.begins, np.array(ranges, np.int64).reshape(-1, 2))
    is_in = np.zeros(max(run[1] for run in runs) + 1, np.int64)
    for first, last in edges.tolist():
        is_in[first:last] = 1
    before = np.r_[0, np.cumsum(is_in)]
    return int(sum(before[last] - before[first] for first, last in runs))


def _last_letter(text: str, end: int) -> int:
    """The place behind the last letter before `end`, so that a full stop before it is seen."""
    first = max(0, end - 6)
    while end > first and not text[end - 1].isalnum():
        end -= 1
    return end


def attributed(
    passage: Passage, a: AttributedText, b: AttributedText, words: tuple[Words, Words]
) -> Passage:
    """A passage with the group of both of its sides."""
    return replace(
        passage,
        a_attribution=a.attribution((match[:2] for match in passage.matches), words[0]),
        b_attribution=b.attribution((match[2:] for match in passage.matches), words[1]),
    )
