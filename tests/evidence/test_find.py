"""Passages of a collection, on the samples and on texts made for it."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.errors import UsageError
from likewise.evidence.find import find_passages
from likewise.evidence.matching_text import Exclusions
from likewise.evidence.scores import score_documents
from tests.search.test_fingerprints import LETTERS, UNSPACED, drawn_words, joined

SAMPLES = Path(__file__).parents[2] / "samples"
ESSAYS = {path.name: path.read_text() for path in sorted((SAMPLES / "essays").glob("*.txt"))}


def planted() -> dict[frozenset[str], str]:
    with (SAMPLES / "planted.csv").open(newline="") as stream:
        return {
            frozenset((row["copy"], row["source"])): row["kind"] for row in csv.DictReader(stream)
        }


def test_what_is_planted_in_the_samples_is_found_and_nothing_else() -> None:
    found = find_passages(list(ESSAYS.values()), ids=list(ESSAYS))
    assert {frozenset((pair.a, pair.b)) for pair in found} == set(planted())
    by_kind: dict[str, set[str]] = {}
    for pair in found:
        kind = planted()[frozenset((pair.a, pair.b))]
        by_kind.setdefault(kind, set()).update(passage.kind for passage in pair.passages)
    assert by_kind["verbatim"] == {"verbatim"}
    assert by_kind["heavy"] <= {"edited", "reordered"}


def test_the_same_whatever_the_threads() -> None:
    texts = list(ESSAYS.values())
    one = find_passages(texts, threads=1)
    two = find_passages(texts, threads=2)
    assert list(one) == list(two)


@settings(max_examples=60, deadline=None)
@given(
    script=st.sampled_from([*LETTERS, *UNSPACED]),
    min_words=st.integers(6, 16),
    before=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    after=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    seed=st.integers(0, 2**32),
)
def test_a_planted_run_is_in_a_passage(
    script: str, min_words: int, before: tuple[int, int], after: tuple[int, int], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    run = joined(script, drawn_words(rng, script, min_words))
    space = "" if script in UNSPACED else " "
    texts, places = [], []
    for b, a in zip(before, after, strict=True):
        head = joined(script, drawn_words(rng, script, b))
        places.append(len(head) + len(space if head else ""))
        parts = [head, run, joined(script, drawn_words(rng, script, a))]
        texts.append(space.join(part for part in parts if part))
    (pair,) = find_passages(texts, min_words=min_words, edited=False)
    assert any(
        p.a_start <= places[0] and places[0] + len(run) <= p.a_end
        and p.b_start <= places[1] and places[1] + len(run) <= p.b_end
        for p in pair.passages
    )  # fmt: skip


def test_between_two_collections_only() -> None:
    new = {name: text for name, text in ESSAYS.items() if name.startswith("cars")}
    old = {name: text for name, text in ESSAYS.items() if not name.startswith("bees")}
    found = find_passages(
        list(new.values()), ids=list(new), against=list(old.values()), against_ids=list(old)
    )
    # A document is found in the other collection too, as itself.
    assert {pair.a for pair in found} == set(new)
    assert all(pair.b.startswith("cars") for pair in found)
    own = [pair for pair in found if pair.a == pair.b]
    assert len(own) == len(new)
    assert all(pair.share_a == pair.share_b == 1 for pair in own)


@pytest.mark.parametrize(
    "texts", [[], [""], ["", ""], ["word", "word"], ["…", "!"], ["one two three", "one two three"]]
)
def test_texts_without_passages(texts: list[str]) -> None:
    assert len(find_passages(texts)) == 0


def test_look_alike_letters_and_invisible_characters_hide_nothing() -> None:
    text = ESSAYS["cars-01.txt"]
    changed = text.replace("e", "е").replace("the", "t\u200bhe")
    found = find_passages([text, changed, ESSAYS["bees-01.txt"]], ids=["a", "b", "c"])
    assert [(pair.a, pair.b, pair.share_a > 0.95) for pair in found] == [("a", "b", True)]
    assert found.about["b"].tricks.counts["look-alike"] > 20


def test_exclusions_leave_out_and_tell() -> None:
    own = "Ten plain words that stand in front of the quoted part here. "
    quoted = "“To be or not to be that is the question whether tis nobler in the mind to suffer.” "
    texts = [own + quoted, "Another text with quite other words of its own before it. " + quoted]
    assert len(find_passages(texts)) == 1
    found = find_passages(texts, exclude=Exclusions(quotations=True))
    assert len(found) == 0
    assert len(found.about["0"].excluded["quotation"]) == 1
    phrase = Exclusions(phrases=("to be or not to be that is the question",))
    assert len(find_passages(texts, exclude=phrase)) == 0
    template = Exclusions(templates=(f"Task: discuss. {quoted}",))
    assert len(find_passages(texts, exclude=template)) == 0


def test_pairs_of_one_group_small_pairs_and_common_passages_can_be_left_out() -> None:
    rng = np.random.default_rng(1)
    own = [joined("latin", drawn_words(rng, "latin", 100)) for _ in range(4)]
    task = joined("latin", drawn_words(rng, "latin", 20))
    texts = [f"{text} {task}" for text in own]
    assert len(find_passages(texts)) == 6
    groups = [{"group": "a"}, {"group": "a"}, {"group": "b"}, None]
    found = find_passages(texts, exclude=Exclusions(same=("group",)), metadata=groups)
    assert len(found) == 5
    assert found.stats.counts["of_the_same"] == 1
    assert len(find_passages(texts, exclude=Exclusions(max_sources=3))) == 6
    found = find_passages(texts, exclude=Exclusions(max_sources=2))
    assert len(found) == 0
    assert found.stats.counts["in_too_many"] == 6
    found = find_passages(texts, exclude=Exclusions(min_share=0.2))
    assert len(found) == 0
    assert found.stats.counts["below_min_share"] == 6


def test_a_word_is_credited_once() -> None:
    found = find_passages(list(ESSAYS.values()), ids=list(ESSAYS))
    score = score_documents(found, ESSAYS)["cars-04.txt"]
    assert [source.id for source in score.sources] == ["cars-08.txt", "cars-07.txt", "cars-01.txt"]
    assert score.matched == sum(source.credited for source in score.sources)
    assert all(source.credited <= source.words for source in score.sources)
    assert 0.6 < score.share < 0.9
    assert score.longest == max(source.longest for source in score.sources)


def test_bad_arguments_are_told() -> None:
    with pytest.raises(UsageError, match="min_words"):
        find_passages(["a"], min_words=2)
    with pytest.raises(UsageError, match="stands twice"):
        find_passages(["a", "b"], ids=["x", "x"])
    with pytest.raises(UsageError, match="not one str"):
        find_passages("text")
    with pytest.raises(UsageError, match="without against"):
        find_passages(["a"], against_ids=["x"])
    with pytest.raises(UsageError, match="metadata"):
        find_passages(["a"], exclude=Exclusions(same=("author",)))
    with pytest.raises(UsageError, match="min_share"):
        Exclusions(min_share=2)
