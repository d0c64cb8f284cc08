"""Signals that end a command: Ctrl-C, SIGTERM and SIGHUP, as an exception that leaves nothing."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE_SECONDS = 5.0  # for cleaning up; a signal after that ends the process at once
_AGAIN_SECONDS = 0.01


class Stop:
    """The signal that is to end the command: `number` is None until it has come.

    The first one raises `KeyboardInterrupt`, which every stage handles by cleaning up. Those that
    follow are ignored, because they would interrupt the cleaning up.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self._since = 0.0

    def handle(self, number: int, frame: FrameType | None) -> None:
        if self.number is None:
            self.number, self._since = number, time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self._since > _PATIENCE_SECONDS:
            os._exit(self.status)

    @property
    def status(self) -> int:
        """The exit status, as shells give it to a command that a signal has ended."""
        return 128 + (self.number or signal.SIGINT)

    @property
    def message(self) -> str:
        return "interrupted" if self.number in (None, signal.SIGINT) else "terminated"

    def handle_unraisable(self, unraisable: Any) -> None:
        """Python drops exceptions in callbacks: the interruption is raised again after it."""
        if isinstance(unraisable.exc_value, KeyboardInterrupt):
            number, self.number = self.number or signal.SIGINT, None
            threading.Timer(_AGAIN_SECONDS, _thread.interrupt_main, (number,)).start()
        else:
            sys.__unraisablehook__(unraisable)


@contextmanager
def stop_signals() -> Iterator[Stop]:
    """Handles the signals; those that the parent process ignores stay ignored."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.getsignal(number) for number in STOPPING}
    hook = sys.unraisablehook
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, stop.handle)
        sys.unraisablehook = stop.handle_unraisable
        yield stop
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            if handler is not None:  # None: it was not set by Python
                signal.signal(number, handler)
