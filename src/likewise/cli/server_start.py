"""What `likewise app` and `likewise serve` share: which indexes they serve, and the start."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec

from likewise.cli.messages import warn
from likewise.cli.options import path
from likewise.errors import SourceError, UsageError
from likewise.server.settings import METRICS_FOLDER, ServerSettings

MAX_NAMES = 5  # of collections, in the message at startup
_REQUIRED = ("fastapi", "uvicorn", "httptools", "prometheus_client")

INDEX_OPTIONS = {
    "--index": path(
        "input", "DB", "an index to serve: a file or postgresql://…; repeatable", action="append"
    ),
    "--folder": path(
        "folder",
        "FOLDER",
        "serve all indexes (.db) in FOLDER and allow new ones to be created there (default without "
        "--index: your data folder)",
    ),
}


def check_installed() -> None:
    """Raises `UsageError` if a library of the server is missing."""
    missing = [name for name in _REQUIRED if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the server requires {missing[0]}, which is not installed",
            hint="pip install 'likewise[server]'",
        )


def served_folder(folder: str | None, indexes: Sequence[str]) -> str | None:
    """The folder to serve, with an index in it; the data folder of the user if nothing is named."""
    if folder is not None and not os.path.isdir(folder):
        raise UsageError(f"{folder}: not a folder", hint="name an existing folder")
    if folder is None and indexes:
        return None
    return _with_index(_data_folder() if folder is None else os.path.abspath(folder))


def with_default(settings: ServerSettings) -> tuple[ServerSettings, str]:
    """The settings with the default collection, and a description of what is served.

    Raises if the default collection or an index that was named cannot be opened.
    """
    from likewise.index.index import Index
    from likewise.run import counted
    from likewise.server.collections import Collections

    collections = Collections(settings)
    names = collections.names()
    for name in settings.shared:
        if name not in names:
            raise UsageError(
                f"--share {name!r}: there is no collection of that name",
                hint=f"its collections are: {', '.join(names[:MAX_NAMES])}",
            )
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


def start(settings: ServerSettings, sockets: Sequence[socket.socket]) -> int:
    """Serve with a process for each socket until a signal comes; the exit status."""
    if len(sockets) > 1:
        from likewise.server.process.supervisor import Supervisor

        return Supervisor(settings, sockets).run()
    os.environ.pop(METRICS_FOLDER, None)  # it would mix the numbers of several programs
    from likewise.server.process.process import serve

    return serve(settings, sockets[0])


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
