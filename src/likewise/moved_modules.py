"""Documented modules that have moved: their old names still work, with a `DeprecationWarning`."""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "likewise.evidence": "likewise.passages",
    "likewise.evidence.alignment": "likewise.passages.alignment",
    "likewise.evidence.comparison": "likewise.comparison.comparison",
    "likewise.evidence.differences": "likewise.passages.differences",
    "likewise.evidence.exclusions": "likewise.passages.exclusions",
    "likewise.evidence.find": "likewise.passages.find",
    "likewise.evidence.frequencies": "likewise.text.word_frequencies",
    "likewise.evidence.matching_text": "likewise.passages.matching_text",
    "likewise.evidence.pair_passages": "likewise.passages.pair_passages",
    "likewise.evidence.passage": "likewise.passages.passage",
    "likewise.evidence.passages": "likewise.passages.results",
    "likewise.evidence.scores": "likewise.passages.scores",
    "likewise.evidence.words": "likewise.text.words",
    "likewise.dedup.run": "likewise.dedup.files.run",
}


class _Finder(MetaPathFinder, Loader):
    """Imports the new module in place of the old one."""

    def __init__(self) -> None:
        self._own: dict[str, ModuleSpec | None] = {}  # of new modules, which an import replaces

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name in MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(MOVED[spec.name])
        self._own[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        old = module.__spec__.name
        module.__spec__ = self._own.pop(old)
        warnings.warn(f"{old} is now {MOVED[old]}", DeprecationWarning, stacklevel=2)


def install() -> None:
    """Have old names found."""
    sys.meta_path.insert(0, _Finder())
