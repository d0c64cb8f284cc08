"""`bundle`: several JavaScript modules as one, so that a page needs no other file.

No tool is needed, since the modules keep to rules that `parse` checks: every import is one line
`import { a, b } from "./x.js";` at the top, every export is `export function`, `export const`,
`export class` or `export async function`, and no name is defined at the top of two modules. The
bundle is the modules one after the other, each after those that it imports, without these words.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass

_IMPORT = re.compile(r'import \{ ([\w$]+(?:, [\w$]+)*) \} from "(\.\.?/[\w./-]+\.js)";')
_EXPORT = re.compile(r"export (?=(?:async )?function\b|const\b|class\b)")
_NAMES = re.compile(
    r"^(?:export )?(?:(?:async )?function\s*\*?|class|const|let|var)\s+([\w$]+)", re.MULTILINE
)
_GROUPED = re.compile(r"^(?:export )?(?:const|let|var)\s*[\[{]", re.MULTILINE)
# What would end the script inside a page, or make the rest of it a comment.
_MARKUP = re.compile(r"</script|<!--", re.IGNORECASE)


class BundleError(ValueError):
    """A module that does not keep to the rules; a mistake in the program, not of its user."""


@dataclass(frozen=True)
class Module:
    """One module.

    Attributes:
        name: of its file, with the folder that it is in.
        imports: (module, names) for each import; the module by its name.
        names: what it defines at the top.
        exports: those of them that others may import.
        body: without imports and the word export.
    """

    name: str
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    names: tuple[str, ...]
    exports: frozenset[str]
    body: str


def parse(name: str, text: str) -> Module:
    """A module by its rules; raises `BundleError` where it breaks one."""
    imports: list[tuple[str, tuple[str, ...]]] = []
    kept: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        where = f"{name} line {number}"
        if re.match(r"import\b", line):
            found = _IMPORT.fullmatch(line.rstrip())
            if found is None:
                raise BundleError(f'{where}: an import is one line, {{ names }} from "./x.js";')
            source = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[2]))
            imports.append((source, tuple(found[1].split(", "))))
            continue
        if re.match(r"export\b", line):
            if _EXPORT.match(line) is None:
                raise BundleError(f"{where}: what is exported is a function, a const or a class")
            line = line.removeprefix("export ")
        kept.append(line)
    if re.search(r"\bimport\s*\(", text):
        raise BundleError(f"{name}: an import that happens later cannot be bundled")
    if _GROUPED.search(text):
        raise BundleError(f"{name}: names at the top are defined one by one")
    if _MARKUP.search(text):
        raise BundleError(f"{name}: </script and <!-- are not allowed in a page's script")
    exported = _NAMES.findall("\n".join(re.findall(r"^export .*$", text, re.MULTILINE)))
    return Module(
        name,
        tuple(imports),
        tuple(_NAMES.findall(text)),
        frozenset(exported),
        "\n".join(kept).strip("\n") + "\n",
    )


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """One module from `entry` and all that it needs; `read` gives the source of a module."""
    modules = _ordered(entry, read)
    owners: dict[str, str] = {}
    for module in modules:
        for name in module.names:
            other = owners.setdefault(name, module.name)
            if other != module.name:
                raise BundleError(f"{name} is defined at the top of {other} and of {module.name}")
    by_name = {module.name: module for module in modules}
    for module in modules:
        for source, names in module.imports:
            for name in names:
                if name not in by_name[source].exports:
                    raise BundleError(f"{module.name}: {source} exports no {name}")
    return "\n".join(module.body for module in modules)


def _ordered(entry: str, read: Callable[[str], str]) -> list[Module]:
    """Each module behind those that it imports."""
    done: dict[str, Module] = {}
    under_way: list[str] = []

    def visit(name: str) -> None:
        if name in done:
            return
        if name in under_way:
            raise BundleError(f"modules import each other: {' → '.join([*under_way, name])}")
        under_way.append(name)
        module = parse(name, read(name))
        for source, _ in module.imports:
            visit(source)
        under_way.pop()
        done[name] = module

    visit(entry)
    return list(done.values())
