"""What may become of an input, and what is a finding.

A kind of input is a function that makes one input from a `random.Random`, gives it to the code
under test and returns "read" or "refused". A `LikewiseError` is "refused" too: it tells the user
what is wrong. Everything else is a finding: another exception (`LostError` for what is neither read
nor listed as skipped), a crash, more memory than allowed, or no answer within `HANG_SECONDS`.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from likewise.errors import LikewiseError

Outcome = Literal["read", "refused"]
Kind = Callable[[random.Random], Outcome]

HANG_SECONDS = 30.0
MEMORY_BYTES = 2 << 30
"""The address space of the process that runs the inputs: as much as workers have."""


class LostError(AssertionError):
    """Something is neither among the documents nor among what is listed as skipped."""


@dataclass(frozen=True)
class Finding:
    """An input with a forbidden outcome; kind, seed and number make it again."""

    kind: str
    seed: int
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.kind} --seed {self.seed} --only {self.number}: {self.what}"


@dataclass
class Tally:
    """The outcomes of a run. `memory` is the largest that the process took, in bytes."""

    kind: str
    inputs: int = 0
    read: int = 0
    refused: int = 0
    hangs: int = 0
    memory: int = 0
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    def row(self) -> tuple[str, ...]:
        """The cells of the table."""
        return (
            self.kind,
            f"{self.inputs:,}",
            f"{self.read:,}",
            f"{self.refused:,}",
            f"{len(self.findings):,}",
            f"{self.hangs:,}",
            f"{self.memory >> 20:,} MB",
            f"{self.seconds:.0f}",
        )


HEADER = ("kind", "inputs", "read", "refused", "findings", "hangs", "largest memory", "seconds")


def make_random(kind: str, seed: int, number: int) -> random.Random:
    """Return what makes this input, and no other, whatever ran before it."""
    return random.Random(f"{kind} {seed} {number}")


def judge(function: Kind, rng: random.Random) -> tuple[Outcome | None, str]:
    """Return the outcome of one input; None for a finding, with what happened."""
    try:
        return function(rng), ""
    except LikewiseError:
        return "refused", ""
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = " ".join(str(error).split())[:200]
        return None, f"{type(error).__name__} ({place.name}, line {place.lineno}): {message}"
