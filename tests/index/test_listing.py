"""Documents one after the other: by part of their id, the newest first; and held by signatures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.errors import UsageError
from likewise.index import listing
from likewise.index.index import Index

IDS = ("Essay 1.txt", "essay_2.txt", "100%.pdf", "1000.pdf", "a_b", "axb", "STRASSE", "Straße",
       "ÉTÉ", "été 2", "back\\slash", "quo'te", "日本語")  # fmt: skip


@pytest.fixture
def index(path: str) -> Iterator[Index]:
    with Index.create(path) as made:
        made.add([f"text number {i} of some words" for i in range(len(IDS))], IDS)
        yield made


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("essay", ["Essay 1.txt", "essay_2.txt"]),
        ("ESSAY_", ["essay_2.txt"]),
        ("%", ["100%.pdf"]),
        ("a_b", ["a_b"]),
        ("strasse", ["STRASSE", "Straße"]),
        ("été", ["ÉTÉ", "été 2"]),
        ("\\", ["back\\slash"]),
        ("'", ["quo'te"]),
        ("本", ["日本語"]),
        ("*", []),
        ("", list(IDS)),
    ],
)
def test_part_of_an_id_is_meant_as_it_is(index: Index, part: str, found: list[str]) -> None:
    assert [document.id for document in index.documents(contains=part)] == found


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(part=st.text("%_aeTt1.\\é", max_size=3), after=st.integers(0, 20), at_once=st.integers(1, 5))
def test_pages_of_what_is_found_are_all_of_it(
    index: Index, part: str, after: int, at_once: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listing, "_BATCH_IDS", at_once)
        patch.setattr(listing, "_BATCH_DOCUMENTS", at_once)
        found = [d.number for d in index.documents(text=False, after=after, contains=part)]
        every = [d for d in index.documents(text=False) if part.casefold() in d.id.casefold()]
        assert found == [d.number for d in every if d.number > after]
        first = list(islice(index.documents(contains=part), 2))
        rest = index.documents(contains=part, after=first[-1].number if first else 0)
        assert [d.id for d in (*first, *(rest if first else ()))] == [d.id for d in every]


def test_the_newest_come_first(index: Index) -> None:
    index.add(["another text instead"], ["axb"])
    index.remove(["日本語"])
    wanted = ["axb", "quo'te", "back\\slash"]
    assert [document.id for document in index.newest(3)] == wanted
    assert next(index.newest(1)).text == "another text instead"
    assert len(list(index.newest(10_000, text=False))) == len(IDS) - 1
    with pytest.raises(UsageError, match="most is 0"):
        index.newest(0)


def test_documents_are_compared_with_each_other_without_their_texts(path: str) -> None:
    texts = [" ".join(f"w{i}" for i in range(begin, begin + 60)) for begin in (0, 5, 500)]
    with Index.create(path, keep_text=False) as index:
        index.add([*texts, ""], ["a", "b", "c", "empty"])
        (match,) = index.similar("a")
        assert match == index.estimate("a", "b")
        assert match == next(m for m in index.query([texts[0]])[0] if m.id == "b")
        assert match.estimate is not None
        assert match.estimate.low < 53 / 63 < match.estimate.high
        assert index.similar("c") == index.similar("empty") == []
        assert index.estimate("a", "c").estimate.low == 0
        assert index.estimate("a", "a").jaccard == 1
        for none in ("none", "with\0", "\ud800"):
            with pytest.raises(UsageError, match="no document"):
                index.similar(none)
            with pytest.raises(UsageError, match="no document"):
                index.estimate("a", none)
