"""A `Timing` as text, rows and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO

from likewise.output.figure import COLOURS, figure
from likewise.output.rows import Rows
from likewise.output.table import aligned
from likewise.run import counted
from likewise.study.timing import Run, Timing

STAGES = {
    "read": "read the files",
    "sketch": "shingles and signatures, in one pass",
    "copies": "set exact copies aside and bring them back",
    "candidates": "documents that share a band",
    "verify": "exact similarity of the candidates",
    "exact join": "exact search, without signatures",
    "order": "the most similar pairs first",
}


def timing_text(timing: Timing) -> str:
    """A table by stage, one by length and one by number of values."""
    base = timing.base
    best = f"the best of {timing.repeats} runs each" if timing.repeats > 1 else "one run each"
    lines = [
        f"{counted(timing.documents, 'document')}, {timing.bytes:,} bytes of text",
        f"profile {timing.profile}; pairs at {timing.threshold:g} or more, recall "
        f"{timing.recall:g}; {counted(timing.threads, 'thread')}",
        f"seconds were measured on this machine, {best}",
        "",
        f"by stage, with shingles of {base.k} and {counted(base.values, 'value')}",
        _stages(base),
        f"by length of shingles, with {counted(base.values, 'value')}",
        _runs("length", [(run.k, run) for run in timing.by_length], timing.threshold),
        f"by number of values, with shingles of {base.k}",
        _runs("values", [(run.values, run) for run in timing.by_values], timing.threshold),
        "compared: candidates, each verified exactly. recall: the share of the pairs just at the",
        "threshold that is found, so the number of pairs may depend on the number of values.",
    ]
    return "\n".join(lines) + "\n"


def _stages(run: Run) -> str:
    total = run.total
    rows = [
        [stage, f"{seconds:.5f}", f"{_share(seconds, total):.0%}", STAGES.get(stage, "")]
        for stage, seconds in run.seconds.items()
    ]
    rows.append(["total", f"{total:.5f}", "100%", counted(run.pairs, "pair")])
    return aligned(["stage", "seconds", "share", ""], rows, ["seconds", "share"])


def _share(part: float, total: float) -> float:
    return part / total if total > 0 else 0.0


def _runs(name: str, runs: Sequence[tuple[int, Run]], threshold: float) -> str:
    stages = _stages_of([run for _, run in runs])
    header = [name, "seconds", *stages, "compared", "pairs", "recall", "search"]
    rows = [
        [
            f"{value:,}",
            f"{run.total:.5f}",
            *(f"{run.seconds[stage]:.5f}" if stage in run.seconds else "-" for stage in stages),
            "-" if run.candidates is None else f"{run.candidates:,}",
            f"{run.pairs:,}",
            f"{1 if run.layout is None else run.layout.recall(threshold):.3f}",
            str(run.layout or "exact"),
        ]
        for value, run in runs
    ]
    return aligned(header, rows, header[:-1])


def _stages_of(runs: Sequence[Run]) -> list[str]:
    """All stages of the runs, in the order they run."""
    met = dict.fromkeys(stage for run in runs for stage in run.seconds)
    known = [stage for stage in STAGES if stage in met]
    return known + [stage for stage in met if stage not in STAGES]


def timing_rows(timing: Timing) -> Rows:
    """One row per stage of a run, and one for its total."""
    columns = {
        "by": str, "length": int, "values": int, "stage": str, "seconds": float, "documents": int,
        "bytes": int, "candidates": int, "pairs": int, "search": str,
    }  # fmt: skip
    charts = [("stage", [timing.base]), ("length", timing.by_length), ("values", timing.by_values)]
    rows = [
        (
            by, run.k, run.values, stage, seconds, timing.documents, timing.bytes, run.candidates,
            run.pairs, str(run.layout or "exact"),
        )
        for by, runs in charts
        for run in runs
        for stage, seconds in [*run.seconds.items(), ("total", run.total)]
    ]  # fmt: skip
    return Rows(tuple(columns), rows, len(rows), many="times", kinds=tuple(columns.values()))


def plot_timing(timing: Timing, stream: BinaryIO, format_: str) -> None:
    """Three panels: by stage, by length of shingles, by number of values."""
    with figure(stream, format_, columns=3, size=(13.0, 4.2)) as panels:
        base = timing.base
        names = list(base.seconds)
        panels[0].barh(names, list(base.seconds.values()), color=[_colour(name) for name in names])
        panels[0].invert_yaxis()
        panels[0].set(
            xlabel="seconds", title=f"by stage (length {base.k}, {base.values} values)", xmargin=0.1
        )
        _stack(panels[1], [(run.k, run) for run in timing.by_length])
        panels[1].set(xlabel="length of shingles", title=f"by length ({base.values} values)")
        _stack(panels[2], [(run.values, run) for run in timing.by_values])
        panels[2].set(xlabel="values of a signature", title=f"by values (length {base.k})")
        panels[2].legend(loc="upper left", frameon=False, fontsize=8)


def _stack(axes: Any, runs: Sequence[tuple[int, Run]]) -> None:
    """Bars of equal distance, cut into stages."""
    ticks = [f"{value:,}" for value, _ in runs]
    bottom = [0.0] * len(runs)
    for stage in _stages_of([run for _, run in runs]):
        heights = [run.seconds.get(stage, 0.0) for _, run in runs]
        axes.bar(ticks, heights, bottom=bottom, color=_colour(stage), label=stage)
        bottom = [low + height for low, height in zip(bottom, heights, strict=True)]
    axes.set_ylabel("seconds")


def _colour(stage: str) -> str:
    """The colour of a stage, the same in every panel."""
    return COLOURS[list(STAGES).index(stage) % len(COLOURS) if stage in STAGES else -1]
