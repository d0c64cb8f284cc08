"""A contender: a way to find near-duplicates, and what its answer means."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from benchmarks.runners.stopwatch import Stopwatch


@dataclass(frozen=True)
class Task:
    """What a contender is asked to do."""

    threshold: float
    threads: int | None = None  # None: the contender's own default
    keep: bool = True  # False: count the pairs without listing them


@dataclass(frozen=True)
class Answer:
    """What was found: pairs of row numbers, or the rows marked as near-duplicates."""

    pairs: Sequence[tuple[int | str, int | str]] | None = None
    marked: Sequence[int] | None = None
    count: int = 0


# texts (or a file's path, for a contender that reads files), the task, a watch for the stages
Runner = Callable[[Sequence[str], Task, Stopwatch], Answer]

# pairs:  (a, b) for every near-duplicate pair
# marks:  every row that has a near-duplicate anywhere
# drops:  every row that has a near-duplicate before it
Gives = Literal["pairs", "marks", "drops"]


@dataclass(frozen=True)
class Contender:
    """One row of the comparison."""

    name: str
    title: str
    package: str  # on PyPI
    module: str  # to import
    runner: str  # "module:function" below benchmarks.runners
    gives: Gives = "pairs"
    exact: bool = False
    slow: bool = False  # may be run on fewer documents
    note: str = ""

    @property
    def ours(self) -> bool:
        return self.package == "likewise"

    def installed(self) -> bool:
        """Say whether the package can be imported here, without importing it."""
        return importlib.util.find_spec(self.module) is not None

    def version(self) -> str:
        """Return the installed version."""
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return "not installed"

    def load(self) -> Runner:
        """Import the runner; only this imports the contender's package."""
        module, _, function = self.runner.partition(":")
        runner: Runner = getattr(importlib.import_module(f"benchmarks.runners.{module}"), function)
        return runner
