"""Run bad inputs of some kinds, or of all, and print what became of them as a table."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.kinds import KINDS, Kind
from tests.fuzz.outcomes import Run
from tests.fuzz.results import merge_runs, read_runs, table, write_runs
from tests.fuzz.runner import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument(
        "kinds", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)}; default: all"
    )
    parser.add_argument("--inputs", type=int, default=1000, help="per kind (default: 1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first input")
    parser.add_argument("--seconds", type=float, help="stop a kind after this time")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time (default: 1)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="run this input alone, here")
    parser.add_argument(
        "-o", type=Path, metavar="FILE", help="add the runs to FILE (.json) and its table (.md)"
    )
    parser.add_argument(
        "--merge", nargs="+", type=Path, metavar="FILE", help="run nothing; add the runs of files"
    )
    options = parser.parse_args()
    unknown = [name for name in options.kinds if name not in KINDS]
    if unknown:
        parser.error(f"unknown kind: {', '.join(unknown)}; known: {', '.join(KINDS)}")
    kinds = [KINDS[name] for name in options.kinds or KINDS]
    if options.only is not None:
        for kind in kinds:
            print(kind.name, kind.load()(kind.random(options.seed, options.only)))
        return 0
    if options.merge:
        runs = [one for path in options.merge for one in read_runs(path)]
    else:
        runs = _run_kinds(kinds, options)
    if options.o:
        known = read_runs(options.o) if options.o.exists() else []
        write_runs(options.o, merge_runs([*known, *runs]))
    print(table(merge_runs(runs)))
    findings = [finding for one in runs for finding in one.findings]
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0


def _run_kinds(kinds: list[Kind], options: argparse.Namespace) -> list[Run]:
    """Run the kinds, each in as many parts as there are jobs."""
    share = -(-options.inputs // options.jobs)
    end = options.start + options.inputs
    with ThreadPoolExecutor(options.jobs) as pool:
        parts = [
            pool.submit(
                run,
                kind,
                min(share, end - start),
                seed=options.seed,
                start=start,
                seconds=options.seconds,
            )
            for kind in kinds
            for start in range(options.start, end, share)
        ]
        return [part.result() for part in parts]


if __name__ == "__main__":
    raise SystemExit(main())
