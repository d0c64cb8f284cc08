"""`Stats`: settings, counts and times of a run; `Progress`: how far it is."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

_logger = logging.getLogger("likewise")
_logger.addHandler(logging.NullHandler())  # silent, unless the program wants to hear of it


class Progress(Protocol):
    """Called with the name of a stage, how much of it is done, and how much there is."""

    def __call__(self, stage: str, done: int, total: int | None) -> None: ...


def silent(stage: str, done: int, total: int | None) -> None:
    """The `Progress` of a run that reports none."""


def log_notes(notes: Iterable[str]) -> None:
    """Logs what a user should know, for programs that have nobody to read `notes`."""
    for note in notes:
        _logger.warning(note)


def counted(number: int, noun: str) -> str:
    """1 pair, 2 pairs."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


@dataclass(slots=True)
class Stats:
    """What a run was asked for, what it met and how long each stage took.

    Shingling and sketching are one pass over the text and have one time, `sketch`.
    """

    settings: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Adds the time of the block to that of the stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start

    def to_dict(self) -> dict[str, Any]:
        return {
            "settings": self.settings,
            "counts": self.counts,
            "seconds": self.seconds,
            "notes": self.notes,
        }

    def __getitem__(self, part: str) -> Any:
        return self.to_dict()[part]
