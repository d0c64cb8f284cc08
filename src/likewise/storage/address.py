"""Addresses such as "s3://bucket/folder/file.parquet", and how they are shown."""

from __future__ import annotations

import os
import re

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_QUERY = re.compile(r"(https?://[^\s?#'\"]*)\?[^\s'\"]*", re.IGNORECASE)
_LOGIN = re.compile(r"([a-z][a-z0-9+.-]+://)[^/@\s]*:[^/@\s]*@", re.IGNORECASE)
_WEB_LOGIN = re.compile(r"(https?://)[^/@\s]*@", re.IGNORECASE)
WEB = ("http", "https")


def is_remote(path: str | os.PathLike[str]) -> bool:
    """Whether this is an address and not a path on this machine.

    >>> [is_remote(path) for path in ("s3://bucket/a.csv", "essays/a.csv", "C:/a.csv")]
    [True, False, False]
    """
    return _SCHEME.match(os.fspath(path)) is not None


def scheme_of(address: str) -> str:
    """Return what is before "://", in lower case; empty for a path on this machine."""
    match = _SCHEME.match(address)
    return match[1].lower() if match else ""


def path_of(address: str) -> str:
    """Return what is after "://"."""
    return address[address.index("://") + 3 :]


def shown(text: str) -> str:
    """Return an address, or a text with addresses, without passwords and signatures.

    >>> shown("https://me:secret@example.org/a.csv?X-Amz-Signature=1f2e")
    'https://example.org/a.csv'
    """
    return _QUERY.sub(r"\1", _WEB_LOGIN.sub(r"\1", _LOGIN.sub(r"\1", text)))


def is_below(address: str, folder: str) -> bool:
    """Whether an address is that of a file in a folder."""
    return address.startswith(folder.rstrip("/") + "/")
