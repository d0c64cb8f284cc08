"""`RateLimiter`: a token bucket for each client address.

The number of buckets is limited; those of the least recent clients are dropped first.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_ADDRESSES = 10_000
_IPV6_BITS = 64  # the network of one customer


@dataclass
class RateLimiter:
    """Buckets of `capacity` tokens, refilled with `rate` tokens per second."""

    rate: float
    capacity: float
    clock: Callable[[], float] = time.monotonic
    buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    """Tokens, and the time of the last request."""

    def take(self, address: str) -> int:
        """Take a token of an address; 0, or the seconds to wait if there is none."""
        left = self._left(address)
        if left < 1:
            return max(1, math.ceil((1 - left) / self.rate))
        self.buckets[address] = (left - 1, self.clock())
        self.buckets.move_to_end(address)
        if len(self.buckets) > MAX_ADDRESSES:
            self.buckets.popitem(last=False)
        return 0

    def _left(self, address: str) -> float:
        left, when = self.buckets.get(address, (self.capacity, 0.0))
        return min(self.capacity, left + (self.clock() - when) * self.rate)


def client_of(
    peer: str, forwarded: str, proxy: ipaddress.IPv4Network | ipaddress.IPv6Network | None
) -> str:
    """The address of a client; IPv6 addresses by their network.

    Args:
        peer: the other end of the connection.
        forwarded: X-Forwarded-For, trusted if the peer is the proxy. Only its last address comes
            from that proxy; a client can forge the others.
        proxy: the address or network of the proxy.
    """
    address = _parse_address(peer)
    if address is not None and proxy is not None and address in proxy:
        address = _parse_address(forwarded.rpartition(",")[2].strip()) or address
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, _IPV6_BITS), strict=False))
    return str(address)


def _parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
