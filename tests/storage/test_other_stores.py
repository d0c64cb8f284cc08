"""gs:// and hf:// against stand-ins of the services: see `fakes`."""

from __future__ import annotations

import json
from pathlib import Path

import fsspec
import pytest

from likewise.documents import Reader
from tests.cli.conftest import Run
from tests.storage.fakes import Files, google, hugging_face
from tests.storage.test_sources import text


def rows(*numbers: int) -> bytes:
    return "".join(json.dumps({"text": text(n)}) + "\n" for n in numbers).encode()


def documents(source: str) -> list[str]:
    return [id_ for batch in Reader(source) for id_ in batch.ids]


def test_google_cloud_storage(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        "corpus/in/a.jsonl": rows(1, 2, 1),
        "corpus/in/b/c d.txt": text(3).encode(),
        "corpus/inside/x.txt": b"not below",
    }
    seen: list[str] = []
    with google(files, seen) as address:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", address)
        monkeypatch.setitem(fsspec.config.conf, "gs", {"token": "anon"})
        # Else gcsfs asks the real service, by gRPC, what kind of bucket this is.
        monkeypatch.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")
        assert documents("gs://corpus/in") == ["a.jsonl:0", "a.jsonl:1", "a.jsonl:2", "b/c d.txt"]
        assert documents("gs://corpus/in/*/*.txt") == ["b/c d.txt"]
        done = run("dedup", "gs://corpus/in/a.jsonl", "-o", "gs://corpus/out/a.jsonl")
        assert done.status == 0, done.err
        assert files["corpus/out/a.jsonl"] == rows(1, 2)
        done = run("pairs", "gs://corpus/in/a.jsonl", "-o", "gs://corpus/out/pairs.csv")
        assert done.status == 0, done.err
        assert b"jaccard" in files["corpus/out/pairs.csv"]
        done = run("dedup", "gs://corpus/in", "-o", "gs://corpus/all")
        assert done.status == 0, done.err
        assert sorted(name for name in files if name.startswith("corpus/all/")) == [
            "corpus/all/_SUCCESS", "corpus/all/a.jsonl", "corpus/all/b/c d.txt",
        ]  # fmt: skip
        done = run("dedup", "gs://corpus/in/b", "-o", "gs://corpus/all", "--overwrite")
        assert done.status == 0, done.err
        assert sorted(name for name in files if name.startswith("corpus/all/")) == [
            "corpus/all/_SUCCESS", "corpus/all/c d.txt",
        ]  # fmt: skip
        done = run("pairs", "gs://corpus/nothing")
        assert "gs://corpus/nothing: no such file or folder" in done.err


def test_hugging_face_hub(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files: Files = {"data/a.jsonl": rows(1, 2, 1), "README.md": b"About these essays."}
    seen: list[str] = []
    with hugging_face(files, seen) as address:
        monkeypatch.setitem(fsspec.config.conf, "hf", {"endpoint": address})
        source = "hf://datasets/group/essays"
        assert documents(f"{source}/data/a.jsonl") == ["0", "1", "2"]
        assert documents(source) == [
            "README.md", "data/a.jsonl:0", "data/a.jsonl:1", "data/a.jsonl:2",
        ]  # fmt: skip
        done = run("dedup", f"{source}/data/a.jsonl", "-o", "out.jsonl")
        assert done.status == 0, done.err
        assert (tmp_path / "out.jsonl").read_bytes() == rows(1, 2)
        done = run("dedup", f"{source}/data/a.jsonl", "-o", f"{source}/unique.jsonl")
        assert done.status == 0, done.err
        assert files["unique.jsonl"] == rows(1, 2)
        done = run("dedup", f"{source}/data", "-o", f"{source}/out")
        assert done.status == 0, done.err
        assert (files["out/a.jsonl"], files["out/_SUCCESS"]) == (rows(1, 2), b"")
        done = run("pairs", "hf://datasets/group/nothing/a.jsonl")
        assert done.status in (1, 2)
        assert "Traceback" not in done.err
        assert done.err.startswith("likewise: error: hf://datasets/group/nothing/a.jsonl: ")
