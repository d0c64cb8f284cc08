"""`WebStore`: files on web servers, read with the standard library.

fsspec's filesystem for HTTP was tried instead: it neither repeats requests nor sees that a file was
replaced between two of them, and it reads a file whole into memory where the server has no ranges.
"""

from __future__ import annotations

import base64
import contextlib
import shutil
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import IO, cast
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from likewise import __version__
from likewise.errors import SourceError
from likewise.storage.address import shown
from likewise.storage.failures import has_changed
from likewise.storage.range_reader import RangeReader
from likewise.storage.store import Store
from likewise.storage.stored_file import StoredFile

_SECONDS = 30
_AS_IT_IS = "%/:?#[]@!$&'()*+,;=~"


class WebStore(Store):
    """Web servers. A file of a server without ranges is downloaded as a whole first."""

    is_conditional = True
    is_writable = False

    def __init__(self) -> None:
        super().__init__()
        self._whole: set[str] = set()  # addresses that are not served in ranges

    def file(self, address: str) -> StoredFile | None:
        def ask() -> StoredFile:
            # Not HEAD, which a signed address does not allow.
            try:
                with _get(address, {"Range": "bytes=0-0"}) as answer:
                    return self._stored(address, answer)
            except urllib.error.HTTPError as error:
                if error.code == 416:  # an empty file has no first byte
                    return StoredFile(self, address, shown(address), 0, _version(error))
                raise

        return self.attempts(ask, address)

    def _stored(self, address: str, answer: HTTPResponse) -> StoredFile:
        size: int | None
        if answer.status == 206:
            total = (answer.headers["Content-Range"] or "").rpartition("/")[2]
            size = int(total) if total.isdigit() else None
        else:
            length = answer.headers["Content-Length"] or ""
            size = int(length) if length.isdigit() else None
        if answer.status != 206 or size is None:
            self._whole.add(address)
        return StoredFile(self, address, shown(address), size, _version(answer))

    def find(self, prefix: str) -> Iterator[StoredFile]:
        raise SourceError(
            f"{shown(prefix)}: folders and patterns are not available on web servers",
            hint="name each file",
        )

    def open(self, file: StoredFile, *, exact: bool) -> IO[bytes]:
        if file.path in self._whole:
            return self.attempts(lambda: _download(file), file.address)
        return cast("IO[bytes]", RangeReader(file, exact=exact))

    def read(self, file: StoredFile, start: int, stop: int) -> bytes:
        headers = {"Range": f"bytes={start}-{stop - 1}"}
        if file.version.startswith('"'):
            headers["If-Match"] = file.version
        elif file.version and not file.version.startswith("W/"):
            headers["If-Unmodified-Since"] = file.version
        with _get(file.path, headers) as answer:
            total = (answer.headers["Content-Range"] or "").rpartition("/")[2]
            if (answer.status, total, _version(answer)) != (206, str(file.size), file.version):
                raise has_changed(file.address)
            return answer.read()

    def put(self, source: str, address: str) -> None:
        raise NotImplementedError

    def remove(self, files: list[StoredFile]) -> None:
        raise NotImplementedError


def _get(address: str, headers: dict[str, str]) -> HTTPResponse:
    parts = urlsplit(address)
    login, _, host = parts.netloc.rpartition("@")
    target = urlunsplit((parts.scheme, host, parts.path, parts.query, ""))
    request = urllib.request.Request(quote(target, safe=_AS_IT_IS))
    for name, value in headers.items():
        request.add_header(name, value)
    request.add_header("Accept-Encoding", "identity")
    request.add_header("User-Agent", f"likewise/{__version__}")
    if login:  # never sent on to where the server may redirect
        token = base64.b64encode(unquote(login).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {token}")
    try:
        return cast("HTTPResponse", urllib.request.urlopen(request, timeout=_SECONDS))
    except urllib.error.HTTPError as error:
        error.close()  # it has an answer of its own, and a connection
        raise


def _download(file: StoredFile) -> IO[bytes]:
    with contextlib.ExitStack() as stack:
        content = stack.enter_context(tempfile.TemporaryFile())
        with _get(file.path, {}) as answer:
            if _version(answer) != file.version:
                raise has_changed(file.address)
            shutil.copyfileobj(answer, content, 1 << 20)
        if file.size is not None and content.tell() != file.size:
            raise ConnectionError("the answer is incomplete")
        content.seek(0)
        stack.pop_all()  # it is complete: the caller closes it
    return cast("IO[bytes]", content)


def _version(answer: HTTPResponse | urllib.error.HTTPError) -> str:
    return answer.headers["ETag"] or answer.headers["Last-Modified"] or ""
