"""Repeated paragraphs, lines and passages against slow versions, in several scripts."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise
from likewise import UsageError
from tests.dedup.parts.slow import (
    documents,
    lines_of,
    paragraphs_of,
    repeated_runs,
    without_parts,
    without_passages,
    words_of,
)

LOREM = (
    "The harbour was quiet in the early morning, and only two boats had left. "
    "A gull stood on the wall. Nobody spoke, because there was nothing to say before noon."
)


def whole(texts: list[str], **options: Any) -> list[str]:
    """What is left of all texts, "" if it is nothing."""
    result = likewise.deduplicate(texts, **options)
    return [result.text(row) if result.kept[row] else "" for row in range(len(texts))]


@given(documents(), st.integers(5, 9), st.sampled_from([1, 2]))
def test_passages_against_the_slow_version(texts: list[str], least: int, threads: int) -> None:
    result = likewise.deduplicate(texts, unit="passage", min_words=least, threads=threads)
    left = [words_of(result.text(row) or "") for row in range(len(texts))]
    assert left == without_passages(list(map(words_of, texts)), least)
    assert repeated_runs(left, least) == set()
    assert [bool(row) for row in result.kept] == [
        bool(own) or not result.removed(row) for row, own in enumerate(left)
    ]
    assert (
        sum(map(len, left)) == result.stats.counts["words"] - result.stats.counts["removed_words"]
    )
    again = likewise.deduplicate(result.texts(), unit="passage", min_words=least)
    assert again.texts() == result.texts()
    assert again.stats.counts["removed_words"] == 0


@given(documents(), st.sampled_from(["sentence", "paragraph"]))
def test_whole_sentences_and_paragraphs(texts: list[str], cut_at: Any) -> None:
    result = likewise.deduplicate(texts, unit="passage", min_words=5, cut_at=cut_at)
    again = likewise.deduplicate(result.texts(), unit="passage", min_words=5, cut_at=cut_at)
    assert again.texts() == result.texts()
    by_words = likewise.deduplicate(texts, unit="passage", min_words=5)
    assert result.stats.counts["words"] == by_words.stats.counts["words"]
    boundary = r"\n\s*\n" if cut_at == "paragraph" else r"\n\s*\n|[.!]"
    for row, text in enumerate(texts):
        for begin, end in result.removed(row):
            first = re.search(r"\w", text[begin:])
            assert first is not None
            before = re.split(r"\w", text[: begin + first.start()])
            assert len(before) == 1 or re.search(boundary, before[-1])
            last = begin + len(text[begin:end].rstrip(" \r\n,.;!–“”()"))
            behind = re.split(r"\w", text[last:])
            assert len(behind) == 1 or re.search(boundary, behind[0])


@given(documents(), st.sampled_from(["line", "paragraph"]), st.integers(1, 4), st.integers(2, 3))
def test_lines_and_paragraphs_against_the_slow_version(
    texts: list[str], unit: Any, least: int, count: int
) -> None:
    options: dict[str, Any] = {"unit": unit, "min_words": least, "min_count": count}
    expected = without_parts(texts, unit, least, count)
    result = likewise.deduplicate(texts, **options)
    assert [result.text(row) for row in range(len(texts))] == expected
    changed = [new != old for new, old in zip(expected, texts, strict=True)]
    dropped = [change and not words_of(new) for change, new in zip(changed, expected, strict=True)]
    assert (~result.kept).tolist() == dropped
    again = likewise.deduplicate(result.texts(), **options)
    assert again.texts() == result.texts()


@given(st.text(st.sampled_from("ab \n\r\v\f\x85\u2028\u2029\t."), max_size=30))
def test_lines_and_paragraphs_are_all_of_the_text(text: str) -> None:
    assert "".join(lines_of(text)) == "".join(paragraphs_of(text)) == text
    units: tuple[Any, ...] = ("line", "paragraph")
    for unit in units:
        expected = without_parts([text, text], unit, 1, 2)
        result = likewise.deduplicate([text, text], unit=unit, min_words=1)
        assert [result.text(0), result.text(1)] == expected


# What normalisation joins, splits, or does not see.
ODD = "ab \n.ﷺ\u0301\u00ad\u200d\ufeffㇰ한ᄒ\u1161กําÅ①Ⅷ🇩🇪\x00\x1f"


@given(st.lists(st.text(st.sampled_from(ODD) | st.characters(codec="utf-8"), max_size=40)))
def test_any_text(pieces: list[str]) -> None:
    texts = [*pieces, "".join(pieces), " ".join(reversed(pieces)), "ﷺ" * 9]
    for options in (
        {"unit": "passage", "min_words": 5},
        {"unit": "passage", "min_words": 6, "cut_at": "sentence"},
        {"unit": "line", "min_words": 1},
        {"unit": "paragraph", "min_words": 1},
    ):
        result = likewise.deduplicate(texts, **options)  # type: ignore[call-overload]
        again = likewise.deduplicate(result.texts(), **options)  # type: ignore[call-overload]
        assert again.texts() == result.texts()
        assert again.stats.counts["words"] == int(
            result.stats.counts["words"] - result.stats.counts["removed_words"]
        )


def test_a_passage_is_cut_with_its_punctuation_and_nothing_else() -> None:
    texts = [LOREM, f"An own beginning (as quoted: “{LOREM[:-1]}”). And an own end."]
    assert whole(texts, unit="passage", min_words=20) == [
        LOREM, "An own beginning (as quoted: And an own end."
    ]  # fmt: skip
    result = likewise.deduplicate(texts, unit="passage", min_words=20)
    ((begin, end),) = result.removed(1)
    assert texts[1][begin:end].strip() == f"“{LOREM[:-1]}”)."


def test_words_are_never_joined() -> None:
    run = "alpha beta gamma delta epsilon"
    texts = [run, f"left-{run.replace(' ', '-')}-right", f"語{run}本", f"(x){run}"]
    assert whole(texts, unit="passage", min_words=5) == [run, "left right", "語 本", "(x)"]


def test_a_run_that_arises_at_a_cut_is_cut_too() -> None:
    """The words on both sides of a cut may be a passage of another text."""
    middle = "one two three four five six"
    texts = ["a b c d e f", middle, f"a b c {middle} d e f"]
    assert whole(texts, unit="passage", min_words=6) == ["a b c d e f", middle, ""]
    assert likewise.deduplicate(texts, unit="passage", min_words=6).stats.counts["rounds"] == 3


def test_the_same_words_over_and_over_are_kept_once() -> None:
    assert whole(["ha " * 100], unit="passage", min_words=10) == ["ha " * 9 + "ha "]
    assert whole(["ha " * 19], unit="passage", min_words=10) == ["ha " * 19]
    assert whole(["ha " * 20], unit="passage", min_words=10) == ["ha " * 10]


def test_keep_decides_which_copy_stays() -> None:
    texts = [
        "one two three four five",
        "one two three four five six",
        "zero one two three four five",
    ]
    options: dict[str, Any] = {"unit": "passage", "min_words": 5}
    assert whole(texts, **options) == [texts[0], "six", "zero"]
    assert whole(texts, ids=["b", "10", "9"], **options) == ["", "six", texts[2]]
    assert whole(texts, keep="longest", **options) == ["", "six", texts[2]]
    columns = {"score": [1, 9, 2]}
    assert whole(texts, keep="column:score", columns=columns, **options) == ["", texts[1], "zero"]
    lines = {"unit": "line", "min_words": 1}
    same = ["a\n", "a\nb\n", "a\n"]
    assert whole(same, keep="longest", **lines) == ["", "a\nb\n", ""]
    assert whole(same, ids=[3, 2, 1], **lines) == ["", "b\n", "a\n"]


def test_templates_are_the_most_frequent_ones() -> None:
    footer, header = "All rights reserved by the owner.", "Welcome to the page of the club."
    texts = [f"{header}\nText number {at} is here.\n{footer}\n" for at in range(9)] + [footer] * 2
    result = likewise.deduplicate(texts, ids=[f"d{at}" for at in range(11)], unit="line")
    first, second = result.templates
    assert (first.removed, first.document, first.text) == (10, "d0", footer)
    assert (second.removed, second.document, second.text) == (8, "d0", header)
    assert texts[0][first.start : first.end] == f"{footer}\n"
    assert result.ids() == [f"d{at}" for at in range(9)]
    assert result.texts()[1] == "Text number 1 is here.\n"


def test_look_alike_letters_of_a_line_do_not_hide_it() -> None:
    line = "a line of ordinary words that everybody reads"
    disguised = line.replace("o", "о")  # Cyrillic
    assert whole([line, f"{disguised}\nown words"], unit="line") == [line, "own words"]
    stored = "word:3,letters=stored"
    assert whole([line, disguised], unit="line", profile=stored) == [line, disguised]


def test_the_profile_says_what_is_equal() -> None:
    texts = [
        "The cat, the dog and the bird.",
        "the CAT the dog and THE bird",
        "The Cat the dog, bird",
    ]
    assert whole(texts, unit="line", min_words=1) == [texts[0], "", texts[2]]
    assert whole(texts, unit="line", profile="word:3,case=keep", min_words=1) == texts
    assert whole(texts, unit="line", profile="word:3,stop_words=english", min_words=1) == [
        texts[0], "", ""
    ]  # fmt: skip
    assert whole(["c a t d", "cat d"], unit="line", profile="tweets", min_words=1) == [
        "c a t d", ""
    ]  # fmt: skip


def test_texts_of_every_kind() -> None:
    text = "one two three four five six"
    column = pd.Series([text, None, float("nan"), "", f"{text} seven"])
    result = likewise.deduplicate(column, unit="passage", min_words=5)
    assert result.texts() == [text, None, None, "", "seven"]
    assert result.to_arrow().to_pylist()[4] == {
        "kept": True, "removed": [[0, 28]], "text": "seven"
    }  # fmt: skip
    assert (len(result), list(result)) == (5, [0, 1, 2, 3, 4])
    assert len(likewise.deduplicate([], unit="line")) == 0
    assert len(likewise.deduplicate([], unit="passage")) == 0
    long = likewise.deduplicate(["x " * 80_000, "y"], unit="passage")
    assert long.text(0) == "x " * 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "word"}, "unit is 'word'; it must be one of"),
        ({"unit": "line", "threshold": 0.5}, "threshold cannot be combined with unit 'line'"),
        ({"unit": "line", "chains": "join"}, "chains cannot be combined"),
        ({"unit": "line", "against": ["a"]}, "against cannot be combined"),
        ({"unit": "line", "cut_at": "word"}, "cut_at cannot be combined"),
        ({"unit": "line", "min_words": 0}, "min_words"),
        ({"unit": "line", "min_count": 1}, "min_count"),
        ({"unit": "passage", "min_count": 2}, "min_count cannot be combined"),
        ({"unit": "passage", "min_words": 4}, "min_words"),
        ({"unit": "passage", "cut_at": "line"}, "cut_at is 'line'"),
        ({"unit": "passage", "profile": "char:5"}, "profile cannot be combined"),
        ({"min_words": 3}, "min_words cannot be combined with unit 'document'"),
        ({"cut_at": "word"}, "cut_at cannot be combined with unit 'document'"),
    ],
)
def test_arguments_that_do_not_go_together(options: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        likewise.deduplicate(["a"], **options)


def test_tokens_have_no_parts() -> None:
    tokens: Any = [["a", "b"]]
    with pytest.raises(UsageError, match="text 0 is not a str but list"):
        likewise.deduplicate(tokens, unit="line")


def test_the_number_of_threads_does_not_matter() -> None:
    rng = np.random.default_rng(1)
    words = np.array([f"w{at}" for at in range(30)])
    texts = [" ".join(rng.choice(words, rng.integers(1, 400))) for _ in range(300)]
    texts += [text[10:500] + "." for text in texts[::3]]
    results = [
        likewise.deduplicate(texts, unit="passage", min_words=6, threads=threads).texts()
        for threads in (1, 2, 5)
    ]
    assert results[0] == results[1] == results[2]
