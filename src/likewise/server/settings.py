"""`ServerSettings`: the settings of a server, passed to each of its processes."""

from __future__ import annotations

import ipaddress
import json
from dataclasses import asdict, dataclass, field

from likewise.errors import UsageError

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder in which processes share their numbers."""

# The limits that may be set: least and greatest value.
LIMITS = {
    "max_request": (1_000, 2**31),
    "max_documents": (1, 10_000),
    "at_once": (1, 10_000),
    "timeout": (0.1, 3600),
    "grace": (0, 3600),
    "rate": (0, 1_000_000),
}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server.

    Attributes:
        indexes: files or addresses of indexes.
        folder: its index files are served too, and new ones are created there.
        default: the name of the collection for requests that name none.
        token: of reviewers, who may do everything.
        reader_token: of readers, who may look at collections that are shared with them and check
            texts, but change nothing. Without any token, only this machine can reach the server.
        shared: names of collections that readers see, whatever their reviewers choose.
        max_request: maximum bytes of a request's body.
        max_documents: maximum number of documents, texts or ids per request.
        at_once: maximum number of concurrent requests per process; others get 503.
        timeout: seconds for receiving a request, and again for processing it.
        grace: on shutdown, seconds for open requests.
        rate: maximum requests per second from one address, if a token is set; 0 for no limit.
        trust_proxy: address or network of a proxy whose X-Forwarded-For names the client.
        quiet: do not log requests.
    """

    indexes: tuple[str, ...] = ()
    folder: str | None = None
    default: str | None = None
    token: str | None = field(default=None, repr=False)
    reader_token: str | None = field(default=None, repr=False)
    shared: tuple[str, ...] = ()
    max_request: int = 32_000_000
    max_documents: int = 1_000
    at_once: int = 256
    timeout: float = 30.0
    grace: float = 30.0
    rate: float = 100.0
    trust_proxy: str | None = None
    quiet: bool = False

    def __post_init__(self) -> None:
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not low <= value <= high:
                option = name.replace("_", "-")
                raise UsageError(f"{option} is {value:g}; it must be from {low:g} to {high:,}")
        if self.trust_proxy is not None:
            try:
                ipaddress.ip_network(self.trust_proxy)
            except ValueError:
                raise UsageError(
                    f"trust-proxy: {self.trust_proxy!r} is not an IP address or network",
                    hint="name the address of the proxy, such as 127.0.0.1 or 172.18.0.0/16",
                ) from None

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> ServerSettings:
        values = json.loads(text)
        lists = {name: tuple(values[name]) for name in ("indexes", "shared")}
        return cls(**{**values, **lists})
