"""`--where FIELD=VALUE`: conditions on the metadata of stored documents."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any


def condition(text: str) -> tuple[str, str]:
    """A field and a value, from the text of an option."""
    field, equals, value = text.partition("=")
    if not field or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form FIELD=VALUE")
    return field, value


def matching(given: Iterable[tuple[str, str]] | None) -> Callable[[Any], bool] | None:
    """Whether metadata have, for each field, one of its values; None without conditions.

    Values that are not strings are compared as JSON: 2026, true.
    """
    if not given:
        return None
    allowed: dict[str, set[str]] = defaultdict(set)
    for field, value in given:
        allowed[field].add(value)

    def has(metadata: Any, field: str) -> bool:
        value = metadata.get(field)
        known = value if isinstance(value, str) else json.dumps(value)
        return field in metadata and known in allowed[field]

    return lambda metadata: all(has(metadata, field) for field in allowed)
