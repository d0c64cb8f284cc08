"""Plain text whose verses, lines or sections have numbers: the numbers become references.

One module per rule, each with a function `read_RULE(text)` that returns the text without the
numbers, and the references; None where there are none. The user chooses the rule: what looks like
a verse in one text is the time of day in another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import get_args

from likewise.documents.document import Document
from likewise.documents.references import References, Scheme
from likewise.errors import UsageError

RULES: tuple[Scheme, ...] = get_args(Scheme)


def check_rule(rule: str | None) -> None:
    """Raise `UsageError` for a rule that does not exist."""
    if rule is not None and rule not in RULES:
        raise UsageError(f"unknown rule {rule!r} for places", hint=f"use {', '.join(RULES)}")


def with_references(document: Document, rule: str) -> Document:
    """Return a plain text as a document with references, by one of the `RULES`."""
    function: Callable[[str], tuple[str, References | None]]
    function = getattr(import_module(f"{__name__}.{rule}"), f"read_{rule}")
    text, references = function(document.text)
    if references is None:
        return replace(document, notes=(*document.notes, f"no {_WORDS[rule]} found"))
    return replace(document, text=text, references=references)


_WORDS = {
    "verses": "verse numbers",
    "lines": "line numbers",
    "sections": "headings",
}
