"""`Services`: opens the service of a collection on its first request, and closes the oldest."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager

from likewise.server.collections import Collections
from likewise.server.errors import no_collection, overloaded
from likewise.server.jobs.shared_pools import SharedPools
from likewise.server.service import STOP_SECONDS, Service
from likewise.server.settings import ServerSettings

MAX_OPEN = 16  # each has several threads and connections


class Services:
    """The collections of a server and their open services. Used by the event loop only."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.collections = Collections(settings)
        self.pools = SharedPools(settings)
        self._open: OrderedDict[str, Service] = OrderedDict()  # the most recent one last
        # One thread each: a service that is slow to stop does not delay the others.
        self._stopping = ThreadPoolExecutor(MAX_OPEN, "likewise-stop")
        self._stopped: list[Future[bool]] = []

    def stop(self) -> bool:
        """Stop all services; whether all of their work has ended."""
        deadline = time.monotonic() + STOP_SECONDS
        for name in list(self._open):
            self._close(name)
        wait(self._stopped)
        self._stopping.shutdown()
        return self.pools.stop(deadline) and all(future.result() for future in self._stopped)

    @contextmanager
    def acquire(self, name: str | None) -> Iterator[Service]:
        """The service of a collection (None: the default one), kept open in the meantime."""
        service = self._get(self.collections.default if name is None else name)
        service.requests += 1
        try:
            yield service
        finally:
            service.requests -= 1

    async def is_shared(self, service: Service) -> bool:
        """Whether readers see a collection."""
        return await self.pools.lookups.run(
            lambda is_cancelled: service.sharing.is_on(), self.settings.timeout
        )

    def get_open(self, name: str) -> Service | None:
        """The service of a collection, if it is open."""
        return self._open.get(name)

    def _get(self, name: str) -> Service:
        address = self.collections.address(name)
        service = self._open.get(name)
        if address is None:
            if service is not None and not service.requests:
                self._close(name)
            raise no_collection(name)
        if service is None:
            self._make_room()
            service = self._open[name] = Service(
                self.settings, name, address, self.pools, self.collections
            )
        self._open.move_to_end(name)
        return service

    def _make_room(self) -> None:
        if len(self._open) < MAX_OPEN:
            return
        for name, service in self._open.items():
            if not service.is_busy:
                self._close(name)
                return
        raise overloaded()

    def _close(self, name: str) -> None:
        """Stop a service in the background."""
        service = self._open.pop(name)
        self._stopped = [one for one in self._stopped if not (one.done() and one.result())]
        deadline = time.monotonic() + STOP_SECONDS
        self._stopped.append(self._stopping.submit(service.stop, deadline))
