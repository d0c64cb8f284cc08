"""Runs as a JSON file and as a table, one row per kind."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.fuzz.outcomes import BAD, Finding, Run
from tests.fuzz.runner import HANG_SECONDS

_COLUMNS = (
    "kind",
    "inputs",
    "accepted",
    "clear errors",
    "crashes",
    f"hangs over {HANG_SECONDS:g} s",
    "tracebacks",
    "silent losses",
    "largest memory",
)


def read_runs(path: Path) -> list[Run]:
    """Return the runs of a file that `write_runs` wrote."""
    runs = []
    for entry in json.loads(path.read_text("utf-8"))["runs"]:
        del entry["inputs"]
        outcomes = Counter(entry.pop("outcomes"))
        findings = [Finding(**finding) for finding in entry.pop("findings")]
        runs.append(Run(**entry, outcomes=outcomes, findings=findings))
    return runs


def merge_runs(runs: Iterable[Run]) -> list[Run]:
    """Return the runs in order; of two with the same kind, seed and start, the later one."""
    merged = {(run.kind, run.seed, run.start): run for run in runs}
    return [merged[key] for key in sorted(merged)]


def write_runs(path: Path, runs: list[Run]) -> None:
    """Write runs to a JSON file, and their table to the `.md` file beside it.

    The list `mended` of the file, written by hand, says what earlier runs found; it is kept.
    """
    mended = json.loads(path.read_text("utf-8")).get("mended", []) if path.exists() else []
    rows = [
        {**vars(run), "inputs": run.inputs, "findings": [vars(found) for found in run.findings]}
        for run in runs
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mended": mended, "runs": rows}, indent=1) + "\n", "utf-8")
    text = (
        f"# Fuzzing\n\n{table(runs)}\n\n"
        "Each input is made from a kind, a seed and a number, and runs in a process that may "
        "crash (`tests/fuzz/`). *Clear errors*: refused with a reason. *Silent "
        "losses*: neither in the result nor listed as skipped. *Largest memory*: the resident set "
        "of the process, Python and libraries included.\n\n"
        "To repeat a run: `python -m tests.fuzz KIND --inputs N --seed SEED --start START`. "
        "To repeat one input, with its traceback: `--only NUMBER`.\n\n"
        f"| kind | seed | start | inputs | seconds |\n|---|---:|---:|---:|---:|\n{_ranges(runs)}\n"
    )
    if mended:
        text += "\n## Found by earlier runs, and mended\n\n"
        text += "".join(f"- {one}\n" for one in mended)
    path.with_suffix(".md").write_text(text, "utf-8")


def table(runs: list[Run]) -> str:
    """Return a Markdown table, one row per kind and one for all."""
    kinds = dict.fromkeys(run.kind for run in runs)
    rows = [_row(kind, [run for run in runs if run.kind == kind]) for kind in kinds]
    if len(kinds) > 1:
        rows.append(_row("**all**", runs))
    return "\n".join((_line(_COLUMNS), f"|---|{'---:|' * (len(_COLUMNS) - 1)}", *rows))


def _row(name: str, runs: list[Run]) -> str:
    counts = sum((run.outcomes for run in runs), Counter[str]())
    figures = [counts.total(), *(counts[outcome] for outcome in ("ok", "clear error", *BAD))]
    memory = max(run.memory for run in runs)
    return _line((name, *(f"{figure:,}" for figure in figures), f"{memory / 1e6:,.0f} MB"))


def _ranges(runs: list[Run]) -> str:
    return "\n".join(
        _line((run.kind, f"{run.seed}", f"{run.start}", f"{run.inputs:,}", f"{run.seconds:,.0f}"))
        for run in runs
    )


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
