"""Altered copies of documents: the share that is found, and the share that should be.

A copy keeps each line of a document with probability q; the other lines come from anywhere in the
collection. It is found if it becomes a candidate of its original, which has the probability
1 - (1 - J^rows)^bands at a similarity of J. J is neither q nor exactly q / (2 - q), since lines
differ in length, so it is measured for every copy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from numbers import Real
from typing import NamedTuple

import numpy as np

from likewise import _core
from likewise._core import Texts
from likewise.arrays import Floats
from likewise.errors import UsageError
from likewise.run import Progress, silent
from likewise.sketches.scan import scan
from likewise.statistics.bands import MAX_VALUES, Layout
from likewise.study.altered import UNITS, CutDocument, cut_documents
from likewise.study.estimators.randomness import generator, hash_keys, mix
from likewise.text.displayed import displayed_strings
from likewise.text.profile import Profile
from likewise.threads import thread_count, thread_pool
from likewise.whole_numbers import check_whole

SHARES = (0.8, 0.6, 0.5, 0.4, 0.2)
LAYOUTS = (Layout(50, 2), Layout(25, 4), Layout(20, 5), Layout(10, 10))
ESTIMATORS = {
    "sketch": "the fast similarity sketch that a search uses",
    "permutations": "classical MinHash, with a separate random order for each value",
}
MAX_TRIES = 100_000
SIMULATIONS = 9_999  # of the whole experiment, for its p-value
AT_ONCE = 64  # copies in memory


@dataclass(frozen=True, slots=True)
class Cell:
    """The copies that keep one share, under one layout.

    Attributes:
        share: the probability of keeping a line.
        tries, found: number of copies, and of those that became a candidate of their original.
        jaccard_mean, jaccard_spread: mean and standard deviation of the measured similarities.
        ideal, one_sided: the probability of being found at a similarity of `share`, and at
            share / (2 - share).
        expected: the mean probability at the measured similarities.
        z: (found - expected count) / its standard deviation; None if that is 0.
    """

    layout: Layout
    share: float
    tries: int
    found: int
    jaccard_mean: float
    jaccard_spread: float
    ideal: float
    one_sided: float
    expected: float
    z: float | None

    @property
    def seen(self) -> float:
        """The share of the copies that was found."""
        return self.found / self.tries


@dataclass(frozen=True, slots=True)
class Detection:
    """The experiment, with a cell for each layout and share.

    Attributes:
        documents, units: number of documents used, and of their lines (or sentences) with words.
        passed_over: documents with too few lines.
        p_value: the probability, if `expected` is right, that all cells together deviate from it at
            least this much (sum of z squared, by simulation).
    """

    profile: Profile
    estimator: str
    unit: str
    documents: int
    passed_over: int
    units: int
    cells: tuple[Cell, ...]
    p_value: float


def detect_copies(
    texts: Sequence[str],
    *,
    shares: Sequence[float] = SHARES,
    layouts: Sequence[Layout] = LAYOUTS,
    tries: int = 50,
    profile: Profile | str = "papers",
    estimator: str = "sketch",
    unit: str = "line",
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Detection:
    """Makes `tries` copies for each share and layout, and counts those that are found.

    Args:
        texts: the collection, in memory.
        shares: probabilities of keeping a line of the original.
        layouts: signatures have bands * rows values.
        tries: each with its own hash function; the seed of the profile has no effect.
        estimator: "sketch", as in a search, or "permutations", as in the theory.
        unit: what is replaced: a "line" or a "sentence". Units without words stay as they are.
    """
    check_detection(shares, layouts, tries, estimator, unit, seed)
    profile, workers = Profile.of(profile), thread_count(threads)
    progress = progress or silent
    displayed = displayed_strings(texts, profile, threads=workers)
    pool, passed_over = cut_documents(displayed, unit, profile, workers)
    rng = generator(seed)
    attempt = _by_sketch if estimator == "sketch" else _by_permutations
    cells: list[Cell] = []
    laws: list[Floats] = []
    settings = [(layout, share) for layout in layouts for share in shares]
    with thread_pool(workers, "detection") as executor:
        for number, (layout, share) in enumerate(settings):
            trials: list[tuple[bool, float]] = []
            for begin in range(0, tries, AT_ONCE):
                progress("copies", number * tries + begin, len(settings) * tries)
                # Everything random is drawn here, in order, whatever the threads do.
                tasks = list(_tasks(pool, share, min(AT_ONCE, tries - begin), rng))
                trials += executor.map(partial(attempt, layout=layout, profile=profile), tasks)
            cell, law = _summary(layout, share, trials)
            cells.append(cell)
            laws.append(law)
    return Detection(
        profile=profile,
        estimator=estimator,
        unit=unit,
        documents=len(pool),
        passed_over=passed_over,
        units=sum(len(document.places) for document in pool),
        cells=tuple(cells),
        p_value=_p_value([cell.found for cell in cells], laws, rng),
    )


def check_detection(
    shares: Sequence[float],
    layouts: Sequence[Layout],
    tries: int,
    estimator: str,
    unit: str,
    seed: int,
) -> None:
    """Raises, before any work, for invalid arguments."""
    if not shares or not layouts:
        raise UsageError("at least one share and one layout are needed")
    for share in shares:
        if not isinstance(share, Real) or not 0 <= share < 1:
            raise UsageError(
                f"a share is {share!r}; it must be at least 0 and less than 1",
                hint="0.8 keeps about four lines of five",
            )
    for layout in layouts:
        check_whole("bands", layout.bands, 1, MAX_VALUES)
        check_whole("rows", layout.rows, 1, MAX_VALUES)
        if (values := layout.bands * layout.rows) > MAX_VALUES:
            raise UsageError(
                f"{layout} need {values:,} values; a signature has at most {MAX_VALUES:,}"
            )
    check_whole("tries", tries, 1, MAX_TRIES)
    check_whole("seed", seed, 0, 2**64 - 1)
    for name, value, choices in (("estimator", estimator, ESTIMATORS), ("unit", unit, UNITS)):
        if value not in choices:
            raise UsageError(f"{name} is {value!r}; it must be one of {', '.join(choices)}")


# Each try gives whether the copy is found, and its similarity. It has its own hash seed, so that
# tries are independent.


class _Task(NamedTuple):
    original: str
    copy: str
    seed: int


def _tasks(
    pool: Sequence[CutDocument], share: float, count: int, rng: np.random.Generator
) -> Iterator[_Task]:
    for _ in range(count):
        original = pool[int(rng.integers(len(pool)))]
        yield _Task(original.text, original.copy(share, pool, rng), int(rng.integers(2**63)))


def _by_sketch(task: _Task, layout: Layout, profile: Profile) -> tuple[bool, float]:
    """As a search does it: sketch, band keys, candidates; verified exactly."""
    texts = Texts.from_strings([task.original, task.copy])
    seeded = replace(profile, seed=task.seed)
    rules = seeded.rules()
    values = layout.bands * layout.rows
    keys = scan(texts, seeded, values=values, layout=layout, threads=1).band_keys
    both = np.array([0, 1], dtype=np.uint32)
    _, candidates, _, _ = _core.find_candidates(keys, both, None, max_bucket=2, threads=1)
    _, _, shared, size_a, size_b = _core.verify(
        texts, rules, np.array([0, 1, 1], np.uint64), both[1:], begin=0, end=2,
        measure="jaccard", threshold=0.0, threads=1,
    )  # fmt: skip
    return len(candidates) > 0, int(shared[0]) / int(size_a[0] + size_b[0] - shared[0])


def _by_permutations(task: _Task, layout: Layout, profile: Profile) -> tuple[bool, float]:
    """Each value the first element in a random order: minima agree if it lies in both sets."""
    hashes, offsets = _core.shingle_hashes(
        Texts.from_strings([task.original, task.copy]), profile.rules()
    )
    first, second = np.split(hashes, offsets[1:2].astype(np.intp))
    union, sets = np.unique(
        np.concatenate([np.unique(first), np.unique(second)]), return_counts=True
    )
    in_both = sets == 2
    keys = hash_keys(task.seed, layout.bands * layout.rows)
    agree = np.array([in_both[mix(union, key).argmin()] for key in keys])
    found = agree.reshape(layout.bands, layout.rows).all(axis=1).any()
    return bool(found), float(in_both.mean())


def _summary(
    layout: Layout, share: float, trials: Sequence[tuple[bool, float]]
) -> tuple[Cell, Floats]:
    """The cell, and the distribution of its count."""
    found = sum(was_found for was_found, _ in trials)
    jaccard = np.array([similarity for _, similarity in trials])
    chances = np.array([layout.recall(similarity) for similarity in jaccard])
    variance = float((chances * (1 - chances)).sum())
    cell = Cell(
        layout=layout,
        share=share,
        tries=len(trials),
        found=found,
        jaccard_mean=float(jaccard.mean()),
        jaccard_spread=float(jaccard.std(ddof=1)) if len(jaccard) > 1 else 0.0,
        ideal=layout.recall(share),
        one_sided=layout.recall(share / (2 - share)),
        expected=float(chances.mean()),
        z=(found - float(chances.sum())) / math.sqrt(variance) if variance > 0 else None,
    )
    return cell, law_of_count(chances)


def law_of_count(chances: Floats) -> Floats:
    """The probabilities of 0, 1, …, n successes in n tries with different chances."""
    law = np.zeros(len(chances) + 1)
    law[0] = 1.0
    for done, chance in enumerate(chances, start=1):
        law[1 : done + 1] = law[1 : done + 1] * (1 - chance) + law[:done] * chance
        law[0] *= 1 - chance
    return law


def _p_value(found: Sequence[int], laws: Sequence[Floats], rng: np.random.Generator) -> float:
    """The share of simulations with at least as large a sum of z squared.

    Simulated from the exact laws, since z is far from normal if almost nothing should be found.
    """
    observed, drawn = 0.0, np.zeros(SIMULATIONS)
    for count, law in zip(found, laws, strict=True):
        numbers = np.arange(len(law))
        mean = numbers @ law
        variance = (numbers - mean) ** 2 @ law
        if variance <= 0:
            continue
        squares = (numbers - mean) ** 2 / variance
        observed += squares[count]
        drawn += squares[rng.choice(len(law), size=SIMULATIONS, p=law / law.sum())]
    return float(1 + np.count_nonzero(drawn >= observed)) / (SIMULATIONS + 1)
