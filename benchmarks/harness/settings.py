"""The arguments that every benchmark takes, and the writing of result files."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.harness.trial import Limits

HERE = Path(__file__).resolve().parents[1]


def parser(description: str) -> argparse.ArgumentParser:
    """Return a parser with the common arguments."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    made.add_argument("--seed", type=int, default=1, help="of the corpus")
    made.add_argument("--words", type=int, default=250, help="mean words a document")
    made.add_argument("--threshold", type=float, default=0.8)
    made.add_argument("--data", type=Path, default=HERE / "data", help="where corpora are kept")
    made.add_argument(
        "--results", type=Path, help="where results go (default: results/, --tiny: results/tiny/)"
    )
    made.add_argument("--timeout", type=float, default=3600.0, help="seconds, for one run")
    made.add_argument("--limit-gb", type=float, default=18.0, help="resident memory of one run")
    made.add_argument("--tiny", action="store_true", help="seconds, for CI: numbers mean nothing")
    return made


def limits(given: argparse.Namespace) -> Limits:
    """Return when to give a run up."""
    return Limits(seconds=given.timeout, resident_mb=given.limit_gb * 1_000)


def results(given: argparse.Namespace) -> Path:
    """Return the folder of results; a tiny run never overwrites a real one."""
    folder: Path = given.results or HERE / "results" / ("tiny" if given.tiny else "")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def save(folder: Path, name: str, facts: dict[str, Any], text: str) -> None:
    """Write ``name``.json and ``name``.md, and show the latter."""
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=1) + "\n")
    (folder / f"{name}.md").write_text(text + "\n")
    print(text)


def say(message: str) -> None:
    """Tell progress on stderr."""
    print(message, file=sys.stderr, flush=True)
