"""What families say of their words, against a slow and obvious count in the texts themselves."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.passages.families.family import Family, Witness
from likewise.passages.families.find import find_families
from likewise.passages.families.results import Families
from likewise.passages.find import find_passages
from likewise.passages.results import Passages
from likewise.statistics.shared_runs import SMALLEST_P, count_short_runs, pair_run_chance
from likewise.text.words import words_of
from tests.passages.families.planted import Collection


class Unique(Collection):
    """No two random words are the same, so a word tells which place of the plan it is from."""

    def words(self, count: int) -> list[str]:
        begin = getattr(self, "used", 0)
        self.used = begin + count
        return [f"w{number}" for number in range(begin, self.used)]


def collection(seed: int, witnesses: int, edited: float) -> Unique:
    """Families of all kinds: nested, overlapping, repeated, whole copies and none."""
    made = Unique(seed)
    ids = [f"d{number}" for number in range(witnesses)]
    made.write_random("alone")
    for _ in range(2):
        made.plant(*made.random.sample(ids, made.random.randint(2, witnesses)), count=60)
    made.plant(*ids, count=50, edited=edited)
    whole = made.words(150)
    for id_ in ids:  # overlapping stretches of one text
        begin = made.random.randrange(0, 90)
        made.write(id_, whole[begin : begin + made.random.randrange(30, 60)])
        made.write_random(id_)
    if made.random.random() < 0.5:  # a document that repeats what others have
        made.write(ids[0], whole[:60])
        made.write_random(ids[0])
    if made.random.random() < 0.5:
        made.write("copy", made.documents[ids[0]])
    return made


def searched(made: Collection, order: Sequence[str]) -> Passages[str]:
    texts = [" ".join(made.documents[id_]) for id_ in order]
    return find_passages(texts, ids=list(order))


def found(made: Collection, order: Sequence[str]) -> Families[str]:
    return find_families(searched(made, order))


def stretches_of(made: Collection, family: Family[str]) -> dict[str, list[list[str]]]:
    """The words of each document, place by place."""
    own: dict[str, list[list[str]]] = {}
    for one in family.witnesses:
        own.setdefault(one.id, []).append(made.documents[one.id][one.first : one.stop])
    return own


def longest_run(documents: Sequence[Sequence[Sequence[str]]]) -> int:
    """The most words in a row that all documents have, each in one of its places."""
    longest = 0
    while True:
        size = longest + 1
        grams = [
            {
                tuple(words[at : at + size])
                for words in places
                for at in range(len(words) - size + 1)
            }
            for places in documents
        ]
        if not set.intersection(*grams):
            return longest
        longest = size


@settings(max_examples=12)
@given(
    seed=st.integers(0, 2**32), witnesses=st.integers(2, 12), edited=st.sampled_from([0, 0.05, 0.2])
)
def test_common_words_run_and_chance_are_those_of_a_slow_count(
    seed: int, witnesses: int, edited: float
) -> None:
    made = collection(seed, witnesses, edited)
    passages = searched(made, made.ids)
    families = find_families(passages)
    assert families
    for family in families:
        places = list(stretches_of(made, family).values())
        assert family.run == longest_run(places)
        assert family.p == (chance(made, family, passages) if family.run else None)
        if any(len(set(own)) < len(own) for document in places for own in document):
            continue  # a stretch that repeats words, of which a set knows nothing
        sets = [{word for own in document for word in own} for document in places]
        assert family.common == len(set.intersection(*sets))
        for one in family.witnesses:
            own = words(made, one)
            others = set[str]().union(
                *(words(made, other) for other in family.witnesses if other is not one)
            )
            assert one.matched == len(own & others)


def words(made: Collection, witness: Witness[str]) -> set[str]:
    return set(made.documents[witness.id][witness.first : witness.stop])


def chance(made: Collection, family: Family[str], passages: Passages[str]) -> float:
    """The smallest probability of two of the documents that a passage links in the family."""
    chances = []
    for pair in passages:
        one, other = (
            [(own.start, own.end) for own in family.witnesses if own.id == id_]
            for id_ in (pair.a, pair.b)
        )
        if not any(
            overlap(x, (match.a_start, match.a_end)) and overlap(y, (match.b_start, match.b_end))
            for passage in pair.passages
            for match in passage.matches
            for x in one
            for y in other
        ):
            continue
        a, b = (words_of(" ".join(made.documents[id_])).hashes for id_ in (pair.a, pair.b))
        short, equal = count_short_runs(a, b)
        chances.append(pair_run_chance(len(a), len(b), family.run, short, equal_share=equal))
    return max(SMALLEST_P, min(chances))


def overlap(x: tuple[int, int], y: tuple[int, int]) -> bool:
    return x[0] < y[1] and y[0] < x[1]


@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), witnesses=st.integers(2, 12), data=st.data())
def test_the_order_of_documents_plays_no_part(
    seed: int, witnesses: int, data: st.DataObject
) -> None:
    made = collection(seed, witnesses, 0.1)

    def described(families: Families[str]) -> list[object]:
        return sorted(
            (
                sorted((one.id, one.first, one.stop, one.matched) for one in family.witnesses),
                family.common, family.run, family.kind, family.p, family.documents,
            )
            for family in families
        )  # fmt: skip

    first = found(made, made.ids)
    turned = found(made, data.draw(st.permutations(made.ids)))
    assert described(first) == described(turned)
    shared = {one.id for family in first for one in family.witnesses}
    assert "alone" not in shared


@pytest.mark.parametrize("count", [2, 12, 50])
def test_identical_documents_are_one_family(count: int) -> None:
    made = Unique(1)
    words = made.words(200)
    for number in range(count):
        made.write(f"d{number}", words)
    (family,) = found(made, made.ids)
    assert (family.documents, len(family.witnesses)) == (count, count)
    assert (family.common, family.run, family.kind) == (200, 200, "verbatim")
    assert {(one.first, one.stop, one.matched) for one in family.witnesses} == {(0, 200, 200)}
