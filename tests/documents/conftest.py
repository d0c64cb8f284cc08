"""What the tests of reading share: a folder to write in, and a way to read all of a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from likewise.documents import Reader

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Collected:
    """All the documents of a collection, and the reader that gave them."""

    def __init__(self, sources: Any, **options: Any) -> None:
        self.reader = Reader(sources, **options)
        self.batches = list(self.reader)
        self.ids = [id_ for batch in self.batches for id_ in batch.ids]
        self.texts = [text for batch in self.batches for text in batch.texts.to_pylist()]
        self.by_id = dict(zip(self.ids, self.texts, strict=True))
        self.skipped = [str(skipped) for skipped in self.reader.skipped]
        self.notes = [str(note) for note in self.reader.notes]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str | bytes], Path]:
    """Write files below a temporary folder, which is also the current one."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture(autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test finds what another one, or the user, has read before."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("LIKEWISE_CACHE", str(folder))
    return folder


@pytest.fixture
def collect() -> type[Collected]:
    return Collected
