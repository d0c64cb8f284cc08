"""Signals that end a command: Ctrl-C, SIGTERM and SIGHUP, as an exception that leaves nothing."""

from __future__ import annotations

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
_CHECK_SECONDS = 0.1


class Stop:
    """The signal that is to end the command: `number` is None until it has come.

    The first one raises `KeyboardInterrupt`, which every stage handles by cleaning up. Those that
    follow are ignored, because they would interrupt the cleaning up. Destructors, callbacks and
    modules that import others if they can may drop the exception: it is raised again as long as
    nobody handles it.
    """

    def __init__(self) -> None:
        self.number: int | None = None
        self._since = 0.0
        self._is_check = False
        self._done = threading.Event()
        self._watch = threading.Thread(target=self._check, name="likewise-stop", daemon=True)

    def handle(self, number: int, frame: FrameType | None) -> None:
        if self._is_check:
            self._is_check = False
            if not (self._done.is_set() or _is_unwinding()):
                raise KeyboardInterrupt
        elif self.number is None:
            self.number, self._since = number, time.monotonic()
            self._watch.start()
            raise KeyboardInterrupt
        elif time.monotonic() - self._since > _PATIENCE_SECONDS:
            os._exit(self.status)

    def _check(self) -> None:
        """Sends the signal to the main thread now and then, which also ends its system calls."""
        main = threading.main_thread().ident
        assert main is not None
        assert self.number is not None
        while not self._done.wait(_CHECK_SECONDS):
            self._is_check = True
            signal.pthread_kill(main, self.number)

    def end(self) -> None:
        """Called where the exception has arrived."""
        self._done.set()
        if self._watch.is_alive():
            self._watch.join()

    @property
    def status(self) -> int:
        """The exit status, as shells give it to a command that a signal has ended."""
        return 128 + (self.number or signal.SIGINT)

    @property
    def message(self) -> str:
        return "interrupted" if self.number in (None, signal.SIGINT) else "terminated"


def _is_unwinding() -> bool:
    """Whether the exception is being handled, or one that it was turned into."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _hide_interruption(unraisable: Any) -> None:
    """Python prints exceptions that it drops; an interruption will be raised again."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
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
        sys.unraisablehook = _hide_interruption
        yield stop
    finally:
        stop.end()
        sys.unraisablehook = hook
        for number, handler in before.items():
            if handler is not None:  # None: it was not set by Python
                signal.signal(number, handler)
