"""The output appears complete, or not at all."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import ipc

from likewise.documents.tables.source import open_rows
from likewise.documents.tables.target import Target
from likewise.errors import UsageError

from .test_writing_rows import ANNOTATIONS


@pytest.fixture
def table(write):
    return write("t.jsonl", '{"text": "a"}\n{"text": "b"}\n')


def test_an_output_that_exists_is_replaced_only_if_asked_for(write, rows, table):
    out = write("out.jsonl", "precious")
    out.chmod(0o600)
    with pytest.raises(UsageError, match=r"out.jsonl: already exists"):
        rows(table).keep("out.jsonl", [[True, False]])
    assert out.read_text() == "precious"
    rows(table).keep("out.jsonl", [[True, False]], overwrite=True)
    assert out.read_text() == '{"text": "a"}\n'
    assert out.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_exists_is_replaced_as_a_whole(write, rows):
    write("s/a.txt", "text")
    write("out/old.txt", "old")
    with pytest.raises(UsageError, match="out: already exists"):
        rows("s").keep("out", [[True]])
    rows("s").keep("out", [[True]], overwrite=True)
    assert os.listdir("out") == ["a.txt"]
    assert sorted(os.listdir()) == ["out", "s"]


@pytest.mark.parametrize("when", [1, 2])
def test_a_folder_that_is_being_replaced_is_not_lost(write, rows, monkeypatch, when):
    write("s/a.txt", "text")
    write("out/old.txt", "old")
    renamed = []

    def interrupted(old, new):
        """Ctrl-C, just after or instead of a renaming."""
        renamed.append(new)
        if len(renamed) == when == 2:
            raise KeyboardInterrupt
        rename(old, new)
        if len(renamed) == when == 1:
            raise KeyboardInterrupt

    rename = os.rename
    monkeypatch.setattr(os, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rows("s").keep("out", [[True]], overwrite=True)
    assert os.listdir("out") == ["old.txt"]
    assert sorted(os.listdir()) == ["out", "s"]


@pytest.mark.parametrize(
    ("sources", "out", "message"),
    [
        ("s", "s", "is the source itself"),
        ("s", "s/new", "inside the source"),
        ("s", "s/a/../new", "inside the source"),
        ("s", ".", "contains the source"),
        ("s", "link", "is the source itself"),
        ("s/t.jsonl", "s/t.jsonl", "is the source itself"),
        ("s/t.jsonl", "s", "contains the source"),
        ("s/*.jsonl", "s", "contains the source"),
        ("s", "none/out", "does not exist"),
        ("s", "file", "is a file, but a folder would be written"),
        ("s/t.jsonl", "folder", "is a folder, but a file would be written"),
        ("s", "", "empty"),
    ],
)
def test_places_that_cannot_be_are_reported_before_work(write, sources, out, message):
    write("s/a/b.jsonl", '{"text": "a"}\n')
    write("s/t.jsonl", '{"text": "a"}\n')
    write("file", "")
    write("folder/x", "")
    os.symlink("s", "link")
    source = open_rows(sources)
    with pytest.raises(UsageError, match=message):
        Target(source, out, overwrite=True)


def test_the_present_folder_is_never_replaced(write, monkeypatch):
    write("s/a.txt", "text")
    write("out/in/x", "")
    monkeypatch.chdir("out/in")
    with pytest.raises(UsageError, match="cannot be replaced"):
        Target(open_rows("../../s"), "..", overwrite=True)


def test_a_file_called_as_the_list_of_annotations_is_in_the_way(write):
    write("s/a.txt", "text")
    write("s/annotations.jsonl", '{"text": "a"}\n')
    with pytest.raises(UsageError, match=r"annotations.jsonl"):
        Target(open_rows("s"), "out", annotations=ANNOTATIONS)


def test_a_link_is_followed_and_stays(write, rows, table):
    write("real.jsonl", "old")
    os.symlink("real.jsonl", "out.jsonl")
    rows(table).keep("out.jsonl", [[False, True]], overwrite=True)
    assert os.path.islink("out.jsonl")
    assert Path("real.jsonl").read_text() == '{"text": "b"}\n'


def test_it_is_written_aside_where_one_says(write, rows, table, monkeypatch):
    write("aside/x", "")
    rows(table).keep("out.jsonl", [[True, False]], aside="aside")
    assert Path("out.jsonl").read_text() == '{"text": "a"}\n'
    assert os.listdir("aside") == ["x"]


SCRIPT = """
import resource, sys
import numpy as np
from likewise.documents.tables.source import open_rows
from likewise.documents.tables.target import Target
from likewise.documents.tables.write import write_rows
from likewise.errors import LikewiseError
source = open_rows(sys.argv[1])
class All:
    def count(self, file):
        return sum(len(batch) for batch in source.batches(file, file + 1))
    def kept(self, file, start, stop):
        return np.ones(stop - start, bool)
target = Target(source, sys.argv[2], overwrite=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write_rows(source, target, All())
except LikewiseError as error:
    print(error)
    print(error.hint)
"""


@pytest.mark.parametrize(
    "name",
    ["t.parquet", "t.jsonl", "t.jsonl.gz", "t.jsonl.zst", "t.csv", "d/t.txt", "t.parquet.gz"],
)
def test_a_full_disk_is_reported_and_what_was_there_stays(write, name):
    import random

    from .conftest import PACKERS

    words = random.Random(1)
    texts = [words.randbytes(200).hex() for _ in range(3000)]
    path = write(f"s/{name}", b"")
    if "parquet" in name:
        pq.write_table(pa.table({"text": texts}), path, row_group_size=500)
        data = path.read_bytes()
    elif "jsonl" in name:
        data = "".join(f'{{"text": "{text}"}}\n' for text in texts).encode()
    else:
        data = ("text\n" + "\n".join(texts)).encode()
    packed = path.suffix if path.suffix in PACKERS else ""
    path.write_bytes(PACKERS[packed](data))
    write("out/precious", "precious")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "s", "out"], capture_output=True, text=True, check=True
    )
    message, hint = done.stdout.splitlines()
    assert message.startswith("out: no space left")
    assert hint.startswith("free some")
    assert sorted(os.listdir()) == ["out", "s"]
    assert os.listdir("out") == ["precious"]


NAMES = (
    "t.jsonl", "t.json", "t.csv", "t.tsv", "t.parquet", "t.arrow", "t.arrows", "t.feather", "t.txt",
    "t.jsonl.gz",
)  # fmt: skip


def write_named(path):
    """A table in the format that the name says."""
    table = pa.table({"id": [1, 2], "text": ["one two three", "four five six"]})
    if path.suffix in (".arrow", ".feather", ".arrows"):
        opened = ipc.new_stream if path.suffix == ".arrows" else ipc.new_file
        with opened(path, table.schema) as writer:
            writer.write_table(table)
    elif path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".txt":
        path.write_text("one two three\nfour five six\n")
    elif path.suffix in (".csv", ".tsv"):
        mark = "," if path.suffix == ".csv" else "\t"
        path.write_text(f"id{mark}text\n1{mark}one two three\n")
    else:
        rows = table.to_pylist()
        text = json.dumps(rows) if path.suffix == ".json" else "\n".join(map(json.dumps, rows))
        path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


@pytest.mark.parametrize("source", NAMES)
def test_a_name_of_another_format_is_refused(tmp_path, source):
    """A file of Arrow may be called .feather as well, but no stream; and the other way about."""
    from likewise import deduplicate_files

    write_named(tmp_path / source)
    own = {source}
    if source in ("t.arrow", "t.feather"):
        own |= {"t.arrow", "t.feather"}
    if source == "t.arrows":
        own |= {"t.arrow"}
    for name in (*NAMES, "t.orc", "t.xlsx", "t.pdf", "t.jsonl.zst", "t.csv.bz2"):
        out = tmp_path / f"out-{name}"
        if name in own:
            deduplicate_files(tmp_path / source, out)
            assert out.exists()
        else:
            with pytest.raises(UsageError, match="the output is in the format of the source"):
                deduplicate_files(tmp_path / source, out)
            assert not out.exists()
    deduplicate_files(tmp_path / source, tmp_path / "anything")
