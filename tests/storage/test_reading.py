"""Partial reads, throttling, broken connections, changed objects, and what is said of them."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from likewise.documents import Reader
from likewise.errors import StorageError
from likewise.storage import range_reader, retry
from likewise.storage.range_reader import RangeReader
from likewise.storage.registry import store_for
from likewise.storage.store import Store
from likewise.storage.stored_file import StoredFile
from tests.cli.conftest import Run
from tests.storage.conftest import Bucket
from tests.storage.faults import Fault, Request


def noise(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)


def lines(count: int) -> bytes:
    rng = random.Random(count)
    rows = ({"text": " ".join(str(rng.random()) for _ in range(20))} for _ in range(count))
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


class _Memory(Store):
    """Bytes as a store, and the parts of them that were fetched."""

    is_conditional = True

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data
        self.parts: list[tuple[int, int]] = []

    def file(self, address: str) -> StoredFile:
        return StoredFile(self, address, address, len(self.data), "1")

    def read(self, file: StoredFile, start: int, stop: int) -> bytes:
        self.parts.append((start, stop))
        return self.data[start:stop]

    find = put = remove = None  # type: ignore[assignment]


@given(
    st.integers(0, 400_000),
    st.lists(st.tuples(st.sampled_from((0, 1, 2)), st.integers(-100, 400_000),
                       st.integers(-1, 200_000))),
    st.booleans(),
)  # fmt: skip
def test_a_stored_file_reads_like_any_file(
    size: int, steps: list[tuple[int, int, int]], exact: bool
) -> None:
    data = noise(size)
    plain = io.BytesIO(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(range_reader, "PART", 100_000)
        with RangeReader(_Memory(data).file("x"), exact=exact) as file:
            for whence, offset, count in steps:
                if whence != 0:
                    offset = -offset if whence == 2 else offset
                start = {0: 0, 1: plain.tell(), 2: size}[whence] + offset
                if start >= 0:
                    assert file.seek(offset, whence) == plain.seek(offset, whence)
                assert file.read(count) == plain.read(count)
                assert file.tell() == plain.tell()


def test_a_file_that_is_read_to_the_end_is_fetched_once(bucket: Bucket) -> None:
    data = lines(60_000)
    assert len(data) > 2 * range_reader.PART
    source = bucket.put("rows.jsonl", data)
    assert sum(len(batch) for batch in Reader(source)) == 60_000
    fetched = bucket.proxy.of("GET", "/rows.jsonl")
    assert sum(one.sent for one in fetched) == len(data)
    assert len(fetched) < 20


def test_of_parquet_only_the_columns_that_are_needed_are_fetched(bucket: Bucket) -> None:
    rows = 3000
    table = pa.table({
        "before": [noise(1000, n) for n in range(rows)],
        "text": [f"the text of row {n} and its {n * n} words" for n in range(rows)],
        "after": [noise(1000, -n) for n in range(rows)],
    })  # fmt: skip
    out = io.BytesIO()
    parquet.write_table(table, out, row_group_size=1000)
    source = bucket.put("pages.parquet", out.getvalue())
    assert sum(len(batch) for batch in Reader(source)) == rows
    sent = sum(one.sent for one in bucket.proxy.of("GET", "/pages.parquet"))
    assert sent < len(out.getvalue()) / 10
    assert max(one.sent for one in bucket.proxy.requests) < 100_000


def test_throttling_is_waited_out(bucket: Bucket) -> None:
    source = bucket.put("t/rows.jsonl", lines(100))
    failed: Counter[str] = Counter()

    def twice(request: Request) -> Fault | None:
        failed[request.path] += 1
        return Fault() if failed[request.path] <= 2 else None

    bucket.proxy.policy = twice
    assert sum(len(batch) for batch in Reader(source)) == 100


@pytest.mark.parametrize("status", [429, 500, 503])
def test_throttling_without_end_is_one_line(bucket: Bucket, run: Run, status: int) -> None:
    source = bucket.put("t/rows.jsonl", lines(100))
    bucket.proxy.policy = lambda request: (
        Fault(status, b"") if "rows.jsonl" in request.path and "list-type" not in request.path
        else None
    )  # fmt: skip
    done = run("pairs", source, "-o", "out.csv")
    what = "reports an error" if status == 500 else "is limiting requests"
    assert done.err.startswith(f"likewise: error: {source}: the store {what}")
    assert len(done.err.splitlines()) == 2  # with a hint
    assert done.status == 1
    assert len(bucket.proxy.of("GET", "rows.jsonl")) >= len(retry.WAITS) + 1
    assert run("dedup", source, "-o", "out.jsonl").status == 1


def test_a_connection_cut_in_the_middle_is_mended(bucket: Bucket) -> None:
    data = lines(60_000)
    source = bucket.put("rows.jsonl", data)
    failed: Counter[str] = Counter()

    def cut_once(request: Request) -> Fault | None:
        part = request.headers.get("Range", "")
        failed[part] += 1
        return Fault(cut_after=1000) if part and failed[part] == 1 else None

    bucket.proxy.policy = cut_once
    texts = [text for batch in Reader(source) for text in batch.texts.to_pylist()]
    assert texts == [json.loads(line)["text"] for line in data.splitlines()]


def test_a_connection_that_is_always_cut_is_one_line(bucket: Bucket, run: Run) -> None:
    source = bucket.put("t/a.txt", b"some words of a text " * 100)
    bucket.put("t/b.txt", b"other words of a text " * 100)
    bucket.proxy.policy = lambda request: (
        Fault(cut_after=10) if request.path.endswith("b.txt") else None
    )
    done = run("pairs", bucket.address("t"))
    assert (done.status, done.out) == (1, b"")  # and b.txt is not skipped
    assert "t/b.txt: the connection was lost" in done.err
    assert "Traceback" not in done.err
    assert source.endswith("a.txt")


def test_an_object_that_changes_during_the_run_is_never_mixed(bucket: Bucket, run: Run) -> None:
    data = lines(60_000)
    source = bucket.put("rows.jsonl", data)

    def replace(request: Request) -> None:
        if "rows.jsonl" in request.path and len(bucket.proxy.of("GET", "/rows.jsonl")) == 4:
            bucket.put("rows.jsonl", data.replace(b"1", b"2"))

    bucket.proxy.policy = replace
    done = run("dedup", source, "-o", "out.jsonl")
    assert done.status == 1
    assert f"{source}: has changed since it was listed" in done.err


def test_no_credentials(bucket: Bucket, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    done = run("pairs", bucket.address("x"))
    assert done.err.startswith(f"likewise: error: {bucket.address('x')}: no credentials found\n")
    assert "AWS_PROFILE" in done.err
    assert bucket.proxy.requests == []


def xml(code: str) -> bytes:
    return f"<Error><Code>{code}</Code><Message>About {code}.</Message></Error>".encode()


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (403, "InvalidAccessKeyId", "the credentials are invalid or have expired"),
        (403, "SignatureDoesNotMatch", "the credentials are invalid or have expired"),
        (400, "ExpiredToken", "the credentials are invalid or have expired"),
        (403, "AccessDenied", "access denied, or it does not exist"),
        (404, "NoSuchBucket", "no such bucket"),
    ],
)
def test_a_store_that_refuses(
    bucket: Bucket, run: Run, status: int, code: str, message: str
) -> None:
    bucket.proxy.policy = lambda request: Fault(status, xml(code))
    done = run("pairs", bucket.address("x"))
    first, hint = done.err.splitlines()
    assert first.startswith(f"likewise: error: {bucket.address('x')}: {message}")
    assert hint.startswith("hint: ")
    assert done.status in (1, 2)
    assert "very-secret" not in done.err


def test_no_such_bucket(bucket: Bucket, run: Run) -> None:
    done = run("pairs", "s3://there-is-no-such-bucket/x")
    assert "s3://there-is-no-such-bucket/x: no such bucket" in done.err
    assert "s3://Not A Name/x: no such bucket" in run("pairs", "s3://Not A Name/x").err


def test_an_object_that_is_denied_is_skipped_in_a_folder_and_an_error_alone(
    bucket: Bucket, run: Run
) -> None:
    for name in ("a", "b", "c"):
        bucket.put(f"t/{name}.txt", b"some words of a text that is long enough")
    bucket.proxy.policy = lambda request: (
        Fault(403, xml("AccessDenied")) if request.path.endswith("b.txt") else None
    )
    done = run("pairs", bucket.address("t"))
    assert done.status == 0
    assert f"skipped {bucket.address('t/b.txt')}: access denied" in done.err
    alone = run("pairs", bucket.address("t/b.txt"), "--whole")
    assert (alone.status, alone.out) == (2, b"")


def test_who_may_not_list_the_bucket_may_still_read_an_object(bucket: Bucket) -> None:
    source = bucket.put("rows.jsonl", lines(10))
    bucket.proxy.policy = lambda request: (
        Fault(403, xml("AccessDenied")) if "list-type" in request.path else None
    )
    assert sum(len(batch) for batch in Reader(source)) == 10


def test_a_store_that_is_not_there(
    bucket: Bucket, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    done = run("pairs", bucket.address("x"))
    assert f"{bucket.address('x')}: the store cannot be reached" in done.err
    assert "AWS_ENDPOINT_URL" in done.err


def test_empty_and_compressed_objects(bucket: Bucket) -> None:
    bucket.put("t/empty.txt", b"")
    bucket.put("t/packed.txt.gz", gzip.compress(b"some words " * 10))
    ids = [id_ for batch in Reader(bucket.address("t")) for id_ in batch.ids]
    assert ids == ["empty.txt", "packed.txt.gz"]


def test_errors_pass_through_arrow(bucket: Bucket, tmp_path: Path) -> None:
    out = io.BytesIO()
    parquet.write_table(pa.table({"text": ["some words"] * 10}), out)
    source = bucket.put("pages.parquet", out.getvalue())
    reader = Reader(source)
    bucket.put("pages.parquet", out.getvalue() + b"more")
    with pytest.raises(StorageError, match="has changed since it was listed"):
        list(reader)


def test_many_documents_are_fetched_side_by_side_and_come_in_order(bucket: Bucket) -> None:
    names = [f"{n:03}.txt" for n in range(150)]
    for name in names:
        bucket.put(f"t/{name}", name.encode())
    batches = list(Reader(bucket.address("t")))
    assert [id_ for batch in batches for id_ in batch.ids] == names
    assert [text for batch in batches for text in batch.texts.to_pylist()] == names
    assert store_for(bucket.address()).is_conditional
