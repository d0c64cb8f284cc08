"""The stores: which scheme of an address needs which library, and which extra installs it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from likewise.errors import UsageError
from likewise.storage.address import WEB, scheme_of

if TYPE_CHECKING:
    from likewise.storage.store import Store


class _Scheme(NamedTuple):
    """A kind of object store.

    Attributes:
        install: what must be installed for it.
        options: for opening a file.
        at_once: how many files are uploaded side by side.
    """

    install: str
    options: dict[str, Any] | None = None
    at_once: int = 8


# Object stores: a file that is uploaded appears when it is complete.
_S3 = ("s3", "s3a")
_OBJECT_STORES = {
    **dict.fromkeys(_S3, _Scheme("'likewise[s3]'")),
    **dict.fromkeys(("gs", "gcs"), _Scheme("'likewise[gcs]'")),
    "hf": _Scheme("'likewise[hf]'", {"cache_type": "none"}, 1),  # each is a commit
    **dict.fromkeys(("abfs", "abfss", "az"), _Scheme("adlfs")),
}
_MAX_CONNECTIONS = 16
_given: dict[str, Store] = {}


def register_filesystem(scheme: str, filesystem: object) -> None:
    """Make a filesystem available as `scheme://…` to all functions, in this process.

    Args:
        scheme: such as "lake", for sources like "lake://bucket/pages/". It may be one that exists,
            such as "s3", whose files are then read with the credentials of the filesystem.
        filesystem: of fsspec or of `pyarrow.fs`.

    Example:
        >>> import fsspec, likewise
        >>> likewise.register_filesystem("lake", fsspec.filesystem("memory"))
    """
    if not re.fullmatch(r"[a-z][a-z0-9+.-]+", scheme):
        raise UsageError(
            f"scheme is {scheme!r}; it must be lower-case letters, digits, +, - or .",
            hint='such as "lake", for addresses like lake://bucket/file.parquet',
        )
    _given[scheme] = _store_of(scheme, filesystem)


def _store_of(scheme: str, filesystem: Any) -> Store:
    from likewise.storage.store import FsspecStore

    if _is_arrow(filesystem):
        _require_fsspec(scheme)
        from fsspec.implementations.arrow import ArrowFSWrapper

        return FsspecStore(ArrowFSWrapper(filesystem), options={"seekable": True})
    if not hasattr(filesystem, "cat_file"):
        raise UsageError(
            f"filesystem is a {type(filesystem).__name__}; it must be of fsspec or of pyarrow.fs"
        )
    protocols = filesystem.protocol
    protocols = (protocols,) if isinstance(protocols, str) else tuple(protocols)
    if "s3" in protocols and hasattr(filesystem, "call_s3"):
        from likewise.storage.s3 import S3Store

        return S3Store(scheme, filesystem)
    known = next((_OBJECT_STORES[name] for name in protocols if name in _OBJECT_STORES), None)
    if known is None:
        return FsspecStore(filesystem)
    return FsspecStore(
        filesystem, appears_complete=True, options=known.options, uploads_at_once=known.at_once
    )


def _is_arrow(filesystem: object) -> bool:
    return any(
        class_.__module__.startswith("pyarrow.") and class_.__name__ == "FileSystem"
        for class_ in type(filesystem).__mro__
    )


def store_for(address: str) -> Store:
    """Return the store of an address. Raises `UsageError` where its library is not installed."""
    scheme = scheme_of(address)
    if scheme in _given:
        return _given[scheme]
    if scheme in WEB:
        return _own_store(scheme, ())
    class_ = _class_of(scheme)
    # Of some, the address says which machine; of S3 it is the library's syntax for versions.
    asked = {} if scheme in _S3 else class_._get_kwargs_from_urls(address)
    return _own_store(scheme, tuple(sorted(asked.items())))


@cache
def _own_store(scheme: str, options: tuple[tuple[str, Any], ...]) -> Store:
    if scheme in WEB:
        from likewise.storage.web import WebStore

        return WebStore()
    arguments: dict[str, Any] = {"skip_instance_cache": True, **dict(options)}
    if scheme in _S3:
        # Attempts are repeated here: see `retry`.
        retries = {"total_max_attempts": 1, "mode": "standard"}
        arguments["config_kwargs"] = {
            "retries": retries, "max_pool_connections": _MAX_CONNECTIONS,
        }  # fmt: skip
    try:
        filesystem = _class_of(scheme)(**arguments)
    except Exception as error:
        from likewise.storage.failures import explain

        raise explain(error, f"{scheme}://").error from error
    if scheme in _S3:
        filesystem.retries = 1
    return _store_of(scheme, filesystem)


def _class_of(scheme: str) -> Any:
    _require_fsspec(scheme)
    import fsspec

    try:
        return fsspec.get_filesystem_class(scheme)
    except ImportError as error:
        raise _not_installed(scheme) from error
    except ValueError as error:
        raise UsageError(
            f"{scheme}://: unknown kind of address",
            hint="known are s3://, gs://, hf://, https:// and those that fsspec knows",
        ) from error


def _require_fsspec(scheme: str) -> None:
    try:
        import fsspec  # noqa: F401
    except ImportError as error:
        raise _not_installed(scheme) from error


def _not_installed(scheme: str) -> UsageError:
    known = _OBJECT_STORES.get(scheme)
    install = "fsspec, and what it needs for this" if known is None else known.install
    return UsageError(
        f"{scheme}:// requires a library that is not installed", hint=f"pip install {install}"
    )
