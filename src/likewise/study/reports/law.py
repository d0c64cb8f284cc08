"""The law of an estimate: text, rows, and a plot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from likewise.output.figure import BLUE, COLOURS, GREY, ORANGE, RED, figure
from likewise.output.rows import Rows, Value
from likewise.output.table import aligned
from likewise.statistics.affine import ARRANGEMENTS, Family, smallest_factor
from likewise.statistics.binomial import BinomialLaw
from likewise.statistics.estimate import Estimate
from likewise.statistics.planning import Plan, errors_at, simple_accuracy, simple_values

DISTANCES = (0.01, 0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True, slots=True)
class IntervalResult:
    """The interval of a count by one method, also for Dice and for the containment of each set."""

    method: str
    jaccard: Estimate
    dice: Estimate
    contained: Sequence[Estimate]


@dataclass(frozen=True, slots=True)
class ArrangedRows:
    """How often minima and maxima agree, for rows in one of ARRANGEMENTS."""

    name: str
    similarity: float
    minima: float
    maxima: float


@dataclass(frozen=True, slots=True)
class AffineResult:
    """How affine functions differ from random orders."""

    family: Family
    rows: Sequence[ArrangedRows]
    same_row: float
    permutations: float


@dataclass(frozen=True, slots=True)
class LawResult:
    """The results of the command.

    Attributes:
        accuracy: of the values, whatever the similarity.
        plans: numbers of values needed, for all similarities and for the law's.
        observed: intervals of an observed count.
    """

    law: BinomialLaw
    level: float
    accuracy: Plan
    plans: tuple[Plan, Plan] | None = None
    observed: Sequence[IntervalResult] | None = None
    affine: AffineResult | None = None

    @property
    def distances(self) -> list[float]:
        wanted = (self.plans[0].epsilon,) if self.plans else ()
        return sorted({*DISTANCES, *wanted})


def law_text(result: LawResult) -> str:
    """The law in words and tables."""
    parts = [_law_part(result), _accuracy_part(result)]
    if result.plans:
        parts.append(_plan_part(*result.plans))
    if result.observed:
        parts.append(_observed_part(result))
    if result.affine:
        parts.append(_affine_part(result.affine, result.law))
    return "\n".join(parts)


def _law_part(result: LawResult) -> str:
    law = result.law
    low, high = law.central(result.level)
    rows = [
        [f"{e:g}", *map(_share, (law.within(e), law.gaussian_within(e), 1 - law.chebyshev(e)))]
        for e in result.distances
    ]
    header = ["off by at most", "chance", "Gaussian rule", "Chebyshev, at least"]
    return (
        f"Two texts of similarity {law.similarity:g}, estimated from {law.values:,} values.\n"
        "Each value agrees with that probability, so the count of those that agree is "
        f"Binomial({law.values:,}, {law.similarity:g}).\n"
        "A sketch varies a little less than this, which is on the safe side.\n\n"
        f"The estimate is {law.mean:.4f} on average, with a standard deviation of "
        f"{law.deviation:.4f}.\nAt least {100 * result.level:g}% of all estimates lie between "
        f"{low:.4f} and {high:.4f}.\n\n" + aligned(header, rows, header)
    )


def _accuracy_part(result: LawResult) -> str:
    plan = result.accuracy
    rules = simple_accuracy(plan.values, plan.delta)
    by_rule = ", ".join(f"{rule.capitalize()} {off:.4f}" for rule, off in rules.items())
    return (
        f"Whatever the similarity, {plan.values:,} values are off by more than {plan.epsilon:g} in "
        f"at most {100 * plan.delta:g}% of all\n"
        f"cases ({100 * plan.error:.2f}% where it is worst, near {plan.worst_similarity:.4f}).\n"
        f"Rules of thumb say: {by_rule}.\n"
    )


def _plan_part(all_: Plan, one: Plan) -> str:
    worst, here = simple_values(all_.epsilon, all_.delta), one.similarity
    rows = [
        ["computed, for every similarity", f"{all_.values:,}", _error(all_)],
        [f"computed, for similarity {here:g}", f"{one.values:,}", _error(one)],
        ["Gaussian rule", f"{worst['gaussian']:,}", "an approximation; may fall short"],
        ["Hoeffding's bound", f"{worst['hoeffding']:,}", "safe, but more than needed"],
        ["Chebyshev's bound", f"{worst['chebyshev']:,}", "safe, but far more than needed"],
    ]
    return (
        f"To be off by more than {all_.epsilon:g} in at most {100 * all_.delta:g}% of all cases, "
        f"take {all_.values:,} values.\n\n"
        + aligned(["how", "values", "further off in"], rows, ["values"])
        + "\nThis number and every larger one satisfy this; a smaller one may do so by chance.\n"
    )


def _observed_part(result: LawResult) -> str:
    observed = result.observed or []
    first = observed[0].jaccard
    header = ["interval", "Jaccard", "Dice"]
    if observed[0].contained:
        header += ["first in second", "second in first"]
    rows = [
        [one.method, *map(_interval, (one.jaccard, one.dice, *one.contained))] for one in observed
    ]
    shown = ["estimate", f"{first.value:.4f}", f"{observed[0].dice.value:.4f}"]
    shown += [f"{share.value:.4f}" for share in observed[0].contained]
    agreeing = round(first.value * result.law.values)
    return (
        f"{agreeing:,} of {result.law.values:,} values agree, which gives {first.value:.4f}; "
        f"intervals at {100 * result.level:g}%:\n\n"
        + aligned(header, [shown, *rows], [])
        + "\nclopper-pearson is exact: it contains the true value at least that often. wilson does "
        "so\non average; gaussian is a single point at 0 and 1; chebyshev is safe, but wide.\n"
    )


def _affine_part(affine: AffineResult, law: BinomialLaw) -> str:
    family = affine.family
    header = ["rows of the sets a and b", "similarity", "minima agree", "maxima agree", "off by"]
    rows = [
        [
            ARRANGEMENTS[one.name],
            *(f"{share:.4f}" for share in (one.similarity, one.minima, one.maxima)),
            f"{one.minima - one.similarity:+.4f}",
        ]
        for one in affine.rows
    ]
    at_once = affine.permutations**law.values
    lines = [
        f"Affine functions {family} of the rows 1 to {family.rows:,} are not random orders.",
        f"Over all {family.functions:,} of them:",
        "",
        aligned(header, rows, header[1:]),
        "Functions drawn independently agree with that probability: with more of them, the",
        "estimate converges to it, not to the similarity.",
        f"Two different rows get the same value in {_share(affine.same_row)} of the functions. All "
        "rows get different ones in",
        f"{_share(affine.permutations)} of them, and under {law.values:,} functions at once with "
        f"probability {_share(at_once)}.",
    ]
    factor = smallest_factor(family.circle) if family.circle > 1 else 1
    if factor < family.circle:
        product = f"{family.circle:,} = {factor:,} · {family.circle // factor:,}"
        lines.append(
            f"{product} is not prime: if x shares a factor with it, some rows get the same value."
        )
    return "\n".join(lines) + "\n"


def _error(plan: Plan) -> str:
    return f"{100 * plan.error:.2f}% of all cases, at similarity {plan.worst_similarity:.4f}"


def _interval(estimate: Estimate) -> str:
    return f"{estimate.low:.4f} to {estimate.high:.4f}"


def _share(share: float) -> str:
    """A probability in four digits, distinct from 0 and 1 if it is neither."""
    if 0 < share < 0.00005:
        return f"{share:.1e}"
    if 0.99995 <= share < 1:
        return "more than 0.9999"
    return f"{share:.4f}"


def law_rows(result: LawResult) -> Rows:
    """One row per value or interval: topic, item and method."""
    rows = [*_rows(result)]
    columns = ("topic", "item", "method", "value", "low", "high")
    return Rows(columns, rows, len(rows), kinds=(str, str, str, float, float, float))


def _rows(result: LawResult) -> Iterator[tuple[Value, ...]]:
    law = result.law

    def row(topic: str, item: str, method: str, value: float) -> tuple[Value, ...]:
        return topic, item, method, float(value), None, None

    yield row("law", "similarity", "given", law.similarity)
    yield row("law", "values", "given", law.values)
    yield row("law", "mean", "exact", law.mean)
    yield row("law", "deviation", "exact", law.deviation)
    yield "law", "estimates", "exact", law.mean, *law.central(result.level)
    for e in result.distances:
        yield row("within", f"{e:g}", "exact", law.within(e))
        yield row("within", f"{e:g}", "gaussian", law.gaussian_within(e))
        yield row("within", f"{e:g}", "chebyshev", 1 - law.chebyshev(e))
    plan = result.accuracy
    yield row("accuracy", f"{plan.values}", "exact", plan.epsilon)
    for rule, off in simple_accuracy(plan.values, plan.delta).items():
        yield row("accuracy", f"{plan.values}", rule, off)
    if result.plans:
        all_, one = result.plans
        yield row("values", f"{all_.epsilon:g}", "exact", all_.values)
        yield row("values", f"{all_.epsilon:g}", f"exact at {one.similarity:g}", one.values)
        for rule, values in simple_values(all_.epsilon, all_.delta).items():
            yield row("values", f"{all_.epsilon:g}", rule, values)
    for found in result.observed or ():
        names = ("jaccard", "dice", "first in second", "second in first")
        for name, one_ in zip(names, (found.jaccard, found.dice, *found.contained), strict=False):
            yield "interval", name, found.method, one_.value, one_.low, one_.high
    if result.affine:
        for rows in result.affine.rows:
            yield row("affine", rows.name, "similarity", rows.similarity)
            yield row("affine", rows.name, "minima agree", rows.minima)
            yield row("affine", rows.name, "maxima agree", rows.maxima)
        yield row("affine", "two rows", "same value", result.affine.same_row)
        yield row("affine", "all rows", "values of their own", result.affine.permutations)


def plot_law(result: LawResult, stream: BinaryIO, format_: str) -> None:
    """The law of the estimate with its interval, and the chance to be close by number of values."""
    with figure(stream, format_, columns=2, size=(11, 4.4)) as (left, right):
        _draw_law(left, result)
        _draw_within(right, result)


def _draw_law(axes: Any, result: LawResult) -> None:
    import numpy as np

    law, pmf = result.law, result.law.pmf()
    low, high = law.central(result.level)
    estimates = np.arange(law.values + 1) / law.values
    shown = np.flatnonzero(pmf > pmf.max() * 1e-6)
    inside = shown[(estimates[shown] >= low) & (estimates[shown] <= high)]
    width = 0.8 / law.values
    axes.bar(estimates[shown], pmf[shown], width=width, color=GREY, linewidth=0)
    label = f"{100 * result.level:g}% between {low:.3f} and {high:.3f}"
    axes.bar(estimates[inside], pmf[inside], width=width, color=BLUE, linewidth=0, label=label)
    axes.axvline(law.similarity, ymax=0.8, color="black", linewidth=0.9)
    if result.observed:
        exact = result.observed[0].jaccard
        height = pmf.max() * 1.05
        axes.plot([exact.low, exact.high], [height, height], color=ORANGE, linewidth=3,
                  label=f"interval of the count: {exact.low:.3f} to {exact.high:.3f}")  # fmt: skip
        axes.plot([exact.value], [height], "o", color=RED, zorder=4)
    axes.set(xlabel=f"estimate from {law.values:,} values", ylabel="probability",
             ylim=(0, pmf.max() * 1.3))  # fmt: skip
    axes.legend(loc="upper left", frameon=False, fontsize=9)


def _draw_within(axes: Any, result: LawResult) -> None:
    import numpy as np

    law = result.law
    most = 2 * max(law.values, result.plans[0].values if result.plans else 0)
    values = np.unique(np.geomspace(4, max(8, most), 1500).astype(np.int64))
    distances = [e for e in result.distances if e >= 0.02]
    for epsilon, colour in zip(distances, COLOURS, strict=False):
        chance = 1 - errors_at(values, law.similarity, epsilon)
        axes.plot(values, chance, color=colour, linewidth=1.2, label=f"off by at most {epsilon:g}")
    axes.axhline(1 - result.accuracy.delta, color="black", linewidth=0.9, linestyle=":")
    axes.axvline(law.values, color=GREY, linewidth=0.9)
    axes.set(xscale="log", ylim=(0, 1.02), xlabel="values of a signature",
             ylabel=f"probability at similarity {law.similarity:g}")  # fmt: skip
    axes.legend(loc="lower right", frameon=False, fontsize=9)
