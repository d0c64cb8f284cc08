"""Attempts: throttling, broken connections and failing servers are met with patience."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TypeVar

from likewise.storage.failures import explain

T = TypeVar("T")

# Seconds before each further attempt; half of it up to all, so that many clients do not come back
# together.
WAITS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
_WAITS_IF_UNREACHABLE = 2  # of a store that has never answered: its address may be wrong


class Attempts:
    """Repeats what fails for a reason that passes.

    Attributes:
        stopped: set when the run has failed or was interrupted: other threads give up.
    """

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self._answered = False

    def __call__(self, work: Callable[[], T], address: str) -> T:
        """Return the result of `work`; raise what `failures.explain` makes of its error."""
        for wait in (*WAITS, None):
            try:
                result = work()
            except Exception as error:
                failure = explain(error, address)
                if wait is None or not failure.again or self.stopped.is_set():
                    raise failure.error from error
                given_up = failure.unreachable and wait > WAITS[_WAITS_IF_UNREACHABLE - 1]
                if given_up and not self._answered:
                    raise failure.error from error
            else:
                self._answered = True
                return result
            self.stopped.wait(wait * random.uniform(0.5, 1))
        raise AssertionError
