"""A Markdown table, and numbers short enough to stand in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; every column but the first is set right."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def short(value: float | None) -> str:
    """Return three significant digits with thousands separated; a dash for nothing."""
    if value is None:
        return "–"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def share(value: float | None) -> str:
    """Return a recall or precision; 1.0000 only where nothing is missing."""
    if value is None:
        return "–"
    return "1" if value == 1 else f"{min(value, 0.9999):.4f}"
