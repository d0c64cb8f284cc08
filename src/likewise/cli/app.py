"""Opens the web app in your browser: drop a folder of documents into it, see which ones share text,
and compare them side by side. Everything stays on this machine. Press Ctrl-C to stop; documents
are kept. To let others use it, see `likewise serve`.

example:
  likewise app
  likewise app --folder courses
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import webbrowser
from contextlib import suppress

from likewise.cli.messages import warn
from likewise.cli.options import flag, whole
from likewise.cli.parser import Parser
from likewise.cli.server_start import (
    INDEX_OPTIONS,
    check_installed,
    served_folder,
    start,
    with_default,
)
from likewise.errors import UsageError
from likewise.server.settings import ServerSettings

HOST = "127.0.0.1"

OPTIONS = {
    **INDEX_OPTIONS,
    "--port": whole("N", "port to listen on; if it is taken, another one", "8000"),
    "--no-browser": flag("print the address and open no browser"),
}


def add_options(parser: Parser) -> None:
    parser.add("--index --folder --port --no-browser")


def run(options: argparse.Namespace) -> int:
    with suppress(KeyboardInterrupt):  # before it listens; the server handles signals itself
        return _run(options)
    return 0


def _run(options: argparse.Namespace) -> int:
    from likewise.server.process.sockets import Address
    from likewise.whole_numbers import check_whole

    check_whole("port", options.port, 0, 65_535)
    check_installed()
    indexes = tuple(options.index or ())
    folder = served_folder(options.folder, indexes)
    settings, about = with_default(ServerSettings(indexes=indexes, folder=folder, quiet=True))
    address = Address(HOST, options.port)
    try:
        sockets = address.listen(1)
    except UsageError:
        address = Address(HOST, 0)
        sockets = address.listen(1)
    url = f"http://{address}/"
    warn(f"the app is at {url} ({about}); press Ctrl-C to stop it")
    if not options.no_browser and _has_browser():
        # On a thread: some browsers keep whoever starts them waiting. The socket listens already.
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    return start(settings, sockets)


def _has_browser() -> bool:
    """Whether a browser with a window can be opened: one in the terminal would be in the way."""
    if sys.platform == "darwin" or os.environ.get("BROWSER"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
