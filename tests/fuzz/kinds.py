"""The kinds of input. A new one is a function `(random.Random) -> Outcome` and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from tests.fuzz.outcomes import Kind

KINDS: Mapping[str, str] = {
    "pdf": "tests.fuzz.documents:pdf",
    "docx": "tests.fuzz.documents:docx",
    "odt": "tests.fuzz.documents:odt",
    "pptx": "tests.fuzz.documents:pptx",
    "epub": "tests.fuzz.documents:epub",
    "html": "tests.fuzz.documents:html",
    "rtf": "tests.fuzz.documents:rtf",
    "text": "tests.fuzz.documents:text",
}


def load(name: str) -> Kind:
    """Return the function of a kind; only its own module is imported."""
    module, _, function = KINDS[name].partition(":")
    kind: Kind = getattr(import_module(module), function)
    return kind
