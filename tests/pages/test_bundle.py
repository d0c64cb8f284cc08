"""Modules bundled as one: the rules that they must keep, and that ours keep them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import likewise.pages
from likewise.pages.bundle import BundleError, bundle, parse

STATIC = Path(likewise.pages.__file__).parent / "static"
MODULES = sorted(STATIC.rglob("*.js"))


def bundled(entry: str, **modules: str) -> str:
    return bundle(f"{entry}.js", lambda name: modules[name.removesuffix(".js")])


def test_each_module_comes_once_behind_those_that_it_imports() -> None:
    made = bundled(
        "page",
        page='import { b } from "./b.js";\nimport { a } from "./a.js";\nb(a);\n',
        b='import { a } from "./a.js";\n\nexport function b() {\n  return a;\n}\n',
        a="// first\nexport const a = 1;\n",
    )
    assert made == "// first\nconst a = 1;\n\nfunction b() {\n  return a;\n}\n\nb(a);\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('import a from "./a.js";', "one line"),
        ('import * as a from "./a.js";', "one line"),
        ('import {\n  a,\n} from "./a.js";', "one line"),
        ('import { a as b } from "./a.js";', "one line"),
        ('import { a } from "https://example.org/a.js";', "one line"),
        ('const a = await import("./a.js");', "dynamic import"),
        ("export default function a() {}", "function, a const or a class"),
        ("const a = 1;\nexport { a };", "function, a const or a class"),
        ("const { a, b } = c;", "one by one"),
        ('const a = "</script>";', "</script"),
        ('const a = "<!--";', "<!--"),
    ],
)
def test_what_breaks_a_rule_is_refused(source: str, message: str) -> None:
    with pytest.raises(BundleError, match=message):
        parse("x.js", source)


def test_a_name_at_the_top_of_two_modules_is_refused() -> None:
    with pytest.raises(BundleError, match=r"shown is defined in a.js and in page.js"):
        bundled(
            "page",
            page='import { a } from "./a.js";\nfunction shown() {}\n',
            a="export const a = 1;\nlet shown;\n",
        )


def test_a_name_that_is_not_exported_cannot_be_imported() -> None:
    with pytest.raises(BundleError, match=r"a.js exports no b"):
        bundled("page", page='import { b } from "./a.js";', a="export const a = 1;\nconst b = 2;")


def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(BundleError, match=r"a.js → b.js → a.js"):
        bundled("a", a='import { b } from "./b.js";', b='import { a } from "./a.js";')


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_our_modules_keep_the_rules(path: Path) -> None:
    parse(path.name, path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("entry", ["report.js", "app.js", "synopsis.js"])
def test_our_modules_can_be_bundled(entry: str) -> None:
    made = bundle(entry, lambda name: (STATIC / name).read_text(encoding="utf-8"))
    assert not re.search(r"^(import|export)\b", made, re.MULTILINE)


def test_no_name_is_at_the_top_of_two_of_our_modules() -> None:
    owners: dict[str, str] = {}
    for path in MODULES:
        for name in parse(path.name, path.read_text(encoding="utf-8")).names:
            assert owners.setdefault(name, path.name) == path.name, name
