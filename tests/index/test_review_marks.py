"""Review marks in an index: stored, found again, limited, and gone with their documents."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from likewise.errors import LikewiseError, UsageError
from likewise.index import review_marks
from likewise.index.index import Index
from likewise.index.review_marks import MAX_NOTE, ReviewMark

TEXTS = {"a": "some words of one", "b": "other words", "c": "a third text", "Ж𝔘": "пример"}


@pytest.fixture
def index(path: str) -> Iterator[Index]:
    with Index.create(path) as made:
        made.add(list(TEXTS.values()), list(TEXTS))
        yield made


def test_marks_are_kept_with_their_documents(path: str, index: Index) -> None:
    assert (index.review_marks(), index.review_revision) == ([], 0)
    pair = ReviewMark.of(("b", "a"), "important", note="ask «both»\n", time="2026-05-04T09:30:00Z")
    passage = ReviewMark.of(
        ("Ж𝔘", "b"), "cleared", passage=(0, 5, 2, 7), digests=("of-last", "of-b"),
    )  # fmt: skip
    assert (pair.a, pair.b) == ("a", "b")
    assert (passage.a, passage.passage, passage.digest_a) == ("b", (2, 7, 0, 5), "of-b")
    index.set_review_marks([pair, passage])
    assert index.info()["review_marks"] == 2
    with Index(path) as again:
        assert again.review_marks() == [pair, passage]
        assert again.review_revision == 1


def test_the_last_mark_of_a_passage_wins(index: Index) -> None:
    index.set_review_marks([ReviewMark("a", "b", "important")])
    index.set_review_marks([ReviewMark("a", "b", "reviewed", passage=(0, 1, 0, 1))])
    index.set_review_marks([ReviewMark("a", "b", "cleared", note="quoted")])
    assert [(one.status, one.note, one.passage) for one in index.review_marks()] == [
        ("cleared", "quoted", None), ("reviewed", "", (0, 1, 0, 1)),
    ]  # fmt: skip
    key = ReviewMark("a", "b", "important").key
    assert index.remove_review_marks([key, "none"]) == 1
    assert index.remove_review_marks([key]) == 0
    assert len(index.review_marks()) == 1


def test_nothing_is_lost_if_many_mark_at_once(index: Index) -> None:
    def mark(number: int) -> None:
        index.set_review_marks([ReviewMark("a", "b", "reviewed", passage=(0, number + 1, 0, 1))])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(mark, range(24)))
    assert len(index.review_marks()) == 24
    assert index.review_revision == 24


def test_marks_go_with_a_document_and_stay_if_it_is_replaced(index: Index) -> None:
    """What has changed is recognized by its digest; see the pages."""
    index.set_review_marks([ReviewMark("a", "b", "cleared"), ReviewMark("b", "c", "important")])
    index.add(["another text"], ["a"])
    index.describe({"b": {"author": "Ada"}})
    assert len(index.review_marks()) == 2
    index.remove("a", "nothing")
    assert [(one.a, one.b) for one in index.review_marks()] == [("b", "c")]
    index.compact()
    assert len(index.review_marks()) == 1


def test_a_copy_has_them(index: Index, tmp_path: Path) -> None:
    if "://" in index.name:
        pytest.skip("PostgreSQL is copied with its own tools")
    index.set_review_marks([ReviewMark("a", "b", "cleared", note="quoted")])
    index.copy_to(tmp_path / "copy.db")
    with Index(tmp_path / "copy.db") as copy:
        assert copy.review_marks() == index.review_marks()


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"b": "a"}, "two documents"), ({"a": "x", "b": "b"}, "in order"),
        ({"a": "a\0"}, "cannot be stored"), ({"b": "b" * 2_001}, "cannot be stored"),
        ({"status": "guilty"}, "important, reviewed, cleared"),
        ({"note": "x" * (MAX_NOTE + 1)}, "more than 2,000"), ({"note": "\0"}, "cannot be stored"),
        ({"note": "\ud800"}, "cannot be stored"), ({"digest_a": "x" * 65}, "digest"),
        ({"digest_b": "ü"}, "digest"), ({"time": "yesterday"}, "time"),
        ({"passage": (0, 0, 0, 1)}, "passage"), ({"passage": (0, 1, 0, 2**32)}, "passage"),
        ({"passage": (0, 1)}, "passage"), ({"passage": (0, True, 0, 1)}, "passage"),
    ],
)  # fmt: skip
def test_what_is_no_mark(fields: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        ReviewMark(**{"a": "a", "b": "b", "status": "cleared", **fields})


def test_there_is_a_limit(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_marks, "MAX_MARKS", 2)
    index.set_review_marks([ReviewMark("a", "b", "cleared"), ReviewMark("b", "c", "cleared")])
    index.set_review_marks([ReviewMark("a", "b", "important")])
    with pytest.raises(UsageError, match="at most 2 review marks"):
        index.set_review_marks([ReviewMark("a", "c", "cleared")])
    assert len(index.review_marks()) == 2


@pytest.mark.parametrize(
    "value",
    ["", "[]", "{}", "[1, 2]", "[" * 99_999, '["a", "b", "guilty", "", "", null, null, null]',
     '[1, 2, "cleared", "", "", null, null, null]', '["a", "b", "cleared", 5, "", null, null, 3]',
     '["a", "b", "cleared", "", "", 7, null, null]',
     '["a", "b", "cleared", "", "", null, null, [0, 1, 2]]'],
)  # fmt: skip
def test_marks_of_a_file_of_unknown_origin_are_checked(tmp_path: Path, value: str) -> None:
    with Index.create(tmp_path / "some.db") as index:
        index.set_review_marks([ReviewMark("a", "b", "cleared")])
        with sqlite3.connect(tmp_path / "some.db") as database:
            database.execute("UPDATE facts SET value = ? WHERE name LIKE 'review:%'", (value,))
        database.close()
        with pytest.raises(LikewiseError, match="a review mark is not as it was written"):
            index.review_marks()


def test_a_mark_is_plain_json(index: Index) -> None:
    """Nothing but what it was given is stored."""
    index.set_review_marks([ReviewMark("a", "b", "cleared")])
    if "://" not in index.name:
        with sqlite3.connect(index.name) as database:
            ((value,),) = database.execute("SELECT value FROM facts WHERE name LIKE 'review:%'")
        database.close()
        assert json.loads(value) == ["a", "b", "cleared", "", "", None, None, None]
