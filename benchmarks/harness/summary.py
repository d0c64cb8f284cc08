"""A summary: the repeats of one contender at one size and thread count, in one row."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.harness.trial import Trial
    from benchmarks.runners.contender import Contender
    from benchmarks.search.truth import Truth


@dataclass(frozen=True)
class Summary:
    """Repeats of the same trial, in the order in which they were run."""

    contender: Contender
    trials: tuple[Trial, ...]
    truth: Truth | None = None

    @property
    def documents(self) -> int:
        return self.trials[0].documents

    @property
    def threads(self) -> int | None:
        return self.trials[0].threads

    @property
    def failure(self) -> str:
        """Return the first failure; a summary of a failed trial has no times."""
        return next((trial.failure for trial in self.trials if trial.failure), "")

    @property
    def seconds(self) -> float:
        return median(trial.seconds for trial in self.trials)

    @property
    def best(self) -> float:
        return min(trial.seconds for trial in self.trials)

    @property
    def cpu_seconds(self) -> float:
        return median(trial.cpu_seconds for trial in self.trials)

    @property
    def peak_mb(self) -> float:
        return median(trial.peak_mb for trial in self.trials)

    @property
    def added_mb(self) -> float:
        """Return the peak beyond what was resident before: the texts and the imports."""
        return median(trial.peak_mb - trial.before_mb for trial in self.trials)

    @property
    def rate(self) -> float:
        """Return documents a second."""
        return self.documents / self.seconds

    @property
    def stages(self) -> dict[str, float]:
        names = dict.fromkeys(name for trial in self.trials for name in trial.stages)
        return {
            name: median(trial.stages.get(name, 0.0) for trial in self.trials) for name in names
        }

    def score(self) -> tuple[float, float] | None:
        """Return recall and precision, or None where the truth is not known."""
        if self.truth is None or self.failure:
            return None
        return self.truth.score(self.trials[0], self.contender.gives)

    def ratios(self, base: Summary) -> tuple[float, float, float]:
        """Return how many times ``base``'s wall time this took: of medians, least, most.

        Least and most are over rounds: two neighbours in time met the same noise.
        """
        rounds = [
            mine.seconds / theirs.seconds
            for mine, theirs in zip(self.trials, base.trials, strict=True)
        ]
        return self.seconds / base.seconds, min(rounds), max(rounds)

    def facts(self) -> dict[str, Any]:
        """Return the row for a result file, with every trial."""
        row: dict[str, Any] = {
            "contender": self.contender.name,
            "version": self.contender.version(),
            "note": self.contender.note,
            "gives": self.contender.gives,
            "documents": self.documents,
            "threads": self.threads,
            "failure": self.failure,
        }
        if not self.failure:
            recall, precision = self.score() or (None, None)
            row |= {
                "seconds": self.seconds,
                "best_seconds": self.best,
                "cpu_seconds": self.cpu_seconds,
                "stages": self.stages,
                "documents_per_second": self.rate,
                "recall": recall,
                "precision": precision,
                "peak_mb": self.peak_mb,
                "added_mb": self.added_mb,
            }
        return row | {"trials": [trial.facts() for trial in self.trials]}


def find(rows: Iterable[Summary], name: str, documents: int, threads: int | None) -> Summary | None:
    """Return the row of that contender, size and thread count, if it ran and did not fail."""
    for row in rows:
        if (row.contender.name, row.documents, row.threads) == (name, documents, threads):
            return None if row.failure else row
    return None
