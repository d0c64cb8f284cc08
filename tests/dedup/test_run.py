"""Files deduplicated: the decisions of `deduplicate`, whatever the format, memory and threads."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import likewise
from likewise import SourceError, UsageError
from likewise.dedup.files import (
    budget,
    candidates,
    copies,
    gather,
    run,
    scan,
    staged_run,
    verification,
    workspace,
)
from likewise.dedup.files.workspace import Workspace
from likewise.dedup.settings import DedupSettings
from likewise.errors import LikewiseError
from tests.dedup.made import dedup, table, texts, write_parquet
from tests.disguise import COPY, ORIGINAL, OTHER

MANY = texts(400)


def kept_ids(path: Path) -> list[str]:
    found: list[str] = parquet.read_table(path)["id"].to_pylist()
    return found


def expected_ids(**options: Any) -> list[str]:
    made = likewise.deduplicate(MANY, ids=[f"d{i}" for i in range(len(MANY))], **options)
    return [f"d{i}" for i in made]


@contextmanager
def cramped() -> Iterator[None]:
    """Everything in the smallest pieces: what a small budget does to a large collection."""
    with ExitStack() as stack:
        for module, name, value in (
            (budget.Budget, "room", lambda self, share: 3000),
            (budget.Budget, "batch_bytes", lambda self: 2000),
            (verification, "PAIRS_AT_ONCE", 7),
            (workspace, "CHUNK", 13),
            (copies, "BYTES_SORTED", 30),
        ):
            stack.enter_context(patch.object(module, name, value))
        yield


@pytest.mark.parametrize("chains", ["split", "join"])
@pytest.mark.parametrize("keep", ["first", "longest", "column:score", "column:-name"])
def test_parquet(tmp_path: Path, keep: str, chains: str) -> None:
    columns = {
        "score": pa.array([i * 37 % 101 if i % 7 else None for i in range(400)]),
        "name": pa.array([f"n{i * 29 % 83}" for i in range(400)]),
        "nested": pa.array([{"a": [i]} for i in range(400)]),
    }
    source = write_parquet(tmp_path / "in.parquet", MANY, **columns)
    report = dedup(source, tmp_path / "out.parquet", keep=keep, chains=chains)
    ids = expected_ids(keep=keep, chains=chains, columns=columns)
    assert kept_ids(tmp_path / "out.parquet") == ids
    whole = parquet.read_table(source)
    chosen = [i for i, id_ in enumerate(whole["id"].to_pylist()) if id_ in set(ids)]
    assert parquet.read_table(tmp_path / "out.parquet").equals(whole.take(chosen))
    assert report.counts["kept"] == len(ids)
    assert report.counts["removed"] == 400 - len(ids)
    assert os.listdir(tmp_path) in (["in.parquet", "out.parquet"], ["out.parquet", "in.parquet"])


@pytest.mark.parametrize("annotate", [False, True])
def test_bytes_do_not_depend_on_memory_and_threads(tmp_path: Path, annotate: bool) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    options: dict[str, Any] = {"annotate": annotate, "max_bucket": 4}
    first = dedup(source, tmp_path / "a.parquet", **options)
    with cramped():
        second = dedup(source, tmp_path / "b.parquet", threads=1, **options)
    third = dedup(source, tmp_path / "c.parquet", threads=3, memory=10**10, **options)
    data = (tmp_path / "a.parquet").read_bytes()
    assert (tmp_path / "b.parquet").read_bytes() == data
    assert (tmp_path / "c.parquet").read_bytes() == data
    assert first.counts == second.counts == third.counts
    assert first.examples == second.examples == third.examples
    assert first.largest == second.largest
    assert first.counts["large_buckets"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["document", "passage"])
def test_row_groups_do_not_depend_on_memory_threads_and_batches(tmp_path: Path, unit: str) -> None:
    """Three files; the row groups of one are larger than what is written at once."""
    rng = np.random.default_rng(1)
    letters = (b"abcdefghijklmnopqrst      " * 10)[:256]
    made = [rng.bytes(30_000).translate(letters).decode() for _ in range(2500)]
    made += made[100:200]
    (tmp_path / "in").mkdir()
    for name, some in (("a", made), ("b", made[:300]), ("c", made[2400:])):
        table = pa.table({"id": [f"{name}{n}" for n in range(len(some))], "text": some})
        parquet.write_table(table, tmp_path / "in" / f"{name}.parquet", compression="zstd")
    ways: list[dict[str, Any]] = [
        {"memory": budget.MIN_MEMORY, "threads": 1},
        {"memory": budget.MIN_MEMORY * 2, "threads": 16},
        {"memory": 10**9, "threads": 2},
        {"memory": 10**10, "threads": 3},
    ]
    written = []
    for number, way in enumerate(ways):
        likewise.deduplicate_files(tmp_path / "in", tmp_path / f"out{number}", unit=unit, **way)
        files = sorted((tmp_path / f"out{number}").iterdir())
        written.append([(file.name, file.read_bytes()) for file in files])
    assert all(one == written[0] for one in written)
    large = parquet.ParquetFile(tmp_path / "out0" / "a.parquet")
    assert large.num_row_groups == 2


def test_annotations(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    dedup(source, tmp_path / "out.parquet", annotate=True)
    written = parquet.read_table(tmp_path / "out.parquet")
    made = likewise.deduplicate(MANY, ids=[f"d{i}" for i in range(len(MANY))])
    assert written.select(["cluster", "kept", "similar_to", "similarity"]).to_pylist() == (
        made.to_arrow().to_pylist()
    )
    assert written.select(["id", "text"]).equals(parquet.read_table(source))


def test_lines_of_json(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl.gz"
    lines = [json.dumps({"text": text, "n": i}) + "\n" for i, text in enumerate(MANY)]
    with gzip.open(source, "wt") as file:
        file.writelines(lines)
    dedup(source, tmp_path / "out.jsonl.gz")
    kept = list(likewise.deduplicate(MANY))
    with gzip.open(tmp_path / "out.jsonl.gz", "rt") as file:
        assert file.readlines() == [lines[i] for i in kept]


def test_a_folder_keeps_its_structure(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    write_parquet(tmp_path / "in" / "a.parquet", MANY[:150])
    write_parquet(tmp_path / "in" / "deep" / "b.parquet", MANY[150:])
    report = dedup(tmp_path / "in", tmp_path / "out", id="id")
    ids = [f"d{i}" for i in range(150)] + [f"d{i}" for i in range(250)]
    made = likewise.deduplicate(MANY, ids=ids)
    found = [
        *kept_ids(tmp_path / "out" / "a.parquet"),
        *kept_ids(tmp_path / "out" / "deep" / "b.parquet"),
    ]
    assert found == [ids[i] for i in made]
    assert report.counts["files"] == 2


def test_documents_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, text in (
        ("b.txt", "One two three four."),
        ("a.txt", "one two three four"),
        ("c.txt", "x y z"),
    ):
        (tmp_path / "in" / name).write_text(text)
    report = dedup(tmp_path / "in", tmp_path / "out", examples=3)
    assert sorted(os.listdir(tmp_path / "out")) == ["a.txt", "c.txt"]
    assert [(one["removed"], one["kept"]) for one in report.examples] == [("b.txt", "a.txt")]


def test_empty_and_single(tmp_path: Path) -> None:
    for count, found in ((0, []), (1, ["a b c"]), (3, [None, "", "!"])):
        source = write_parquet(tmp_path / f"{count}.parquet", found)
        report = dedup(source, tmp_path / f"{count}.out", annotate=count == 3)
        assert report.counts["kept"] == report.counts["documents"] == count
        assert parquet.read_table(tmp_path / f"{count}.out").num_rows == count


def test_a_long_document(tmp_path: Path) -> None:
    long = " ".join(f"word{i}" for i in range(400_000))
    source = write_parquet(tmp_path / "in.parquet", [long, "a b c", f"{long} more words", "a b c"])
    dedup(source, tmp_path / "out.parquet", memory=budget.MIN_MEMORY * 2)
    assert kept_ids(tmp_path / "out.parquet") == ["d0", "d1"]


def test_ids_that_repeat_or_lack(tmp_path: Path) -> None:
    ids = pa.array(["x", "x", None, "a"])
    parquet.write_table(pa.table({"id": ids, "text": ["a b c"] * 4}), tmp_path / "in.parquet")
    dedup(tmp_path / "in.parquet", tmp_path / "out.parquet", annotate=True)
    written = parquet.read_table(tmp_path / "out.parquet")
    assert written["kept"].to_pylist() == [False, False, False, True]
    assert written["similar_to"].to_pylist() == ["a", "a", "a", None]


def test_one_page_many_times_and_a_shingle_everywhere(tmp_path: Path) -> None:
    """One page is a third of all documents, and every document begins with the same words."""
    pages = [f"welcome to our site {text}" for text in texts(500, words=40) if text]
    found = pages + ["welcome to our site this is the page that everybody has"] * 20_000
    source = tmp_path / "in.parquet"
    parquet.write_table(table(found), source)
    report = dedup(source, tmp_path / "out.parquet")
    assert report.counts["candidates"] < 20_000
    assert report.counts["removed_copies"] >= 19_999
    assert report.largest[0]["documents"] == 20_000
    made = likewise.deduplicate(found, ids=[f"d{i}" for i in range(len(found))])
    assert kept_ids(tmp_path / "out.parquet") == [f"d{i}" for i in made]


def test_report(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    report = dedup(source, tmp_path / "out.parquet", examples=5)
    told = json.loads(report.to_json())
    made = likewise.deduplicate(MANY, ids=[f"d{i}" for i in range(len(MANY))])
    assert told["counts"]["clusters"] == len(made.clusters())
    sizes = [len(cluster) for cluster in made.clusters()]
    assert told["cluster_sizes"] == {str(n): sizes.count(n) for n in sorted(set(sizes))}
    largest = made.clusters()[0]
    assert told["largest"][0] == {
        "cluster": largest.name,
        "documents": len(largest),
        "unique": largest.unique,
        "kept": len(largest.kept),
        "lowest_inside": largest.lowest_inside,
        "lowest_inside_of": "all pairs",
        "lowest_removed": largest.lowest_removed,
    }
    lowest = min(cluster.lowest_inside for cluster in made.clusters())
    assert told["most_chained"][0]["lowest_inside"] == lowest
    rows = {f"d{i}": row for i, row in enumerate(made.to_arrow().to_pylist())}
    assert len(told["examples"]) == 5
    for example in told["examples"]:
        assert rows[example["removed"]]["similar_to"] == example["kept"]
        assert rows[example["removed"]]["similarity"] == example["similarity"]
        assert MANY[int(example["removed"][1:])].startswith(example["removed_text"][:50])
    assert set(told["seconds"]) >= {"scan", "copies", "candidates", "verify", "decide", "write"}
    assert told["peak_memory"] > 10**7
    assert any(f"{len(MANY)} documents read" in line for line in report.summary())


def test_mistakes_leave_nothing(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY[:20], kept=pa.array(range(20)))
    (tmp_path / "there.parquet").write_text("mine")
    for error, message, options in (
        (UsageError, "too little", {"memory": 10**6}),
        (UsageError, "already exists", {"out": "there.parquet"}),
        (UsageError, "already has a column 'kept'", {"annotate": True}),
        (UsageError, "is the source itself", {"out": "in.parquet"}),
        (SourceError, "nowhere", {"text": "nowhere"}),
        (SourceError, "nothing", {"keep": "column:nothing"}),
        (SourceError, "no such file", {"against": tmp_path / "missing.db"}),
    ):
        given: dict[str, Any] = dict(options)
        out = tmp_path / given.pop("out", "out.parquet")
        with pytest.raises(error, match=message):
            dedup(source, out, **given)
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "there.parquet"]
    assert (tmp_path / "there.parquet").read_text() == "mine"


def test_a_damaged_file(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write_parquet(tmp_path / "in" / "a.parquet", MANY[:100])
    data = bytearray(write_parquet(tmp_path / "in" / "b.parquet", MANY[100:]).read_bytes())
    data[len(data) // 2 : len(data) // 2 + 400] = b"\0" * 400
    (tmp_path / "in" / "b.parquet").write_bytes(data)
    with pytest.raises(SourceError, match=r"b\.parquet"):
        dedup(tmp_path / "in", tmp_path / "out")
    assert os.listdir(tmp_path) == ["in"]
    report = dedup(tmp_path / "in", tmp_path / "out", skip_bad=True)
    assert report.counts["files_left_out"] == 1
    made = likewise.deduplicate(MANY[:100], ids=[f"d{i}" for i in range(100)])
    assert kept_ids(tmp_path / "out" / "a.parquet") == [f"d{i}" for i in made]


STAGES: list[tuple[Any, str]] = [
    (copies, "find_copies"),
    (candidates, "find_candidates"),
    (gather, "gather"),
    (verification, "verify"),
    (run, "decide"),
    (staged_run, "write_rows"),
    (run.DocumentRun, "_describe"),
]


@pytest.mark.parametrize(("module", "name"), STAGES, ids=[name for _, name in STAGES])
def test_a_run_goes_on_after_any_stage(tmp_path: Path, module: Any, name: str) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    dedup(source, tmp_path / "plain.parquet")
    out = tmp_path / "out.parquet"
    with (
        patch.object(module, name, side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        dedup(source, out)
    assert staged_run.workspace_of(out).is_dir()
    with patch.object(scan, "scan", side_effect=AssertionError):  # not scanned again
        report = dedup(source, out)
    assert report.resumed
    assert out.read_bytes() == (tmp_path / "plain.parquet").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "out.parquet", "plain.parquet"]


@pytest.mark.parametrize("folder", [False, True])
def test_what_a_user_put_there_meanwhile_is_not_replaced(tmp_path: Path, folder: bool) -> None:
    """A run is killed before its output has its name, or just after it."""
    (tmp_path / "in").mkdir()
    source = write_parquet(tmp_path / "in" / "a.parquet", MANY)
    source, out = (source.parent if folder else source), tmp_path / "out"
    precious = out / "precious" if folder else out
    real = os.replace

    def killed(old: Any, new: Any, *, after: bool) -> None:
        if os.fspath(new) != os.fspath(out):
            return real(old, new)
        if after:
            real(old, new)
        raise KeyboardInterrupt

    for after in (False, True):
        with (
            patch.object(os, "replace", partial(killed, after=after)),
            pytest.raises(KeyboardInterrupt),
        ):
            dedup(source, out)
        if not after:
            precious.parent.mkdir(exist_ok=True)
            precious.write_text("mine")
            with pytest.raises(UsageError, match="already exists"):
                dedup(source, out)
            assert precious.read_text() == "mine"
            precious.unlink()
            if folder:
                out.rmdir()
    assert dedup(source, out).resumed
    assert kept_ids(out / "a.parquet" if folder else out) == expected_ids()
    assert sorted(os.listdir(tmp_path)) == ["in", "out"]


def test_bad_rows_that_were_met_before_the_kill_count(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for i in range(4):
        (tmp_path / "in" / f"{i}.jsonl").write_text('{"text": "a b c"}\nbad\n' + "{]\n" * i)
    real, scanned = scan._scan_batch, []

    def failing(batch: Any, *others: Any) -> None:
        scanned.append(batch.file)
        if len(scanned) == 3:
            raise KeyboardInterrupt
        real(batch, *others)

    with patch.object(workspace.Appender, "EVERY", 0.0):
        for module, name, what in (
            (scan, "_scan_batch", {"side_effect": failing}),
            (staged_run, "write_rows", {"side_effect": KeyboardInterrupt}),
        ):
            with patch.object(module, name, **what), pytest.raises(KeyboardInterrupt):
                dedup(tmp_path / "in", tmp_path / "out")
    found: list[Any] = []
    dedup(tmp_path / "in", tmp_path / "out", opened=found.append)
    assert found[0].bad_rows == 4 + 0 + 1 + 2 + 3


def test_only_what_a_killed_run_left_is_swept_away(tmp_path: Path) -> None:
    source, out = write_parquet(tmp_path / "in.parquet", MANY[:20]), tmp_path / "out.parquet"
    with (
        patch.object(staged_run, "write_rows", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        dedup(source, out)
    left, mine = tmp_path / ".out.parquet.a_b_c_d1", tmp_path / ".out.parquet.snapshot"
    left.mkdir(0o700)
    (left / "new").write_text("half of it")
    mine.mkdir(0o755)
    mine.chmod(0o755)
    (tmp_path / ".out.parquet.otherone").symlink_to(left)
    dedup(source, out)
    assert sorted(os.listdir(tmp_path)) == [
        ".out.parquet.otherone", ".out.parquet.snapshot", "in.parquet", "out.parquet"
    ]  # fmt: skip


def test_scanning_goes_on_after_the_last_finished_file(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for i in range(8):
        write_parquet(tmp_path / "in" / f"{i}.parquet", MANY[i * 50 : i * 50 + 50])
    dedup(tmp_path / "in", tmp_path / "plain", keep="longest", annotate=True)
    real, scanned = scan._scan_batch, []

    def failing(batch: Any, *others: Any) -> None:
        scanned.append(batch.file)
        if len(scanned) == 5:
            raise KeyboardInterrupt
        real(batch, *others)

    with patch.object(workspace.Appender, "EVERY", 0.0), patch.object(scan, "_scan_batch", failing):
        with pytest.raises(KeyboardInterrupt):
            dedup(tmp_path / "in", tmp_path / "out", keep="longest", annotate=True)
        dedup(tmp_path / "in", tmp_path / "out", keep="longest", annotate=True)
    assert scanned == [0, 1, 2, 3, 4, 4, 5, 6, 7]
    for path in (tmp_path / "plain").iterdir():
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()


def test_another_run_is_not_gone_on_with(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    out = tmp_path / "out.parquet"

    def stop(**options: Any) -> None:
        stopped = patch.object(run, "decide", side_effect=KeyboardInterrupt)
        with stopped, pytest.raises(KeyboardInterrupt):
            dedup(source, out, **options)

    stop()
    with pytest.raises(UsageError, match=r"other settings \(threshold") as raised:
        dedup(source, out, threshold=0.7)
    assert "`resume=False`" in str(raised.value.hint)
    dedup(source, out, threshold=0.7, resume=False, overwrite=True)
    assert kept_ids(out) == expected_ids(threshold=0.7)
    stop(overwrite=True)
    write_parquet(source, MANY[:100])
    with pytest.raises(UsageError, match="inputs that have since changed"):
        dedup(source, out, overwrite=True)


def test_a_workspace_that_was_being_removed(tmp_path: Path) -> None:
    """Killed at the very end: the output is there, and what is left of the workspace is none."""
    source = write_parquet(tmp_path / "in.parquet", MANY)
    out = tmp_path / "out.parquet"
    dedup(source, out)
    left = staged_run.workspace_of(out)
    left.mkdir()
    (left / "numbers").write_bytes(b"left behind")
    with pytest.raises(UsageError, match="already exists"):
        dedup(source, out)
    assert not left.exists()
    left.mkdir()
    (left / "numbers").write_bytes(b"left behind")
    dedup(source, out, overwrite=True)
    assert kept_ids(out) == expected_ids()
    assert not left.exists()


def test_two_runs_at_once(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    held = Workspace(staged_run.workspace_of(tmp_path / "out.parquet"), {"inputs": 1})
    with pytest.raises(UsageError, match="another run is using"):
        dedup(source, tmp_path / "out.parquet")
    held.remove()


def test_a_source_that_changes_while_it_is_worked_on(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"text": "one two three"}\n{"text": "one two three"}\n')

    def rewritten(stage: str, done: int, total: int | None) -> None:
        if stage == "decide":  # as many rows as before, and the second is no copy any more
            source.write_text('{"text": "one two three"}\n{"text": "quite other words"}\n')

    with pytest.raises(SourceError, match="has changed since it was read"):
        dedup(source, tmp_path / "out.jsonl", progress=rewritten)
    assert os.listdir(tmp_path) == ["in.jsonl"]


def test_signatures_do_not_replace_the_source_or_the_output(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    source = write_parquet(tmp_path / "in" / "a.parquet", MANY[:5])
    before = source.read_bytes()
    for wrong in (source, tmp_path / "out"):
        with pytest.raises(UsageError, match="another file of this run"):
            dedup(tmp_path / "in", tmp_path / "out", save_signatures=wrong)
    assert source.read_bytes() == before
    assert os.listdir(tmp_path) == ["in"]


def test_a_workspace_that_is_a_link_is_not_cleared(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY[:5])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "precious").write_text("mine")
    staged_run.workspace_of(tmp_path / "out.parquet").symlink_to(tmp_path / "mine")
    for resume in (True, False):
        with pytest.raises(UsageError, match="is a link"):
            dedup(source, tmp_path / "out.parquet", resume=resume)
    assert os.listdir(tmp_path / "mine") == ["precious"]


def test_a_table_without_rows_has_no_values_to_keep_by(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", [], score=pa.array([], pa.int64()))
    dedup(source, tmp_path / "out.parquet", keep="column:score")
    assert kept_ids(tmp_path / "out.parquet") == []


def test_a_budget_that_is_too_small_for_the_documents(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "in.parquet", MANY)
    out = tmp_path / "out.parquet"
    large = patch.object(budget, "BYTES_PER_DOCUMENT", 10**7)
    with large, pytest.raises(LikewiseError, match="too little for 400 documents") as raised:
        dedup(source, out)
    assert "`memory=4250MB`" in str(raised.value.hint)
    assert dedup(source, out, memory=5 * 10**9).resumed


def test_settings_have_a_part_in_the_result_or_none() -> None:
    one = DedupSettings.checked(threads=1).to_dict()
    assert one == DedupSettings.checked(threads=2).to_dict()
    assert one != DedupSettings.checked(chains="join").to_dict()


def test_a_disguised_copy_is_removed(tmp_path: Path) -> None:
    found = [ORIGINAL, OTHER, COPY, f"{COPY} and a few more words", None]
    source = write_parquet(tmp_path / "in.parquet", found)
    report = dedup(source, tmp_path / "out.parquet")
    assert kept_ids(tmp_path / "out.parquet") == ["d0", "d1", "d4"]
    assert report.notes[0].endswith("(in 2 documents); compared as displayed")
    assert list(likewise.deduplicate(found)) == [0, 1, 4]
    assert list(likewise.deduplicate(found, keep="longest")) == [1, 3, 4]
    with cramped():
        dedup(source, tmp_path / "cramped.parquet")
    assert kept_ids(tmp_path / "cramped.parquet") == ["d0", "d1", "d4"]
    dedup(source, tmp_path / "stored.parquet", profile="word:3,letters=stored")
    assert kept_ids(tmp_path / "stored.parquet") == ["d0", "d1", "d2", "d4"]
