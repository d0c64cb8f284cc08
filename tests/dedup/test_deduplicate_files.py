"""`deduplicate_files` is `likewise dedup` for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import likewise
from likewise import UsageError

ROWS = [
    {"key": 1, "body": "the cat sat on the mat and looked at the moon", "score": 1},
    {"key": 2, "body": "the cat sat on the mat and looked at the moon", "score": 5},
    {"key": 3, "body": "nothing of this is anywhere else in the file", "score": 2},
]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    source = write(tmp_path / "in.jsonl", [*map(json.dumps, ROWS), '{"key": 4, "body": '])
    stages: list[str] = []
    report = likewise.deduplicate_files(
        source, tmp_path / "out.jsonl", text="body", id="key", keep="column:score",
        progress=lambda stage, done, total: stages.append(stage),
    )  # fmt: skip
    kept = (tmp_path / "out.jsonl").read_text().splitlines()
    assert [json.loads(line)["key"] for line in kept[:2]] == [2, 3]
    assert (report.counts["kept"], report.counts["removed"]) == (3, 1)
    assert report.stats.settings["keep"] == "column:score"
    assert {"read and sketch", "write"} <= set(stages)
    (bad,) = (record.message for record in caplog.records if "skipped" in record.message)
    assert "line 4" in bad


def test_arguments_are_checked(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", list(map(json.dumps, ROWS)))
    with pytest.raises(UsageError, match="chains is 'cut'"):
        likewise.deduplicate_files(source, tmp_path / "out.jsonl", chains="cut")  # type: ignore[arg-type]
    (tmp_path / "out.jsonl").write_text("mine")
    with pytest.raises(UsageError, match="already exists") as raised:
        likewise.deduplicate_files(source, tmp_path / "out.jsonl", text="body")
    assert raised.value.hint == "use `overwrite=True` to replace it, or choose another name"
    likewise.deduplicate_files(source, tmp_path / "out.jsonl", text="body", overwrite=True)
    assert (tmp_path / "out.jsonl").read_text() != "mine"


def test_an_index_is_never_overwritten(tmp_path: Path) -> None:
    """Before, only the command line refused to."""
    source = write(tmp_path / "in.jsonl", list(map(json.dumps, ROWS)))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "in.jsonl").write_bytes(source.read_bytes())
    stored = tmp_path / "stored"
    stored.mkdir()
    index = stored / "some.db"
    with likewise.Index.create(index) as made:
        made.add(["one two three four"], ["a"])
    before = index.read_bytes()
    for sources, out in ((source, index), (folder, stored)):
        with pytest.raises(UsageError, match="index"):
            likewise.deduplicate_files(sources, out, text="body", overwrite=True)
    with pytest.raises(UsageError, match="index"):
        likewise.deduplicate_files(
            source, tmp_path / "out.jsonl", text="body", overwrite=True, save_signatures=index
        )
    for path in (index, f"{index}-wal"):
        with pytest.raises(UsageError, match="index"):
            likewise.sketch(["one two three"]).save(path, overwrite=True)
    assert index.read_bytes() == before
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("wrong", [{"memory": "1GB"}, {"examples": -1}])
def test_numbers_are_checked(tmp_path: Path, wrong: Any) -> None:
    source = write(tmp_path / "in.jsonl", list(map(json.dumps, ROWS)))
    with pytest.raises(UsageError, match="it must be"):
        likewise.deduplicate_files(source, tmp_path / "out.jsonl", text="body", **wrong)
    assert sorted(tmp_path.iterdir()) == [source]
