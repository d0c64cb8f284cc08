"""Which words agree in which texts, against a dictionary of sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from likewise.survey.synopsis.agreement import Agreements
from likewise.survey.synopsis.units import SharedWording, Stretch
from tests.survey.synopsis.made import Made, counts_by_texts, shared_blocks, slow_masks


@given(shared_blocks())
def test_each_word_belongs_to_the_texts_of_its_column(made: Made) -> None:
    masks = made.synopsis().agreements.masks
    found = [
        [{text for text in range(5) if mask >> text & 1} for mask in own.tolist()] for own in masks
    ]
    assert found == slow_masks(made)


@given(shared_blocks())
def test_counts_are_those_of_single_words_and_add_up(made: Made) -> None:
    wanted = counts_by_texts(slow_masks(made))
    traditions = made.synopsis().traditions
    for one in traditions:
        own = wanted.pop(one.texts, [0] * len(made.texts))
        assert list(one.words) == [own[text] for text in one.texts]
        assert all(wider <= words for wider, words in zip(one.wider, one.words, strict=True))
    assert not wanted
    for text, shown in enumerate(made.texts):
        total = sum(one.words[one.texts.index(text)] for one in traditions if text in one.texts)
        assert total == len(shown.words)


@given(shared_blocks())
def test_runs_have_each_agreement_once(made: Made) -> None:
    agreements = made.synopsis().agreements
    found = sorted(
        sorted((text, first + i) for text, first in run.places)
        for run in agreements.runs
        for i in range(run.words)
    )
    wanted = sorted(
        sorted((one.text, word) for one, word in zip(family.stretches, column, strict=True)
               if word >= 0)
        for family in made.families
        for column in family.columns.tolist()
    )  # fmt: skip
    assert found == wanted


def test_wider_words_are_in_passages_of_more_texts_and_never_of_fewer() -> None:
    def family(*texts: int) -> SharedWording:
        stretches = tuple(Stretch(text, 0, 2) for text in texts)
        return SharedWording(stretches, np.zeros((0, len(texts)), np.int32))

    words = np.zeros(2, np.bool_)
    # All three have a word beside a passage of two; two have a word in a passage of three.
    found = Agreements([((0, 0), (1, 0), (2, 0))], [family(0, 1)], [2, 2, 2], [words] * 3)
    assert found.traditions()[0].wider == (0, 0, 0)
    found = Agreements([((0, 0), (1, 0))], [family(0, 1, 2)], [2, 2, 2], [words] * 3)
    assert {one.texts: one.wider for one in found.traditions()}[0, 1] == (1, 1)
