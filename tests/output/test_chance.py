"""Probabilities in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise import pages
from likewise.output.chance import chance_text
from likewise.statistics.chance import P_MEANING, Q_MEANING


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "less than 1 in a million"),
        (9.99e-7, "less than 1 in a million"),
        (1e-6, "less than 1 in a million"),
        (1.001e-6, "1 in 990,000"),
        (1 / 24_900, "1 in 24,000"),
        (0.025, "1 in 40"),
        (0.0275, "1 in 36"),
        (0.14, "1 in 7"),
        (0.3, "3 in 10"),
        (0.5, "5 in 10"),
        (1.0, "more than 9 in 10"),
    ],
)
def test_a_probability_is_said_as_people_say_it(p: float, text: str) -> None:
    assert chance_text(p) == text


@given(p=st.floats(1e-6, 0.95, exclude_min=True, exclude_max=True))
def test_the_words_are_close_to_the_number_and_never_below_it(p: float) -> None:
    many, of = (int(part.replace(",", "")) for part in re.findall(r"[\d,]+", chance_text(p)))
    assert p * (1 - 1e-9) - 0.05 * (p > 0.15) <= many / of <= 1.2 * p + 0.05 * (p > 0.15)


def test_the_pages_explain_p_and_q_in_the_same_words() -> None:
    script = (Path(pages.__file__).parent / "static/data/numbers.js").read_text(encoding="utf-8")
    assert f'P_MEANING = "{P_MEANING}"' in script
    assert f'Q_MEANING = "{Q_MEANING}"' in script
