"""Tables of plain text, aligned for a terminal."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence


def aligned(header: Sequence[str], rows: Iterable[Sequence[str]], numeric: Iterable[str]) -> str:
    """A table: columns named in `numeric` to the right, the others to the left."""
    table = [list(header), *(list(row) for row in rows)]
    right = [name in set(numeric) for name in header]
    widths = [max(display_width(row[i]) for row in table) for i in range(len(header))]
    lines = []
    for row in table:
        cells = [
            _pad(cell, width, to_right)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def printable(text: str) -> str:
    """Text that cannot move the cursor or change the terminal: control characters escaped."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )


def small(value: float) -> str:
    """Four decimals, or scientific notation if these would be zeros."""
    return f"{value:.4f}" if value == 0 or abs(value) >= 0.0005 else f"{value:.1e}"


def percent(share: float) -> str:
    """A share as whole percent, as the pages show it: nothing shared is 0%, everything 100%."""
    if 0 < share < 0.01:
        return "<1%"
    if 0.99 < share < 1:
        return "99%"
    return f"{math.floor(share * 100 + 0.5)}%"


def display_width(text: str) -> int:
    """Columns that text takes: two for wide characters of East Asia, none for marks."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _pad(text: str, width: int, to_right: bool) -> str:
    filling = " " * (width - display_width(text))
    return filling + text if to_right else text + filling
