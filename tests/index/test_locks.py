"""Looking at the header of an index must not release the locks of those who have it open."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from likewise.index.index import Index
from likewise.index.stores.sqlite import is_index

REMOVE = """
import sys
from likewise.index.index import Index
with Index(sys.argv[1]) as index:
    index.remove(sys.argv[2])
"""


def test_another_process_leaves_the_log_of_an_open_index(tmp_path: Path) -> None:
    """The server lists its folder while a command changes one of the indexes in it."""
    path = tmp_path / "some.db"
    with Index.create(path) as index:
        index.add(["one text", "another text", "a last one"], ["a", "b", "d"])
        for gone, left in (("b", ["a", "d"]), ("d", ["a"])):  # the first removed the log
            assert is_index(str(path))
            subprocess.run([sys.executable, "-c", REMOVE, str(path), gone], check=True)
            assert index.ids() == left
        index.add(["a third text"], ["c"])
    with Index(path) as index:
        assert index.ids() == ["a", "c"]


def test_what_is_no_index(tmp_path: Path) -> None:
    for name, content in (("empty.db", b""), ("text.db", b"SQLite format 3\0" * 10)):
        (tmp_path / name).write_bytes(content)
        assert not is_index(str(tmp_path / name))
    assert not is_index(str(tmp_path))
    assert not is_index(str(tmp_path / "none.db"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.db", "text.db"]
