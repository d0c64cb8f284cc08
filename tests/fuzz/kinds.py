"""The kinds of input: a new one is a function and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from random import Random

from tests.fuzz.outcomes import Outcome


@dataclass(frozen=True)
class Kind:
    """A kind of input: its name, "module:function", and the address space of its process."""

    name: str
    function: str
    memory: int = 2 << 30

    def load(self) -> Callable[[Random], Outcome]:
        """Import the function; only its own module is imported."""
        module, _, name = self.function.partition(":")
        function: Callable[[Random], Outcome] = getattr(import_module(module), name)
        return function

    def random(self, seed: int, number: int) -> Random:
        """Return what makes one input, whatever ran before it."""
        return Random(f"{self.name} {seed} {number}")


_ARROW = 8 << 30  # Arrow's allocators reserve far more addresses than they use

KINDS = {
    kind.name: kind
    for kind in (
        Kind("pdf", "tests.fuzz.documents:pdf"),
        Kind("docx", "tests.fuzz.documents:docx"),
        Kind("odt", "tests.fuzz.documents:odt"),
        Kind("pptx", "tests.fuzz.documents:pptx"),
        Kind("epub", "tests.fuzz.documents:epub"),
        Kind("html", "tests.fuzz.documents:html"),
        Kind("rtf", "tests.fuzz.documents:rtf"),
        Kind("text", "tests.fuzz.documents:text"),
        Kind("tei", "tests.fuzz.editions:tei"),
        Kind("osis", "tests.fuzz.editions:osis"),
        Kind("usfm", "tests.fuzz.editions:usfm"),
        Kind("numbered", "tests.fuzz.editions:numbered"),
        Kind("csv", "tests.fuzz.tables:csv_", _ARROW),
        Kind("tsv", "tests.fuzz.tables:tsv", _ARROW),
        Kind("jsonl", "tests.fuzz.tables:jsonl", _ARROW),
        Kind("json", "tests.fuzz.tables:json_array", _ARROW),
        Kind("lines", "tests.fuzz.tables:lines", _ARROW),
        Kind("parquet", "tests.fuzz.tables:parquet", _ARROW),
        Kind("arrow", "tests.fuzz.tables:arrow", _ARROW),
        Kind("zip", "tests.fuzz.folders:archive", _ARROW),
        Kind("packed", "tests.fuzz.folders:packed", _ARROW),
        Kind("folder", "tests.fuzz.folders:mixed", _ARROW),
        Kind("metadata", "tests.fuzz.folders:metadata", _ARROW),
        Kind("cache", "tests.fuzz.folders:cache_entry", _ARROW),
        Kind("commands", "tests.fuzz.commands:commands", _ARROW),
        Kind("tables", "tests.fuzz.command_tables:table", _ARROW),
        Kind("signatures", "tests.fuzz.command_tables:signatures", _ARROW),
        Kind("export", "tests.fuzz.command_tables:export", _ARROW),
        Kind("http", "tests.fuzz.http:http", memory=16 << 30),
        Kind("index", "tests.fuzz.index:index"),
        Kind("shingles", "tests.fuzz.core:shingles", _ARROW),
        Kind("join", "tests.fuzz.core:join", _ARROW),
        Kind("alignment", "tests.fuzz.core:alignment", _ARROW),
        Kind("entries", "tests.fuzz.core:entries", _ARROW),
    )
}
