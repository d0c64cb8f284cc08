"""XML editions of any size, element by element: no tree, no network, no entities that grow.

Names come without their namespaces. An edition may define entities for single letters; any that
contain others are refused, and so is a document that is nested too deeply.
"""

from __future__ import annotations

import html.entities
from collections.abc import Mapping
from typing import Protocol
from xml.parsers import expat

from likewise.documents.limits import MAX_DOCUMENT_BYTES, max_size
from likewise.documents.unreadable import UnreadableError
from likewise.run import counted

MAX_DEPTH = 256  # of elements, as in other formats
_MAX_ENTITY = 64  # characters
_MAX_NAMES = 10_000
_BLOCK = 1 << 20
_PREDEFINED = frozenset(("amp", "lt", "gt", "quot", "apos"))

Attributes = Mapping[str, str]


class Target(Protocol):
    """What is called with each part of a document."""

    def start(self, name: str, attributes: Attributes) -> None: ...

    def end(self, name: str) -> None: ...

    def text(self, text: str) -> None: ...


def parse_stream(data: bytes, target: Target) -> list[str]:
    """Call the target with all elements and texts; raise `UnreadableError` if it is not XML.

    Returns what the user should hear of.
    """
    parser = _Parser(target)
    try:
        for start in range(0, len(data), _BLOCK):
            parser.parser.Parse(data[start : start + _BLOCK], False)
        parser.parser.Parse(b"", True)
    except expat.ExpatError as error:
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_MEMORY]:
            raise MemoryError from error
        what = expat.errors.messages.get(error.code, str(error))
        raise UnreadableError(f"not well-formed XML: line {error.lineno:,}: {what}") from error
    except (ValueError, LookupError) as error:  # of an encoding that Python does not know
        raise UnreadableError(f"not readable as XML: {error}") from error
    if not parser.missing:
        return []
    return [f"{counted(parser.missing, 'unresolved entity reference')} excluded"]


class _Parser:
    def __init__(self, target: Target) -> None:
        self.parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._declare
        parser.SkippedEntityHandler = self._skip
        parser.ExternalEntityRefHandler = self._refer
        parser.UseForeignDTD(True)  # of which nothing is read: unknown entities come to `_skip`
        self._target = target
        self._depth = self._length = 0
        self._names: dict[str, str] = {}
        self.missing = 0  # entities that are not known, or other files

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnreadableError("elements are nested too deeply")
        named = {self._local(key): value for key, value in attributes.items()}
        self._target.start(self._local(name), named)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._target.end(self._local(name))

    def _local(self, name: str) -> str:
        """A name without its namespace; each is looked at once, since a file has few."""
        known = self._names.get(name)
        if known is None:
            known = name.rpartition(" ")[2]
            if len(self._names) < _MAX_NAMES:
                self._names[name] = known
        return known

    def _text(self, text: str) -> None:
        self._length += len(text)
        if self._length > MAX_DOCUMENT_BYTES:
            raise UnreadableError(f"its text is larger than {max_size()}")
        self._target.text(text)

    def _declare(
        self,
        name: str,
        is_parameter: bool,
        value: str | None,
        *_: object,
    ) -> None:
        if value is None or (name in _PREDEFINED and not is_parameter):
            return  # another file, which is not read
        if "&" in value or "%" in value or len(value) > _MAX_ENTITY:
            raise UnreadableError(f"entity {name!r} is long or contains other entities")

    def _skip(self, name: str, is_parameter: bool) -> None:
        if not is_parameter:
            letter = html.entities.html5.get(f"{name};", "")
            self.missing += not letter
            self._target.text(letter)

    def _refer(self, context: str | None, *_: object) -> int:
        self.missing += context is not None  # it is None for a schema
        return 1  # not read, and no error
