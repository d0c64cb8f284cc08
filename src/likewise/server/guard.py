"""`Guard`: who may ask.

With a token, whoever shows it; only `/health` is for everybody. Without one the server listens on
this machine alone, and browsers are what is left to fear: a page from elsewhere could have them
ask. Such requests give themselves away by where they say they come from, or by the name under which
they reach the server.
"""

from __future__ import annotations

import hmac
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from likewise.server.answer import send_error
from likewise.server.errors import ApiError
from likewise.server.sockets import is_loopback

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

OPEN = "/health"
_BEARER = b"bearer "
_OWN_SITE = (b"same-origin", b"none")  # none: typed by the user


class Guard:
    """A layer of the application that lets requests pass, or answers them itself."""

    def __init__(self, app: ASGIApp, token: str | None) -> None:
        self._app = app
        self._token = None if token is None else token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                self._check(scope["path"], dict(scope["headers"]))
            except ApiError as error:
                await send_error(send, error)
                return
        await self._app(scope, receive, send)

    def _check(self, path: str, headers: dict[bytes, bytes]) -> None:
        if self._token is None:
            _check_host(headers.get(b"host", b""))
            _check_site(headers)
        elif path != OPEN:
            self._check_token(headers.get(b"authorization", b""))

    def _check_token(self, shown: bytes) -> None:
        assert self._token is not None
        scheme, token = shown[: len(_BEARER)].lower(), shown[len(_BEARER) :].strip()
        if scheme != _BEARER or not hmac.compare_digest(token, self._token):
            raise ApiError(
                401,
                "the token is wrong" if shown else "a token is needed",
                hint="send it in the header Authorization: Bearer TOKEN",
                headers={"WWW-Authenticate": "Bearer"},
            )


def _check_host(host: bytes) -> None:
    if not _is_own_name(host.decode("latin-1")):
        raise ApiError(
            403,
            "this server is for this machine, and does not go by that name",
            hint="ask http://127.0.0.1 or http://localhost; for others, start it with a token",
        )


def _check_site(headers: dict[bytes, bytes]) -> None:
    origin = headers.get(b"origin")
    site = headers.get(b"sec-fetch-site", b"none")
    if site not in _OWN_SITE or (origin is not None and not _is_own(origin, headers[b"host"])):
        raise ApiError(403, "a page of another site may not ask this server")


def _is_own(origin: bytes, host: bytes) -> bool:
    scheme, _, name = origin.lower().partition(b"://")
    return scheme in (b"http", b"https") and name == host.lower()


@lru_cache(maxsize=256)
def _is_own_name(host: str) -> bool:
    """Whether a Host header names this machine, as only this machine can reach it."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name == "localhost" or name.endswith(".localhost") or is_loopback(name)
