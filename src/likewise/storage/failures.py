"""What went wrong with a store: one line in plain words, and whether it is worth another attempt.

Libraries wrap the errors of others, so the whole chain of causes is looked at: the names of the
classes, the code of the store and the HTTP status.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from likewise.errors import LikewiseError, SourceError, StorageError
from likewise.storage.address import scheme_of, shown

_MAX_REASON = 200


@dataclass(frozen=True)
class Failure:
    """An error of a store.

    Attributes:
        error: what to raise.
        again: another attempt may succeed.
        unreachable: the store has not answered at all.
    """

    error: LikewiseError
    again: bool = False
    unreachable: bool = False


_CREDENTIALS = {
    "s3": "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for a public bucket "
    "set FSSPEC_S3_ANON=true",
    "gs": "run `gcloud auth application-default login`, or set GOOGLE_APPLICATION_CREDENTIALS",
    "hf": "run `hf auth login`, or set HF_TOKEN",
}
_ALIASES = {"s3a": "s3", "gcs": "gs"}

_THROTTLED = frozenset({
    "SlowDown", "Throttling", "ThrottlingException", "ThrottledException", "RequestThrottled",
    "RequestLimitExceeded", "BandwidthLimitExceeded", "TooManyRequests", "ServiceUnavailable",
    "429", "503",
})  # fmt: skip
_FAILING = frozenset({
    "InternalError", "InternalServerError", "RequestTimeout", "RequestTimeoutException",
    "OperationAborted", "500", "502", "504", "408",
})  # fmt: skip
_NO_CREDENTIALS = frozenset({
    "NoCredentialsError", "PartialCredentialsError", "CredentialRetrievalError", "ProfileNotFound",
    "DefaultCredentialsError", "SSOTokenLoadError", "NoAuthTokenError", "LocalTokenNotFoundError",
})  # fmt: skip
_BAD_CREDENTIALS = frozenset({
    "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired",
    "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "InvalidClientTokenId",
    "UnauthorizedSSOTokenError", "TokenRetrievalError", "RefreshError", "401",
})  # fmt: skip
_DENIED = frozenset({
    "AccessDenied", "AllAccessDisabled", "AccountProblem", "GatedRepoError", "Forbidden", "403",
    "PermissionError",
})  # fmt: skip
_MISSING = frozenset({"NoSuchKey", "NotFound", "404", "FileNotFoundError", "410"})
_NO_BUCKET = frozenset({"NoSuchBucket", "RepositoryNotFoundError", "ParamValidationError",
    "InvalidBucketName",
})  # fmt: skip
_CHANGED = frozenset({"PreconditionFailed", "412", "FileExpired"})
_UNREACHABLE = frozenset({
    "EndpointConnectionError", "ConnectTimeoutError", "ConnectError", "ConnectTimeout",
    "ClientConnectorError", "gaierror", "ConnectionRefusedError", "ProxyConnectionError",
})  # fmt: skip
_BROKEN = frozenset({
    "HTTPClientError", "ConnectionError", "TimeoutError", "IncompleteRead", "ClientPayloadError",
    "ClientConnectionError", "RemoteDisconnected", "ResponseParserError", "FSTimeoutError",
    "RemoteProtocolError", "ReadTimeout", "ReadError", "ResponseStreamingError", "HTTPException",
})  # fmt: skip


def explain(error: BaseException, address: str) -> Failure:
    """Return what to tell the user of an error that a store has raised."""
    if isinstance(error, LikewiseError):
        return Failure(error)
    address = shown(address)
    signs = set(_signs(error))
    scheme = scheme_of(address)
    credentials = _CREDENTIALS.get(_ALIASES.get(scheme, scheme), "check your login for this store")
    if signs & _NO_CREDENTIALS:
        return _stop(f"{address}: no credentials found", credentials)
    if signs & _BAD_CREDENTIALS:
        return _stop(
            f"{address}: the credentials are invalid or have expired ({_reason(error)})",
            f"renew them: {credentials}",
        )
    if signs & _CHANGED:
        return Failure(has_changed(address))
    if signs & _THROTTLED:
        return Failure(
            StorageError(
                f"{address}: the store is limiting requests (503 or 429), and did so until the "
                "last attempt",
                hint="run the command again later",
            ),
            again=True,
        )
    if signs & _FAILING:
        return Failure(
            StorageError(
                f"{address}: the store reports an error ({_reason(error)}), and did so until the "
                "last attempt",
                hint="run the command again later",
            ),
            again=True,
        )
    if signs & _NO_BUCKET:
        what = "no such repository" if scheme == "hf" else "no such bucket"
        return _stop(f"{address}: {what}", "check the name")
    if "InvalidObjectState" in signs:
        return Failure(SourceError(f"{address}: is archived", hint="restore the object first"))
    if signs & _DENIED:
        return Failure(
            SourceError(
                f"{address}: access denied, or it does not exist",
                hint=f"check the name and your permissions; {credentials}"
                if scheme in ("s3", "s3a", "gs", "gcs", "hf")
                else "check the address and your permissions",
            )
        )
    if signs & _MISSING:
        return Failure(SourceError(f"{address}: no such file or folder"))
    if signs & {"SSLError", "SSLCertVerificationError", "CertificateError"}:
        return _stop(f"{address}: no secure connection ({_reason(error)})", "check the address")
    if signs & _UNREACHABLE:
        hint = "check the network and the address"
        if scheme in ("s3", "s3a"):
            hint += " (AWS_ENDPOINT_URL and AWS_REGION)"
        return Failure(
            StorageError(f"{address}: the store cannot be reached", hint=hint),
            again=True, unreachable=True,
        )  # fmt: skip
    if signs & _BROKEN:
        return Failure(
            StorageError(
                f"{address}: the connection was lost, and again at each further attempt",
                hint="check the network, and run the command again",
            ),
            again=True,
        )
    return Failure(StorageError(f"{address}: {_reason(error)}"))


def has_changed(address: str) -> StorageError:
    """What to raise where a file is not the one that was listed."""
    return StorageError(
        f"{address}: has changed since it was listed",
        hint="start over (`resume=False` for an unfinished run), and do not change the files "
        "during the run",
    )


def _stop(message: str, hint: str) -> Failure:
    return Failure(StorageError(message, hint=hint))


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: list[Any] = [error]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, BaseException) and id(one) not in seen:
            seen.add(id(one))
            yield one
            context = None if one.__suppress_context__ else one.__context__
            waiting += [one.__cause__, context, getattr(one, "reason", None)]


def _signs(error: BaseException) -> Iterator[str]:
    """Names of classes, codes and statuses of an error and its causes."""
    for one in _chain(error):
        yield from (class_.__name__ for class_ in type(one).__mro__)
        response = getattr(one, "response", None)
        if isinstance(response, dict):  # botocore
            yield str(response.get("Error", {}).get("Code", ""))
            yield str(response.get("ResponseMetadata", {}).get("HTTPStatusCode", ""))
        elif response is not None:  # httpx, requests
            yield str(getattr(response, "status_code", ""))
        for name in ("code", "status"):  # gcsfs, urllib; aiohttp
            value = getattr(one, name, None)
            if isinstance(value, int | str):
                yield str(value)


def _reason(error: BaseException) -> str:
    """Return the first line of the message, without addresses that are secret."""
    text = shown(str(error).strip().partition("\n")[0]) or type(error).__name__
    return text if len(text) <= _MAX_REASON else text[:_MAX_REASON] + "…"
