"""Which paragraphs of a Word document are headings, and of what level."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from likewise.documents.formats.markup import attribute, local_name, parse_xml
from likewise.documents.unreadable import UnreadableError

if TYPE_CHECKING:
    from lxml.etree import _Element

Levels = dict[str, int]
"""The level of each style of headings, from 1."""

# Programs in other languages than English keep this name, and give the style another id.
_HEADING = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_MAX_LEVEL = 9
_DEEPEST = 20  # styles that are based on styles


def heading_styles(data: bytes | None) -> Levels:
    """Return the styles of headings, from the part with all styles."""
    own: Levels = {}
    bases: dict[str, str] = {}
    try:
        styles = [] if data is None else list(parse_xml(data).iter("{*}style"))
    except UnreadableError:  # the text can be read without
        styles = []
    for style in styles:
        identity = attribute(style, "styleId")
        if identity is None:
            continue
        named = _HEADING.fullmatch(_value(style, "name") or "")
        level = int(named[1]) if named else _outline_level(style)
        if level is not None:
            own[identity] = level
        if base := _value(style, "basedOn"):
            bases[identity] = base
    return own | {name: level for name in bases if (level := _inherited(name, own, bases))}


def heading_level(paragraph: _Element, styles: Levels) -> int | None:
    """Return the level of a heading, None for a paragraph of text."""
    properties = _child(paragraph, "pPr")
    if properties is None:
        return None
    level = _level_in(properties)
    if level is None:
        level = styles.get(_value(properties, "pStyle") or "")
    return level if level and level <= _MAX_LEVEL else None


def _inherited(name: str, own: Levels, bases: dict[str, str]) -> int | None:
    for _ in range(_DEEPEST):
        if name in own:
            return own[name]
        if name not in bases:
            return None
        name = bases[name]
    return None


def _outline_level(style: _Element) -> int | None:
    properties = _child(style, "pPr")
    return None if properties is None else _level_in(properties)


def _level_in(properties: _Element) -> int | None:
    """The level that is said there, from 1; 10 is that of text."""
    value = _value(properties, "outlineLvl")
    return int(value) + 1 if value is not None and value in "0123456789" and value else None


def _child(element: _Element, name: str) -> _Element | None:
    return next(
        (child for child in element if isinstance(child.tag, str) and local_name(child) == name),
        None,
    )


def _value(element: _Element, name: str) -> str | None:
    child = _child(element, name)
    return None if child is None else attribute(child, "val")
