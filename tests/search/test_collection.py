"""Collections: batches, scratch files and their order change nothing."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from likewise.documents import Reader
from likewise.run import Stats
from likewise.search.find import new_collection, search
from likewise.search.pairs import Pair
from likewise.search.settings import Settings
from likewise.search.verification import BYTES_AT_ONCE, _pieces
from likewise.text.profile import Profile

WORDS = ["cat", "sat", "mat", "looked", "moon", "while", "dogs", "barked", "far", "away", "home"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """400 documents of several scripts: originals, edited copies, exact copies and empty ones."""
    path = tmp_path_factory.mktemp("pages") / "pages.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for i in range(400):
            words = [WORDS[(i // 5 * 7 + j * j) % len(WORDS)] + str(i // 5 % 9) for j in range(60)]
            words[i % 5 * 3] = f"own{i}" if i % 5 else words[0]
            text = "" if i % 97 == 0 else " ".join([*words, "été 中文"])
            stream.write(json.dumps({"id": f"page {i}", "text": text}) + "\n")
    return path


def found(path: Path, *, batch_bytes: int, memory: int, **settings: object) -> list[Pair]:
    checked = Settings(threshold=0.6, **settings)  # type: ignore[arg-type]
    collection = new_collection(checked, memory=memory)
    for batch in Reader(path, batch_bytes=batch_bytes):
        collection.add_batch(batch.ids, batch.texts)
    return list(search(collection, checked, Stats()))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"exact": True},
        {"measure": "containment"},
        {"top": 50},
        {"profile": Profile.of("char:4,count=bag")},
    ],
    ids=str,
)
def test_three_batch_sizes_with_and_without_scratch_give_the_same(
    pages: Path, settings: dict[str, object]
) -> None:
    expected = found(pages, batch_bytes=1 << 24, memory=1 << 30, **settings)
    assert len(expected) >= 50
    for batch_bytes in (1, 5_000, 1 << 24):
        for memory in (0, 10_000, 1 << 30):
            for threads in (1, 2, 4):
                other = found(
                    pages, batch_bytes=batch_bytes, memory=memory, threads=threads, **settings
                )
                assert other == expected


def test_what_is_read_back_at_once_is_bounded_by_bytes() -> None:
    """Ten long documents, each with a short candidate: one long text a call, not ten."""
    offsets = np.minimum(np.arange(21), 10).astype(np.uint64)
    others = np.arange(10, 20, dtype=np.uint32)
    sizes = np.repeat([BYTES_AT_ONCE, 100], 10)
    pieces = list(_pieces(offsets, others, sizes))
    assert all(np.sum(sizes[begin : min(end, 10)]) <= BYTES_AT_ONCE for begin, end in pieces)
    assert (pieces[0][0], pieces[-1][1]) == (0, 20)
    assert all(end == begin for (_, end), (begin, _) in pairwise(pieces))
    assert list(_pieces(offsets, others, None)) == [(0, 20)]


def test_a_scratch_file_leaves_nothing_behind(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert found(pages, batch_bytes=5_000, memory=0)
    assert list(tmp_path.iterdir()) == []
