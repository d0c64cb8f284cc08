"""Files that could not be read: noted with an index until they are."""

from __future__ import annotations

import pytest

from likewise.index.damage import DamageError
from likewise.index.index import Index
from likewise.index.unread import MAX_FILES


def test_files_are_noted_until_they_are_read(path: str) -> None:
    with Index.create(path) as index:
        assert (index.unread().files, index.unread().unlisted) == ({}, 0)
        index.note_unread({"a.pdf": "damaged", "b.zip": "no zip", "c\x00.txt": "a\ud800b"})
        index.note_unread({"a.pdf": "encrypted"})
        index.add(["some words"], ["other.txt"])
    with Index(path) as index:
        assert index.unread().files == {"b.zip": "no zip", "c\x00.txt": "a?b", "a.pdf": "encrypted"}
        index.add(["words of a", "words of b"], ["a.pdf", "b.zip/inner/b.txt"])
        assert list(index.unread().files) == ["c\x00.txt"]
        index.note_unread({"a.pdf": "damaged again"})
        index.add(["words of a"], ["a.pdf"])  # the same as before
        assert list(index.unread().files) == ["c\x00.txt"]
        assert index.verify() == []


def test_files_are_dismissed(path: str) -> None:
    with Index.create(path) as index:
        index.note_unread({"a.zip": "r", "a.zip/b": "r", "c": "r"})
        index.forget_unread(["a.zip/b", "nothing"])
        assert list(index.unread().files) == ["a.zip", "c"]
        state = index.state()
        index.forget_unread()
        assert index.unread().files == {}
        assert index.state() == state


def test_of_very_many_files_the_latest_are_listed_and_all_counted(path: str) -> None:
    with Index.create(path) as index:
        index.note_unread({f"{n}.txt": "r" * 5000 for n in range(MAX_FILES + 5)})
        index.note_unread({"last.txt": "r"})
        known = index.unread()
        assert len(known.files) == MAX_FILES
        assert known.unlisted == 6
        assert list(known.files)[-1] == "last.txt"
        assert len(known.files["1000.txt"]) == 1000
        index.forget_unread()
        assert index.unread().unlisted == 0


@pytest.mark.parametrize("stored", ["x", "[]", "[0]", "[-1, []]", "[0, [1]]", '[0, [["a"]]]', "{}"])
def test_a_damaged_list_is_reported(path: str, stored: str) -> None:
    with Index.create(path) as index:
        with index._store.write() as transaction:
            transaction.set_fact("unread", stored)
        with pytest.raises(DamageError, match="could not be read"):
            index.unread()
        assert "could not be read" in index.verify()[0]
