"""Families of passages: their witnesses, their extent, and what all of them have in common."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.errors import UsageError
from likewise.passages.families.find import find_families
from likewise.passages.families.results import Families
from likewise.passages.find import find_passages
from likewise.passages.pair_passages import matched_words
from likewise.passages.results import Passages
from likewise.text.words import words_of
from tests.passages.families.planted import Collection, stretches


def families_of(made: Collection) -> Families[str]:
    return find_families(find_passages(made.texts, ids=made.ids))


def test_a_passage_in_three_documents_is_one_family() -> None:
    made = Collection(1)
    made.plant("x", "y", "z", count=50)
    (family,) = families_of(made)
    assert stretches(family) == [("x", 60, 110), ("y", 60, 110), ("z", 60, 110)]
    assert (family.documents, family.common, family.run, family.kind) == (3, 50, 50, "verbatim")
    assert family.similarity == 1
    assert family.p == 1e-6


def test_two_passages_that_touch_in_one_document_are_two_families() -> None:
    """A chain: the first and the last document have nothing in common."""
    made = Collection(2)
    first, second = made.words(90), made.words(80)
    for id_, words in (("x", first), ("y", first + second), ("z", second)):
        made.write_random(id_)
        made.write(id_, words)
        made.write_random(id_)
    found = families_of(made)
    assert [stretches(family) for family in found] == [
        [("x", 60, 150), ("y", 60, 150)],
        [("y", 150, 230), ("z", 60, 140)],
    ]


@pytest.mark.parametrize("overlap", [5, 10])
def test_a_short_overlap_of_a_chain_is_no_family_of_its_own(overlap: int) -> None:
    made = Collection(3)
    whole = made.words(180)
    for id_, words in (("x", whole[:100]), ("y", whole), ("z", whole[100 - overlap :])):
        made.write_random(id_)
        made.write(id_, words)
        made.write_random(id_)
    found = families_of(made)
    assert [[one.id for one in family.witnesses] for family in found] == [["x", "y"], ["y", "z"]]
    assert all(family.common >= 80 for family in found)


def test_a_long_overlap_of_a_chain_is_a_family_of_three() -> None:
    made = Collection(4)
    whole = made.words(150)
    for id_, words in (("x", whole[:100]), ("y", whole), ("z", whole[50:])):
        made.write_random(id_)
        made.write(id_, words)
        made.write_random(id_)
    found = {tuple(one.id for one in family.witnesses): family for family in families_of(made)}
    assert {ids: family.common for ids, family in found.items()} == {
        ("x", "y"): 50, ("x", "y", "z"): 50, ("y", "z"): 50,
    }  # fmt: skip


def test_a_nested_passage_divides_the_longer_one() -> None:
    """Which words do two share, and which do four?"""
    made = Collection(5)
    whole = made.words(200)
    for id_, words in (("a", whole), ("b", whole), ("c", whole[80:130]), ("d", whole[80:130])):
        made.write_random(id_)
        made.write(id_, words)
        made.write_random(id_)
    found = families_of(made)
    assert [(family.documents, family.common) for family in found] == [(4, 50), (2, 80), (2, 70)]
    assert stretches(found[0])[0] == ("a", 140, 190)


def test_wording_that_a_document_repeats_has_two_witnesses_there() -> None:
    made = Collection(6)
    words = made.words(40)
    for id_ in ("x", "y", "x"):
        made.write_random(id_)
        made.write(id_, words)
    made.write_random("x", "y")
    (family,) = families_of(made)
    assert stretches(family) == [("x", 60, 100), ("x", 160, 200), ("y", 60, 100)]
    assert (family.documents, len(family.witnesses), family.common) == (2, 3, 40)


def test_copies_of_a_whole_document() -> None:
    made = Collection(7)
    words = made.words(300)
    for id_ in "abcdef":
        made.write(id_, words)
    (family,) = families_of(made)
    assert (family.documents, family.common, family.kind) == (6, 300, "verbatim")


def test_documents_without_passages_have_no_families() -> None:
    made = Collection(8)
    made.write_random("x", "y", count=300)
    found = families_of(made)
    assert list(found) == []
    assert found.to_arrow().num_rows == 0
    assert repr(found) == "<Families: 0, of up to 0 documents>"


def test_what_all_witnesses_have_is_counted_by_words() -> None:
    """Each witness replaces other words; a word in all is in none of the replaced places."""
    made = Collection(9)
    words = made.words(60)
    replaced = {"x": range(5, 60, 10), "y": range(7, 60, 12), "z": ()}
    for id_, places in replaced.items():
        made.write_random(id_)
        own = [f"{id_}{i}" if i in places else word for i, word in enumerate(words)]
        made.write(id_, own)
        made.write_random(id_)
    (family,) = families_of(made)
    changed = {place for places in replaced.values() for place in places}
    assert family.common == 60 - len(changed)
    assert family.kind == "edited"
    x, y, z = family.witnesses
    assert (x.matched, y.matched) == (60 - 6, 60 - 5)
    assert z.matched == 60 - len(set(replaced["x"]) & set(replaced["y"]))
    gaps = np.diff([-1, *sorted(changed), 60]) - 1
    assert family.run == gaps.max()


def test_columns_have_the_same_word_of_each_witness() -> None:
    made = Collection(10)
    for _ in range(3):
        made.plant("x", "y", "z", count=80, edited=0.1)
    found = families_of(made)
    assert len(found) == 3
    for family in found:
        for column in family.columns.tolist():
            words = {
                made.documents[one.id][word]
                for one, word in zip(family.witnesses, column, strict=True)
                if word >= 0
            }
            assert len(words) == 1
            assert sum(word >= 0 for word in column) >= 2


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), data=st.data())
def test_families_do_not_depend_on_the_order_of_documents(seed: int, data: st.DataObject) -> None:
    made = Collection(seed)
    ids = ["a", "b", "c", "d", "e"]
    whole = made.words(150)
    for id_ in ids:
        made.write_random(id_)
        begin = made.random.randrange(0, 80)
        made.write(id_, whole[begin : begin + made.random.randrange(30, 80)])
        made.write_random(id_)
    made.plant(*ids, count=60, edited=0.2)
    order = data.draw(st.permutations(ids))
    turned = find_families(find_passages([" ".join(made.documents[i]) for i in order], ids=order))

    def described(families: Families[str]) -> set[object]:
        return {
            (frozenset(stretches(one)), one.common, one.run, one.kind, one.p) for one in families
        }

    assert described(families_of(made)) == described(turned)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), witnesses=st.integers(2, 12), edited=st.floats(0, 0.15))
def test_planted_families_are_found_with_their_witnesses(
    seed: int, witnesses: int, edited: float
) -> None:
    made = Collection(seed)
    ids = [f"d{i}" for i in range(witnesses + 3)]
    made.write_random(*ids)
    chosen = made.random.sample(ids, witnesses)
    made.plant(*chosen, count=80, edited=edited)
    families = families_of(made)
    assert {one.id for one in families[0].witnesses} == set(chosen)
    assert families[0].common >= 80 * (1 - edited) ** witnesses / 2
    assert sum(family.documents >= 2 for family in families) == len(families) <= 3


def test_families_of_two_documents_are_their_passages() -> None:
    made = Collection(11)
    for count in (30, 80, 12):
        made.plant("x", "y", count=count)
    passages = find_passages(made.texts, ids=made.ids)
    families = find_families(passages)
    assert sum(one.witnesses[0].matched for one in families) == passages[0].words_a
    assert {(one.witnesses[0].start, one.witnesses[0].end) for one in families} == {
        (one.a_start, one.a_end) for one in passages[0].passages
    }


def test_families_of_two_collections() -> None:
    """Both may use the same ids; only passages between the two are searched."""
    made = Collection(12)
    made.plant("1", "2", count=40)
    one, two = made.texts
    (family,) = find_families(find_passages([one, one], against=[two]))
    assert [(w.side, w.id) for w in family.witnesses] == [("a", 0), ("a", 1), ("b", 0)]


def test_dates_and_groups_of_the_metadata() -> None:
    made = Collection(13)
    made.plant("x", "y", "z", count=40)
    metadata = [{"date": "1901", "group": "B"}, {"date": "0070-03", "group": "A"}, {"date": "?"}]
    passages = find_passages(made.texts, ids=made.ids)
    (family,) = find_families(passages, metadata=metadata)
    assert [family.witnesses[i].id for i in family.earliest] == ["y"]
    assert family.groups == ("A", "B")
    (undated,) = find_families(passages)
    assert undated.earliest == ()
    assert undated.groups == ()


def test_families_that_some_documents_share_and_others_do_not() -> None:
    made = Collection(14)
    made.plant("x", "y", "z", count=40)
    made.plant("x", "y", count=30)
    found = families_of(made)
    assert [one.documents for one in found.shared_by("x", "y")] == [3, 2]
    assert [one.documents for one in found.shared_by("x", "y", without=["z"])] == [2]
    assert list(found.shared_by("x", "z", without=["y"])) == []
    with pytest.raises(UsageError, match="no document has the id 'w'"):
        found.shared_by("w")


def test_a_table_has_a_row_for_each_witness() -> None:
    made = Collection(15)
    made.plant("x", "y", "z", count=40)
    made.plant("x", "y", count=30)
    table = families_of(made).to_arrow()
    assert table["family"].to_pylist() == [1, 1, 1, 2, 2]
    assert table["document"].to_pylist() == ["x", "y", "z", "x", "y"]
    assert table["common"].to_pylist() == [40, 40, 40, 30, 30]


def test_no_word_is_in_two_families_and_each_is_a_matched_word() -> None:
    made = Collection(16)
    whole = made.words(400)
    for id_ in "abcdefgh":
        begin = made.random.randrange(0, 300)
        made.write_random(id_)
        made.write(id_, whole[begin : begin + made.random.randrange(40, 100)])
        made.write_random(id_)
    passages = find_passages(made.texts, ids=made.ids)
    matched: dict[str, set[int]] = {id_: set() for id_ in made.ids}
    for pair in passages:
        for id_, side in ((pair.a, "a"), (pair.b, "b")):
            words = words_of(" ".join(made.documents[id_]))
            matched[id_] |= set(np.flatnonzero(matched_words(words, pair.passages, side)).tolist())
    seen: dict[str, list[int]] = {id_: [] for id_ in made.ids}
    for family in find_families(passages):
        for position, one in enumerate(family.witnesses):
            seen[one.id] += [word for word in family.columns[:, position].tolist() if word >= 0]
    for id_, words_seen in seen.items():
        assert len(words_seen) == len(set(words_seen))
        assert set(words_seen) <= matched[id_]
    assert sum(map(len, seen.values())) >= 0.95 * sum(map(len, matched.values()))


def test_arguments_are_checked() -> None:
    with pytest.raises(UsageError, match="find_passages"):
        find_families(Passages([]))
    found = find_passages(["one two three", "four five six"])
    with pytest.raises(UsageError, match="min_words"):
        find_families(found, min_words=0)
    with pytest.raises(UsageError, match="metadata"):
        find_families(found, metadata=[None])


def test_wording_of_very_many_documents_is_no_family_of_those_that_were_compared() -> None:
    """Two of 40 documents share a passage of their own too, and so are compared in a search that
    skips what the 40 have in common."""
    made = Collection(17)
    template = made.words(40)
    for number in range(40):
        made.write_random(f"d{number}", count=60)
        made.write(f"d{number}", template)
        made.write_random(f"d{number}")
    made.plant("d3", "d8", count=50)
    passages = find_passages(made.texts, ids=made.ids, max_documents=20, edited=False)
    assert passages.stats.counts["set_aside"]
    families = find_families(passages)
    assert [[one.id for one in family.witnesses] for family in families] == [["d3", "d8"]]
    assert families[0].common == 50
    assert "more than 20 documents" in families.notes[0]
    every = find_families(find_passages(made.texts, ids=made.ids))
    assert [family.documents for family in every] == [40, 2]
