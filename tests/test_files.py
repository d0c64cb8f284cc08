"""Where data goes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from likewise.files import open_output


def test_nothing_is_lost_where_the_system_takes_a_part_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As with PYTHONUNBUFFERED and a pipe that is slow or interrupted."""
    taken = bytearray()

    class Slow(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            taken.extend(data[:100])
            return min(100, len(data))

    class Stdout:
        buffer = Slow()

    monkeypatch.setattr("sys.stdout", Stdout())
    with open_output(None) as stream:
        stream.write(b"x" * 100_000)
        stream.write(b"end")
    assert taken == b"x" * 100_000 + b"end"
    assert not Stdout.buffer.closed


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with open_output(str(tmp_path / "out.csv")) as stream:
            stream.write(b"half of it")
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        fail()
    assert list(tmp_path.iterdir()) == []
