"""`S3Store`: Amazon S3 and stores with its protocol, through s3fs.

s3fs finds credentials, regions and endpoints; requests are made here, since every read must be of
the version that was listed (If-Match), keys may be anything, and uploads are completed at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from likewise.errors import LikewiseError, SourceError
from likewise.storage.address import path_of, scheme_of
from likewise.storage.store import Store
from likewise.storage.stored_file import StoredFile

if TYPE_CHECKING:
    from s3fs import S3FileSystem

_DELETED_AT_ONCE = 1000


class S3Store(Store):
    """A store with the protocol of S3.

    Args:
        scheme: what is before "://" in addresses.
        filesystem: of s3fs.
    """

    is_conditional = True
    has_folders = False

    def __init__(self, scheme: str, filesystem: S3FileSystem) -> None:
        super().__init__()
        self._scheme = scheme
        self._filesystem: Any = filesystem

    def call(self, method: str, address: str, **arguments: Any) -> dict[str, Any]:
        """Make a request on the object (or the prefix) of an address; repeat it if need be."""
        bucket, key = split(address)

        def request() -> dict[str, Any]:
            place = {"Prefix": key} if method == "list_objects_v2" else {"Key": key}
            if method == "delete_objects":
                place = {}
            answer = self._filesystem.call_s3(method, Bucket=bucket, **place, **arguments)
            return cast("dict[str, Any]", answer)

        return self.attempts(request, address)

    def file(self, address: str) -> StoredFile | None:
        if address.endswith("/") or not split(address)[1]:
            return None
        try:
            answer = self.call("list_objects_v2", address, MaxKeys=1)
        except SourceError:  # not everybody who may read an object may list the bucket
            facts = self.call("head_object", address)
            return self._stored(address, facts["ContentLength"], facts["ETag"])
        found = [item for item in answer.get("Contents", ()) if item["Key"] == split(address)[1]]
        return self._stored(address, found[0]["Size"], found[0]["ETag"]) if found else None

    def find(self, prefix: str) -> Iterator[StoredFile]:
        bucket = split(prefix)[0]
        more: dict[str, Any] = {}
        while True:
            answer = self.call("list_objects_v2", prefix, **more)
            for item in answer.get("Contents", ()):
                if not item["Key"].endswith("/"):  # what consoles create as a folder
                    address = f"{self._scheme}://{bucket}/{item['Key']}"
                    yield self._stored(address, item["Size"], item["ETag"])
            if not answer.get("IsTruncated"):
                return
            more = {"ContinuationToken": answer["NextContinuationToken"]}

    def _stored(self, address: str, size: int, tag: str) -> StoredFile:
        return StoredFile(self, address, address, size, tag)

    def read(self, file: StoredFile, start: int, stop: int) -> bytes:
        from fsspec.asyn import sync

        bucket, key = split(file.address)
        if start == stop:
            return b""

        async def request() -> bytes:
            answer = await self._filesystem._call_s3(
                "get_object", Bucket=bucket, Key=key, Range=f"bytes={start}-{stop - 1}",
                IfMatch=file.version,
            )  # fmt: skip
            async with answer["Body"] as body:
                return cast("bytes", await body.read())

        return cast("bytes", sync(self._filesystem.loop, request))

    def abort(self, address: str, upload: str) -> None:
        """Discard the parts of a multipart upload, if it still exists."""
        try:
            self.call("abort_multipart_upload", address, UploadId=upload)
        except LikewiseError as error:
            cause = error.__cause__
            while cause is not None:
                response = getattr(cause, "response", None)
                if isinstance(response, dict) and response["Error"].get("Code") == "NoSuchUpload":
                    return
                cause = cause.__cause__
            raise

    def put(self, source: str, address: str) -> None:
        with open(source, "rb") as file:
            self.call("put_object", address, Body=file.read())

    def remove(self, files: list[StoredFile]) -> None:
        for at in range(0, len(files), _DELETED_AT_ONCE):
            some = files[at : at + _DELETED_AT_ONCE]
            keys = [{"Key": split(file.address)[1]} for file in some]
            answer = self.call(
                "delete_objects", some[0].address, Delete={"Objects": keys, "Quiet": True}
            )
            for error in answer.get("Errors", ()):
                raise SourceError(
                    f"{scheme_of(some[0].address)}://{split(some[0].address)[0]}/{error['Key']}: "
                    f"cannot be deleted ({error['Code']})"
                )


def split(address: str) -> tuple[str, str]:
    """Return the bucket and the key (or the prefix).

    >>> split("s3://bucket/folder/a.csv")
    ('bucket', 'folder/a.csv')
    """
    bucket, _, key = path_of(address).partition("/")
    return bucket, key
