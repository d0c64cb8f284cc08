"""Passages of a collection, on the samples and on texts made for it."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.errors import UsageError
from likewise.passages.alignment import AlignmentSettings, align_pairs
from likewise.passages.find import find_passages
from likewise.passages.settings import Exclusions
from likewise.text.word_frequencies import Frequencies
from tests.passages.test_fingerprints import LETTERS, UNSPACED, drawn_words, joined

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
    # Twelve letters of a script without spaces are about six words.
    length = 2 * min_words if script in UNSPACED else min_words
    run = joined(script, drawn_words(rng, script, length))
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
    assert len(found.about[0].excluded["quotation"]) == 1
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
    # A copy of a whole document is no common passage, although it has one in it.
    found = find_passages([*texts, texts[0]], exclude=Exclusions(max_sources=2))
    assert [(pair.a, pair.b, pair.words) for pair in found] == [(0, 4, 120)]
    found = find_passages(texts, exclude=Exclusions(min_share=0.2))
    assert len(found) == 0
    assert found.stats.counts["below_min_share"] == 6


def test_bad_arguments_are_reported() -> None:
    with pytest.raises(UsageError, match="min_words"):
        find_passages(["a"], min_words=2)
    with pytest.raises(UsageError, match="duplicate id"):
        find_passages(["a", "b"], ids=["x", "x"])
    with pytest.raises(UsageError, match="not one str"):
        find_passages("text")
    with pytest.raises(UsageError, match="without against"):
        find_passages(["a"], against_ids=["x"])
    with pytest.raises(UsageError, match="metadata"):
        find_passages(["a"], exclude=Exclusions(same=("author",)))
    with pytest.raises(UsageError, match="min_share"):
        Exclusions(min_share=2)
    with pytest.raises(UsageError, match="letters of a word"):
        find_passages(["a"], rates=Frequencies(stem_letters=5))


def some_words(rng: np.random.Generator, count: int) -> str:
    return joined("latin", drawn_words(rng, "latin", count))


def test_batches_cache_and_parts_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, ids = list(ESSAYS.values()), list(ESSAYS)
    kinds = {"against": texts[:9], "against_ids": ids[:9]}
    expected = [list(find_passages(texts, ids=ids, **more)) for more in ({}, kinds)]
    monkeypatch.setattr("likewise.passages.document_set._MAX_TEXTS", 2)
    monkeypatch.setattr("likewise.passages.document_set._MAX_CHARACTERS", 3000)
    monkeypatch.setattr("likewise.passages.aligned_pairs._MAX_BATCH_WORDS", 700)
    monkeypatch.setattr("likewise.passages.aligned_pairs._MAX_BATCH_PAIRS", 3)
    found = [list(find_passages(texts, ids=ids, **more)) for more in ({}, kinds)]
    assert found == expected


def test_candidates_are_all_pairs_that_align_would_accept() -> None:
    """Against aligning every pair, with the rates of the same words."""
    texts = list(ESSAYS.values())
    rates = Frequencies.of_collection(texts)
    settings = AlignmentSettings(least_run=12)
    pairs = [(a, b) for a in range(len(texts)) for b in range(a + 1, len(texts))]
    aligned = align_pairs(texts, pairs, rates=rates, settings=settings)
    expected = {(a, b): tuple(own) for (a, b), own in zip(pairs, aligned, strict=True) if own}
    found = find_passages(texts, rates=rates)
    assert {
        (pair.a, pair.b): tuple(
            replace(p, p=None, a_attribution=None, b_attribution=None) for p in pair.every
        )
        for pair in found
    } == expected


def test_the_longest_run_is_that_of_equal_words() -> None:
    rng = np.random.default_rng(5)
    run = [f"shared{i}word" for i in range(30)]
    broken = [*run[:11], "replaced", *run[12:]]
    texts = [
        f"{some_words(rng, 40)} {' '.join(words)} {some_words(rng, 40)}" for words in (run, broken)
    ]
    (pair,) = find_passages([*texts, some_words(rng, 90)])
    assert (pair.longest_run, pair.passages[0].run) == (18, 18)
    assert pair.passages[0].words == 29
    assert pair.chance_run is not None
    assert pair.chance_run < 12


def test_the_run_of_chance_grows_with_the_documents_and_is_reported() -> None:
    rng = np.random.default_rng(6)
    words = [f"w{i}" for i in range(50)]
    texts = [" ".join(rng.choice(words, size)) for size in (30, 30, 3000, 3000)]
    found = find_passages([*texts, texts[0], texts[2]])
    reached = {(pair.a, pair.b): pair.chance_run for pair in found}
    assert reached[0, 4] < reached[2, 5]
    assert found.stats.counts["chance_run"] > 0
    assert not found.notes
    (note,) = find_passages(texts, min_words=4).notes
    assert "by chance" in note


def test_stems_of_other_lengths_may_be_asked_for() -> None:
    settings = AlignmentSettings(stem_letters=4)
    found = find_passages(list(ESSAYS.values()), ids=list(ESSAYS), settings=settings)
    assert set(planted()) <= {frozenset((pair.a, pair.b)) for pair in found}


# --- bad input: an answer that is right, in bounded time


def test_empty_and_one_word_texts_stand_among_others() -> None:
    texts = ["", "word", ESSAYS["cars-02.txt"], " \n", ESSAYS["cars-05.txt"], "word"]
    assert [(pair.a, pair.b) for pair in find_passages(texts)] == [(2, 4)]
    assert [(p.a, p.b) for p in find_passages(texts[:3], against=texts[3:])] == [(2, 1)]
    assert len(find_passages(texts, against=[])) == 0
    assert len(find_passages([], against=texts)) == 0
    # Two documents of one side are no pair, though there are only two.
    assert len(find_passages([texts[2], texts[4]], against=[])) == 0


def test_a_text_is_found_in_itself_as_a_whole() -> None:
    text = ESSAYS["bees-03.txt"]
    for found in (find_passages([text, text]), find_passages([text], against=[text])):
        (pair,) = found
        assert pair.share_a == pair.share_b == 1
        assert [passage.kind for passage in pair.passages] == ["verbatim"]
        assert pair.longest_run == pair.words


def test_one_word_very_often_is_one_passage_and_hides_no_other() -> None:
    many = "word " * 100_000
    others = [ESSAYS[name] for name in ("cars-02.txt", "cars-05.txt", "tides-04.txt")]
    found = find_passages([many, others[0], many, others[1], others[2]])
    assert [(pair.a, pair.b) for pair in found] == [(0, 2), (1, 3)]
    assert found[0].words == found[0].longest_run == 100_000
    found = find_passages([many], against=[others[0], many])
    assert [(pair.b, pair.longest_run) for pair in found] == [(1, 100_000)]


def test_a_long_text_against_short_ones() -> None:
    rng = np.random.default_rng(8)
    long = some_words(rng, 60_000).split()
    short = [some_words(rng, 100) for _ in range(20)]
    short[3] = f"{short[3]} {' '.join(long[30_000:30_015])} {some_words(rng, 50)}"
    for found in (
        find_passages(short, against=[" ".join(long)]),
        find_passages([" ".join(long)], against=short),
        find_passages([" ".join(long), *short]),
    ):
        (pair,) = found
        assert pair.longest_run == 15


def test_scripts_may_be_mixed() -> None:
    rng = np.random.default_rng(9)
    scripts = ("latin", "cyrillic", "han", "arabic", "thai")
    runs = [joined(script, drawn_words(rng, script, 15)) for script in scripts]
    texts = [" ".join([f"own{n}one own{n}two", *runs, f"own{n}three"]) for n in range(2)]
    (pair,) = find_passages([*texts, "天地玄黄 сосо"])
    assert (pair.a, pair.b) == (0, 1)
    assert pair.words >= pair.longest_run == 15 * len(scripts)


def test_lone_surrogates_are_no_letters() -> None:
    run = "a run of plain words with a \ud800 lone surrogate in the middle of it"
    texts = [f"first {run} behind", f"other text {run}", "\udfff" * 50]
    (pair,) = find_passages(texts, ids=["a", "b", "\ud800"])
    assert (pair.a, pair.b) == ("a", "b")
    passage = pair.passages[0]
    assert run in texts[0][passage.a_start : passage.a_end]
    assert run in texts[1][passage.b_start : passage.b_end]


def test_an_id_that_is_there_twice_among_very_many_is_reported_at_once() -> None:
    ids = [str(i) for i in range(100_000)]
    with pytest.raises(UsageError, match="duplicate id '99999'"):
        find_passages([""] * 100_001, ids=[*ids, "99999"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"metadata": [{}]}, "1 metadata for 2 texts"),
        ({"metadata": [{"author": "x"}], "against_metadata": [{}] * 3}, "1 metadata for 2 texts"),
        ({"against_metadata": [{}] * 3}, "3 against_metadata for 2 texts"),
        ({"metadata": [5, 5]}, "must be a mapping"),
        ({"metadata": pd.DataFrame({"author": ["x"], "group": ["y"]})}, "must be a mapping"),
        ({"against": None, "against_metadata": [{}] * 2}, "given without against"),
        ({"exclude": {"quotations": True}}, "must be an Exclusions, not dict"),
        ({"exclude": None}, "must be an Exclusions"),
    ],
)
def test_metadata_and_exclusions_are_checked(arguments: dict[str, Any], told: str) -> None:
    """Before, metadata of both sides that were as many in all were mixed up."""
    texts = ["one two three four five"] * 2
    with pytest.raises(UsageError, match=told):
        find_passages(texts, **{"against": texts} | arguments)


@pytest.mark.parametrize("name", ["phrases", "templates", "same"])
@pytest.mark.parametrize("wrong", ["author", [None], [5]])
def test_a_list_is_not_one_str(name: str, wrong: Any) -> None:
    """Before, the letters of a str were templates."""
    with pytest.raises(UsageError, match=f"{name} must be a list of str"):
        Exclusions(**{name: wrong})
