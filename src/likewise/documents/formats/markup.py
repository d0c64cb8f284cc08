"""XML from strangers: parsed without network, entities or endless trees, and walked in order."""

from __future__ import annotations

import html.entities
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Literal

from likewise.documents.unreadable import DAMAGED, UnreadableError

if TYPE_CHECKING:
    from lxml.etree import _Element

Event = tuple[Literal["open", "text", "close"], str, "_Element"]


def parse_xml(data: bytes) -> _Element:
    """Return the root of an XML document; raise `UnreadableError` where it is not well-formed."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, recover=False
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        check_memory(error)
        raise UnreadableError(DAMAGED) from error


def check_memory(error: Exception) -> None:
    """Raise `MemoryError` if that is why lxml gave up, which it reports as an error of the text."""
    from lxml import etree

    if isinstance(error, etree.XMLSyntaxError) and error.code == etree.ErrorTypes.ERR_NO_MEMORY:
        raise MemoryError from error


def local_name(element: _Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: _Element, name: str) -> str | None:
    """Return an attribute by its name without namespace."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return None


def walk(root: _Element, skip: Container[str] = ()) -> Iterator[Event]:
    """Yield ("open", name, element), ("text", text, element) and ("close", …) in document order.

    Elements named in `skip` are left out with all that is in them. There is no recursion: foreign
    files may be nested as deeply as the parser lets them.
    """
    from lxml import etree

    yield "open", local_name(root), root
    if root.text:
        yield "text", root.text, root
    stack = [(root, iter(root))]
    while stack:
        parent, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            yield "close", local_name(parent), parent
            if stack and parent.tail:
                yield "text", parent.tail, stack[-1][0]
            continue
        if not isinstance(child.tag, str):  # a comment, an instruction, an entity
            if child.tag is etree.Entity:
                yield "text", html.entities.html5.get(f"{child.name};", ""), parent
        elif local_name(child) not in skip:
            stack.append((child, iter(child)))
            yield "open", local_name(child), child
            if child.text:
                yield "text", child.text, child
            continue
        if child.tail:
            yield "text", child.tail, parent
