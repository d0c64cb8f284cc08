"""`AccessControl`: which requests are allowed, and how many per second.

With a token, requests must send it; only `/health`, the page of the app and its files are public.
There may be two tokens: that of reviewers, who may do everything, and that of readers, who may look
at collections and check texts, but change nothing. Routes decide by the role in the scope of a
request.

Each address has a rate limit for requests with the token, and a lower one for wrong tokens.
Whatever others do behind the same address, such as that of a school, they do not use up the
requests of those who have the token. What is public costs as little as a refusal, and has no limit:
a class opens the page at the same time.

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
from typing import Literal, NoReturn
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from likewise.server.errors import ApiError
from likewise.server.middleware.rate import RateLimiter, client_of
from likewise.server.process.sockets import is_loopback
from likewise.server.settings import ServerSettings

Role = Literal["reviewer", "reader"]
ROLE = "likewise.role"
"""The key in the scope."""
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
    """Middleware that passes a request on with its role, or refuses it; see `ServerSettings`."""

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        tokens: dict[Role, str | None] = {
            "reviewer": settings.token,
            "reader": settings.reader_token,
        }
        self._tokens = {role: token.encode() for role, token in tokens.items() if token is not None}
        rate, proxy = settings.rate, settings.trust_proxy
        self._proxy = None if proxy is None else ipaddress.ip_network(proxy)
        burst = max(1.0, BURST_SECONDS * rate)
        self._rates = RateLimiter(rate, burst) if rate else None
        self._wrong = RateLimiter(WRONG_TOKEN_RATE, WRONG_TOKEN_BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope[ROLE] = self._check(scope, _single_headers(scope["headers"]))
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> Role | None:
        """The role of whoever sends a request; None where everybody is allowed."""
        method, path = scope["method"], scope["path"]
        if not self._tokens:
            _check_host(headers.get(b"host", b""))
            if not (path == PAGE and method in READ_METHODS and _is_link(headers)):
                _check_site(headers)
            return "reviewer"
        is_page = path == PAGE or path.startswith(STATIC)
        if path == HEALTH or (is_page and method in READ_METHODS):
            return None
        forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1")
        client = client_of((scope.get("client") or ("",))[0], forwarded, self._proxy)
        authorization = headers.get(b"authorization", b"")
        role = self._role_of(authorization)
        if role is None:
            self._refuse(authorization, client)
        if self._rates is not None:
            _check_rate(self._rates.take(client), "too many requests from this address")
        return role

    def _role_of(self, authorization: bytes) -> Role | None:
        """The role that a token has; None for a wrong one."""
        scheme = authorization[: len(_BEARER)].lower()
        token = authorization[len(_BEARER) :].strip()
        # All are compared, so that the time does not tell which one was nearly right.
        roles = [role for role, own in self._tokens.items() if hmac.compare_digest(token, own)]
        return roles[0] if roles and scheme == _BEARER else None

    def _refuse(self, authorization: bytes, client: str) -> NoReturn:
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
