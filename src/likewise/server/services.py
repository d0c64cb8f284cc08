"""`Services`: one for each collection that is asked for, opened when it is, and not too many."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from likewise.server.collections import Collections
from likewise.server.errors import ApiError, overloaded
from likewise.server.lanes import Lanes
from likewise.server.service import STOP_SECONDS, Service
from likewise.server.settings import ServerSettings
from likewise.server.threads import all_ended

MOST_OPEN = 16  # each has some threads and some connections


@dataclass(slots=True, eq=False)
class _Held:
    service: Service
    users: int = 0  # requests


class Services:
    """The collections of a server, and the services that are open. Of the event loop."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.collections = Collections(settings)
        self.lanes = Lanes(settings)
        self._open: OrderedDict[str, _Held] = OrderedDict()  # the one used last at the end
        self._ending: list[threading.Thread] = []

    def start(self) -> None:
        self.lanes.start()

    def stop(self) -> bool:
        """Ends the work of all; False if some of it goes on nevertheless."""
        deadline = time.monotonic() + STOP_SECONDS
        services = [held.service for held in self._open.values()]
        self._open.clear()
        # All at the same time: one that goes on nevertheless takes no time from the others.
        with ThreadPoolExecutor(max(1, len(services))) as pool:
            stopped = list(pool.map(lambda service: service.stop(deadline), services))
        stopped.append(all_ended(self._ending, max(0.1, deadline - time.monotonic())))
        return self.lanes.stop(deadline) and all(stopped)

    @contextmanager
    def lent(self, name: str | None) -> Iterator[Service]:
        """The service of a collection (None for the default one), kept open meanwhile."""
        held = self._held(self.collections.default if name is None else name)
        held.users += 1
        try:
            yield held.service
        finally:
            held.users -= 1

    def opened(self, name: str) -> Service | None:
        """A service that is open already."""
        held = self._open.get(name)
        return None if held is None else held.service

    def _held(self, name: str) -> _Held:
        address = self.collections.address(name)
        held = self._open.get(name)
        if address is None:
            if held is not None and not held.users:
                self._end(name)
            raise ApiError(
                404, f"there is no collection {name!r}", hint="/api/collections lists them"
            )
        if held is None:
            self._make_room()
            held = self._open[name] = _Held(Service(self.settings, name, address, self.lanes))
            held.service.start()
        self._open.move_to_end(name)
        return held

    def _make_room(self) -> None:
        if len(self._open) < MOST_OPEN:
            return
        for name, held in self._open.items():
            if not held.users and not held.service.is_busy:
                self._end(name)
                return
        raise overloaded()

    def _end(self, name: str) -> None:
        """Closes one that nobody uses; what it may still be at is not waited for here."""
        service = self._open.pop(name).service
        self._ending = [thread for thread in self._ending if thread.is_alive()]
        thread = threading.Thread(
            target=lambda: service.stop(time.monotonic() + STOP_SECONDS),
            name="likewise-end",
            daemon=True,
        )
        self._ending.append(thread)
        thread.start()
