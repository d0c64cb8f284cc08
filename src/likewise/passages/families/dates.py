"""Dates of documents, as their metadata give them: 1611, 44 BC, 2024-03 or 2024-03-18.

Years without BC, BCE, AD or CE have three or four digits, so that the day of "5 May 2024" is no
year. Pages read them by the same rules (`pages/static/data/dates.js`).
"""

from __future__ import annotations

import re

# Of 1939-45, a range of years, the first year; 5th, 18.3.2024 and 3/2024 are no years.
_DATE = re.compile(
    r" *(?:([0-9]{1,4}) ?(?:(B\.?C)\.?E?|A\.?D|C\.?E)\.?"
    r"|([+-]?[0-9]{3,4})"
    r"(?:-(0?[1-9]|1[0-2])(?:-(0?[1-9]|[12][0-9]|3[01])(?:T[0-9:.Z+-]*)?)?|s)?)"
    r"(?![0-9./]|[^\W\d_])"
)


def date_of(text: object) -> tuple[int, int, int] | None:
    """Year, month and day, to be compared; None for what is no such date.

    The first month or day stands for those that are not given. 1 BC is the year 0.
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
    if found is None:
        return []
    if found[1] is not None:
        return [1 - int(found[1]) if found[2] else int(found[1])]
    return [int(part) for part in found.groups()[2:] if part]
