"""Components of passages, and the families of one of them."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from likewise.passages.families.component import families_of_component, find_components
from likewise.passages.families.described import DocumentFacts
from likewise.passages.families.runs import PassageRuns, Run


class Shared(NamedTuple):
    short_runs: int | None = None
    equal_share: float = 0.0


def facts(number: int) -> DocumentFacts:
    return DocumentFacts(
        id=number, side="a", digest=str(number), words=300, unspaced=False, metadata={},
        range=lambda first, stop: (first, stop),
    )  # fmt: skip


@pytest.mark.parametrize(("longest", "families"), [(1, [3]), (3, [3]), (8, [3, 2])])
def test_single_words_beside_a_family_are_no_family(longest: int, families: list[int]) -> None:
    """Two of three documents have more words in common next to the passage that all have."""
    whole = Run(60, 60, 60)
    beside = [Run(124 + 2 * i, 124 + 2 * i, 1) for i in range(14)]
    beside.append(Run(154, 154, longest))
    passages = [
        PassageRuns(0, 1, (whole, *beside), in_order=True),
        PassageRuns(0, 2, (whole,), in_order=True),
        PassageRuns(1, 2, (whole,), in_order=True),
    ]
    pairs = {(one.a, one.b): Shared() for one in passages}
    found = families_of_component(passages, {i: facts(i) for i in range(3)}, pairs, 12)
    assert [family.documents for family in found] == families


def test_a_passage_of_single_words_is_a_family() -> None:
    """It has nothing else, and was found by these words."""
    runs = tuple(Run(2 * i, 100 + 3 * i, 1) for i in range(30))
    passages = [PassageRuns(0, 1, runs, in_order=True)]
    (family,) = families_of_component(passages, {0: facts(0), 1: facts(1)}, {(0, 1): Shared()}, 12)
    assert (family.common, family.run) == (30, 1)


@pytest.mark.parametrize(("gap", "components"), [(0, 1), (39, 1), (40, 2), (200, 2)])
def test_passages_that_are_far_apart_everywhere_are_two_components(
    gap: int, components: int
) -> None:
    passages = [
        PassageRuns(0, 1, (Run(10, 10, 20),), in_order=True),
        PassageRuns(0, 2, (Run(30 + gap, 10, 20),), in_order=True),
    ]
    assert len(find_components(passages, 12)) == components


def test_passages_are_connected_by_way_of_others() -> None:
    passages = [
        PassageRuns(0, 1, (Run(10, 10, 20),), in_order=True),
        PassageRuns(2, 3, (Run(10, 10, 20),), in_order=True),
        PassageRuns(1, 2, (Run(20, 20, 20),), in_order=True),
        PassageRuns(1, 2, (Run(200, 200, 20),), in_order=True),
    ]
    assert [len(own) for own in find_components(passages, 12)] == [3, 1]
