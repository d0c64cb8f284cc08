"""What Python adds to an index: opened or created, like a dict, without near-duplicates."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from likewise import Index, SourceError, UsageError

TEXTS = [" ".join(f"w{j}" for j in range(begin, begin + 50)) for begin in (0, 100, 200, 300)]


def near(text: str) -> str:
    return f"{text} more"


def test_open_creates_what_is_not_there(path: str) -> None:
    with pytest.raises(SourceError, match="no such index"):
        Index.open(path)
    with Index.open(path, create=True, threshold=0.7) as index:
        index.add(TEXTS[:1], ["a"])
    with Index.open(path, create=True, threshold=0.7, profile="word:3") as index:
        assert list(index) == ["a"]
    with Index.open(path) as index:
        assert index.settings.threshold == 0.7
    with pytest.raises(UsageError, match=r"created with threshold 0\.7, not 0\.5"):
        Index.open(path, create=True, threshold=0.5)


def test_many_may_open_and_create_at_once(path: str) -> None:
    """One of them creates it, and nobody fails or replaces what another has added."""
    failures: list[BaseException] = []
    begin = threading.Barrier(6)

    def work(number: int) -> None:
        try:
            begin.wait()
            with Index.open(path, create=True) as index:
                index.add([TEXTS[0]], [number])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with Index.open(path) as index:
        assert sorted(index) == list("012345")


def test_an_index_is_like_a_dict(path: str) -> None:
    with Index.create(path) as index:
        index.add(TEXTS[:3], [7, "b", 2.5], metadata=[{"n": 1}, None, None])
        assert list(index) == index.ids() == ["7", "b", "2.5"]
        assert len(index) == 3
        assert 7 in index
        assert "7" in index
        assert "c" not in index
        assert index[7].text == index["7"].text == TEXTS[0]
        assert index["7"].metadata == {"n": 1}
        with pytest.raises(KeyError, match="c"):
            index["c"]


def test_ids_are_removed_one_by_one_or_together(path: str) -> None:
    """Before, `remove("12")` removed "1" and "2"."""
    with Index.create(path) as index:
        index.add([TEXTS[0]] * 6, ["1", "2", "12", "x", "y", "z"])
        assert index.remove("12") == ["12"]
        assert index.remove(1, "none") == ["1"]
        assert index.remove(["x", "y"]) == ["x", "y"]
        assert index.remove(pd.Series(["2"]), "z", "z") == ["2", "z"]
        assert list(index) == []
        assert index.remove() == []


@pytest.mark.parametrize(
    "bad",
    [
        None,
        ["x", None],
        pd.Series(["x", None]),
        pa.array(["x", None]),
        pd.DataFrame({"x": ["y"]}),
        pl.DataFrame({"x": ["y"]}),
        {"x": "y"},
        np.array("x"),
    ],
    ids=lambda bad: type(bad).__name__,
)
def test_frames_and_nulls_remove_nothing(path: str, bad: Any) -> None:
    """Before, the names of the columns of a frame and the strings of nulls were removed."""
    with Index.create(path) as index:
        index.add([TEXTS[0]] * 4, ["x", "None", "nan", "y"])
        for function in (index.remove, index.numbers, index.metadata):
            with pytest.raises(UsageError, match="id"):
                function(bad)
        assert len(index) == 4
        assert None in index  # a single id is looked up as a string
        assert list(index.numbers("x")) == ["x"]
        assert index.describe({"x": {"n": 1}}) == 1
        assert index.metadata("x") == {"x": {"n": 1}}


def test_ids_of_other_types_are_described(path: str) -> None:
    with Index.create(path) as index:
        index.add(TEXTS[:1], [7])
        assert index.describe({7: {"n": 1}}) == 1
        assert index.metadata([7]) == {"7": {"n": 1}}


def test_every_column_has_a_value_for_each_new_document(path: str) -> None:
    with Index.create(path) as index:
        for some in ([{"n": 1}], [{"n": 1}] * 3):
            with pytest.raises(UsageError, match="metadata for 2 texts"):
                index.add_new(TEXTS[:2], ["a", "b"], metadata=some)
        with pytest.raises(UsageError, match="page_starts for 2 texts"):
            index.add_new(TEXTS[:2], ["a", "b"], page_starts=[(0,)])
        assert len(index) == 0


def test_opening_with_the_same_settings_twice(path: str) -> None:
    for _ in range(2):
        Index.open(path, create=True, keep_text=False, min_words=12, profile="word:4").close()
    with pytest.raises(UsageError, match="no setting 'treshold'"):
        Index.open(path, create=True, treshold=0.5)  # type: ignore[call-arg]


@pytest.mark.parametrize("bad", ["k", b"k", pd.DataFrame({"id": ["x"]}), 7, {"x": 1}])
def test_one_id_or_a_frame_is_not_a_column_of_ids(path: str, bad: Any) -> None:
    with Index.create(path) as index:
        with pytest.raises(UsageError, match="ids"):
            index.add([TEXTS[0]], bad)
        assert len(index) == 0


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_a_frame_is_not_a_column_of_texts(path: str, frame: Any) -> None:
    """Before, the names of the columns of a pandas frame were stored."""
    table = frame({"id": ["x", "y"], "text": TEXTS[:2]})
    with Index.create(path) as index:
        for function in (
            lambda: index.add(table, ["x", "y"]),
            lambda: index.add_new(table, ["x", "y"]),
            lambda: index.query(table),
            lambda: index.passages(table),
        ):
            with pytest.raises(UsageError, match="texts is a table, not a column"):
                function()
        assert len(index) == 0
        assert index.add(table["text"], table["id"]).added == 2


def test_null_ids_are_refused_and_null_texts_are_empty(path: str) -> None:
    with Index.create(path) as index:
        for ids in ([None, "b"], pd.Series([1, None]), pl.Series(["a", None])):
            with pytest.raises(UsageError, match="is null"):
                index.add(TEXTS[:2], ids)
        assert len(index) == 0
        index.add([None, TEXTS[0]], ["none", "some"])
        assert index["none"].text == ""
        assert [match.id for match in index.query([TEXTS[0], None])[0]] == ["some"]
        with pytest.raises(UsageError, match="duplicate id '1' as a string"):
            index.add(TEXTS[:2], [1, "1"])


def test_only_new_documents_are_added(path: str) -> None:
    with Index.create(path, threshold=0.5) as index:
        index.add(TEXTS[:1], ["stored"])
        batch = [near(TEXTS[0]), TEXTS[1], near(TEXTS[1]), TEXTS[2], "", None, TEXTS[3]]
        ids = ["a", "b", "c", "d", "e", "f", "stored"]
        added = index.add_new(batch, ids, metadata=[{"id": id_} for id_ in ids])
        assert added.tolist() == [False, True, False, True, True, True, False]
        assert list(index) == ["stored", "b", "d", "e", "f"]
        assert index["d"].metadata == {"id": "d"}
        assert index["stored"].text == TEXTS[0]
        again = index.add_new(batch, [f"{id_}2" for id_ in ids], threshold=1.0)
        assert again.tolist() == [True, False, True, False, True, True, True]
        assert index.verify() == []
        with pytest.raises(UsageError, match="documents would be missed"):
            index.add_new(TEXTS, list("wxyz"), threshold=0.2)


def test_of_many_copies_at_most_one_is_added(path: str) -> None:
    """Before, all copies of a text that is similar to an added one were added, if there were more
    than 100 of them."""
    with Index.create(path, threshold=0.5) as index:
        batch = [TEXTS[0], *[near(TEXTS[0])] * 150]
        assert np.flatnonzero(index.add_new(batch, range(151))).tolist() == [0]
        # The first copy has the id of another document, which it does not replace.
        batch = [TEXTS[1]] * 150
        assert np.flatnonzero(index.add_new(batch, [0, *range(200, 349)])).tolist() == [1]
        assert index["0"].text == TEXTS[0]
        assert index.verify() == []


def test_of_two_that_add_the_same_at_once_one_does(path: str) -> None:
    Index.create(path).close()
    added: list[int] = []
    begin = threading.Barrier(4)

    def work(number: int) -> None:
        with Index(path) as index:
            begin.wait()
            mask = index.add_new(list(map(near, TEXTS)), [f"{number} {i}" for i in range(4)])
            added.append(int(mask.sum()))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(added) == [0, 0, 0, 4]
    with Index(path) as index:
        assert len(index) == 4


@pytest.mark.parametrize("keep_text", [True, False])
def test_queries_may_be_for_some_metadata(path: str, keep_text: bool) -> None:
    metadata = [{"year": 2024, "group": "a"}, {"year": 2025, "group": "a"}, {"year": 2025}, None]
    with Index.create(path, keep_text=keep_text) as index:
        index.add([TEXTS[0]] * 4, [0, 1, 2, 3], metadata=metadata)

        def found(where: Any, **options: Any) -> list[str]:
            return [match.id for match in index.query([TEXTS[0]], where=where, **options)[0]]

        assert found(None) == found({}) == ["0", "1", "2", "3"]
        assert found({"year": 2025}) == ["1", "2"]
        assert found({"year": [2024, 2025], "group": "a"}) == ["0", "1"]
        assert found({"group": None}) == ["2", "3"]
        assert found({"year": "2025"}) == []
        assert found(lambda known: known.get("year", 0) > 2024) == ["1", "2"]
        assert found({"year": 2025}, top=1) == ["1"]
        assert found({"year": 2025}, scan=True) == ["1", "2"]
        for bad in (5, ["year"], {1: 2}):
            with pytest.raises(UsageError, match="where must be a mapping"):
                found(bad)
