"""Wall-clock seconds by stage."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Making an empty index is done once in a program's life: timed, shown, and left out of the total.
SETUP = "setup"


class Stopwatch:
    """Adds up the seconds spent under each stage's name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the body's time under ``name``."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, time.perf_counter() - start)

    def add(self, name: str, seconds: float) -> None:
        """Count time that was measured elsewhere."""
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds
