"""An index in a folder, or a file, that cannot be written to is queried all the same."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from likewise.index.index import Index

Use = Callable[[Path], "subprocess.CompletedProcess[str]"]
TEXT = "some words of a text that is long enough to be found again in an index"

USE = """
import sys
import tempfile
from likewise.errors import LikewiseError
from likewise.index.index import Index

with Index(sys.argv[1]) as index:
    assert index.info()["documents"] == 2
    assert [match.id for match in index.query([sys.argv[2]])[0]] == ["a"]
    assert [pair.b for pair in index.passages([sys.argv[2]])] == ["a"]
    assert index.text("a") == sys.argv[2]
    assert index.ids() == ["a", "b"]
    assert index.verify() == []
    with tempfile.TemporaryDirectory() as folder:
        index.copy_to(f"{folder}/copy.db")
        with Index(f"{folder}/copy.db") as copy:
            assert copy.add(["x"], ["x"]).added == 1
    for change in (lambda: index.add(["x"], ["x"]), lambda: index.remove(["a"]), index.compact):
        try:
            change()
        except LikewiseError as error:
            print(error)
"""

WAIT = """
import sys
from likewise.errors import LikewiseError
from likewise.index.index import Index

with Index(sys.argv[1]) as index:
    try:
        with index._store.read() as snapshot:
            print("ready", flush=True)
            sys.stdin.readline()
            snapshot.count()
    except LikewiseError as error:
        print(error)
    print(index.ids())
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an index, which everybody may read."""
    folder = tmp_path / "shared"
    folder.mkdir()
    with Index.create(folder / "index.db") as index:
        index.add([TEXT, "something else"], ["a", "b"])
    return folder


def read_only_mount(folder: Path) -> list[str]:
    """What starts a command for which the folder is read-only, even if it runs as root."""
    if shutil.which("unshare") is None or os.geteuid() != 0:
        pytest.skip("only root can mount a folder read-only")
    mount = f"mount --bind '{folder}' '{folder}' && mount -o remount,bind,ro '{folder}'"
    if subprocess.run(["unshare", "-m", "sh", "-c", mount], check=False, timeout=60).returncode:
        pytest.skip("mount namespaces are not permitted here")
    return ["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh"]


def use_mounted(folder: Path) -> subprocess.CompletedProcess[str]:
    return run(read_only_mount(folder), folder)


def use_read_only_file(folder: Path) -> subprocess.CompletedProcess[str]:
    return use_without_permission(folder, 0o755)


def use_without_permission(folder: Path, mode: int = 0o555) -> subprocess.CompletedProcess[str]:
    (folder / "index.db").chmod(0o444)
    folder.chmod(mode)
    if os.geteuid() != 0:
        return run([], folder)
    if shutil.which("setpriv") is None:
        pytest.skip("permissions do not stop root, and there is no setpriv")
    return run(["setpriv", "--bounding-set=-dac_override,-dac_read_search"], folder)


def run(prefix: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [*prefix, sys.executable, "-c", USE, str(folder / "index.db"), TEXT]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("use", [use_mounted, use_without_permission, use_read_only_file])
def test_an_index_that_cannot_be_written_to_is_queried(
    folder: Path, use: Use, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: folder.chmod(0o755))
    result = use(folder)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("no permission to write") == 3, result.stdout
    assert [path.name for path in folder.iterdir()] == ["index.db"]


@pytest.mark.parametrize("use", [use_mounted, use_without_permission])
def test_changes_that_are_only_in_the_log_are_not_missed(
    folder: Path, use: Use, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: folder.chmod(0o755))
    connection = sqlite3.connect(folder / "index.db", isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("UPDATE facts SET value = '7' WHERE name = 'documents'")
    log = (folder / "index.db-wal").read_bytes()
    connection.close()
    (folder / "index.db-wal").write_bytes(log)
    result = use(folder)
    assert result.returncode != 0
    assert "its last changes are still in" in result.stderr
    folder.chmod(0o755)
    with Index(folder / "index.db") as index:
        assert len(index) == 7


def test_changes_while_it_is_read_are_noticed(folder: Path) -> None:
    """The folder is mounted read-only, and others write to it elsewhere."""
    command = [*read_only_mount(folder), sys.executable, "-c", WAIT, str(folder / "index.db")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        with Index(folder / "index.db") as index:
            index.add(["added meanwhile"], ["c"])
        said, _ = process.communicate("go on\n", timeout=120)
    assert "changed while it was read" in said
    assert said.endswith("['a', 'b', 'c']\n")
