"""`Address`: the host and port that the server listens on."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Any

from likewise.errors import UsageError

BACKLOG = 2048


class Address:
    """A host and a port; `is_local` if only this machine can reach it."""

    def __init__(self, host: str, port: int) -> None:
        """Look up the host; raises `UsageError` if it is unknown."""
        self.host = host
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"cannot listen on {host!r}: {reason}") from None
        # A name may have several addresses: IPv4 first, since clients often use 127.0.0.1.
        found.sort(key=lambda one: one[0] != socket.AF_INET)
        self.family: int = found[0][0]
        self.place: tuple[Any, ...] = found[0][4]
        self.is_local = is_loopback(str(self.place[0]))

    def listen(self, count: int) -> list[socket.socket]:
        """`count` listening sockets on the same port."""
        # First without sharing: the port might be shared with another server.
        first = self._listen(share=False)
        self.place = (self.place[0], first.getsockname()[1], *self.place[2:])
        if count == 1:
            return [first]
        first.close()
        return [self._listen(share=True) for _ in range(count)]

    def _listen(self, *, share: bool) -> socket.socket:
        dual = self.family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        try:
            return socket.create_server(
                self.place, family=self.family, backlog=BACKLOG, reuse_port=share,
                dualstack_ipv6=dual,
            )  # fmt: skip
        except OSError as error:
            raise UsageError(
                f"cannot listen on {self}: {os.strerror(error.errno or 0)}",
                hint="use another --port, or --port 0 for any free port",
            ) from None

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.place[1]}"


def is_loopback(address: str) -> bool:
    """Whether a numeric address is a loopback address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
