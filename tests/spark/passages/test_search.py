"""Passages and families on Spark are those of one machine."""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from typing import Any

import pytest

from likewise.passages.settings import Exclusions
from tests.passages.families.planted import Collection
from tests.spark.corpora import frame, local_families, rows_of, shuffled_ids


@pytest.fixture
def candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Candidates are searched for, as in large collections."""
    monkeypatch.setattr("likewise.passages.aligned_pairs._MAX_WORDS_ALL_PAIRS", 0)


def planted(seed: int, documents: int = 44) -> list[str]:
    """Texts with families that overlap, are nested, repeated and edited, and a template."""
    made = Collection(seed)
    ids = [f"d{i}" for i in range(documents)]
    made.write_random(*ids, count=70)
    template = made.words(30)
    for _ in range(12):
        made.plant(*made.random.sample(ids, made.random.randrange(2, 6)), count=60)
        made.plant(*made.random.sample(ids, 3), count=80, edited=0.25)
        whole = made.words(150)
        for id_ in made.random.sample(ids, 5):
            begin = made.random.randrange(0, 80)
            made.write(id_, whole[begin : begin + made.random.randrange(30, 80)])
            made.write_random(id_, count=made.random.choice([8, 30, 45, 90]))
    for id_ in ids[::2]:
        made.write(id_, template)
        made.write_random(id_)
    return made.texts


def check(
    search: Any, expected: tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[str]]
) -> None:
    passages, families, notes = expected
    assert rows_of(search.passages().toArrow()) == passages
    assert rows_of(search.families().toArrow()) == families
    assert search.stats.notes == notes
    search.release()


@pytest.mark.usefixtures("candidates")
def test_planted_families(spark: Any) -> None:
    """In several blocks of rare words, with rounds of stars, and with a template that is skipped in
    the search for candidates."""
    from likewise.spark import PassageSearch

    texts = planted(1)
    ids = shuffled_ids(len(texts), 2)
    expected = local_families(ids, texts, max_documents=20)
    assert len(expected[0]) > 100
    assert len(expected[1]) > 100
    assert [note.split(",")[0] for note in expected[2][1:]] == ["1 family omitted"]
    search = PassageSearch(
        frame(spark, ids, texts), max_documents=20, block_words=30000, in_one_task=0
    )
    assert search.stats.counts["by_runs"] > 100
    check(search, expected)


@pytest.mark.usefixtures("candidates")
def test_two_collections(spark: Any) -> None:
    """Both use the same ids."""
    from likewise.spark import PassageSearch

    texts = planted(3, documents=40)
    ids = shuffled_ids(20, 4)
    left, right = texts[:20], texts[20:]
    expected = local_families(ids, left, against=(ids, right), max_documents=15)
    search = PassageSearch(
        frame(spark, ids, left), against=frame(spark, ids, right), max_documents=15,
        block_words=4000,
    )  # fmt: skip
    assert len(expected[1]) > 50
    check(search, expected)


def metadata_of(count: int, seed: int) -> list[dict[str, str]]:
    draw = random.Random(seed)
    return [
        {"author": f"a{draw.randrange(9)}", "date": f"19{draw.randrange(10, 20)}"}
        for _ in range(count)
    ]


def with_metadata(
    spark: Any, ids: Sequence[Any], texts: Sequence[str], known: Sequence[dict[str, str]]
) -> Any:
    rows = [
        (id_, text, one["author"], one["date"])
        for id_, text, one in zip(ids, texts, known, strict=True)
    ]
    return spark.createDataFrame(rows, "id string, text string, writer string, printed string")


@pytest.mark.usefixtures("candidates")
@pytest.mark.parametrize(
    "exclude",
    [
        Exclusions(same=("author",), min_passage=20),
        Exclusions(max_sources=3, min_share=0.2),
        Exclusions(common_text="exclude", phrases=("w1 w2",), quotations=True),
    ],
    ids=["author", "sources", "text"],
)
def test_exclusions_and_dates(spark: Any, exclude: Exclusions) -> None:
    from likewise.spark import PassageSearch

    texts = planted(5, documents=30)
    texts[3] = f"“{texts[4]}” {texts[3]}"
    ids, known = shuffled_ids(len(texts), 6), metadata_of(len(texts), 7)
    expected = local_families(ids, texts, metadata=known, exclude=exclude)
    assert expected[0]
    assert any(row[-1] for row in expected[1])
    search = PassageSearch(
        with_metadata(spark, ids, texts, known).repartition(3), exclude=exclude,
        metadata={"author": "writer", "date": "printed"},
    )  # fmt: skip
    check(search, expected)


def test_every_pair_of_few_documents_is_aligned(spark: Any) -> None:
    from likewise.spark import find_families, find_passages

    made = Collection(8)
    made.plant("x", "y", "z", count=40, edited=0.4)
    made.plant("x", "z", count=14)
    texts = [*made.texts, None, "", "something else"]
    ids = [2, 10, 1, 7, 8, 9]
    df = frame(spark, ids, texts, "int")
    passages, families, _ = local_families(ids, texts)
    found = find_passages(df)
    assert rows_of(found.toArrow()) == passages
    assert dict(found.dtypes)["a"] == "int"
    assert rows_of(find_families(df).toArrow()) == families
    assert families


@pytest.mark.parametrize(
    ("kind", "ids"),
    [
        ("date", [datetime.date(2020, 1, day) for day in (9, 1, 5)]),
        ("binary", [b"\xff\x00", b"a", b"\x00"]),
    ],
)
def test_ids_keep_their_type(spark: Any, kind: str, ids: list[Any]) -> None:
    from likewise.spark import find_families, find_passages

    made = Collection(9)
    made.plant("x", "y", count=30)
    texts = [*made.texts, "nothing in common"]
    df = frame(spark, ids, texts, kind)
    (passage,) = find_passages(df).toArrow().to_pylist()
    assert [passage["a"], passage["b"]] == [ids[1], ids[0]]
    assert passage["words"] == 30
    families = find_families(df).toArrow().sort_by("start").to_pylist()
    assert {repr(one["document"]) for one in families} == {repr(id_) for id_ in ids[:2]}
