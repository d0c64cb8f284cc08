"""Dates of documents, as their metadata give them: 1611, -0043, 2024-03 or 2024-03-18.

Years have three or four digits, so that the day of "5 May 2024" is no year. `data/dates.js` reads
the same dates.
"""

from __future__ import annotations

import re

_DATE = re.compile(r"\s*([+-]?\d{3,4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?![\d./])")


def date_of(text: object) -> tuple[int, int, int] | None:
    """Year, month and day, to be compared; None for what is no such date.

    The first month or day stands for those that are not given.
    """
    known = _parts(text)
    if not known:
        return None
    year, month, day = (*known, 1, 1)[:3]
    return year, month, day


def compare_dates(first: object, second: object) -> int:
    """-1 or 1, if the first date is earlier or later, whatever day is meant; 0 otherwise.

    1850 is earlier than 1851-02; whether it is earlier than 1850-02 is not known.
    """
    pairs = zip(_parts(first), _parts(second), strict=False)
    return next((-1 if one < other else 1 for one, other in pairs if one != other), 0)


def _parts(text: object) -> list[int]:
    """Year, month and day, as far as they are given; nothing for what is no such date."""
    found = _DATE.match(str(text)) if text is not None else None
    known = [int(part) for part in found.groups() if part] if found else []
    _, month, day = (*known, 1, 1, 1)[:3]
    return known if 1 <= month <= 12 and 1 <= day <= 31 else []
