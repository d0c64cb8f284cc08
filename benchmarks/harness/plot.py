"""Plots as SVG files that are the same, byte for byte, for the same numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "likewise"  # else ids are random
matplotlib.rcParams["svg.fonttype"] = "none"

from matplotlib import pyplot as plt  # noqa: E402  (the backend must be chosen first)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

OURS, THEIRS = "#1b6ca8", "#9a9a9a"


def bars(path: Path, title: str, rates: Mapping[str, float], ours: set[str]) -> None:
    """Draw documents a second, one bar a contender, on a logarithmic axis."""
    figure, axes = plt.subplots(figsize=(8, 0.5 + 0.42 * len(rates)), layout="constrained")
    names = sorted(rates, key=rates.__getitem__)
    colours = [OURS if name in ours else THEIRS for name in names]
    drawn = axes.barh(names, [rates[name] for name in names], color=colours)
    axes.bar_label(drawn, labels=[f"{rates[name]:,.0f}" for name in names], padding=3)
    axes.set_xscale("log")
    axes.set_xlim(left=min(rates.values()) / 3, right=max(rates.values()) * 4)
    axes.set_xlabel("documents a second, list of strings to pairs (logarithmic)")
    axes.set_title(title)
    _save(figure, path)


def growth(
    path: Path,
    documents: Sequence[int],
    stages: Mapping[str, Sequence[float]],
    memory: Mapping[str, Sequence[float]],
) -> None:
    """Draw microseconds a document by stage, stacked, and resident bytes a document."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    places = [f"{count:,}" for count in documents]
    bottom = [0.0] * len(documents)
    for stage, values in stages.items():
        left.bar(places, values, bottom=bottom, label=stage)
        bottom = [low + value for low, value in zip(bottom, values, strict=True)]
    left.set(xlabel="documents", ylabel="microseconds a document", title="time by stage")
    left.set_ylim(top=1.4 * max(bottom))  # room for the legend above the bars
    left.legend(fontsize="small", ncols=2)
    for name, values in memory.items():
        right.plot(places, values, marker="o", label=name)
    right.set_yscale("log")
    right.set(xlabel="documents", ylabel="bytes a document", title="peak resident memory")
    right.legend(fontsize="small")
    _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
