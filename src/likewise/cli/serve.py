"""`likewise serve`: an index over HTTP."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from importlib.util import find_spec
from types import FrameType

from likewise.cli.options import Parser, number, size_in_bytes, whole_number
from likewise.cli.progress import tell
from likewise.errors import SourceError, UsageError
from likewise.server.settings import METRICS_FOLDER, ServerSettings

DESCRIPTION = """\
Serves indexes over HTTP, as a web app and as a JSON API, at the address printed at startup. A token
is required to accept connections from other machines. Stops on SIGTERM and Ctrl-C, after open
requests have been answered."""

EXAMPLE = """\
  likewise serve
  likewise serve --index essays.db --index archive.db
  likewise serve --folder courses
  likewise serve --index essays.db --host 0.0.0.0 --token-file token --workers 4"""

ENVIRONMENT = "LIKEWISE_TOKEN"
MIN_TOKEN_CHARACTERS = 16
MAX_WORKERS = 64
MAX_SECONDS = 3600
MAX_RATE = 1_000_000
MAX_NAMED = 5  # collections in the message at startup
_LIMITS = {
    "--max-request": (
        size_in_bytes, "SIZE", "maximum size of a request body (default: 32MB)",
    ),
    "--max-documents": (
        whole_number, "N",
        "maximum number of documents or texts per request (default: 1,000)",
    ),
    "--at-once": (
        whole_number, "N",
        "maximum number of concurrent requests per process (default: 256)",
    ),
    "--timeout": (
        number, "SECONDS",
        "time limit for receiving a request, and again for processing it (default: 30)",
    ),
    "--rate": (
        number, "N",
        "maximum requests per second from one address, if a token is set; 0 for no limit "
        "(default: 100)",
    ),
    "--grace": (
        number, "SECONDS", "on shutdown, time limit for open requests (default: 30)",
    ),
}  # fmt: skip
_SETTINGS = {field.name for field in fields(ServerSettings)}
_NEEDED = ("fastapi", "uvicorn", "httptools", "prometheus_client")


def parser() -> Parser:
    """The options of the command."""
    made = Parser("serve", DESCRIPTION, EXAMPLE)
    made.add_argument(
        "--index",
        action="append",
        default=[],
        metavar="DB",
        help="an index to serve: a file or postgresql://…; repeatable",
    )
    made.add_argument(
        "--folder",
        metavar="FOLDER",
        help="serve all indexes (.db) in FOLDER and allow new ones to be created there (default "
        "without --index: your data folder)",
    )
    made.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
    )
    made.add_argument(
        "--port",
        type=whole_number,
        default=8000,
        metavar="N",
        help="port to listen on; 0 for any free port (default: 8000)",
    )
    made.add_argument(
        "--workers",
        type=whole_number,
        default=1,
        metavar="N",
        help="number of processes (default: 1)",
    )
    made.add_argument(
        "--token-file",
        metavar="FILE",
        help=f"read the access token from FILE (default: the variable {ENVIRONMENT}, if set)",
    )
    limits = made.add_argument_group("limits")
    defaults = ServerSettings()
    for option, (kind, metavar, text) in _LIMITS.items():
        default = getattr(defaults, option[2:].replace("-", "_"))
        limits.add_argument(option, type=kind, default=default, metavar=metavar, help=text)
    made.add_argument("--quiet", action="store_true", help="do not log requests")
    return made


def run(arguments: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT; the exit status."""
    options = parser().parse(arguments)
    _check(options)
    signal.signal(signal.SIGTERM, _stop_at_once)
    signal.signal(signal.SIGINT, _stop_at_once)
    token = _token(options.token_file)
    from likewise.server.process.sockets import Address

    address = Address(options.host, options.port)
    if token is None and not address.is_local:
        raise UsageError(
            f"a token is required to accept connections from other machines ({address.host})",
            hint=f"use --token-file FILE or set {ENVIRONMENT}, or listen on 127.0.0.1",
        )
    folder = options.folder
    if folder is not None or not options.index:
        folder = _with_index(os.path.abspath(folder) if folder is not None else _data_folder())
    given = {name: value for name, value in vars(options).items() if name in _SETTINGS}
    given |= {"indexes": tuple(options.index), "folder": folder, "token": token}
    settings = ServerSettings(**given)
    settings, about = _with_default(settings)
    sockets = address.listen(options.workers)
    # Also with --quiet: with --port 0 the port is not known otherwise.
    tell(f"listening on http://{address} ({about}{'; token required' if token else ''})")
    if options.workers > 1:
        from likewise.server.process.supervisor import Supervisor

        return Supervisor(settings, sockets).run()
    os.environ.pop(METRICS_FOLDER, None)  # it would mix the metrics of several programs
    from likewise.server.process.process import serve

    return serve(settings, sockets[0])


def _stop_at_once(number: int, frame: FrameType | None) -> None:
    """Exit before anything has begun; not by an exception, which an import might catch."""
    sys.stderr.flush()
    os._exit(0)


def _check(options: argparse.Namespace) -> None:
    from likewise.whole_numbers import check_whole

    check_whole("port", options.port, 0, 65_535)
    check_whole("workers", options.workers, 1, MAX_WORKERS)
    check_whole("max-request", options.max_request, 1_000, 2**31)
    check_whole("max-documents", options.max_documents, 1, 10_000)
    check_whole("at-once", options.at_once, 1, 10_000)
    for name, least in (("timeout", 0.1), ("grace", 0.0)):
        value = getattr(options, name)
        if not least <= value <= MAX_SECONDS:
            raise UsageError(f"{name} is {value:g}; it must be from {least:g} to {MAX_SECONDS}")
    if not 0 <= options.rate <= MAX_RATE:
        raise UsageError(f"rate is {options.rate:g}; it must be from 0 to {MAX_RATE:,}")
    if options.folder is not None and not os.path.isdir(options.folder):
        raise UsageError(f"{options.folder}: not a folder", hint="name an existing folder")
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the server requires {missing[0]}, which is not installed",
            hint="pip install 'likewise[server]'",
        )


def _token(path: str | None) -> str | None:
    """The token that requests must send, from a file or the environment."""
    token = os.environ.pop(ENVIRONMENT, None)  # not for child processes
    where = ENVIRONMENT
    if path is not None:
        where = path
        try:
            with open(path, encoding="ascii") as file:
                token = file.read(10_000)
            if os.stat(path).st_mode & 0o077:
                tell(f"{path}: other users can read this file (use chmod 600)")
        except OSError as error:
            raise SourceError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise SourceError(f"{path}: not ASCII") from None
    if token is None:
        return None
    token = token.strip()
    is_plain = token.isascii() and token.isprintable() and " " not in token
    if len(token) < MIN_TOKEN_CHARACTERS or not is_plain:
        raise UsageError(
            f"{where}: a token must have at least {MIN_TOKEN_CHARACTERS} printable ASCII "
            "characters and no spaces",
            hint="create one: python3 -c 'import secrets; print(secrets.token_urlsafe(32))' > FILE",
        )
    return token


def _data_folder() -> str:
    """The data folder of the user, created if it does not exist."""
    shared = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(shared):  # which the convention says to ignore
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
    """The folder; an index is created in it if there is none."""
    from likewise.server.collections import ENDING, FIRST, Collections

    path = os.path.join(folder, FIRST + ENDING)
    there = Collections(ServerSettings(folder=folder))
    if not os.path.lexists(path) and there.address(there.default) == path:
        from likewise.index.index import Index

        with suppress(UsageError):  # another process was quicker
            Index.create(path).close()
            tell(f"{path}: new index created")
    return folder


def _with_default(settings: ServerSettings) -> tuple[ServerSettings, str]:
    """The settings with the default collection, and a description of what is served.

    Raises if a named index, or that of the default collection, cannot be served.
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
        about = f"{len(names):,} collections: {', '.join(names[:MAX_NAMED])}"
        about += ", …" if len(names) > MAX_NAMED else ""
    return replace(settings, default=collections.default), about
