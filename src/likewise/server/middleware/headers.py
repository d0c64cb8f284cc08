"""What every answer says to browsers: run nothing but our own files, show it in no frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_RAW = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
_CACHE_CONTROL = b"cache-control"
_NO_STORE = (_CACHE_CONTROL, b"no-store")  # texts of others, and what is known of them


class SecurityHeaders:
    """Middleware that adds them to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [*message.get("headers", ()), *_RAW]
                if not any(name.lower() == _CACHE_CONTROL for name, _ in own):
                    own.append(_NO_STORE)
                message = {**message, "headers": own}
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)
