"""Two files by file: the same numbers as in memory, whatever the memory and the blocks."""

from __future__ import annotations

import gzip
import os
from io import FileIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.comparison import files, partitions
from likewise.comparison.comparison import Comparison, compare
from likewise.comparison.files import compare_files
from likewise.comparison.partitions import Partitions, tally
from likewise.documents import stream
from likewise.documents.notice import Note
from likewise.errors import DocumentError, LikewiseError, SourceError, UsageError
from likewise.text.profile import Profile
from tests.strategies import profiles, texts


def small_blocks(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Blocks and chunks so small that every text has many."""
    monkeypatch.setattr(stream, "BLOCK", size)
    monkeypatch.setattr(files, "_SHARE_OF_A_BLOCK", files.MIN_MEMORY_BYTES // size)


def assert_same(by_files: Comparison, in_memory: Comparison) -> None:
    for name in ("profile", "identical", "same_prepared", "words", "shingles", "shingle_bag"):
        assert getattr(by_files, name) == getattr(in_memory, name), name
    assert by_files.similarity == in_memory.similarity
    assert by_files.count_cosine == pytest.approx(in_memory.count_cosine, abs=1e-12)
    assert by_files.tf_idf_cosine == pytest.approx(in_memory.tf_idf_cosine, abs=1e-12)
    for edits in ("word_edits", "character_edits"):
        one, two = getattr(by_files, edits), getattr(in_memory, edits)
        if edits == "word_edits" or in_memory.profile.unit == "char":
            assert (one.length_a, one.length_b) == (two.length_a, two.length_b)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(a=texts, b=texts, profile=profiles, block=st.integers(4, 64))
def test_by_file_equals_in_memory(
    a: str, b: str, profile: Profile, block: int, tmp_path: Path
) -> None:
    # A mark at the start of a file is no text, and NUL no text file.
    a, b = (
        t.encode("utf-8", "replace").decode().replace("\0", "").lstrip("\ufeff") for t in (a, b)
    )
    paths = tmp_path / "a.txt", tmp_path / "b.txt"
    for path, text in zip(paths, (a, b), strict=True):
        path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        small_blocks(patch, block)
        found = compare_files(
            *paths, profile=profile, memory=files.MIN_MEMORY_BYTES, encoding="utf-8"
        )
    assert_same(found, compare(a, b, profile=profile, trials=0))


@pytest.mark.parametrize("profile", ["word:3", "char:9", "gospels", "papers"])
def test_longer_texts_and_splits_of_splits(
    profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(1)
    words = [f"word{i}" for i in range(3000)]
    a = " ".join(random.choice(words, 20_000))
    b = a[:60_000] + " " + " ".join(random.choice(words, 15_000)) + " repeated" * 5000
    for name, text in (("a.txt", a), ("b.txt", b)):
        (tmp_path / name).write_text(text)
    small_blocks(monkeypatch, 10_000)
    # So little memory that parts have to be split again.
    monkeypatch.setattr(partitions, "BYTES_A_RECORD", files.MIN_MEMORY_BYTES // 1024)
    found = compare_files(
        tmp_path / "a.txt", tmp_path / "b.txt", profile=profile, memory=files.MIN_MEMORY_BYTES
    )
    assert_same(found, compare(a, b, profile=profile, trials=0))


def test_what_is_not_computed_says_why(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text("one two three four")
    found = compare_files(tmp_path / "a", tmp_path / "b")
    assert found.identical
    assert found.estimate is None
    assert found.chance is None
    assert {"estimate", "chance", "word_edits", "character_edits"} <= found.not_computed.keys()


def test_one_endless_word_is_compared_by_characters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likewise.text.pieces.MAX_WORD_CHARACTERS", 5000)
    small_blocks(monkeypatch, 1000)
    dna = "".join(np.random.default_rng(3).choice(list("ACGT"), 20_000))
    for name in "ab":
        (tmp_path / name).write_text(dna)
    found = compare_files(
        tmp_path / "a", tmp_path / "b", profile="char:9", memory=files.MIN_MEMORY_BYTES
    )
    assert found.similarity == 1
    assert found.words is None
    assert "a word has more than" in found.not_computed["words"]


def test_compressed_files_and_encodings(tmp_path: Path) -> None:
    text = "déjà vu, là où les élèves étudient l'été à l'école " * 50
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "b.txt").write_bytes(text.encode("utf-16"))
    assert compare_files(tmp_path / "a.txt.gz", tmp_path / "b.txt").identical
    (tmp_path / "damaged").write_bytes(text.encode() + b"\xff")
    notes: list[Note] = []
    compare_files(tmp_path / "damaged", tmp_path / "b.txt", notes=notes)
    assert "not valid utf-8" in str(notes[0])


def test_words_of_other_scripts_are_cut_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_blocks(monkeypatch, 500)
    text = "все счастливые семьи похожи друг на друга " * 200
    for name in "ab":
        (tmp_path / name).write_text(text)
    monkeypatch.setattr("likewise.text.pieces.MAX_WORD_CHARACTERS", 1000)
    found = compare_files(tmp_path / "a", tmp_path / "b", memory=files.MIN_MEMORY_BYTES)
    assert_same(found, compare(text, text, trials=0))


def test_what_can_be_read_once_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one two three")
    os.mkfifo(tmp_path / "pipe")
    for other in ("-", tmp_path / "pipe"):
        with pytest.raises(UsageError, match="read twice"):
            compare_files(tmp_path / "a", other)


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text("one two three four")

    def change(stage: str, done: int, total: int | None) -> None:
        if stage.startswith("words"):
            (tmp_path / "b").write_text("five six seven")

    with pytest.raises(LikewiseError, match="changed while it was read"):
        compare_files(tmp_path / "a", tmp_path / "b", progress=change)


def test_bad_files_and_arguments_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one two three")
    (tmp_path / "binary").write_bytes(b"\0\1\2")
    with pytest.raises(SourceError, match="no such file"):
        compare_files(tmp_path / "a", tmp_path / "nowhere")
    with pytest.raises(DocumentError, match="binary"):
        compare_files(tmp_path / "a", tmp_path / "binary")
    with pytest.raises(UsageError, match="memory"):
        compare_files(tmp_path / "a", tmp_path / "a", memory=1000)
    with pytest.raises(UsageError, match="encoding"):
        compare_files(tmp_path / "a", tmp_path / "a", encoding="nonsense")


def test_a_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    monkeypatch.setattr(partitions.tempfile, "TemporaryFile", lambda **_: FileIO("/dev/full", "r+"))
    (tmp_path / "a").write_text("one two three")
    with pytest.raises(LikewiseError, match=r"scratch files .* cannot be written"):
        compare_files(tmp_path / "a", tmp_path / "a")


@given(
    a=st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 20), max_size=60),
    b=st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 20), max_size=60),
    block=st.integers(1, 20),
)
def test_a_tally_counts(a: list[int], b: list[int], block: int) -> None:
    from collections import Counter

    bags = []
    for values in (a, b):
        bag = Partitions()
        for i in range(0, len(values), block):
            bag.add(np.array(values[i : i + block], dtype=np.uint64))
        bags.append(bag)
    found = tally(*bags, 1)
    one, two = Counter(a), Counter(b)
    assert (found.distinct_a, found.distinct_b) == (len(one), len(two))
    assert found.distinct_shared == len(one.keys() & two.keys())
    assert (found.total_a, found.total_b) == (len(a), len(b))
    assert found.total_shared == (one & two).total()
    assert found.squares_a == sum(n * n for n in one.values())
    assert found.shared_squares_b == sum(n * n for value, n in two.items() if value in one)
    assert found.products == sum(n * two[value] for value, n in one.items())
