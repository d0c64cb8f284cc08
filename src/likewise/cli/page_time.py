"""`page_time`: the time that a page says it was made at."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from likewise.errors import UsageError

EPOCH = "SOURCE_DATE_EPOCH"
"""The environment variable with the time of the page; if it is set, the page has no timings."""


def page_time() -> str:
    """Now, or the time in SOURCE_DATE_EPOCH, with which a page can be made again byte by byte."""
    given = os.environ.get(EPOCH)
    try:
        when = datetime.now(UTC) if given is None else datetime.fromtimestamp(int(given), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(f"{EPOCH} is {given!r}; it must be a Unix time in seconds") from error
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")
