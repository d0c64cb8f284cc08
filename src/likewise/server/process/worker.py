"""One of several processes of a server, as the supervisor starts it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading

from likewise.server.settings import ServerSettings


def run(fd: int) -> int:
    """Serves on the socket with that number; the exit status.

    What to serve comes on stdin and not on the command line, which others can read. The end of
    stdin is the end of the supervisor, and then of this process.
    """
    settings = ServerSettings.from_json(sys.stdin.readline())
    threading.Thread(target=_end_with_supervisor, name="likewise-end", daemon=True).start()
    from likewise.server.process.process import serve

    return serve(settings, socket.socket(fileno=fd))


def _end_with_supervisor() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)
