"""Chance levels under several nulls: a table with what each means, rows, and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from likewise.arrays import Floats
from likewise.output.chance import RARE, small
from likewise.output.figure import COLOURS, figure
from likewise.output.rows import Rows
from likewise.output.table import aligned
from likewise.statistics.null_models import NULL_MODELS

if TYPE_CHECKING:
    from likewise.study.nulls import Null


def chance_text(nulls: Sequence[Null], names: tuple[str, str] | None) -> str:
    """The nulls side by side, and what they say together."""
    lines = []
    observed = nulls[0].chance.observed
    if names is not None:
        lines += [f"a  {names[0]}", f"b  {names[1]}", f"   similarity {observed:.4f}, exact", ""]
    header = ["null", "by chance", "spread", "most", "p-value", "tries", "what it is"]
    rows = [_row(null, told=names is not None) for null in nulls]
    lines.append(aligned(header, rows, header[1:6]))
    if names is not None:
        lines += [*_conclusion(nulls, observed), ""]
    return "\n".join(lines)


def _row(null: Null, *, told: bool) -> list[str]:
    chance = null.chance
    urn = null.urn.urn if null.urn is not None else 0
    return [
        chance.null,
        small(chance.expected),
        small(chance.spread),
        "" if chance.highest is None else small(chance.highest),
        tiny(null.log10_p) if told else "",
        "" if chance.trials is None else f"{chance.trials:,}",
        NULL_MODELS[chance.null].meaning.format(urn=urn),
    ]


def _conclusion(nulls: Sequence[Null], observed: float) -> list[str]:
    above = [n.chance.null for n in nulls if n.chance.p_value <= RARE and observed > 0]
    unclear = [n.chance.null for n in nulls if n.chance.smallest_p > RARE]
    other = [n.chance.null for n in nulls if n.chance.null not in (*above, *unclear)]
    lines = []
    if above:
        lines.append(f"More than chance gives (p at most {RARE:g}) by: {', '.join(above)}.")
    if other:
        lines.append(f"Within what chance gives by: {', '.join(other)}.")
    if unclear:
        lines.append(f"Too few tries to tell by: {', '.join(unclear)}.")
    if "urn" in above and other:
        lines.append(
            "The urn knows nothing of letters and words, so that any two texts of one language are "
            "above it."
        )
    return lines


def tiny(log10_p: float) -> str:
    """A p-value from its logarithm, however small."""
    if log10_p >= -4:
        return f"{10**log10_p:.2g}"
    if log10_p == -np.inf:
        return "0"
    power = int(np.floor(log10_p))
    return f"{10 ** (log10_p - power):.1f}e{power:03d}"


def chance_rows(nulls: Sequence[Null]) -> Rows:
    """One row a null."""
    columns = {
        "null": str, "observed": float, "expected": float, "expected_error": float,
        "spread": float, "highest": float, "p_value": float, "log10_p": float,
        "smallest_p": float, "trials": int, "urn": int,
    }  # fmt: skip
    rows = [
        (
            null.chance.null,
            null.chance.observed,
            null.chance.expected,
            null.chance.expected_error,
            null.chance.spread,
            null.chance.highest,
            null.chance.p_value,
            null.log10_p,
            null.chance.smallest_p,
            null.chance.trials,
            null.urn.urn if null.urn is not None else None,
        )
        for null in nulls
    ]
    return Rows(tuple(columns), rows, len(rows), many="nulls", kinds=tuple(columns.values()))


def plot_chance(nulls: Sequence[Null], *, observed: bool, stream: BinaryIO, format_: str) -> None:
    """How similar chance makes two texts under each null, and how similar they are."""
    with figure(stream, format_, size=(7.2, 3.6)) as axes:
        for null, colour in zip(nulls, COLOURS, strict=False):
            similarity, height = _bump(null)
            name = f"{null.chance.null}: {small(null.chance.expected)}"
            axes.fill_between(
                similarity, height, step="mid" if null.drawn is not None else None,
                color=colour, alpha=0.6, label=name,
            )  # fmt: skip
        if observed:
            here = nulls[0].chance.observed
            axes.axvline(here, color="black", linewidth=1.4, label=f"the texts: {small(here)}")
        axes.set(xlabel="similarity", ylabel="how often, by chance", ylim=(0, 1.3), yticks=[])
        axes.legend(frameon=False, fontsize=9, ncols=len(nulls) + 1, loc="upper center")


def _bump(null: Null) -> tuple[Floats, Floats]:
    """The law of the similarity under a null, its highest place at 1."""
    if null.drawn is not None:
        counts, edges = np.histogram(null.drawn, bins=15)
        middles = (edges[1:] + edges[:-1]) / 2
        heights = np.concatenate([[0], counts, [0]]) / max(1, counts.max())
        step = edges[1] - edges[0]
        return np.concatenate([[middles[0] - step], middles, [middles[-1] + step]]), heights
    assert null.urn is not None
    shared, share = null.urn.pmf()
    similarity = shared / np.maximum(1, null.urn.size_a + null.urn.size_b - shared)
    seen = share > 1e-6 * share.max()
    return similarity[seen], share[seen] / share.max()
