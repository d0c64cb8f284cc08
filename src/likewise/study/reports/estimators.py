"""Trials of estimators, and of published hashes, as text, rows and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from likewise.output.figure import BLUE, GREY, RED, figure
from likewise.output.rows import Columns, Rows
from likewise.output.table import aligned
from likewise.study.estimation import Estimation, Trial
from likewise.study.published_hashes import Collisions, FalseCandidates


def estimators_text(estimation: Estimation, a: str, b: str) -> str:
    """A table of the estimators, for texts called a and b."""
    times, level = estimation.times, f"{100 * estimation.level:g}%"
    numeric = ["draws", "values", "mean %", "off by", "varies by", f"{level} covers", "ms"]
    lines = [
        f"a  {a}: {estimation.size_a:,} shingles",
        f"b  {b}: {estimation.size_b:,} shingles",
        f"   {estimation.shared:,} shared; exact similarity {100 * estimation.exact:.2f} %",
        "",
        aligned(
            ["estimator", *numeric, "sound"],
            [_row(trial, times) for trial in estimation.trials],
            numeric,
        ),
        f"Each estimator {times} times; similarities in percent, differences in percentage points.",
        "off by     mean less exact similarity, ± the standard error of that mean",
        f"varies by  standard deviation; {estimation.values} values in random orders vary by "
        f"{100 * estimation.binomial_deviation:.2f}",
        f"{level} covers number of {level} intervals that contain the exact similarity",
        "ms         milliseconds of one estimate",
    ]
    unsound = [trial.estimator for trial in estimation.trials if not trial.estimator.sound]
    if unsound:
        width = max(len(each.name) for each in unsound)
        lines += ["", "NO: does not estimate the similarity"]
        lines += [
            f"  {each.name:<{width}}  {each.estimates.removeprefix('nothing: ')}"
            for each in unsound
        ]
    lines += ["", f"profile {estimation.profile}"]
    return "\n".join(lines) + "\n"


def _row(trial: Trial, times: int) -> list[str]:
    estimator, repeats = trial.estimator, trial.repeats
    counts = ["" if count is None else f"{count:,}" for count in (trial.draws, trial.values)]
    off_by = f"{100 * trial.bias:+.2f} ± {100 * repeats.error:.2f}"
    return [
        estimator.name,
        *counts,
        f"{100 * repeats.mean:.2f}",
        "0" if estimator.counts == "nothing" else off_by,
        f"{100 * repeats.deviation:.2f}",
        "no interval" if repeats.covering is None else f"{repeats.covering} of {times}",
        f"{1000 * repeats.seconds:.1f}",
        "yes" if estimator.sound else "NO",
    ]


def estimators_rows(estimation: Estimation) -> Rows:
    """One row per estimator, similarities from 0 to 1."""
    columns: Columns = {
        "estimator": (str, "estimator.name"),
        "sound": (str, lambda trial: "yes" if trial.estimator.sound else "no"),
        "estimates": (str, "estimator.estimates"),
        "values": (int, "values"),
        "draws": (int, "draws"),
        "exact": (float, lambda trial: estimation.exact),
        "mean": (float, "repeats.mean"),
        "bias": (float, "bias"),
        "bias_error": (float, "repeats.error"),
        "deviation": (float, "repeats.deviation"),
        "coverage": (float, "repeats.coverage"),
        "level": (float, lambda trial: estimation.level),
        "repeats": (int, lambda trial: estimation.times),
        "seconds": (float, "repeats.seconds"),
        "says": (str, "estimator.says"),
    }
    return Rows.of(estimation.trials, columns, "estimators")


def plot_estimators(estimation: Estimation, stream: BinaryIO, format_: str) -> None:
    """A dot with a bar of one standard deviation for each estimator, and the exact value."""
    trials = estimation.trials
    with figure(stream, format_, size=(7.2, 1.6 + 0.3 * len(trials))) as axes:
        axes.axvline(100 * estimation.exact, color=GREY, linewidth=1.2)
        for place, trial in enumerate(trials):
            marker, colour = ("o", BLUE) if trial.estimator.sound else ("X", RED)
            axes.errorbar(
                100 * trial.repeats.mean, place, xerr=100 * trial.repeats.deviation, fmt=marker,
                color=colour, capsize=3, markersize=5,
            )  # fmt: skip
        axes.set_yticks(range(len(trials)), [trial.estimator.name for trial in trials])
        axes.set_ylim(len(trials) - 0.5, -0.5)
        axes.set_xlabel(f"estimate, %: mean and standard deviation of {estimation.times}")
        axes.set_title(
            f"exact similarity {100 * estimation.exact:.2f} % (line); red: does not estimate it",
            fontsize=10,
        )


def hashes_text(
    lines: int, found: Sequence[FalseCandidates], collisions: Sequence[tuple[str, Collisions]]
) -> str:
    """The errors of published hashes on two texts: on their shingles, and on bands of lines."""
    kinds = {"papers": "digits as one number (Papers)", "tweets": "digits as text (Tweets)"}
    header = ["shingle hash of Papers", "different", "share a hash", "of a random hash"]
    rows = [
        [name, f"{each.shingles:,}", f"{each.colliding:,}", f"{each.expected:,.0f}"]
        for name, each in collisions
    ]
    shingles = aligned(header, rows, header[1:])
    header = ["band hash", "bands", "pairs that agree", "candidates", "false candidates"]
    rows = [
        [
            kinds[each.source],
            str(each.layout),
            *(f"{count:,}" for count in (each.equal, each.candidates, each.false)),
        ]
        for each in found
    ]
    bands = aligned(header, rows, header[2:])
    return f"{shingles}\n{lines:,} lines of both texts as documents\n{bands}"
