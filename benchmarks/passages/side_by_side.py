r"""Two passages from different places of one source, side by side in the copy: are both found?

Each copy is other text of 300 to 1,500 words with two passages of the source put in, of 30, 60, 120
or 240 words, with 0, 20 or 100 other words between them, in the order of the source and swapped.
In the source they lie at least 250 words apart. Cuts are at any word, and in a second series at the
ends of sentences; in two more, one word in 8 and one in 4 is replaced. Words are those that the
product cuts: in Chinese and Japanese, single characters.

A verbatim case succeeds if exactly two passages touch what was planted, both of kind verbatim, each
with at least 90 % of its planted range on both sides, and a source at most 1.2 times as long as
planted. A replaced case succeeds with two passages of kind verbatim, edited or reordered, at least
half of the planted range on both sides, and a source at most 1.5 times as long.

    python -m benchmarks.passages.side_by_side --pan pan13-train.tar.xz --gospels FOLDER \
        --texts FOLDER

With --tiny two books of the King James Version stand among sample essays.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.texts import real_texts
from likewise.passages.alignment import AlignmentSettings, align_pairs
from likewise.passages.passage import Passage
from likewise.text.words import Words, words_of


def found_passages(
    texts: Sequence[str], pairs: Sequence[tuple[int, int]], words: Sequence[Words]
) -> list[list[Passage]]:
    """The passages of each pair, copy first, as `likewise compare` finds them."""
    asked = AlignmentSettings(least_run=12)
    return align_pairs(texts, pairs, settings=asked, words=words, threads=2)


LENGTHS = (30, 60, 120, 240)
GAPS = (0, 20, 100)
ORDERS = ("as in the source", "swapped")
SERIES = {"any word": 0.0, "sentence ends": 0.0, "1 in 8 replaced": 1 / 8, "1 in 4 replaced": 1 / 4}
APART = 250
KINDS = ("verbatim", "edited", "reordered")
RUN = 12
"""So many words in a row that stand in the source elsewhere, or in the other text, make the truth
doubtful: such places are not taken."""


Range = tuple[int, int]


@dataclass(frozen=True)
class Planted:
    """Ranges of words: in the copy, in the source."""

    a: Range
    b: Range


@dataclass(frozen=True)
class Case:
    language: str
    series: str
    length: int
    gap: int
    order: str
    source: int
    copy: str
    planted: list[Planted]


class Draw:
    """Cases from texts of one language: `sources`, and `others` to put the passages in."""

    def __init__(self, language: str, sources: list[str], others: list[str], count: int) -> None:
        self.random = random.Random(language)
        self.count = count
        self.language = language
        self.sources = sources
        self.words = [words_of(text) for text in sources]
        cut = [(text, words_of(text)) for text in others]
        self.others = [(text, words) for text, words in cut if len(words) >= 400]
        foreign = {run for _, words in self.others for run in _runs(words)}
        self.doubtful = []  # for each source, the places where such a run begins
        for words in self.words:
            runs = _runs(words)
            times = Counter(runs)
            self.doubtful.append(np.array([times[run] > 1 or run in foreign for run in runs]))

    def cases(self, series: str) -> Iterator[Case]:
        """For all lengths, gaps and orders as many sources as asked for, where they have places."""
        for length, gap, order in product(LENGTHS, GAPS, ORDERS):
            made = 0
            for source in range(len(self.sources)):
                taken = self._taken(source, length, series == "sentence ends")
                if taken is None:
                    continue
                made += 1
                if order == "swapped":
                    taken = taken[::-1]
                copy, planted = self._copy(source, taken, gap, series)
                yield Case(self.language, series, length, gap, order, source, copy, planted)
                if made == self.count:
                    break

    def _taken(self, source: int, length: int, at_sentences: bool) -> list[Range] | None:
        """Two ranges of the source that stand far apart and nowhere else."""
        words = self.words[source]
        if len(words) < 2 * length + APART + 20:
            return None
        for _ in range(500):
            ranges = []
            for begin in self.random.sample(range(len(words) - length), 2):
                ends = (begin, begin + length)
                first, last = (_sentence_end(words, end) if at_sentences else end for end in ends)
                ranges.append((first, last))
            ranges.sort()
            if (
                ranges[1][0] - ranges[0][1] >= APART
                and all(0.7 * length <= last - first <= 1.4 * length for first, last in ranges)
                and not any(self.doubtful[source][first:last].any() for first, last in ranges)
            ):
                return ranges
        return None

    def _copy(
        self, source: int, taken: list[Range], gap: int, series: str
    ) -> tuple[str, list[Planted]]:
        other, known = self.random.choice(self.others)
        size = min(self.random.randint(300, 1500), len(known) - 1)
        begin = self.random.randrange(len(known) - size)
        cut = begin + self.random.randint(0, size - gap)
        if series == "sentence ends":
            cut = min(_sentence_end(known, cut), begin + size - gap)
        parts = [
            _slice(other, known, begin, cut),
            self._passage(source, taken[0], SERIES[series]),
            _slice(other, known, cut, cut + gap),
            self._passage(source, taken[1], SERIES[series]),
            _slice(other, known, cut + gap, begin + size),
        ]
        ends = np.cumsum([len(words_of(part)) for part in parts]).tolist()
        planted = [Planted((ends[0], ends[1]), taken[0]), Planted((ends[2], ends[3]), taken[1])]
        return " ".join(part for part in parts if part), planted

    def _passage(self, source: int, taken: Range, rate: float) -> str:
        """A slice of the source, with a share of its words replaced by some of the other texts."""
        text, words = self.sources[source], self.words[source]
        begin, end = taken
        if not rate:
            return _slice(text, words, begin, end)
        chosen = set(self.random.sample(range(begin, end), round(rate * (end - begin))))
        made = []
        for i in range(begin, end):
            other, known, j = text, words, i
            if i in chosen:
                other, known = self.random.choice(self.others)
                j = self.random.randrange(len(known))
            behind = words.begins[i + 1] if i + 1 < end else words.ends[i]
            made += [_slice(other, known, j, j + 1), text[words.ends[i] : behind]]
        return "".join(made)


def _slice(text: str, words: Words, begin: int, end: int) -> str:
    return text[words.begins[begin] : words.ends[end - 1]] if end > begin else ""


def _sentence_end(words: Words, place: int) -> int:
    """The nearest place from here on where a sentence ends."""
    ends = np.flatnonzero(words.gaps[place : place + 200] >= 2)
    return min(place + int(ends[0]), len(words)) if len(ends) else place


def _runs(words: Words) -> list[int]:
    """Of each place the hash of the run of words that begins there."""
    mixed = np.zeros(max(len(words) - RUN + 1, 0), np.uint64)
    for i in range(RUN):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + words.hashes[i : i + len(mixed)]
    return mixed.tolist()


def failure(case: Case, passages: list[Passage], copy: Words, source: Words) -> str:
    """What is wrong with the passages of a case; "" if nothing is."""
    verbatim = not SERIES[case.series]
    share, longest = (0.9, 1.2) if verbatim else (0.5, 1.5)
    found = [
        (p, _range(copy, p.a_start, p.a_end), _range(source, p.b_start, p.b_end)) for p in passages
    ]
    touching = [
        one
        for one in found
        if any(_shared(one[1], p.a) > 0 or _shared(one[2], p.b) > 0 for p in case.planted)
    ]
    if any(one[0].kind not in KINDS for one in touching):
        return "reworded"
    mine = [
        [one for one in touching if 2 * _shared(one[1], p.a) >= _size(p.a)] for p in case.planted
    ]
    if any(one in mine[1] for one in mine[0]):
        return "merged"
    if not all(mine):
        return "missed"
    if len(touching) > 2:
        return "third passage"
    for ((passage, in_a, in_b),), planted in zip(mine, case.planted, strict=True):
        if verbatim and passage.kind != "verbatim":
            return f"called {passage.kind}"
        sides = ((in_a, planted.a), (in_b, planted.b))
        if any(_shared(side, whole) < share * _size(whole) for side, whole in sides):
            return "too short or elsewhere"
        if _size(in_b) > longest * _size(planted.b):
            return "source too long"
    return ""


def _range(words: Words, start: int, end: int) -> Range:
    first, last = np.searchsorted(words.begins, (start, end)).tolist()
    return first, last


def _shared(one: Range, other: Range) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


def _size(one: Range) -> int:
    return one[1] - one[0]


@dataclass(frozen=True)
class Result:
    case: Case
    failure: str
    passages: list[Passage]
    elsewhere: int  # passages that touch nothing planted


def run(draw: Draw, series: str) -> list[Result]:
    cases = list(draw.cases(series))
    texts = [*draw.sources, *(case.copy for case in cases)]
    words = [*draw.words, *(words_of(case.copy) for case in cases)]
    copies = range(len(draw.sources), len(texts))
    pairs = [(copy, case.source) for copy, case in zip(copies, cases, strict=True)]
    results = []
    for case, (copy, source), passages in zip(
        cases, pairs, found_passages(texts, pairs, words), strict=True
    ):
        planted = [_range(words[copy], p.a_start, p.a_end) for p in passages]
        outside = sum(not any(_shared(one, p.a) for p in case.planted) for one in planted)
        reason = failure(case, passages, words[copy], words[source])
        results.append(Result(case, reason, passages, outside))
    return results


def collections(given: argparse.Namespace) -> Iterator[Draw]:
    """What copies are made of, language by language."""
    count = 3 if given.tiny else given.sources
    choose = random.Random(given.seed)
    essays, _ = real_texts.essays()
    english = [" ".join(text.text for text in essays[i : i + 7]) for i in range(0, 35, 7)]
    if given.pan:
        corpus = real_texts.pan(given.pan)
        clean = sorted({pair.a for pair in corpus.pairs if pair.kind == "none"})
        english = [corpus.texts[name] for name in clean]
        names = sorted({pair.b for pair in corpus.pairs if pair.kind != "none"})
        long = [corpus.texts[name] for name in names if len(corpus.texts[name].split()) >= 800]
        yield Draw("English (PAN)", choose.sample(long, 2 * count), english, count)
    bible = [text.text for text in real_texts.bible()]
    yield Draw("English (Bible)", _slices(bible, 2 * count, choose), english, count)
    sources: dict[str, tuple[str, str, list[str]]] = {}  # language, genre, texts
    if given.gospels:
        french = [text for text in real_texts.gospels(given.gospels) if text.language == "French"]
        sources["fr/gospels"] = ("fr", "bible", [text.text for text in french])
    if given.texts:
        for one in real_texts.fetched(given.texts):
            sources[one.name] = (one.language, one.genre, one.texts)
    for language in sorted({language for language, _, _ in sources.values()} - {"en"}):
        known = [(genre, texts) for own, genre, texts in sources.values() if own == language]
        known.sort(key=lambda one: -sum(map(len, one[1])))
        # The source of most text, and as others those of different genres.
        genre, texts = known[0]
        others = [text for kind, some in known[1:] if kind != genre for text in some]
        others = others or [text for _, some in known[1:] for text in some]
        if others:
            parts = _slices(texts, 2 * count, choose), _slices(others, 40, choose)
            yield Draw(language, *parts, count)


def _slices(texts: list[str], count: int, choose: random.Random) -> list[str]:
    """Slices of 1,000 to 10,000 words; short texts are joined first."""
    joined = [""]
    for text in texts:
        if len(joined[-1]) > 60_000:
            joined.append("")
        joined[-1] += text + "\n\n"
    long = [(text, words) for text in joined if len(words := words_of(text)) >= 1000]
    made = []
    for _ in range(count):
        text, words = choose.choice(long)
        size = min(len(words), int(10 ** choose.uniform(3, 4)))
        begin = choose.randrange(len(words) - size + 1)
        made.append(_slice(text, words, begin, begin + size))
    return made


def table(results: list[Result], name: str, value: Callable[[Case], Any]) -> str:
    """The share of successes by a property of the cases, one column for each series."""
    counts: dict[Any, dict[str, list[int]]] = {}
    for one in results:
        row = counts.setdefault(value(one.case), {series: [0, 0] for series in SERIES})
        row[one.case.series][0] += not one.failure
        row[one.case.series][1] += 1
    rows = [
        [
            str(key),
            *(f"{100 * good / of:.1f} % of {of:,}" if of else "–" for good, of in row.values()),
        ]
        for key, row in counts.items()
    ]
    return markdown([name, *SERIES], rows)


def failure_table(results: list[Result]) -> str:
    reasons = Counter((one.failure, one.case.series) for one in results if one.failure)
    order = Counter(one.failure for one in results if one.failure).most_common()
    rows = [[name, *(f"{reasons[name, series]:,}" for series in SERIES)] for name, _ in order]
    elsewhere = Counter(one.case.series for one in results for _ in range(one.elsewhere))
    rows.append(["passages outside what was planted", *(f"{elsewhere[s]:,}" for s in SERIES)])
    return markdown(["failure", *SERIES], rows)


def shown(result: Result, draw: Draw) -> str:
    """A failure with the texts of its passages."""
    case = result.case
    words = words_of(case.copy)
    lines = [
        f"### {result.failure}: {case.language}, {case.series}, {case.length} words, "
        f"{case.gap} between, {case.order}; source of {len(draw.words[case.source]):,} words"
    ]
    for planted in case.planted:
        size = f"planted: words {planted.a} of {len(words):,} from {planted.b}"
        lines.append(f"- {size}: {_quoted(_slice(case.copy, words, *planted.a))}")
    for p in result.passages:
        a = _range(words, p.a_start, p.a_end)
        b = _range(draw.words[case.source], p.b_start, p.b_end)
        about = f"{p.kind}, {p.words} shared, run {p.run}, evidence {p.evidence:.0f}"
        texts = case.copy[p.a_start : p.a_end], draw.sources[case.source][p.b_start : p.b_end]
        lines.append(f"- found: {a} from {b} ({about}): {' | '.join(map(_quoted, texts))}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 200 else f"{flat[:95]} […] {flat[-95:]}"


def main() -> None:
    parser = settings.parser(__doc__ or "")
    real_texts.add_arguments(parser)
    parser.add_argument("--sources", type=int, default=100, help="sources of each language")
    parser.add_argument("--series", nargs="+", choices=list(SERIES), default=list(SERIES))
    parser.add_argument("--languages", nargs="+", help="only these, as the table names them")
    given = parser.parse_args()
    known = machine.facts()
    results: list[Result] = []
    examples: list[str] = []
    seconds = 0.0
    for draw in collections(given):
        if given.languages and draw.language not in given.languages:
            continue
        for series in given.series:
            start = time.perf_counter()
            new = run(draw, series)
            seconds += time.perf_counter() - start
            failed = [one for one in new if one.failure]
            settings.say(f"{draw.language}, {series}: {len(new) - len(failed):,} of {len(new):,}")
            results += new
            examples += [shown(one, draw) for one in failed]
    random.Random(given.seed).shuffle(examples)
    text = "\n\n".join([
        "# Two passages of one source, side by side in the copy",
        f"{len(results):,} copies; made and aligned in {seconds:,.0f} s. Found right:",
        table(results, "language", lambda case: case.language),
        table(results, "words of each passage", lambda case: case.length),
        table(results, "words between", lambda case: case.gap),
        table(results, "order", lambda case: case.order),
        "## Failures",
        failure_table(results),
        *examples[: given.show],
        machine.summary(known),
    ])  # fmt: skip
    facts = [
        {
            "language": one.case.language, "series": one.case.series, "length": one.case.length,
            "gap": one.case.gap, "order": one.case.order, "failure": one.failure,
        }
        for one in results
    ]  # fmt: skip
    counts = Counter(tuple(fact.items()) for fact in facts)
    rows = [dict(key) | {"cases": times} for key, times in counts.items()]
    settings.save(
        settings.results(given), "side-by-side", {"machine": known, "results": rows}, text
    )


if __name__ == "__main__":
    main()
