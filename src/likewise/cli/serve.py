"""Serves indexes over HTTP, as a web app and as a JSON API, at the address printed at startup. A
token is required to accept connections from other machines. Stops on SIGTERM and Ctrl-C, after
open requests have been answered.

example:
  likewise serve
  likewise serve --index essays.db --index archive.db
  likewise serve --folder courses
  likewise serve --index essays.db --host 0.0.0.0 --token-file token --workers 4
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from types import FrameType

from likewise.cli.messages import warn
from likewise.cli.options import flag, path, real, size, whole
from likewise.cli.parser import Option, Parser, arguments_for
from likewise.errors import SourceError, UsageError
from likewise.server.settings import METRICS_FOLDER, ServerSettings

TOKEN_VARIABLE = "LIKEWISE_TOKEN"
MIN_TOKEN_CHARACTERS = 16
MAX_WORKERS = 64
MAX_NAMES = 5  # of collections, in the message at startup
_REQUIRED = ("fastapi", "uvicorn", "httptools", "prometheus_client")

OPTIONS = {
    "--index": path(
        "input", "DB", "an index to serve: a file or postgresql://…; repeatable", action="append"
    ),
    "--folder": path(
        "folder",
        "FOLDER",
        "serve all indexes (.db) in FOLDER and allow new ones to be created there (default without "
        "--index: your data folder)",
    ),
    "--host": Option("address to listen on", default="127.0.0.1"),
    "--port": whole("N", "port to listen on; 0 for any free port", "8000"),
    "--workers": whole("N", "number of processes", 1),
    "--token-file": path(
        "input", "FILE", "read the access token from FILE", f"the variable {TOKEN_VARIABLE}, if set"
    ),
    "--max-request": size("maximum size of a request body"),
    "--max-documents": whole("N", "maximum number of documents or texts per request"),
    "--at-once": whole("N", "maximum number of concurrent requests per process"),
    "--timeout": real("SECONDS", "time limit for receiving a request, and again for processing it"),
    "--rate": real(
        "N",
        "maximum requests per second from one address, if a token is set; 0 for no limit",
    ),
    "--grace": real("SECONDS", "on shutdown, time limit for open requests"),
    "--quiet": flag("do not log requests"),
}


def add_options(parser: Parser) -> None:
    parser.add("--index --folder --host --port --workers --token-file")
    parser.add(
        "--max-request --max-documents --at-once --timeout --rate --grace",
        ServerSettings,
        "limits",
    )
    parser.add("--quiet")


def run(options: argparse.Namespace) -> int:
    limits = arguments_for(ServerSettings, options, folder=None)
    ServerSettings(**limits)  # raises before any work
    _check(options)
    signal.signal(signal.SIGTERM, _stop_at_once)
    signal.signal(signal.SIGINT, _stop_at_once)
    token = _token(options.token_file)
    from likewise.server.process.sockets import Address

    address = Address(options.host, options.port)
    if token is None and not address.is_local:
        raise UsageError(
            f"a token is required to accept connections from other machines ({address.host})",
            hint=f"use --token-file FILE or set {TOKEN_VARIABLE}, or listen on 127.0.0.1",
        )
    folder = options.folder
    if folder is not None or not options.index:
        folder = _with_index(os.path.abspath(folder) if folder is not None else _data_folder())
    indexes = tuple(options.index or ())
    settings = ServerSettings(**{**limits, "indexes": indexes, "folder": folder, "token": token})
    settings, about = _with_default(settings)
    sockets = address.listen(options.workers)
    # Printed even with --quiet: only this message names the port that --port 0 chose.
    warn(f"listening on http://{address} ({about}{'; token required' if token else ''})")
    if options.workers > 1:
        from likewise.server.process.supervisor import Supervisor

        return Supervisor(settings, sockets).run()
    os.environ.pop(METRICS_FOLDER, None)  # it would mix the numbers of several programs
    from likewise.server.process.process import serve

    return serve(settings, sockets[0])


def _stop_at_once(number: int, frame: FrameType | None) -> None:
    """Ends the process. An exception might be caught by a module that is being imported."""
    sys.stderr.flush()
    os._exit(0)


def _check(options: argparse.Namespace) -> None:
    from likewise.whole_numbers import check_whole

    check_whole("port", options.port, 0, 65_535)
    check_whole("workers", options.workers, 1, MAX_WORKERS)
    if options.folder is not None and not os.path.isdir(options.folder):
        raise UsageError(f"{options.folder}: not a folder", hint="name an existing folder")
    missing = [name for name in _REQUIRED if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the server requires {missing[0]}, which is not installed",
            hint="pip install 'likewise[server]'",
        )


def _token(path: str | None) -> str | None:
    """The access token, from a file or the environment."""
    token = os.environ.pop(TOKEN_VARIABLE, None)  # not for child processes
    where = TOKEN_VARIABLE
    if path is not None:
        where = path
        try:
            with open(path, encoding="ascii") as file:
                token = file.read(10_000)
            if os.stat(path).st_mode & 0o077:
                warn(f"{path}: other users can read this file (use chmod 600)")
        except OSError as error:
            raise SourceError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise SourceError(f"{path}: not ASCII") from None
    if token is None:
        return None
    token = token.strip()
    printable = token.isascii() and token.isprintable() and " " not in token
    if len(token) < MIN_TOKEN_CHARACTERS or not printable:
        raise UsageError(
            f"{where}: a token must have at least {MIN_TOKEN_CHARACTERS} printable ASCII "
            "characters and no spaces",
            hint="create one: python3 -c 'import secrets; print(secrets.token_urlsafe(32))' > FILE",
        )
    return token


def _data_folder() -> str:
    """The data folder of the user, created if it does not exist."""
    shared = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(shared):  # ignored by convention
        shared = os.path.expanduser(os.path.join("~", ".local", "share"))
    if not os.path.isabs(shared):
        raise UsageError("no data folder found for this user", hint="use --index DB")
    folder = os.path.join(shared, "likewise")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
    except OSError as error:
        raise SourceError(f"{folder}: cannot be created: {error.strerror}") from None
    return folder


def _with_index(folder: str) -> str:
    """A folder, in which an index is created if there is none."""
    from likewise.server.collections import ENDING, FIRST, Collections

    path = os.path.join(folder, FIRST + ENDING)
    there = Collections(ServerSettings(folder=folder))
    if not os.path.lexists(path) and there.address(there.default) == path:
        from likewise.index.index import Index

        with suppress(UsageError):  # another process was faster
            Index.create(path).close()
            warn(f"{path}: new index created")
    return folder


def _with_default(settings: ServerSettings) -> tuple[ServerSettings, str]:
    """The settings with the default collection, and a description of what is served.

    Raises if the default collection or an index that was named cannot be opened.
    """
    from likewise.index.index import Index
    from likewise.run import counted
    from likewise.server.collections import Collections

    collections = Collections(settings)
    names = collections.names()
    needed = {collections.address(collections.default) or "", *settings.indexes}
    for address in sorted(needed):
        with Index(address) as index:
            info = index.info()
    if len(names) == 1:
        about = f"{info['index']}, {counted(info['documents'], 'document')}"
    else:
        about = f"{len(names):,} collections: {', '.join(names[:MAX_NAMES])}"
        about += ", …" if len(names) > MAX_NAMES else ""
    return replace(settings, default=collections.default), about
