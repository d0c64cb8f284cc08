"""Outputs in a bucket: complete or not there at all, whatever happens on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from likewise.storage import registry, upload
from tests.cli.conftest import Run
from tests.storage.conftest import Bucket
from tests.storage.faults import Fault, Request
from tests.storage.test_reading import lines, xml
from tests.storage.test_sources import text


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    numbers = [*range(20), 3, 4, 5]
    path.write_text("".join(json.dumps({"text": text(n)}) + "\n" for n in numbers))
    return path


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Rows whose output has several parts, even of the size that S3 prescribes."""
    path = tmp_path / "large.jsonl"
    path.write_bytes(lines(90_000))
    assert path.stat().st_size > 2 * upload.PART
    return path


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for n, name in enumerate(("a.txt", "b/c.txt", "b/d e.txt", "b/copy.txt")):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(min(n, 2)))
    return tmp_path / "tree"


def test_results_of_a_search_go_to_a_bucket(rows: Path, bucket: Bucket, run: Run) -> None:
    for ending, format_ in ((".csv", "csv"), (".parquet", "parquet")):
        done = run("pairs", rows, "-o", bucket.address(f"out/p{ending}"), "--format", format_)
        assert done.status == 0, done.err
        run("pairs", rows, "-o", f"here{ending}", "--format", format_)
        assert bucket.get(f"out/p{ending}") == (rows.parent / f"here{ending}").read_bytes()
    assert bucket.keys() == ["out/p.csv", "out/p.parquet"]


def test_a_report_goes_to_a_bucket(tree: Path, bucket: Bucket, run: Run) -> None:
    done = run("report", tree, "-o", bucket.address("report.html"))
    assert done.status == 0, done.err
    assert bucket.get("report.html").startswith(b"<!doctype html>")


def test_a_table_is_deduplicated_from_bucket_to_bucket(
    rows: Path, bucket: Bucket, run: Run
) -> None:
    source = bucket.put("in/rows.jsonl", rows.read_bytes())
    out = bucket.address("out/unique.jsonl")
    done = run("dedup", source, "-o", out, "--report", bucket.address("report.json"))
    assert done.status == 0, done.err
    run("dedup", rows, "-o", "here.jsonl")
    assert bucket.get("out/unique.jsonl") == (rows.parent / "here.jsonl").read_bytes()
    assert json.loads(bucket.get("report.json"))["counts"]["removed"] == 3
    assert bucket.keys() == ["in/rows.jsonl", "out/unique.jsonl", "report.json"]
    assert not list(rows.parent.glob(".*.likewise"))


def test_a_folder_ends_with_a_marker_that_is_no_document(
    tree: Path, bucket: Bucket, run: Run
) -> None:
    source = bucket.upload(tree, "in")
    done = run("dedup", source, "-o", bucket.address("out/"))
    assert done.status == 0, done.err
    assert bucket.keys("out/") == ["out/_SUCCESS", "out/a.txt", "out/b/c.txt", "out/b/copy.txt"]
    sent = [one.path.rpartition("/out/")[2] for one in bucket.proxy.of("PUT", "/out/")]
    assert sent[-1] == "_SUCCESS"
    again = run("dedup", bucket.address("out"), "-o", "here", "--strict")
    assert again.status == 0, again.err
    assert sorted(path.name for path in (tree.parent / "here").rglob("*.txt")) == [
        "a.txt", "c.txt", "copy.txt",
    ]  # fmt: skip


@pytest.mark.parametrize("unit", ["document", "line"])
def test_what_exists_is_replaced_only_with_overwrite(
    tree: Path, bucket: Bucket, run: Run, unit: str
) -> None:
    bucket.put("out/old.txt", b"old")
    bucket.put("outside.txt", b"stays")
    options = ("dedup", tree, "-o", bucket.address("out"), "--unit", unit)
    refused = run(*options)
    assert refused.status == 2
    assert f"{bucket.address('out')}: already exists" in refused.err
    assert bucket.keys() == ["out/old.txt", "outside.txt"]
    done = run(*options, "--overwrite")
    assert done.status == 0, done.err
    assert "out/old.txt" not in bucket.keys("out/")
    assert bucket.keys("out/")[:2] == ["out/_SUCCESS", "out/a.txt"]
    assert bucket.get("outside.txt") == b"stays"


def test_decontaminate_writes_to_a_bucket(rows: Path, bucket: Bucket, run: Run) -> None:
    evals = bucket.put("evals/one.jsonl", json.dumps({"text": text(7)}).encode())
    source = bucket.put("in/rows.jsonl", rows.read_bytes())
    arguments = ("decontaminate", source, "--against", evals, "-o")
    assert run(*arguments, "here.jsonl").status == 0
    done = run(*arguments, bucket.address("clean.jsonl"), "--report", bucket.address("hits.csv"))
    assert done.status == 0, done.err
    assert bucket.get("clean.jsonl") == (rows.parent / "here.jsonl").read_bytes()
    assert b"one.jsonl" in bucket.get("hits.csv") or b"one" in bucket.get("hits.csv")


@pytest.mark.parametrize("out", ["in/rows.jsonl", "in"])
def test_a_source_is_never_overwritten(rows: Path, bucket: Bucket, run: Run, out: str) -> None:
    source = bucket.put("in/rows.jsonl", rows.read_bytes())
    for command in (("dedup", source, "--overwrite"), ("pairs", source),
                    ("decontaminate", str(rows), "--against", source, "--overwrite")):  # fmt: skip
        done = run(*command, "-o", bucket.address(out))
        assert done.status == 2, (command, done.err)
        assert bucket.keys() == ["in/rows.jsonl"]
    assert bucket.get("in/rows.jsonl") == rows.read_bytes()


def test_an_output_inside_the_source(tree: Path, bucket: Bucket, run: Run) -> None:
    source = bucket.upload(tree, "in")
    done = run("dedup", source, "-o", bucket.address("in/clean"))
    assert done.status == 2
    assert "is inside the source" in done.err
    done = run("dedup", f"{source}/b", "-o", bucket.address("in"), "--overwrite")
    assert "contains the source" in done.err


def test_large_files_are_uploaded_in_parts(
    large: Path, bucket: Bucket, run: Run, tmp_path: Path
) -> None:
    out = bucket.address("out.jsonl")
    failed: list[str] = []

    def once(request: Request) -> Fault | None:
        if "partNumber" in request.path and request.path not in failed:
            failed.append(request.path)
            return Fault()
        return None

    bucket.proxy.policy = once
    done = run("decontaminate", large, "--against", large_items(tmp_path), "-o", out,
               "--planted", "0")  # fmt: skip
    assert done.status == 0, done.err
    assert len(failed) > 2
    assert bucket.get("out.jsonl") == large.read_bytes()
    assert bucket.unfinished() == []


def large_items(folder: Path) -> Path:
    path = folder / "items.jsonl"
    path.write_text(json.dumps({"text": text(1)}) + "\n")
    return path


@pytest.mark.parametrize("part", ["partNumber=2", "uploadId="])
def test_an_upload_that_fails_leaves_nothing(
    large: Path, bucket: Bucket, run: Run, tmp_path: Path, part: str
) -> None:
    """Of a part, or of all requests but the first: then parts cannot be aborted either."""

    def fail(request: Request) -> Fault | None:
        refused = part in request.path and request.method in ("PUT", "POST")
        return Fault(403, xml("AccessDenied")) if refused else None

    bucket.proxy.policy = fail
    done = run("decontaminate", large, "--against", large_items(tmp_path),
               "-o", bucket.address("out.jsonl"), "--planted", "0")  # fmt: skip
    assert done.status in (1, 2)
    assert f"{bucket.address('out.jsonl')}: access denied" in done.err
    assert "Traceback" not in done.err
    assert bucket.keys() == []
    assert bucket.unfinished() == []


def test_the_store_is_asked_before_any_work(rows: Path, bucket: Bucket, run: Run) -> None:
    for out in ("s3://there-is-no-such-bucket/out.jsonl", "https://127.0.0.1:1/out.jsonl"):
        for command in (("dedup", rows), ("pairs", rows)):
            done = run(*command, "-o", out)
            assert done.status in (1, 2)
            assert out in done.err
            assert "no such bucket" in done.err or "nothing can be written" in done.err
    assert bucket.proxy.of("PUT") == []


@pytest.mark.parametrize(
    ("command", "named"),
    [
        (("index", "create", "s3://bucket/x.db"), "DB"),
        (("index", "query", "s3://bucket/x.db", "a.txt"), "DB"),
        (("passages", "a.txt", "--phrases", "s3://bucket/p.txt"), "--phrases"),
        (("dedup", "a.txt", "-o", "b.txt", "--against", "s3://bucket/x.db"), "--against"),
    ],
)
def test_what_must_be_on_this_machine(run: Run, command: tuple[str, ...], named: str) -> None:
    done = run(*command)
    assert done.status == 2
    assert f"{named} s3://bucket/" in done.err
    assert "must be on this machine" in done.err


Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Starts `likewise` in a process of its own, and returns at once."""

    def start(*arguments: object) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "likewise", *map(str, arguments)],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    return start


def wait_for(what: Callable[[], object]) -> None:
    for _ in range(600):
        if what():
            return
        time.sleep(0.1)
    raise AssertionError("did not happen within a minute")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT", "SIGTERM"])
def test_a_run_that_is_killed_while_it_uploads(
    large: Path, bucket: Bucket, start: Start, run: Run, name: str
) -> None:
    out = bucket.address("out.jsonl")
    held = []

    def hold(request: Request) -> Fault | None:
        if "partNumber=2" in request.path and not held:
            held.append(request)
            process.send_signal(getattr(signal, name))
            process.wait(30)
        return None

    bucket.proxy.policy = hold
    process = start("dedup", large, "-o", out, "--threshold", "0.9")
    wait_for(lambda: process.poll() is not None)
    _, err = process.communicate()
    assert held, err
    assert bucket.keys() == []
    if name == "SIGKILL":
        assert bucket.unfinished() == ["out.jsonl"]
    else:
        assert process.returncode == (130 if name == "SIGINT" else 143), err
        assert bucket.unfinished() == []
        assert b"run the same command again to resume" in err
        assert b"Traceback" not in err
    bucket.proxy.policy = lambda request: None
    registry._own_store.cache_clear()
    done = run("dedup", large, "-o", out, "--threshold", "0.9", "--report", "report.json")
    assert done.status == 0, done.err
    assert json.loads((large.parent / "report.json").read_bytes())["resumed"]
    assert bucket.unfinished() == []
    assert bucket.get("out.jsonl") == large.read_bytes()
    assert [path.name for path in large.parent.iterdir() if "likewise" in path.name] == []


@pytest.mark.slow
def test_a_run_that_is_killed_between_two_files_is_resumed(
    tree: Path, bucket: Bucket, start: Start, run: Run
) -> None:
    out = bucket.address("out")

    def kill(request: Request) -> Fault | None:
        if request.method == "PUT" and not killed and len(bucket.keys("out/")) >= 2:
            killed.append(request)
            os.kill(process.pid, signal.SIGKILL)
            process.wait(30)
            return Fault(500, b"")
        return None

    killed: list[Request] = []
    for n in range(30):
        (tree / f"more-{n}.txt").write_text(text(100 + n))
    bucket.proxy.policy = kill
    process = start("dedup", tree, "-o", out)
    wait_for(lambda: process.poll() is not None)
    process.communicate()
    assert killed
    there = bucket.keys("out/")
    assert 2 <= len(there) < 30
    assert "out/_SUCCESS" not in there
    done = run("dedup", tree, "-o", out)
    assert done.status == 0, done.err
    assert len(bucket.keys("out/")) == 34
    assert bucket.get("out/_SUCCESS") == b""


def test_a_run_whose_source_fails_is_resumed(bucket: Bucket, run: Run, rows: Path) -> None:
    source = bucket.put("in/rows.jsonl", rows.read_bytes())
    out = bucket.address("out.jsonl")
    reads: list[Request] = []

    def fail_later(request: Request) -> Fault | None:
        if request.path.endswith("/in/rows.jsonl"):
            reads.append(request)
        return Fault() if len(reads) > 2 else None

    bucket.proxy.policy = fail_later
    done = run("dedup", source, "-o", out)
    assert done.status == 1
    assert "is limiting requests" in done.err
    assert "run the same command again to resume" in done.err
    bucket.proxy.policy = lambda request: None
    done = run("dedup", source, "-o", out, "--report", "report.json")
    assert done.status == 0, done.err
    assert json.loads((rows.parent / "report.json").read_bytes())["resumed"]
    run("dedup", rows, "-o", "here.jsonl")
    assert bucket.get("out.jsonl") == (rows.parent / "here.jsonl").read_bytes()


def test_an_unfinished_run_is_not_resumed_with_other_objects(
    bucket: Bucket, run: Run, rows: Path
) -> None:
    source = bucket.put("in/rows.jsonl", rows.read_bytes())
    out = bucket.address("out.jsonl")
    bucket.proxy.policy = lambda request: (
        Fault(403, xml("InvalidAccessKeyId")) if request.method == "PUT" else None
    )
    done = run("dedup", source, "-o", out)
    assert done.status == 1
    assert "credentials are invalid" in done.err
    bucket.proxy.policy = lambda request: None
    bucket.put("in/rows.jsonl", rows.read_bytes().replace(b"river", b"brook"))
    done = run("dedup", source, "-o", out)
    assert done.status == 2
    assert "from an unfinished run with" in done.err
    assert run("dedup", source, "-o", out, "--no-resume").status == 0
