"""Where the server listens."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

from likewise.errors import UsageError

BACKLOG = 2048


class Address:
    """A host and a port as the system understands them.

    Attributes:
        is_local: only this machine can reach it.
    """

    def __init__(self, host: str, port: int) -> None:
        """Looks the host up; `UsageError` if there is none of that name."""
        self.host = host
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            said = getattr(error, "strerror", None) or error
            raise UsageError(f"{host!r} is no address to listen on: {said}") from None
        # Of a name with several, the older kind: what asks 127.0.0.1 is served.
        found.sort(key=lambda one: one[0] != socket.AF_INET)
        self.family: int = found[0][0]
        self.place: tuple[Any, ...] = found[0][4]
        self.is_local = is_loopback(str(self.place[0]))

    def listen(self, count: int) -> list[socket.socket]:
        """So many sockets on it, all on one port; connections can be made from now on."""
        # Alone at first: sockets that share a port would share it with another server too.
        first = self._bind(share=False)
        self.place = (self.place[0], first.getsockname()[1], *self.place[2:])
        sockets = [first]
        if count > 1:
            first.close()
            sockets = [self._bind(share=True) for _ in range(count)]
        for one in sockets:
            one.listen(BACKLOG)
        return sockets

    def _bind(self, *, share: bool) -> socket.socket:
        made = socket.socket(self.family, socket.SOCK_STREAM)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if share:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            made.bind(self.place)
        except OSError as error:
            made.close()
            raise UsageError(
                f"cannot listen on {self}: {error.strerror}",
                hint="another --port, or --port 0 for one that is free",
            ) from None
        return made

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.place[1]}"


def is_loopback(address: str) -> bool:
    """Whether an address in numbers is one that leads back to this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
