"""The truth set: what texts share is known from how they were made, and every interface says so.

`pairs.toml` has the pairs with what is expected of them. All but long texts are in one collection,
so that most pairs have a hundred other documents around them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from likewise.passages.matching_text import matching_text
from likewise.passages.pair_passages import find_pair_passages
from likewise.passages.settings import Exclusions
from likewise.text.words import words_of
from tests.truth.interfaces import (
    ALL,
    COLLECTIONS,
    EXCLUDING,
    INDEXES,
    NOTHING,
    Answer,
    Documents,
    Pair,
    differences,
    of_pair,
)
from tests.truth.made import Made
from tests.truth.pairs import FIGURES, TruePair, pairs
from tests.truth.truth import chance, expected, is_unspaced

VERBATIM_WORDS = 2  # off, at most: ends and matched words of a verbatim passage
EDITED_WORDS = 3  # ends of an edited or reordered passage
POINTS = 3.0  # off, at most: percentages of changed copies
FACTOR = 1.01  # of p
SMALLEST_P = 1e-6  # that is reported, where the formula gives less

LONG = 3000  # words: formulas of long texts are shared passages of their own

Group = tuple[Exclusions, str | None]
ASKING_INDEX = (*INDEXES, "report --index", "/api/view/document")
LARGEST: Group = (Exclusions(), None)
Ask = Callable[[str, TruePair], Answer]
Everything = Callable[[str, Group], dict[Pair, Answer]]


def group_of(pair: TruePair) -> Group:
    """Which pairs are in one collection with it: those of the same exclusions; a long one alone."""
    return pair.exclude, pair.name if sum(pair.written["size"]) > LONG else None


def names(pair: TruePair) -> tuple[str, str]:
    return f"{pair.name}.a.txt", f"{pair.name}.b.txt"


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Everything:
    """What an interface says of all documents of a group; each is asked once."""
    made: dict[Group, Documents] = {}

    def documents(group: Group) -> Documents:
        if group not in made:
            chosen = [pair for pair in pairs() if group_of(pair) == group]
            texts = {
                name: side.text
                for pair in chosen
                for name, side in zip(names(pair), pair.made, strict=True)
            }
            both = list(map(names, chosen))
            where = tmp_path_factory.mktemp("truth")
            made[group] = Documents.write(texts, where, pairs=both, exclude=group[0])
        return made[group]

    @cache
    def ask(interface: str, group: Group) -> dict[Pair, Answer]:
        return ALL[interface](documents(group))

    return ask


@pytest.fixture(scope="module")
def ask(everything: Everything) -> Ask:
    """What an interface says of a pair."""

    def of_one(interface: str, pair: TruePair) -> Answer:
        return everything(interface, group_of(pair)).get(names(pair), NOTHING)

    return of_one


def cases() -> Iterator[Any]:
    for pair in pairs():
        for interface in ALL if pair.exclude == Exclusions() else EXCLUDING:
            reason = pair.wrong or (pair.missed if interface in ASKING_INDEX else None)
            wrong = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
            yield pytest.param(pair, interface, marks=wrong, id=f"{pair.name}-{interface}")


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_what_is_written_follows_from_the_recipe(pair: TruePair) -> None:
    """Nothing but the way in which the texts were made decides what is expected."""
    a, b = pair.made
    assert {name: pair.written[name] for name in FIGURES} == expected(a, b)
    # A passage would be longer than it was planted, if what is around it were the same too.
    for one in pair.written["passages"]:
        if one["kind"] == "verbatim":
            for before_a, before_b in (
                (one["a"][0] - 1, one["b"][0] - 1),
                (one["a"][1], one["b"][1]),
            ):
                neighbours = _word(a, before_a), _word(b, before_b)
                assert neighbours == (None, None) or neighbours[0] != neighbours[1]


def _word(made: Made, at: int) -> str | None:
    return made.words[at].casefold() if 0 <= at < len(made.words) else None


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_the_product_cuts_the_same_words(pair: TruePair) -> None:
    for made in pair.made:
        found = words_of(matching_text(made.text).text)
        assert found.begins.tolist() == list(made.starts)


@pytest.mark.parametrize(("pair", "interface"), list(cases()))
def test_every_interface_tells_the_truth(ask: Ask, pair: TruePair, interface: str) -> None:
    assert untrue(ask(interface, pair), pair) == []


@pytest.mark.parametrize("interface", ALL)
def test_every_pair_has_one_answer(ask: Ask, interface: str) -> None:
    """The same everywhere, also where it is wrong, and as if there were no other document."""
    wrong = {}
    for pair in pairs():
        if pair.exclude != Exclusions() and interface not in EXCLUDING:
            continue
        if pair.missed and interface in ASKING_INDEX:
            continue
        texts = [matching_text(made.text, pair.exclude) for made in pair.made]
        (shared,) = find_pair_passages(
            [one.text for one in texts], [(0, 1)], threads=1,
            excluded={i: one.excluded_ranges for i, one in enumerate(texts)},
        )  # fmt: skip
        alone = of_pair(shared)
        if found := differences(ask(interface, pair), alone):
            wrong[pair.name] = found
    assert wrong == {}


@pytest.mark.parametrize("interface", [*COLLECTIONS, "/api/view/document"])
def test_all_other_pairs_of_the_collection_have_one_answer(
    everything: Everything, interface: str
) -> None:
    """Texts of different pairs share passages too. An index looks for candidates among them, and
    may miss some that have no run of identical words; what it reports is the same."""
    told, all_ = everything(interface, LARGEST), everything("find_passages", LARGEST)
    assert {
        pair: found for pair in told if (found := differences(told[pair], all_.get(pair, NOTHING)))
    } == {}
    if interface in ("find_passages", "passages FOLDER"):
        assert told.keys() == all_.keys()
    for pair in all_.keys() - told.keys():
        assert max((one["run"] for one in all_[pair]["passages"]), default=0) < 12, pair


def untrue(answer: Answer, pair: TruePair) -> list[str]:
    """What an answer says that is not so."""
    a, b = pair.made
    written = pair.written
    found = [f"reworded: {one}" for one in answer["reworded"]]
    if len(answer["passages"]) != len(written["passages"]):
        kinds = [
            (one["kind"], _range(a, one["a_start"], one["a_end"]),
             _range(b, one["b_start"], one["b_end"]), one["words"])
            for one in answer["passages"]
        ]  # fmt: skip
        return [*found, f"{len(kinds)} passages instead of {len(written['passages'])}: {kinds}"]
    for one, true in zip(answer["passages"], written["passages"], strict=True):
        found += _untrue_passage(one, true, pair)
    verbatim = all(one["kind"] == "verbatim" for one in written["passages"])
    for number, side in enumerate("ab"):
        size, words = written["size"][number], written["matched"][number]
        points = 100 * VERBATIM_WORDS * max(1, len(written["passages"])) / max(1, size)
        allowed = points if verbatim else POINTS
        if f"words_{side}" in answer:
            off = abs(answer[f"words_{side}"] - words)
            if 100 * off > allowed * size:
                found.append(f"words_{side}: {answer[f'words_{side}']} instead of {words}")
        if f"share_{side}" in answer:
            share = 100 * answer[f"share_{side}"]
            if abs(share - written["percent"][number]) > allowed + 0.06:
                found.append(f"share_{side}: {share} % instead of {written['percent'][number]} %")
    if "p" in answer:
        chances = [one["p"] for one in answer["passages"] if one["p"] is not None]
        if answer["p"] != min(chances, default=None):
            found.append(f"p: {answer['p']} is not the smallest of {chances}")
    return found


def _untrue_passage(one: Answer, true: dict[str, Any], pair: TruePair) -> list[str]:
    a, b = pair.made
    found = []
    verbatim = true["kind"] == "verbatim"
    for name, made in (("a", a), ("b", b)):
        told = _range(made, one[f"{name}_start"], one[f"{name}_end"])
        off = max(abs(told[end] - true[name][end]) for end in (0, 1))
        if off > (VERBATIM_WORDS if verbatim else EDITED_WORDS):
            found.append(f"{name}: words {told} instead of {true[name]}")
    if one["kind"] != true["kind"]:
        found.append(f"kind {one['kind']} instead of {true['kind']}")
    if abs(one["words"] - true["words"]) > (
        VERBATIM_WORDS if verbatim else POINTS / 100 * min(pair.written["size"])
    ):
        found.append(f"{one['words']} words instead of {true['words']}")
    return found + _untrue_chance(one, true, pair)


def _untrue_chance(one: Answer, true: dict[str, Any], pair: TruePair) -> list[str]:
    """p is that of the formula: for a verbatim passage with the planted run, else with the score
    that is reported, which must be about right."""
    if true["p"] == "none" or one["p"] is None:
        return [] if true["p"] == "none" and one["p"] is None else [f"p: {one['p']}"]
    if true["kind"] == "verbatim":
        return [] if _close(one["p"], true["p"]) else [f"p: {one['p']} instead of {true['p']}"]
    if "score" not in one:
        return []
    if abs(one["score"] - true["score"]) > POINTS / 100 * min(pair.written["size"]):
        return [f"score: {one['score']} instead of {true['score']}"]
    p = chance(
        len(pair.made[0]), len(pair.made[1]), one["score"], pair.written["short_runs"],
        unspaced=is_unspaced(*pair.made),
    )  # fmt: skip
    return [] if _close(one["p"], p) else [f"p: {one['p']} instead of {p}"]


def _close(p: float, formula: float) -> bool:
    return abs(math.log(p / max(SMALLEST_P, formula))) <= math.log(FACTOR)


def _range(made: Made, start: int, end: int) -> list[int]:
    """The words that begin between two places of a text."""
    inside = [i for i, begin in enumerate(made.starts) if start <= begin < end]
    return [inside[0], inside[-1] + 1] if inside else [0, 0]
