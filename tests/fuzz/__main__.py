"""`python -m tests.fuzz`: run kinds of input and print what became of them as a table."""

from __future__ import annotations

import argparse
import sys

from tests.fuzz.kinds import KINDS, load
from tests.fuzz.outcomes import HEADER, make_random
from tests.fuzz.runner import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    parser.add_argument("--inputs", type=int, default=1000, help="per kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="run this input alone, here")
    options = parser.parse_args()
    if options.only is not None:
        for kind in options.kind:
            print(kind, load(kind)(make_random(kind, options.seed, options.only)))
        return 0
    print(f"| {' | '.join(HEADER)} |", f"|---|{'---:|' * (len(HEADER) - 1)}", sep="\n", flush=True)
    findings = []
    for kind in options.kind:
        tally = run(kind, options.inputs, options.seed)
        findings += tally.findings
        print(f"| {' | '.join(tally.row())} |", flush=True)
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    raise SystemExit(main())
