"""Whole numbers that users give."""

from __future__ import annotations

from numbers import Integral

from likewise.errors import UsageError


def check_whole(name: str, value: object, low: int | None = None, high: int | None = None) -> None:
    """Raises unless value is a whole number from low to high."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise UsageError(f"{name} is {value!r}; it must be a whole number")
    if low is not None and high is not None and not low <= int(value) <= high:
        raise UsageError(f"{name} is {value}; it must be from {low} to {high:,}")
    if low is not None and int(value) < low:
        raise UsageError(f"{name} is {value}; it must be at least {low}")
