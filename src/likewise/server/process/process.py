"""One process of the server, with the application on a socket."""

from __future__ import annotations

import math
import os
import signal
import socket
import sys
import threading

import uvicorn

from likewise.server.app import create_app
from likewise.server.log import configure_uvicorn_log
from likewise.server.process.protocol import Protocol
from likewise.server.process.sockets import BACKLOG
from likewise.server.settings import ServerSettings

_KEEP_ALIVE_SECONDS = 75  # longer than that of proxies, so that they close first


def serve(settings: ServerSettings, listening: socket.socket) -> int:
    """Serve until SIGTERM or SIGINT, then let open requests end; the exit status."""
    configure_uvicorn_log()
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        http=type("TimedProtocol", (Protocol,), {"seconds": settings.timeout}),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=math.ceil(settings.grace),
    )
    server = uvicorn.Server(config)
    # uvicorn sets these itself while it serves, and raises the signal again at its end.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, server.handle_exit)
    server.run(sockets=[listening])
    if not app.state.ended:
        # Threads are still at work for requests that have ended. Open transactions are rolled back.
        sys.stderr.flush()
        os._exit(0)
    return 0


def serve_as_worker(fd: int) -> int:
    """`serve` on the socket with that file descriptor, for a supervisor; the exit status.

    The settings, which may contain a token, come on stdin: other users can read a command line.
    When stdin ends, so has the supervisor, and this process ends too.
    """
    settings = ServerSettings.from_json(sys.stdin.readline())
    threading.Thread(target=_end_with_supervisor, name="likewise-end", daemon=True).start()
    return serve(settings, socket.socket(fileno=fd))


def _end_with_supervisor() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)
