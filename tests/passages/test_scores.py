"""Scores of documents: each word counted once, and sources by two rankings."""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.errors import UsageError
from likewise.passages.find import find_passages
from likewise.passages.passage import Match, Passage
from likewise.passages.results import PassagePair, Passages
from likewise.passages.scores import score_documents
from likewise.passages.settings import Exclusions

SAMPLES = Path(__file__).parents[2] / "samples"
ESSAYS = {path.name: path.read_text() for path in sorted((SAMPLES / "essays").glob("*.txt"))}
LETTERS = " ".join("abcdefghij")  # words of one letter: word i stands at 2 * i


def shared(other: str, *stretches: tuple[int, int], share: float = 0.5) -> PassagePair:
    """Words of a in these stretches, as a copy of what stands in the same place."""
    passages = []
    for begin, end in stretches:
        place, words = (2 * begin, 2 * end - 1), end - begin
        passages.append(
            Passage(
                *place, *place, words, words, 1.0, "verbatim", 9.0, words, words, words,
                matches=(Match(*place, *place),),
            )
        )  # fmt: skip
    words = sum(end - begin for begin, end in stretches)
    return PassagePair(
        a="a", b=other, passages=tuple(passages), size_a=10, size_b=100, words_a=words,
        words_b=round(100 * share), chance_run=2,
    )  # fmt: skip


def test_a_word_is_credited_once_and_sources_have_both_rankings() -> None:
    pairs = [
        shared("most", (0, 6)),
        shared("inside", (1, 6)),
        shared("apart", (4, 5), (7, 9), share=0.25),
    ]
    score = score_documents(pairs, {"a": LETTERS}, of="a")["a"]
    assert (score.size, score.matched, score.share, score.longest_run) == (10, 8, 0.8, 6)
    assert [(s.id, s.rank, s.credited, s.rank_all, s.words) for s in score.sources] == [
        ("most", 1, 6, 1, 6),
        ("apart", 2, 2, 3, 3),
        ("inside", 3, 0, 2, 5),
    ]
    apart = score.sources[1]
    assert (apart.share, apart.share_of_source) == (0.3, 0.25)
    assert (apart.passages, apart.longest_run, apart.chance_run) == (2, 2, 2)


def test_the_samples_have_scores_that_add_up() -> None:
    found = find_passages(list(ESSAYS.values()), ids=list(ESSAYS))
    scores = found.scores()
    assert set(scores) == {id_ for pair in found for id_ in (pair.a, pair.b)}
    assert [score.share for score in scores.values()] == sorted(
        (score.share for score in scores.values()), reverse=True
    )
    for score in scores.values():
        assert score.matched == sum(source.credited for source in score.sources)
        assert [s.rank for s in score.sources] == list(range(1, len(score.sources) + 1))
    cars = scores["cars-04.txt"]
    assert [source.id for source in cars.sources] == ["cars-08.txt", "cars-07.txt", "cars-01.txt"]
    assert 0.6 < cars.share < 0.9
    (pair,) = (p for p in found if {p.a, p.b} == {"cars-04.txt", "cars-08.txt"})
    shares = {pair.a: pair.share_a, pair.b: pair.share_b}
    assert cars.sources[0].share == shares["cars-04.txt"]
    assert cars.sources[0].share_of_source == shares["cars-08.txt"]


def test_the_same_ids_in_two_collections_are_two_documents() -> None:
    one, two = ESSAYS["cars-02.txt"], ESSAYS["tides-02.txt"]
    new, old = [one, two], [f"{two} Some more words behind it all.", one]
    found = find_passages(new, ids=["x", "y"], against=old, against_ids=["x", "y"])
    scores, sources = found.scores(), found.source_scores()
    assert {id_: [s.id for s in score.sources] for id_, score in scores.items()} == {
        "x": ["y"],
        "y": ["x"],
    }
    assert scores["y"].share == 1
    assert sources["x"].share < 1
    assert sources["x"].sources[0].share_of_source == 1
    assert sources["x"].size == scores["y"].size + 6


def test_what_is_left_out_counts_nothing() -> None:
    quoted = "“To be or not to be that is the question whether tis nobler in the mind to suffer.”"
    texts = [f"{ESSAYS['cars-02.txt']} {quoted}", ESSAYS["cars-05.txt"], f"Only {quoted} here"]
    found = find_passages(texts, exclude=Exclusions(quotations=True))
    score = found.scores()[0]
    assert score.size == found.scores()[1].size
    assert score.share == 1
    assert len(find_passages(texts).scores()) == 3


def test_what_has_no_scores_is_reported() -> None:
    with pytest.raises(UsageError, match="find_passages"):
        Passages([]).scores()
    with pytest.raises(UsageError, match="one collection"):
        find_passages(["a"]).source_scores()
    assert find_passages(["a", "b"]).scores() == {}
