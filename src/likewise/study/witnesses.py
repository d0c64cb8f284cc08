"""What two to five texts share, all together and in part, beside what chance gives."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from likewise.arrays import Floats
from likewise.errors import UsageError
from likewise.passages.settings import DEFAULT_MIN_WORDS, PassageSettings
from likewise.run import Progress, silent
from likewise.statistics.family_runs import family_run_chance
from likewise.statistics.shared_runs import SMALLEST_P, count_short_runs, is_unspaced
from likewise.study.null_texts import (
    NULLS,
    SHUFFLES,
    ShuffledTexts,
    UnrelatedTexts,
    trial_generator,
)
from likewise.study.traditions import (
    LETTERS,
    Figure,
    Figures,
    Traditions,
    run_figures,
    shingle_figures,
)
from likewise.text.displayed import displayed_strings
from likewise.text.profile import DEFAULT_PROFILE, Profile
from likewise.text.words import words_of
from likewise.whole_numbers import check_whole

MAX_TRIALS = 100_000
_DEFAULT_MAX_TRIALS = 99
_DEFAULT_MIN_TRIALS = 19
_CHARACTERS = 5_000_000  # of the trials of a null, if their number is not given: some seconds


@dataclass(frozen=True, slots=True)
class Level:
    """A figure under a null.

    Attributes:
        trials: those in which the figure exists.
        low, high: 95 % of the trials are between them.
        p_value: the share of the trials that reach the figure of the texts, which counts as one
            more; None if this null says nothing about it.
    """

    trials: int
    mean: float
    spread: float
    lowest: float
    low: float
    high: float
    highest: float
    p_value: float | None


@dataclass(slots=True, eq=False)
class WitnessStudy:
    """What the texts share.

    Attributes:
        sizes: words of each text.
        figures: what is counted in the texts; None for an order without two parallels.
        words: by the texts that share them, the words of each of these texts, as in a synopsis.
        run_chances: for each two texts and more, the probability that unrelated texts of these
            lengths all share so long a run, at most; the smallest is SMALLEST_P.
        levels: by null and figure; none if the figure exists in no trial.
        left_out: nulls that these texts do not have, and why.
        no_p: nulls without p-values for these texts, and why.
    """

    profile: Profile
    min_words: int
    trials: int
    seed: int
    sizes: tuple[int, ...]
    figures: Figures
    words: dict[str, tuple[int, ...]]
    run_chances: dict[str, float]
    levels: dict[tuple[str, Figure], Level] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    no_p: dict[str, str] = field(default_factory=dict)

    @property
    def nulls(self) -> list[str]:
        """Those that were tried, in the order of the table."""
        tried = {null for null, _ in self.levels}
        return [null for null in NULLS if null in tried]


def study_witnesses(
    texts: Sequence[str],
    *,
    unrelated: Sequence[str] | None = None,
    nulls: Sequence[str] | None = None,
    profile: Profile | str = DEFAULT_PROFILE,
    min_words: int = DEFAULT_MIN_WORDS,
    trials: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> WitnessStudy:
    """Counts what the texts share, and the same in random texts.

    Args:
        texts: two to five.
        unrelated: texts that have nothing to do with these, for the null "unrelated". Those that
            are among `texts` are ignored.
        nulls: keys of `NULLS`; all that are possible, if not given.
        profile: of the shingles.
        min_words: every run of at least this many equal words is a passage.
        trials: random texts per null; by default as many as time allows, 19 to 99.
        seed: trial t of a null is the same for any number of trials and whichever other nulls.
    """
    check_witnesses(len(texts), nulls, unrelated is not None, min_words, trials, seed)
    profile = Profile.of(profile)
    shown = list(displayed_strings(texts, profile))
    sizes = tuple(len(words_of(text)) for text in shown)
    for letter, size in zip(LETTERS, sizes, strict=False):
        if not size:
            raise UsageError(f"text {letter} has no words", hint="it is empty or not a text")
    if trials is None:
        affordable = _CHARACTERS // sum(map(len, shown))
        trials = min(_DEFAULT_MAX_TRIALS, max(_DEFAULT_MIN_TRIALS, affordable))

    def figures_of(given: Sequence[str], traditions: Traditions) -> Figures:
        return {
            **traditions.figures(),
            **shingle_figures(given, profile),
            **run_figures(given),
        }

    traditions = Traditions.of_texts(shown, min_words)
    figures = figures_of(shown, traditions)
    chances = _run_chances(shown, figures)
    study = WitnessStudy(
        profile, min_words, trials, seed, sizes, figures, traditions.words, chances
    )
    others = None
    if unrelated is not None:
        different = [text for text in unrelated if text not in texts]
        others = UnrelatedTexts(displayed_strings(different, profile), sizes)
    for null in nulls or [*SHUFFLES, *(["unrelated"] if others else [])]:
        draw = _source(study, null, shown, others)
        if draw is None:
            continue
        drawn = []
        for trial in range(trials):
            progress(f"trials of {null}", trial, trials)
            random_texts = draw(trial_generator(seed, null, trial))
            drawn.append(figures_of(random_texts, Traditions.of_texts(random_texts, min_words)))
        tests: Collection[str] = () if null in study.no_p else NULLS[null].tests
        for figure, level in _levels(figures, drawn, tests):
            study.levels[null, figure] = level
    return study


def check_witnesses(
    texts: int,
    nulls: Sequence[str] | None,
    has_unrelated: bool,
    min_words: int,
    trials: int | None,
    seed: int,
) -> None:
    """Raises, before any work, for invalid arguments of `study_witnesses`."""
    if not 2 <= texts <= len(LETTERS):
        raise UsageError(f"the number of texts is {texts}; it must be from 2 to {len(LETTERS)}")
    for null in nulls or ():
        if null not in NULLS:
            raise UsageError(f"null is {null!r}; it must be one of {', '.join(NULLS)}")
    if "unrelated" in (nulls or ()) and not has_unrelated:
        raise UsageError(
            "the null model unrelated requires unrelated texts", hint="give --unrelated SOURCE"
        )
    PassageSettings(min_words)
    if trials is not None:
        check_whole("trials", trials, 1, MAX_TRIALS)
    check_whole("seed", seed, 0, 2**64 - 1)


def _source(
    study: WitnessStudy, null: str, texts: Sequence[str], others: UnrelatedTexts | None
) -> Callable[[np.random.Generator], list[str]] | None:
    """What draws random texts; None, with the reason in the study, if these texts have none."""
    if null in SHUFFLES:
        shuffled = ShuffledTexts(texts, null)
        if short := shuffled.too_short():
            study.left_out[null] = f"too few {null} in {', '.join(LETTERS[i] for i in short)}"
            return None
        return shuffled.draw
    assert others is not None  # `check_witnesses`
    if reason := others.why_no_p():
        study.no_p[null] = reason
    return others.draw


def _levels(
    observed: Figures, drawn: Sequence[Figures], tests: Collection[str]
) -> Iterator[tuple[Figure, Level]]:
    for figure, value in observed.items():
        values = np.array([one[figure] for one in drawn if one[figure] is not None], np.float64)
        if len(values):
            tested = figure.measure in tests and len(figure.texts) > 1
            yield figure, _level(values, value if tested else None)


def _level(drawn: Floats, observed: float | None) -> Level:
    """The level of a figure, with the p-value of the observed one."""
    p_value = None
    if observed is not None:
        p_value = (1 + int(np.count_nonzero(drawn >= observed))) / (len(drawn) + 1)
    low, high = np.quantile(drawn, [0.025, 0.975]).tolist()
    return Level(
        trials=len(drawn),
        mean=float(drawn.mean()),
        spread=float(drawn.std(ddof=1)) if len(drawn) > 1 else 0.0,
        lowest=float(drawn.min()),
        low=low,
        high=high,
        highest=float(drawn.max()),
        p_value=p_value,
    )


def _run_chances(texts: Sequence[str], figures: Figures) -> dict[str, float]:
    words = [words_of(text) for text in texts]
    unspaced = any(is_unspaced(own.letters) for own in words)
    short = {
        (i, j): count_short_runs(words[i].hashes, words[j].hashes)
        for i, j in combinations(range(len(texts)), 2)
    }
    chances = {}
    for figure, run in figures.items():
        if figure.measure != "run" or run is None:
            continue
        own = [LETTERS.index(letter) for letter in figure.texts]
        p = family_run_chance(
            [len(words[i]) for i in own],
            int(run),
            {(x, y): short[own[x], own[y]] for x, y in combinations(range(len(own)), 2)},
            unspaced=unspaced,
        )
        chances[figure.texts] = max(SMALLEST_P, p)
    return chances
