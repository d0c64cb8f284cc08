"""Which of the other texts have each word."""

from __future__ import annotations

import numpy as np
import pytest

from likewise.errors import UsageError
from likewise.passages.families.agreement import word_agreements
from likewise.passages.families.find import find_families
from likewise.passages.find import find_passages
from tests.passages.families.planted import Collection


def test_each_word_has_the_documents_that_have_it_too() -> None:
    made = Collection(1)
    made.plant("x", "y", "z", count=40)
    made.plant("x", "y", count=30)
    passages = find_passages(made.texts, ids=made.ids)
    x, y, z = word_agreements(passages, find_families(passages))
    x_expected = np.zeros(len(made.documents["x"]), int)
    x_expected[60:100] = 0b110
    x_expected[220:250] = 0b010
    assert x.tolist() == x_expected.tolist()
    assert sorted(set(y.tolist())) == [0, 0b001, 0b101]
    assert sorted(set(z.tolist())) == [0, 0b011]


def test_words_with_an_agreement_are_the_shared_words_of_two_texts() -> None:
    made = Collection(2)
    for _ in range(4):
        made.plant("x", "y", count=70, edited=0.25)
    passages = find_passages(made.texts, ids=made.ids)
    x, y = word_agreements(passages, find_families(passages))
    assert ((x > 0).sum(), (y > 0).sum()) == (passages[0].words_a, passages[0].words_b)


def test_more_documents_than_bits() -> None:
    passages = find_passages(["one two three"] * 65)
    with pytest.raises(UsageError, match="65 documents"):
        word_agreements(passages, find_families(passages))
