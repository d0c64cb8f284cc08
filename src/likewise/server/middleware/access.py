"""`AccessControl`: which requests are allowed, and how many per second.

With a token, requests must send it; only `/health`, the page of the app and its files are public.
Each address has a rate limit for requests with the token, the same for those without it, and a lower
one for wrong tokens. Whatever others do behind an address, such as that of a school, they do not
use up the requests of those who have the token.

Without a token the server listens on this machine only, and the remaining risk is a web page of
another site that makes a browser send requests. They are recognized by their origin or by the host
name. A link to the page of the app is allowed, since that page contains no data.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from likewise.server.errors import ApiError
from likewise.server.middleware.rate import RateLimiter, client_of
from likewise.server.process.sockets import is_loopback

HEALTH = "/health"
PAGE = "/"
STATIC = "/static/"
READ_METHODS = ("GET", "HEAD")
BURST_SECONDS = 5.0  # worth of requests may come at once
WRONG_TOKEN_RATE = 0.2  # per second from one address
WRONG_TOKEN_BURST = 20.0  # a page with an old token sends several requests
_BEARER = b"bearer "
_SINGLE = (b"host", b"authorization", b"origin", b"sec-fetch-site")  # decide on access
_OWN_SITE = (b"same-origin", b"none")  # none: typed by the user


class AccessControl:
    """Middleware that passes a request on, or refuses it; see `ServerSettings`."""

    def __init__(
        self, app: ASGIApp, token: str | None, rate: float, trust_proxy: str | None
    ) -> None:
        self._app = app
        self._token = None if token is None else token.encode()
        self._proxy = None if trust_proxy is None else ipaddress.ip_network(trust_proxy)
        burst = max(1.0, BURST_SECONDS * rate)
        self._rates = {right: RateLimiter(rate, burst) for right in (True, False)} if rate else {}
        self._wrong = RateLimiter(WRONG_TOKEN_RATE, WRONG_TOKEN_BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self._check(scope, _single_headers(scope["headers"]))
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        method, path = scope["method"], scope["path"]
        if self._token is None:
            _check_host(headers.get(b"host", b""))
            if not (path == PAGE and method in READ_METHODS and _is_link(headers)):
                _check_site(headers)
            return
        if path == HEALTH:
            return
        forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1")
        client = client_of((scope.get("client") or ("",))[0], forwarded, self._proxy)
        authorization = headers.get(b"authorization", b"")
        is_right = self._is_right(authorization)
        if self._rates:
            _check_rate(self._rates[is_right].take(client), "too many requests from this address")
        is_open = path == PAGE or path.startswith(STATIC)
        if not is_right and not (is_open and method in READ_METHODS):
            self._refuse(authorization, client)

    def _is_right(self, authorization: bytes) -> bool:
        assert self._token is not None
        scheme = authorization[: len(_BEARER)].lower()
        token = authorization[len(_BEARER) :].strip()
        return scheme == _BEARER and hmac.compare_digest(token, self._token)

    def _refuse(self, authorization: bytes, client: str) -> None:
        if authorization:
            _check_rate(self._wrong.take(client), "too many wrong tokens from this address")
        raise ApiError(
            401,
            "the token is wrong" if authorization else "a token is required",
            hint="send it in the header Authorization: Bearer TOKEN",
            headers={"WWW-Authenticate": "Bearer"},
        )


def _single_headers(headers: Sequence[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Headers by name; raises `ApiError` if one that decides on access is there twice."""
    values = dict(headers)
    if len(values) < len(headers):
        names = Counter(name for name, _ in headers)
        for name in _SINGLE:
            if names[name] > 1:
                raise ApiError(400, f"more than one header {name.decode().title()}")
    return values


def _check_rate(wait: int, message: str) -> None:
    if wait:
        headers = {"Retry-After": str(wait)}
        raise ApiError(429, message, hint=f"try again in {wait} s", headers=headers)


def _check_host(host: bytes) -> None:
    if not _is_own_name(host.decode("latin-1")):
        raise ApiError(
            403,
            "this server accepts only requests to 127.0.0.1 or localhost",
            hint="use http://127.0.0.1 or http://localhost; to allow other names, start the server "
            "with a token",
        )


def _check_site(headers: dict[bytes, bytes]) -> None:
    origin = headers.get(b"origin")
    site = headers.get(b"sec-fetch-site", b"none")
    if site not in _OWN_SITE or (origin is not None and not _is_own(origin, headers[b"host"])):
        raise ApiError(403, "requests from pages of other sites are not allowed")


def _is_link(headers: dict[bytes, bytes]) -> bool:
    """Whether a browser navigates to the page, outside of any frame."""
    mode, dest = headers.get(b"sec-fetch-mode"), headers.get(b"sec-fetch-dest")
    return mode == b"navigate" and dest == b"document" and b"origin" not in headers


def _is_own(origin: bytes, host: bytes) -> bool:
    scheme, _, name = origin.lower().partition(b"://")
    return scheme in (b"http", b"https") and name == host.lower()


@lru_cache(maxsize=256)
def _is_own_name(host: str) -> bool:
    """Whether a Host header names this machine by an address that only it can reach."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name == "localhost" or name.endswith(".localhost") or is_loopback(name)
