"""The same two documents have the same passages and figures in every interface.

What is compared is everything that an interface reports: places, kinds, matched words, shares and
p. The answer for two documents alone is what all others must equal, whichever document comes first
and whatever other documents are around.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from likewise.passages.matching_text import matching_text
from likewise.passages.pair_passages import find_pair_passages
from tests.truth.interfaces import ALL, NOTHING, Answer, Documents, Pair, differences, of_pair

ESSAYS = Path(__file__).parents[2] / "samples/essays"


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Documents:
    texts = {path.name: path.read_text("utf-8") for path in sorted(ESSAYS.glob("*.txt"))}
    return Documents.write(texts, tmp_path_factory.mktemp("samples"))


def alone(documents: Documents) -> dict[Pair, Answer]:
    """Each pair by itself, as if there were no other document."""
    texts = {name: matching_text(text).text for name, text in documents.texts.items()}
    return {
        (a, b): of_pair(find_pair_passages([texts[a], texts[b]], [(0, 1)], threads=1)[0])
        for a, b in documents.pairs
    }


@pytest.fixture(scope="module")
def expected(samples: Documents) -> dict[Pair, Answer]:
    return alone(samples)


def test_the_samples_share_something(samples: Documents, expected: dict[Pair, Answer]) -> None:
    """So that the test below is one."""
    assert len(expected) == 595
    assert sum(bool(answer["passages"]) for answer in expected.values()) >= 16


@pytest.mark.parametrize("interface", ALL)
def test_every_pair_of_samples_has_one_answer(
    samples: Documents, expected: dict[Pair, Answer], interface: str
) -> None:
    told = ALL[interface](samples)
    wrong = {
        pair: found
        for pair, answer in expected.items()
        if (found := differences(told.get(pair, NOTHING), answer))
    }
    assert wrong == {}
    assert told.keys() <= expected.keys()
