"""The layout is the data flow: packages import only those before them, and no private names."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from likewise.moved_modules import MOVED

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/likewise"

ORDER = (
    "errors", "types", "whole_numbers", "arrays", "frames", "threads", "run", "storage", "files",
    "_core",
    "moved_modules",
    "documents", "text",
    "statistics", "sketches", "search", "passages", "comparison", "index", "dedup",
    "decontamination", "survey",
    "output", "pages", "study", "spark", "server", "cli",
)  # fmt: skip


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if not name.startswith("__"):
            yield name, path


def imports(path: Path) -> Iterator[tuple[str, str, int]]:
    """Package, name and line of all imports from likewise, those for types included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("likewise"):
            parts = (node.module or "").split(".")
            for alias in node.names:
                yield parts[1] if len(parts) > 1 else alias.name, alias.name, node.lineno


def test_every_package_has_its_place_in_the_order() -> None:
    assert {name for name, _ in modules()} - set(ORDER) == set()


@pytest.mark.parametrize("package", ORDER)
def test_a_package_imports_only_those_before_it(package: str) -> None:
    later = set(ORDER[ORDER.index(package) + 1 :])
    wrong = [
        f"{path.relative_to(SOURCE)}:{line} imports {other}"
        for name, path in modules()
        if name == package
        for other, _, line in imports(path)
        if other in later
    ]
    assert wrong == []


def test_no_package_imports_a_private_name_of_another() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)}:{line} imports {name} of {other}"
        for package, path in modules()
        for other, name, line in imports(path)
        if other != package and name.startswith("_") and name not in ("_core", "__version__")
    ]
    assert wrong == []


def private_members(tree: ast.Module) -> set[str]:
    """Private attributes and methods of the classes of a module."""
    names: set[str] = set()
    for class_ in ast.walk(tree):
        if not isinstance(class_, ast.ClassDef):
            continue
        for node in ast.walk(class_):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                names.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names.add(node.attr)
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


def private_uses(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Name and line of private attributes of anything but `self` and `cls`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            of_self = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if not of_self and not node.attr.startswith("__"):
                yield node.attr, node.lineno


def test_no_package_uses_a_private_attribute_of_another() -> None:
    """By name: one that this module does not define, and a class of another package does."""
    trees = [(name, path, ast.parse(path.read_text("utf-8"))) for name, path in modules()]
    defined = [(name, private_members(tree)) for name, _, tree in trees]
    wrong = [
        f"{path.relative_to(SOURCE)}:{line} uses {attribute} of {other}"
        for package, path, tree in trees
        for attribute, line in private_uses(tree)
        if attribute not in private_members(tree)
        for other in sorted({name for name, members in defined if attribute in members})
        if other != package
    ]
    assert wrong == []


def test_every_folder_is_on_the_map_of_contributing() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    folders = [
        str(path.relative_to(ROOT))
        for top in (SOURCE, ROOT / "core")
        for path in sorted(top.rglob("*"))
        if path.is_dir() and path.name != "__pycache__"
    ]
    assert [folder for folder in folders if f"`{folder}/`" not in text] == []


def test_old_names_of_documented_modules_still_work() -> None:
    for old, new in MOVED.items():
        sys.modules.pop(old, None)
        with pytest.warns(DeprecationWarning, match=f"{old} is now {new}"):
            module = import_module(old)
        assert module is import_module(new)


def test_functions_named_in_contributing_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    places = re.findall(r"`(?:src/likewise/)?([\w/]+\.py):([\w.]+)`", text)
    assert len(places) > 20
    missing = []
    for file, name in places:
        last = name.split(".")[-1]
        defined = re.compile(rf"^\s*(?:async )?(?:def|class) {last}\b|^{last}\b.* =", re.M)
        paths = [SOURCE / file, SOURCE / "dedup/files" / file]
        if not any(path.is_file() and defined.search(path.read_text("utf-8")) for path in paths):
            missing.append(f"{file}:{name}")
    assert missing == []
