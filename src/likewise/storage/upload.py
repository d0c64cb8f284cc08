"""`Upload`: files from this machine, transferred first and visible at the end.

Of S3, large files are multipart uploads, which are completed when all files are transferred; those
of one part are sent then. In other stores, each file appears when it is complete.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from likewise.errors import LikewiseError
from likewise.storage.s3 import S3Store
from likewise.storage.store import Store

if TYPE_CHECKING:
    from likewise.storage.pending_uploads import PendingUploads

Files = Sequence[tuple[str, str]]
"""Paths on this machine, and the addresses that they get."""

PART = 16 << 20
_MAX_PARTS = 9_000  # of 10,000
_CONNECTIONS = 4
_T = TypeVar("_T")


class Upload:
    """Files on their way to a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._whole: list[tuple[str, str]] = []

    def transfer(self, files: Files) -> None:
        """Transfer files, as far as they need not be visible for that."""
        self._whole += files

    def complete(self) -> None:
        """Make all files visible."""
        pool = ThreadPoolExecutor(self._store.uploads_at_once, "upload")
        try:
            list(pool.map(lambda item: self._store.put(*item), self._whole))
        except BaseException:
            self._store.attempts.stopped.set()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            self._store.attempts.stopped.clear()


class S3Upload(Upload):
    """The same with the protocol of S3. As a context manager, it aborts what is not complete."""

    def __init__(self, store: S3Store, pending: PendingUploads) -> None:
        super().__init__(store)
        self._s3 = store
        self._pending = pending
        self._begun: list[tuple[str, str]] = []
        self._parts: dict[str, list[dict[str, Any]]] = {}
        self._pool = ThreadPoolExecutor(_CONNECTIONS, "upload")

    def __enter__(self) -> S3Upload:
        self._abort(self._pending.left)
        self._pending.clear()
        return self

    def __exit__(self, kind: object, *failure: object) -> None:
        if kind is not None:
            self._s3.attempts.stopped.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._s3.attempts.stopped.clear()
        with suppress(LikewiseError):  # what cannot be aborted now stays noted
            self._abort(self._begun)
            self._pending.clear()

    def transfer(self, files: Files) -> None:
        for source, address in files:
            size = os.path.getsize(source)
            if size <= PART:
                self._whole.append((source, address))
                continue
            answer = self._s3.call("create_multipart_upload", address)
            upload = str(answer["UploadId"])
            self._begun.append((address, upload))
            self._pending.add(address, upload)
            length = max(PART, -(-size // _MAX_PARTS))
            send = partial(self._send, source, address, upload, length)
            self._parts[upload] = self._side_by_side(send, range(0, size, length))

    def _send(self, source: str, address: str, upload: str, size: int, start: int) -> Any:
        with open(source, "rb") as file:
            file.seek(start)
            body = file.read(size)
        number = start // size + 1
        answer = self._s3.call(
            "upload_part", address, UploadId=upload, PartNumber=number, Body=body
        )
        return {"PartNumber": number, "ETag": answer["ETag"]}

    def complete(self) -> None:
        while self._begun:
            address, upload = self._begun[0]
            parts = {"Parts": self._parts[upload]}
            self._s3.call(
                "complete_multipart_upload", address, UploadId=upload, MultipartUpload=parts
            )
            del self._begun[0]
        self._side_by_side(lambda item: self._s3.put(*item), self._whole)

    def _side_by_side(self, work: Callable[[Any], _T], items: Iterable[Any]) -> list[_T]:
        return list(self._pool.map(work, items))

    def _abort(self, uploads: Iterable[tuple[str, str]]) -> None:
        for address, upload in list(uploads):
            self._s3.abort(address, upload)
