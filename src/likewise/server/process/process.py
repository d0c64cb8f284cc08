"""One process of the server: the application on a socket, until it is told to stop."""

from __future__ import annotations

import math
import os
import signal
import socket
import sys

import uvicorn

from likewise.server.app import create_app
from likewise.server.log import configure_uvicorn_log
from likewise.server.process.protocol import Protocol
from likewise.server.process.sockets import BACKLOG
from likewise.server.settings import ServerSettings

_KEEP_ALIVE = 75  # seconds; longer than proxies keep theirs, so that they close first


def serve(settings: ServerSettings, listening: socket.socket) -> int:
    """Serves until SIGTERM or SIGINT, lets requests under way end; the exit status."""
    configure_uvicorn_log()
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        http=type("Patient", (Protocol,), {"seconds": settings.timeout}),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=math.ceil(settings.grace),
    )
    server = uvicorn.Server(config)
    # uvicorn sets these itself while it serves, and raises what it got once more when it has ended.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, server.handle_exit)
    server.run(sockets=[listening])
    if not app.state.ended:
        # Work goes on that nobody waits for. A transaction that is not ended is undone.
        sys.stderr.flush()
        os._exit(0)
    return 0
