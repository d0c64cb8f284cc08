"""Dates of metadata, as people write them."""

from __future__ import annotations

import pytest

from likewise.passages.families.dates import date_of


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1611", (1611, 1, 1)), (1611, (1611, 1, 1)), (" 1611 ", (1611, 1, 1)),
        ("-0043", (-43, 1, 1)), ("44 BC", (-43, 1, 1)), ("44 BCE", (-43, 1, 1)),
        ("1 B.C.", (0, 1, 1)), ("AD 70", None), ("70 AD", (70, 1, 1)),
        ("2024-03", (2024, 3, 1)), ("2024-3-8", (2024, 3, 8)), ("2024-03-18", (2024, 3, 18)),
        ("2024-03-18T10:00:00Z", (2024, 3, 18)), ("2024-03-18 10:00", (2024, 3, 18)),
        ("1611-1613", (1611, 1, 1)), ("1939-45", (1939, 1, 1)), ("1611/12", None),
        ("1611 (2nd edition)", (1611, 1, 1)), ("1850s", (1850, 1, 1)),
        ("5th century", None), ("2nd edition", None), ("18.3.2024", None), ("3/2024", None),
        ("20240318", None), ("c. 1600", None), ("?", None), ("", None), (None, None),
        ("\u0661\u0666\u0661\u0661", None),
    ],
)  # fmt: skip
def test_a_date_is_a_year_and_maybe_month_and_day(
    text: object, date: tuple[int, int, int] | None
) -> None:
    assert date_of(text) == date
