"""The seven steps as text, rows and a plot."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import BinaryIO

import numpy as np

from likewise.comparison.measures import distinct
from likewise.output.chance import level_words
from likewise.output.figure import BLUE, COLOURS, GREEN, figure
from likewise.output.rows import Rows, Value
from likewise.output.table import aligned, small
from likewise.statistics.null_models import NULL_MODELS
from likewise.study.nulls import Null
from likewise.study.pair import PairStudy
from likewise.study.reports.chance import tiny


def pair_text(study: PairStudy, a: str, b: str) -> str:
    """The seven steps, each with its numbers, and the conclusion in words."""
    steps = [
        ("chance", _chance(study)),
        ("shingles", _shingles(study)),
        ("sample", _sample(study)),
        ("similarity", _similarity(study)),
        ("versus chance", _beside(study)),
        ("conclusion", _conclusion(study)),
        ("repeated", _repeated(study)),
    ]
    width = max(len(name) for name, _ in steps)
    lines = [f"a  {a}", f"b  {b}", ""]
    for number, (name, sentences) in enumerate(steps, 1):
        lead = f"{number}  {name:<{width}}  "
        lines.append(lead + sentences[0])
        lines += [" " * len(lead) + sentence for sentence in sentences[1:]]
    return "\n".join([*lines, "", f"profile {study.profile}"]) + "\n"


def _chance(study: PairStudy) -> list[str]:
    rows = [[null.name, small(null.chance.expected), null.meaning] for null in study.nulls]
    return aligned(["", "level", ""], rows, ["level"]).splitlines()[1:]


def _shingles(study: PairStudy) -> list[str]:
    profile = study.profile
    counts = [
        f"{len(side.sequence):,} ({len(distinct(side.sequence)):,} different)"
        for side in (study.a, study.b)
    ]
    kind = "with their repeats" if profile.count == "bag" else "each counted once"
    return [f"{profile.unit}:{profile.k}, {counts[0]} and {counts[1]}; compared {kind}"]


def _sample(study: PairStudy) -> list[str]:
    what = {"values": "values", "draws": "shingles drawn", "nothing": "all of them"}
    counted = "" if study.estimator.counts == "nothing" else f"{study.values:,} "
    lines = [f"{study.estimator.name}, {counted}{what[study.estimator.counts]}: "]
    lines[0] += study.estimator.says
    if not study.estimator.sound:
        lines.append(f"It does not estimate the similarity: {study.estimator.instead}.")
    return lines


def _similarity(study: PairStudy) -> list[str]:
    estimate = study.estimate
    if study.estimator.name == "exact":
        return [f"{study.exact:.4f}, exact"]
    interval = "no interval"
    if study.estimator.has_interval:
        interval = f"{100 * estimate.level:g}% interval {estimate.low:.4f} to {estimate.high:.4f}"
    return [f"{estimate.value:.4f} estimated, {interval}; {study.exact:.4f} exact"]


def _beside(study: PairStudy) -> list[str]:
    chance, estimate = study.nulls[0].chance, study.estimate
    level = small(chance.expected)
    lines = [f"{level} by {level_words(chance)}" if chance.trials else f"{level} by the urn"]
    if study.estimator.has_interval:
        if estimate.low > chance.expected:
            where = "above the chance level"
        elif estimate.high < chance.expected:
            where = "below the chance level"
        else:
            where = "around the chance level"
        lines.append(f"the interval lies {where}")
    lines.append(f"p-value of the exact similarity {tiny(study.nulls[0].log10_p)}")
    return lines


def _conclusion(study: PairStudy) -> list[str]:
    null = study.nulls[0].name
    if not study.estimator.sound:
        return [
            "None from this estimate, which does not estimate the similarity.",
            f"The exact similarity is {_verdict(study, null)}.",
        ]
    if study.above_chance:
        lines = [f"The texts share {_verdict(study, null)}."]
        if NULL_MODELS[null].needs == "sizes":
            lines.append(
                "So do any two texts in one language: the urn model ignores letters and words."
            )
        else:
            lines.append("The cause may be a common source, a quotation or a common phrase.")
        return lines
    return [f"What the texts share is {_verdict(study, null)}."]


def _verdict(study: PairStudy, null: str) -> str:
    chance, limit = study.nulls[0].chance, 1 - study.estimate.level
    if chance.smallest_p > limit:
        needed = math.ceil(1 / limit) - 1
        return f"unclear: {chance.trials:,} trials are too few; use at least {needed:,}"
    gives = f"{NULL_MODELS[null].gives} by chance"
    if chance.p_value > limit:
        return f"within what {gives}"
    beside = f"{study.exact:.4f} against {small(study.nulls[0].chance.expected)}"
    if study.estimator.sound and not study.above_chance:
        return f"more than {gives}, {beside}, but the estimate alone cannot show it"
    return f"more than {gives}, {beside}"


def _repeated(study: PairStudy) -> list[str]:
    repeats = study.repeats
    lines = [
        f"{len(repeats.values):,} estimates: mean {repeats.mean:.4f}, deviation "
        f"{repeats.deviation:.4f}, from {repeats.values.min():.4f} to {repeats.values.max():.4f}"
    ]
    if study.estimator.counts == "values" and study.estimator.estimates == "jaccard":
        law = math.sqrt(study.exact * (1 - study.exact) / study.values)
        lines.append(f"the binomial law expects a deviation of {law:.4f}")
    if repeats.covering is not None:
        share = f"{repeats.covering:,} of {len(repeats.values):,}"
        lines.append(f"{share} intervals contain the exact similarity")
    return lines


def pair_rows(study: PairStudy, a: str, b: str) -> Rows:
    """One row: everything as columns."""
    columns: dict[str, tuple[type, str | Callable[[PairStudy], Value]]] = {
        "a": (str, lambda study: a),
        "b": (str, lambda study: b),
        "profile": (str, lambda study: str(study.profile)),
        "size_a": (int, lambda study: len(study.a)),
        "size_b": (int, lambda study: len(study.b)),
        "exact": (float, "exact"),
        "estimator": (str, "estimator.name"),
        "values": (int, "values"),
        "estimate": (float, "estimate.value"),
        "low": (float, "estimate.low"),
        "high": (float, "estimate.high"),
        "level": (float, "estimate.level"),
        "repeats": (int, lambda study: len(study.repeats.values)),
        "repeats_mean": (float, "repeats.mean"),
        "repeats_deviation": (float, "repeats.deviation"),
        "repeats_held": (int, "repeats.covering"),
        "above_chance": (str, lambda study: str(study.above_chance).lower()),
    }
    for null in study.nulls:
        columns[f"chance_{null.name}"] = (float, partial(_chance_field, null, "expected"))
        columns[f"p_value_{null.name}"] = (float, partial(_chance_field, null, "p_value"))
    return Rows.of([study], columns)


def _chance_field(null: Null, name: str, study: PairStudy) -> float:
    value: float = getattr(null.chance, name)
    return value


def plot_pair(study: PairStudy, stream: BinaryIO, format_: str) -> None:
    """The estimates, the exact similarity, and the chance levels."""
    with figure(stream, format_) as axes:
        values = study.repeats.values
        bins = np.linspace(values.min(), values.max(), 25) if np.ptp(values) else 5
        label = f"{len(values)} estimates by {study.estimator.name}"
        axes.hist(values, bins=bins, color=BLUE, alpha=0.6, label=label)
        axes.axvline(study.exact, color="black", linewidth=1.6, label=f"exact {study.exact:.4f}")
        if study.estimator.has_interval:
            axes.axvspan(
                study.estimate.low, study.estimate.high, color=GREEN, alpha=0.15,
                label=f"{100 * study.estimate.level:g}% interval of the first",
            )  # fmt: skip
        for null, colour in zip(study.nulls, COLOURS[1:], strict=False):
            label = f"chance, {null.name}: {small(null.chance.expected)}"
            axes.axvline(null.chance.expected, color=colour, linestyle="--", label=label)
        axes.set(xlabel="similarity", ylabel="estimates")
        axes.legend(frameon=False, fontsize=8)
