"""Chance levels under several null models: a table, rows, and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import numpy as np

from likewise.arrays import Floats
from likewise.output.chance import RARE
from likewise.output.figure import COLOURS, figure
from likewise.output.rows import Columns, Rows
from likewise.output.table import aligned, small
from likewise.statistics.null_models import NULL_MODELS
from likewise.study.nulls import Null

_COLUMNS: Columns = {
    "null": (str, "name"),
    "observed": (float, "chance.observed"),
    "expected": (float, "chance.expected"),
    "expected_error": (float, "chance.expected_error"),
    "spread": (float, "chance.spread"),
    "highest": (float, "chance.highest"),
    "p_value": (float, "chance.p_value"),
    "log10_p": (float, "log10_p"),
    "smallest_p": (float, "chance.smallest_p"),
    "trials": (int, "chance.trials"),
    "urn": (int, lambda null: null.urn and null.urn.urn),
}


def chance_rows(nulls: Sequence[Null]) -> Rows:
    """One row per null model."""
    return Rows.of(nulls, _COLUMNS, "nulls")


def chance_text(nulls: Sequence[Null], names: tuple[str, str] | None) -> str:
    """A table of the null models, and a conclusion if there are texts with these names."""
    header = ["null", "by chance", "spread", "most", "p-value", "tries", "what it is"]
    rows = [
        [
            null.name,
            small(null.chance.expected),
            small(null.chance.spread),
            "" if null.chance.highest is None else small(null.chance.highest),
            tiny(null.log10_p) if names else "",
            "" if null.chance.trials is None else f"{null.chance.trials:,}",
            null.meaning,
        ]
        for null in nulls
    ]
    table = aligned(header, rows, header[1:6])
    if names is None:
        return table
    observed = nulls[0].chance.observed
    lines = [f"a  {names[0]}", f"b  {names[1]}", f"   similarity {observed:.4f}, exact", "", table]
    return "\n".join([*lines, *_conclusion(nulls, observed), ""])


def _conclusion(nulls: Sequence[Null], observed: float) -> list[str]:
    above = [n.name for n in nulls if n.chance.p_value <= RARE and observed > 0]
    unclear = [n.name for n in nulls if n.chance.smallest_p > RARE]
    other = [n.name for n in nulls if n.name not in (*above, *unclear)]
    lines = []
    if above:
        lines.append(f"More than chance gives (p at most {RARE:g}) by: {', '.join(above)}.")
    if other:
        lines.append(f"Within what chance gives by: {', '.join(other)}.")
    if unclear:
        lines.append(f"Too few trials for: {', '.join(unclear)}.")
    if other and any(NULL_MODELS[name].needs == "sizes" for name in above):
        lines.append(
            "The urn model ignores letters and words, so any two texts in one language are above "
            "it."
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


def plot_chance(nulls: Sequence[Null], *, observed: bool, stream: BinaryIO, format_: str) -> None:
    """How similar chance makes two texts under each null, and how similar they are."""
    with figure(stream, format_, size=(7.2, 3.6)) as axes:
        for null, colour in zip(nulls, COLOURS, strict=False):
            similarity, height = _bump(null)
            name = f"{null.name}: {small(null.chance.expected)}"
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
