"""Other filesystems: of fsspec by their address, and given ones; what is not installed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pyarrow.fs
import pytest
from fsspec.registry import _registry

from likewise import deduplicate_files, register_filesystem
from likewise.documents import Reader
from likewise.errors import StorageError, UsageError
from likewise.storage import range_reader
from likewise.storage.address import shown
from tests.cli.conftest import Run
from tests.storage.conftest import Bucket
from tests.storage.test_reading import lines
from tests.storage.test_sources import text


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()


def rows(numbers: list[int]) -> bytes:
    return "".join(json.dumps({"text": text(n)}) + "\n" for n in numbers).encode()


def documents(source: str) -> list[str]:
    return [id_ for batch in Reader(source) for id_ in batch.ids]


def test_a_filesystem_of_fsspec_by_its_address(memory: fsspec.AbstractFileSystem) -> None:
    memory.pipe({"/data/in/a.jsonl": rows([1, 2, 1]), "/data/in/b/c.jsonl": rows([2, 3])})
    assert documents("memory://data/in") == ["a.jsonl:0", "a.jsonl:1", "a.jsonl:2",
                                             "b/c.jsonl:0", "b/c.jsonl:1"]  # fmt: skip
    assert documents("memory://data/in/*/*.jsonl") == ["b/c.jsonl:0", "b/c.jsonl:1"]
    report = deduplicate_files("memory://data/in", "memory://data/out")
    assert report.counts["removed"] == 2
    assert sorted(memory.find("/data/out")) == [
        "/data/out/_SUCCESS", "/data/out/a.jsonl", "/data/out/b/c.jsonl",
    ]  # fmt: skip
    assert memory.cat("/data/out/a.jsonl") == rows([1, 2])
    with pytest.raises(UsageError, match="memory://data/out: already exists"):
        deduplicate_files("memory://data/in", "memory://data/out")
    deduplicate_files("memory://data/in/a.jsonl", "memory://data/one.jsonl")
    deduplicate_files("memory://data/in/b", "memory://data/out", overwrite=True)
    assert sorted(memory.find("/data/out")) == ["/data/out/_SUCCESS", "/data/out/c.jsonl"]


def test_filesystems_that_are_given(
    memory: fsspec.AbstractFileSystem, tmp_path: Path, bucket: Bucket
) -> None:
    memory.pipe("/data/a.jsonl", rows([1, 2, 1]))
    register_filesystem("lake", memory)
    assert documents("lake://data/a.jsonl") == ["0", "1", "2"]
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.jsonl").write_bytes(rows([1, 2, 1]))
    (tmp_path / "in/b.txt").write_bytes(b"words")
    register_filesystem("disk", pyarrow.fs.LocalFileSystem())
    assert documents(f"disk://{tmp_path}/in") == ["a.jsonl:0", "a.jsonl:1", "a.jsonl:2", "b.txt"]
    deduplicate_files(f"disk://{tmp_path}/in/a.jsonl", f"disk://{tmp_path}/out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == rows([1, 2])
    deduplicate_files(f"disk://{tmp_path}/in", f"disk://{tmp_path}/out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "_SUCCESS", "a.jsonl", "b.txt",
    ]  # fmt: skip
    bucket.put("a.jsonl", rows([1]))
    own = pyarrow.fs.S3FileSystem(
        endpoint_override=bucket.server, access_key="key", secret_key="very-secret",
        region="us-east-1",
    )  # fmt: skip
    register_filesystem("arrow", own)
    assert documents(f"arrow://{bucket.name}/a.jsonl") == ["0"]
    deduplicate_files(f"arrow://{bucket.name}/a.jsonl", f"arrow://{bucket.name}/b.jsonl")
    assert bucket.get("b.jsonl") == rows([1])


def test_a_given_filesystem_of_s3_takes_the_place_of_the_usual_one(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    import s3fs

    for name in ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    source = bucket.put("a.jsonl", rows([1]))
    register_filesystem(
        "s3", s3fs.S3FileSystem(key="a", secret="b", endpoint_url=bucket.proxy.address)
    )
    assert documents(source) == ["0"]


def test_a_file_that_is_replaced_while_it_is_read(
    memory: fsspec.AbstractFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(range_reader, "PART", 1 << 20)
    data = lines(15_000)
    memory.pipe("/data/a.jsonl", data)
    reader = iter(Reader("memory://data/a.jsonl", batch_bytes=1000))
    next(reader)
    memory.pipe("/data/a.jsonl", data.replace(b"1", b"2"))
    with pytest.raises(StorageError, match=r"memory://data/a.jsonl: has changed"):
        list(reader)


@pytest.mark.parametrize("scheme", ["", "A", "a b", "s"])
def test_a_scheme_that_cannot_be_one(scheme: str, memory: fsspec.AbstractFileSystem) -> None:
    with pytest.raises(UsageError, match="scheme is"):
        register_filesystem(scheme, memory)


def test_what_is_no_filesystem() -> None:
    with pytest.raises(UsageError, match="filesystem is a str"):
        register_filesystem("lake", "memory")


@pytest.mark.parametrize(
    ("address", "module", "install"),
    [
        ("s3://bucket/x", "s3fs", "likewise[s3]"),
        ("gs://bucket/x", "gcsfs", "likewise[gcs]"),
        ("hf://datasets/a/b", "huggingface_hub", "likewise[hf]"),
        ("s3://bucket/x", "fsspec", "likewise[s3]"),
        ("az://container/x", "adlfs", "adlfs"),
    ],
)
def test_a_library_that_is_not_installed(
    run: Run, monkeypatch: pytest.MonkeyPatch, address: str, module: str, install: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    if module != "fsspec":
        _registry.pop(address.partition(":")[0], None)
    for command in (("pairs", address), ("pairs", __file__, "-o", address)):
        done = run(*command)
        assert done.status == 2
        assert f"{address.partition('/')[0]}// requires a library that is not installed" in done.err
        assert f"pip install '{install}'" in done.err or f"pip install {install}" in done.err


def test_an_address_of_an_unknown_kind(run: Run) -> None:
    done = run("pairs", "unknown://x/y")
    assert done.status == 2
    assert "unknown://: unknown kind of address" in done.err


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("s3://bucket/a b?#c.txt", "s3://bucket/a b?#c.txt"),
        ("https://h/x?y=1&z=2#f", "https://h/x"),
        ("https://token@h/x", "https://h/x"),
        ("sftp://me:word@h/x", "sftp://h/x"),
        ("sftp://me@h/x", "sftp://me@h/x"),
        ("abfs://container@account/x", "abfs://container@account/x"),
        ("error at 'https://a:b@h/x?y=1': no", "error at 'https://h/x': no"),
    ],
)
def test_what_is_shown_of_an_address(address: str, expected: str) -> None:
    assert shown(address) == expected
