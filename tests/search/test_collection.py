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
from likewise.search.verification import _pieces
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
    sizes = np.full(10, 4000 + 100)
    pieces = list(_pieces(10, sizes, 4 * 4000, 8))
    assert all(end - begin == 1 for begin, end, _ in pieces)
    assert (pieces[0][0], pieces[-1][1]) == (0, 10)
    assert all(end == begin for (_, end, _), (begin, _, _) in pairwise(pieces))
    assert list(_pieces(10, None, 4 * 4000, 8)) == [(0, 10, 8)]


def test_threads_are_as_many_as_the_shingles_of_their_texts_allow() -> None:
    assert list(_pieces(2, np.array([100, 50]), 4000, 8)) == [(0, 2, 2)]
    assert list(_pieces(1, np.array([10_000]), 4000, 8)) == [(0, 1, 1)]


def test_a_scratch_file_leaves_nothing_behind(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert found(pages, batch_bytes=5_000, memory=0)
    assert list(tmp_path.iterdir()) == []
