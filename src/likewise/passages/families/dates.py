"""Dates of documents, as their metadata give them: 1611, -0043, 2024-03 or 2024-03-18."""

from __future__ import annotations

import re

_DATE = re.compile(r"\s*([+-]?\d{1,4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?![\d./])")


def date_of(text: object) -> tuple[int, int, int] | None:
    """Year, month and day, to be compared; None for what is no such date.

    The first month or day stands for those that are not given.
    """
    found = _DATE.match(str(text)) if text is not None else None
    if found is None:
        return None
    return int(found[1]), int(found[2] or 1), int(found[3] or 1)
