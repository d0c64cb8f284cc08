"""Dates of documents, as their metadata give them: 1611, -0043, 44 BC, 2024-03 or 2024-03-18.

Pages read them by the same rules (`pages/static/families/family_rows.js`).
"""

from __future__ import annotations

import re

# Of 1939-45, a range of years, the first year; 5th, 18.3.2024 and 3/2024 are no years.
_DATE = re.compile(
    r" *([+-]?[0-9]{1,4})"
    r"(?:-(0?[1-9]|1[0-2])(?:-(0?[1-9]|[12][0-9]|3[01])(?:T[0-9:.Z+-]*)?)?|( ?B\.?C\.?)E?|s)?"
    r"(?![0-9./]|[^\W\d_])"
)


def date_of(text: object) -> tuple[int, int, int] | None:
    """Year, month and day, to be compared; None for what is no such date.

    The first month or day stands for those that are not given. 1 BC is the year 0.
    """
    found = _DATE.match(str(text)) if text is not None else None
    if found is None:
        return None
    year = int(found[1])
    return 1 - year if found[4] else year, int(found[2] or 1), int(found[3] or 1)
