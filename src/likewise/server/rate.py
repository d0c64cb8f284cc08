"""`Rates`: how often one address may ask; the oftener it did, the longer it waits.

Each address has a store of requests that fills steadily. There is an end to how many addresses are
remembered: those that have not asked for long, and so have a full store, are forgotten first.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_ADDRESSES = 10_000
_IPV6_BITS = 64  # which one customer has


class Rates:
    """A store of requests for each address.

    Args:
        rate: how many come in a second.
        most: how many a store holds.
        clock: seconds that only grow.
    """

    def __init__(
        self, rate: float, most: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._most = most
        self._clock = clock
        self._stores: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how full, and when

    def take(self, address: str, count: float = 1.0) -> int:
        """Takes from the store of an address; 0, or the seconds to wait where it is empty."""
        left = self._left(address)
        if left < 1:
            return max(1, math.ceil((1 - left) / self._rate))
        if count:
            self._stores[address] = (left - count, self._clock())
            self._stores.move_to_end(address)
            if len(self._stores) > MOST_ADDRESSES:
                self._stores.popitem(last=False)
        return 0

    def wait(self, address: str) -> int:
        """The seconds to wait, if the store is empty, without taking from it."""
        return self.take(address, 0)

    def _left(self, address: str) -> float:
        left, when = self._stores.get(address, (self._most, 0.0))
        return min(self._most, left + (self._clock() - when) * self._rate)


def client_of(peer: str, forwarded: str) -> str:
    """Who asks: the other end of the connection, or whom a web server on this machine names.

    Args:
        peer: the address of the other end.
        forwarded: the X-Forwarded-For of the request. The last in it was put there by the server
            that is nearest; what stands before may be made up.
    """
    address = _parsed(peer)
    if address is not None and address.is_loopback:
        address = _parsed(forwarded.rpartition(",")[2].strip()) or address
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, _IPV6_BITS), strict=False))
    return str(address)


def _parsed(said: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(said.partition("%")[0])
    except ValueError:
        return None
