"""Progress on stderr: a bar on a terminal, a line at times elsewhere, nothing for short runs."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from likewise.output.table import printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 0.8  # seconds before anything is shown: loading the bar costs a tenth of one
LINE_EVERY = 10.0  # seconds between lines where there is no terminal


class Progress:
    """Told of stages and how far they are; decides what of it to show."""

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
        if self._quiet or now - self._start < PATIENCE:
            return
        if sys.stderr.isatty():
            self._draw(stage, done, total)
        elif now - self._shown >= LINE_EVERY:
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


def tell(message: str, quiet: bool = False) -> None:
    """A line for people, on stderr."""
    if not quiet:
        print(f"likewise: {printable(message)}", file=sys.stderr)
