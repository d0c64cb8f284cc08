"""What may become of an input, and the counts of a run."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from likewise.errors import LikewiseError

Outcome = Literal["ok", "clear error"]
GOOD = ("ok", "clear error")
BAD = ("crash", "hang", "traceback", "silent loss")


class LostError(AssertionError):
    """Something is neither among the documents nor among what is listed as skipped."""


@dataclass(frozen=True)
class Finding:
    """An input with a bad outcome; kind, seed and number make it again."""

    kind: str
    seed: int
    number: int
    outcome: str
    message: str

    def __str__(self) -> str:
        return (
            f"{self.outcome}: {self.kind} --seed {self.seed} --only {self.number}: {self.message}"
        )


@dataclass
class Run:
    """The outcomes of the inputs `start` to `start + inputs` of a seed.

    `memory` is the largest resident set of a process, in bytes.
    """

    kind: str
    seed: int
    start: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    memory: int = 0
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    @property
    def inputs(self) -> int:
        return self.outcomes.total()

    def count(self, outcome: str, message: str = "") -> None:
        """Add the outcome of the next input."""
        if outcome not in GOOD:
            number = self.start + self.inputs
            self.findings.append(Finding(self.kind, self.seed, number, outcome, message))
        self.outcomes[outcome] += 1


def judge(function: Callable[[Random], Outcome], rng: Random) -> tuple[str, str]:
    """Run one input; return its outcome, and what happened if it is a bad one."""
    try:
        return function(rng), ""
    except LikewiseError:
        return "clear error", ""
    except LostError as error:
        return "silent loss", _describe(error)
    except Exception as error:
        return "traceback", _describe(error)


def _describe(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    message = " ".join(str(error).split())[:200]
    return f"{type(error).__name__} ({place.name}, line {place.lineno}): {message}"
