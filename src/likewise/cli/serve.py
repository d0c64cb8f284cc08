"""Serves indexes over HTTP, as a web app and as a JSON API, at the address printed at startup. A
token is required to accept connections from other machines. Stops on SIGTERM and Ctrl-C, after
open requests have been answered.

example:
  likewise serve
  likewise serve --index essays.db --index archive.db
  likewise serve --folder courses
  likewise serve --index essays.db --host 0.0.0.0 --token-file token --workers 4
  likewise serve --folder courses --host 0.0.0.0 --token-file token --reader-token-file readers
  likewise serve --folder courses --reader-token-file readers --share "Spring term"
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from likewise.cli.messages import warn
from likewise.cli.options import flag, path, real, size, text, whole
from likewise.cli.parser import Option, Parser, arguments_for
from likewise.cli.server_start import (
    INDEX_OPTIONS,
    check_installed,
    served_folder,
    start,
    with_default,
)
from likewise.errors import SourceError, UsageError
from likewise.server.settings import ServerSettings

TOKEN_VARIABLE = "LIKEWISE_TOKEN"
READER_TOKEN_VARIABLE = "LIKEWISE_READER_TOKEN"
MIN_TOKEN_CHARACTERS = 16
MAX_WORKERS = 64

OPTIONS = {
    **INDEX_OPTIONS,
    "--host": Option("address to listen on", default="127.0.0.1"),
    "--port": whole("N", "port to listen on; 0 for any free port", "8000"),
    "--workers": whole("N", "number of processes", 1),
    "--token-file": path(
        "input",
        "FILE",
        "read the token of reviewers, who may do everything, from FILE",
        f"the variable {TOKEN_VARIABLE}, if set",
    ),
    "--reader-token-file": path(
        "input",
        "FILE",
        "read the token of readers, who may look at shared collections and check texts but change "
        "nothing, from FILE",
        f"the variable {READER_TOKEN_VARIABLE}, if set",
    ),
    "--share": text(
        "NAME",
        "let readers see the collection NAME, whatever its reviewers choose; repeatable",
        action="append",
    ),
    "--max-request": size("maximum size of a request body"),
    "--max-documents": whole("N", "maximum number of documents or texts per request"),
    "--at-once": whole("N", "maximum number of concurrent requests per process"),
    "--timeout": real("SECONDS", "time limit for receiving a request, and again for processing it"),
    "--rate": real(
        "N",
        "maximum requests per second from one address, if a token is set; 0 for no limit",
    ),
    "--trust-proxy": text(
        "ADDRESS",
        "take the address of clients from the header X-Forwarded-For in requests of the proxy at "
        "ADDRESS, such as 127.0.0.1",
    ),
    "--grace": real("SECONDS", "on shutdown, time limit for open requests"),
    "--quiet": flag("do not log requests"),
}


def add_options(parser: Parser) -> None:
    parser.add("--index --folder --host --port --workers --token-file --reader-token-file --share")
    parser.add(
        "--max-request --max-documents --at-once --timeout --rate --trust-proxy --grace",
        ServerSettings,
        "limits",
    )
    parser.add("--quiet")


def run(options: argparse.Namespace) -> int:
    with suppress(KeyboardInterrupt):  # before it listens; the server handles signals itself
        return _serve(options)
    return 0


def _serve(options: argparse.Namespace) -> int:
    limits = arguments_for(ServerSettings, options, folder=None)
    ServerSettings(**limits)  # raises before any work
    _check(options)
    tokens = {
        "token": _token(options.token_file, TOKEN_VARIABLE),
        "reader_token": _token(options.reader_token_file, READER_TOKEN_VARIABLE),
    }
    given = [token for token in tokens.values() if token is not None]
    if len(set(given)) < len(given):
        raise UsageError(
            "reviewers and readers have the same token", hint="create another one for readers"
        )
    from likewise.server.process.sockets import Address

    address = Address(options.host, options.port)
    if not given and not address.is_local:
        raise UsageError(
            f"a token is required to accept connections from other machines ({address.host})",
            hint=f"use --token-file FILE or set {TOKEN_VARIABLE}, or listen on 127.0.0.1",
        )
    indexes = tuple(options.index or ())
    folder = served_folder(options.folder, indexes)
    settings = ServerSettings(
        **{**limits, **tokens, "indexes": indexes, "folder": folder},
        shared=_shared(options.share, tokens),
    )
    settings, about = with_default(settings)
    sockets = address.listen(options.workers)
    # Printed even with --quiet: only this message names the port that --port 0 chose.
    warn(f"listening on http://{address} ({about}{_access(tokens)})")
    return start(settings, sockets)


def _access(tokens: Mapping[str, str | None]) -> str:
    """Which tokens are required, for the message at startup."""
    if tokens["token"] is None:
        return "; token required, read only" if tokens["reader_token"] else ""
    return "; token required" + (", another for readers" if tokens["reader_token"] else "")


def _shared(names: Sequence[str] | None, tokens: Mapping[str, str | None]) -> tuple[str, ...]:
    """The collections that readers see."""
    if names and tokens["reader_token"] is None:
        raise UsageError(
            "--share needs readers, and there is no token for them",
            hint=f"use --reader-token-file FILE or set {READER_TOKEN_VARIABLE}",
        )
    return tuple(names or ())


def _check(options: argparse.Namespace) -> None:
    from likewise.whole_numbers import check_whole

    check_whole("port", options.port, 0, 65_535)
    check_whole("workers", options.workers, 1, MAX_WORKERS)
    check_installed()


def _token(path: str | None, variable: str) -> str | None:
    """A token, from a file or the environment."""
    token = os.environ.pop(variable, None)  # not for child processes
    where = variable
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
