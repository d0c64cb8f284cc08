"""Progress on stderr: a bar on a terminal, otherwise a line now and then; none for short runs."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

DELAY_SECONDS = 0.8  # before anything is shown: loading the bar takes a tenth of a second
LINE_SECONDS = 10.0  # between lines, if stderr is not a terminal


class Progress:
    """Called with each stage and how far it is; shows what is worth showing."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._start = time.monotonic()
        self._shown = self._start
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        now = time.monotonic()
        if self._quiet or now - self._start < DELAY_SECONDS:
            return
        if sys.stderr.isatty():
            self._draw(stage, done, total)
        elif now - self._shown >= LINE_SECONDS:
            self._shown = now
            share = f" {done / total:.0%}" if total else ""
            print(f"likewise: {stage}{share}", file=sys.stderr, flush=True)

    def _draw(self, stage: str, done: int, total: int | None) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as RichProgress

            self._bar = RichProgress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f} %"),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        if stage not in self._tasks:
            self._tasks[stage] = self._bar.add_task(stage, total=total)
        self._bar.update(self._tasks[stage], completed=done, total=total)
