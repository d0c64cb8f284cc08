"""XML as lines of text: elements, attributes and characters that XML allows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: object) -> str:
    """Text between tags; a character that XML does not allow becomes U+FFFD."""
    return escape(_FORBIDDEN.sub("\ufffd", str(text)))


def start_tag(name: str, attributes: Mapping[str, object] | None = None, *, end: str = "") -> str:
    """A start tag, without attributes that are None; `end` is "/" for an empty element."""
    parts = [
        f" {key}={quoteattr(_FORBIDDEN.sub(chr(0xFFFD), str(value)))}"
        for key, value in (attributes or {}).items()
        if value is not None
    ]
    return f"<{name}{''.join(parts)}{end}>"


def element(name: str, text: object = "", **attributes: object) -> str:
    """An element with text; empty without any."""
    content = xml_text(text)
    if not content:
        return start_tag(name, attributes, end="/")
    return f"{start_tag(name, attributes)}{content}</{name}>"
