"""The same sources on this machine and in a bucket give the same bytes."""

from __future__ import annotations

import json
import random
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from likewise.documents import Reader
from likewise.documents.tables.source import open_rows
from likewise.errors import SourceError
from tests.cli.conftest import Run
from tests.storage.conftest import Bucket

WORDS = ("river", "bank", "quiet", "nobody", "look", "mill", "evening", "stone", "letter", "rain")


def text(seed: int, words: int = 60) -> str:
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) + str(rng.randrange(9)) for _ in range(words))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with all that is awkward in names, and copies in it."""
    files = {
        "a.txt": text(1),
        "b/copy of a.txt": text(1),
        "b/Ünïcode ☃.txt": text(2),
        "b/what?#now.txt": text(2),
        "b-c.txt": text(3),
        "b/100%20.txt": text(3),
        "empty.txt": "",
        ".hidden/x.txt": text(4),
        "b/.hidden.txt": text(4),
        "b/thumbs.db": "litter",
        "b/program.exe": "unknown",
        "table.jsonl": "".join(
            json.dumps({"id": n, "text": text(n)}) + "\n" for n in (5, 5 + 1, 7)
        ),
        "rows.json": json.dumps({"text": text(5)}) + "\n",
        "other.json": "[1, 2]",
    }
    folder = tmp_path / "tree"
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    table = pa.table({"text": [text(n) for n in (8, 5, 9)], "n": [1, 2, 3]})
    parquet.write_table(table, folder / "z.parquet")
    with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
        archive.writestr("inside/one.txt", text(2))
        archive.writestr("inside/two.txt", text(10))
    return folder


def content(source: object) -> list[tuple[str, str]]:
    reader = Reader(str(source))
    return [
        pair for batch in reader for pair in zip(batch.ids, batch.texts.to_pylist(), strict=True)
    ]


def test_a_folder_gives_the_same_documents(tree: Path, bucket: Bucket) -> None:
    source = bucket.upload(tree, "some/tree")
    bucket.put("some/tree-other/x.txt", b"not below")
    bucket.put("some/tree/b/", b"")  # as consoles create folders
    here, there = Reader(str(tree)), Reader(source)
    assert content(source) == content(tree) == content(f"{source}/")
    list(here), list(there)
    assert [(one.source.removeprefix(source), one.reason) for one in there.skipped] == [
        (one.source.removeprefix(str(tree)), one.reason) for one in here.skipped
    ]


@pytest.mark.parametrize(
    "pattern", ["*.txt", "**/*.txt", "b/**", "**", "[ab]*/*", "?.txt", "b/copy*"]
)
def test_a_pattern_matches_the_same_files(tree: Path, bucket: Bucket, pattern: str) -> None:
    source = bucket.upload(tree, "some/tree")
    (tree / "b/program.exe").unlink()  # read as text, and refused
    bucket.client.delete_object(Bucket=bucket.name, Key="some/tree/b/program.exe")
    assert content(f"{source}/{pattern}") == content(f"{tree}/{pattern}")


@pytest.mark.parametrize("name", ["b/what?#now.txt", "b/Ünïcode ☃.txt", "archive.zip", "z.parquet"])
def test_a_file_is_read_by_its_name(tree: Path, bucket: Bucket, name: str) -> None:
    source = bucket.upload(tree, "t")
    assert content(f"{source}/{name}") == content(tree / name)


def test_a_whole_bucket_is_a_folder(tree: Path, bucket: Bucket) -> None:
    for path in tree.glob("*.txt"):
        bucket.put(path.name, path.read_bytes())
    ids = ["a.txt", "b-c.txt", "empty.txt"]
    for source in (f"s3://{bucket.name}", f"s3://{bucket.name}/"):
        assert [id_ for id_, _ in content(source)] == ids


def test_many_objects_are_listed_page_by_page(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "100")  # of 1,000
    expected = [f"{number:05}.txt" for number in range(250)]
    for name in expected:
        bucket.put(f"many/{name}", name.encode())
    assert content(bucket.address("many")) == [(name, name) for name in expected]
    assert len(bucket.proxy.of("GET", "prefix=many%2F")) == 3


def test_keys_that_are_no_paths_are_skipped_and_listed(bucket: Bucket) -> None:
    for key in ("t/a.txt", "t//b.txt", "t/../c.txt", "t/./d.txt"):
        bucket.put(key, b"some words")
    reader = Reader(bucket.address("t"))
    assert [list(batch.ids) for batch in reader] == [["a.txt"]]
    assert sorted(one.source for one in reader.skipped) == sorted(
        bucket.address(key) for key in ("t//b.txt", "t/../c.txt", "t/./d.txt")
    )
    assert all("its key is not a path" in one.reason for one in reader.skipped)


@pytest.mark.parametrize("command", ["pairs", "passages"])
def test_results_of_a_search_are_the_same(
    tree: Path, bucket: Bucket, run: Run, command: str
) -> None:
    source = bucket.upload(tree, "tree")
    here, there = (run(command, given, "--format", "jsonl") for given in (tree, source))
    assert (here.status, there.status) == (0, 0), there.err
    assert here.out == there.out != b""
    against = run(command, source, "--against", tree, "--format", "jsonl")
    assert against.out == run(command, tree, "--against", source, "--format", "jsonl").out


def test_an_index_is_filled_from_a_bucket(tree: Path, bucket: Bucket, run: Run) -> None:
    source = bucket.upload(tree, "tree")
    for name, given in (("here.db", tree), ("there.db", source)):
        assert run("index", "create", name).status == 0
        done = run("index", "add", name, given)
        assert done.status == 0, done.err
    assert run("index", "list", "there.db").out == run("index", "list", "here.db").out != b""
    again = run("index", "add", "there.db", source)
    assert "0 added, 0 replaced, 16 unchanged" in again.err


def test_compare_reads_two_objects(tree: Path, bucket: Bucket, run: Run) -> None:
    source = bucket.upload(tree, "tree")
    names = ("a.txt", "b/what?#now.txt")
    here, there = (
        run("compare", *(f"{given}/{name}" for name in names), "--format", "jsonl")
        for given in (tree, source)
    )
    assert there.status == 0, there.err
    assert there.out.decode().replace(source, str(tree)) == here.out.decode()


def dedup_results(run: Run, folder: Path, source: object, *options: str) -> dict[str, bytes]:
    done = run("dedup", source, "-o", folder, *options)
    assert done.status == 0, done.err
    if folder.is_file():
        return {"": folder.read_bytes()}
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("options", [(), ("--annotate",), ("--unit", "line")])
def test_dedup_writes_the_same(
    tree: Path, bucket: Bucket, run: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tree / "archive.zip").unlink()
    source = bucket.upload(tree, "tree")
    here = dedup_results(run, tmp_path / "here", tree, *options)
    there = dedup_results(run, tmp_path / "there", source, *options)
    assert here == there
    assert here


@pytest.mark.parametrize("name", ["table.jsonl", "z.parquet"])
def test_dedup_of_one_table(
    tree: Path, bucket: Bucket, run: Run, tmp_path: Path, name: str
) -> None:
    source = bucket.upload(tree, "tree")
    ending = Path(name).suffix
    here = dedup_results(run, tmp_path / f"here{ending}", tree / name)
    assert dedup_results(run, tmp_path / f"there{ending}", f"{source}/{name}") == here


@pytest.mark.parametrize("options", [(), ("--cut",), ("--annotate",)])
def test_decontaminate_writes_the_same(
    tree: Path, bucket: Bucket, run: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    source = bucket.upload(tree, "tree")
    results = []
    for name, train, evals in (("a", tree, tree), ("b", source, source)):
        out = tmp_path / f"{name}.parquet"
        done = run(
            "decontaminate", f"{train}/z.parquet", "--against", f"{evals}/table.jsonl",
            "-o", out, *options,
        )  # fmt: skip
        assert done.status == 0, done.err
        results.append(out.read_bytes())
    assert results[0] == results[1]


def test_of_two_sources_with_equal_names_the_addresses_are_the_ids(
    bucket: Bucket, run: Run, tmp_path: Path
) -> None:
    for folder in ("x", "y"):
        bucket.put(f"{folder}/a.txt", text(1).encode())
    sources = [bucket.address("x"), bucket.address("y")]
    reader = Reader(sources)
    assert [id_ for batch in reader for id_ in batch.ids] == [f"{one}/a.txt" for one in sources]
    done = run("dedup", *sources, "-o", "out", "--annotate")
    assert done.status == 0, done.err
    done = run("dedup", *sources, "-o", "kept")
    assert [path.relative_to(tmp_path / "kept").as_posix() for path in
            (tmp_path / "kept").rglob("*.txt")] == ["x/a.txt"]  # fmt: skip


def test_rows_can_be_read_again(bucket: Bucket) -> None:
    rows = "".join(json.dumps({"text": text(n)}) + "\n" for n in range(5000))
    source = open_rows(bucket.put("rows.jsonl", rows.encode()))
    import numpy as np

    assert sum(len(batch) for batch in source.batches()) == 5000
    (batch,) = source.gather(0, np.array([3, 4444]))
    assert batch.texts.to_pylist() == [text(3), text(4444)]


def test_missing_keys_are_named(bucket: Bucket) -> None:
    with pytest.raises(SourceError, match=r"s3://.*/nothing: no such file or folder"):
        Reader(bucket.address("nothing"))
    with pytest.raises(SourceError, match="s3://: names no file or folder"):
        Reader("s3://")
    with pytest.raises(SourceError, match=r"x\*\.txt: no file matches this pattern"):
        Reader(bucket.address("x*.txt"))
