"""An S3 server on this machine (moto's), and a proxy in front of it that can fail."""

from __future__ import annotations

import itertools
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from likewise.storage import registry, retry
from tests.cli.conftest import Run, command_in
from tests.storage.faults import Proxy

_numbers = itertools.count()


@pytest.fixture(scope="session")
def server() -> Iterator[tuple[str, int]]:
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    yield server.get_host_and_port()
    server.stop()


@pytest.fixture
def proxy(server: tuple[str, int]) -> Iterator[Proxy]:
    with Proxy(*server) as proxy:
        yield proxy


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No store is known from another test, no credentials from the user, and waits are short."""
    for name in [name for name in os.environ if name.startswith(("AWS_", "FSSPEC_", "HF_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "no-config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "no-credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(retry, "WAITS", (0.01, 0.02, 0.02, 0.02))
    monkeypatch.setattr(registry, "_given", {})
    registry._own_store.cache_clear()


class Bucket:
    """A bucket of its own for each test, and what is in it."""

    def __init__(self, server: tuple[str, int], proxy: Proxy) -> None:
        import boto3

        self.server = f"http://{server[0]}:{server[1]}"
        self.client: Any = boto3.client(
            "s3", endpoint_url=self.server, region_name="us-east-1",
            aws_access_key_id="key", aws_secret_access_key="secret",
        )  # fmt: skip
        self.name = f"bucket-{os.getpid()}-{next(_numbers)}"
        self.client.create_bucket(Bucket=self.name)
        self.proxy = proxy

    def address(self, key: str = "") -> str:
        return f"s3://{self.name}/{key}"

    def put(self, key: str, data: bytes) -> str:
        self.client.put_object(Bucket=self.name, Key=key, Body=data)
        return self.address(key)

    def upload(self, folder: Path, key: str) -> str:
        """Upload a folder, with all that is below it."""
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.put(f"{key}/{path.relative_to(folder).as_posix()}", path.read_bytes())
        return self.address(key)

    def get(self, key: str) -> bytes:
        data: bytes = self.client.get_object(Bucket=self.name, Key=key)["Body"].read()
        return data

    def keys(self, prefix: str = "") -> list[str]:
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.name, Prefix=prefix
        )
        return [item["Key"] for page in pages for item in page.get("Contents", ())]

    def unfinished(self) -> list[str]:
        """The keys of uploads that were begun and neither completed nor aborted."""
        answer = self.client.list_multipart_uploads(Bucket=self.name)
        return [item["Key"] for item in answer.get("Uploads", ())]


@pytest.fixture
def bucket(server: tuple[str, int], proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    monkeypatch.setenv("AWS_ENDPOINT_URL", proxy.address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "very-secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    return Bucket(server, proxy)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return command_in(tmp_path, own_process=False)


@pytest.fixture
def run_process(tmp_path: Path) -> Run:
    return command_in(tmp_path, own_process=True)
