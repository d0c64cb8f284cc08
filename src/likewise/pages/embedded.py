"""JSON inside a page: data that cannot be mistaken for markup, whatever it contains."""

from __future__ import annotations

import json
import re
from typing import Any

# None of these can end the element or begin another; U+2028 and U+2029 are line ends to some.
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
_SURROGATES = re.compile("[\ud800-\udfff]")


def embedded_json(value: Any) -> bytes:
    """A value for `<script type="application/json">`, in UTF-8; lone surrogates are replaced."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _SURROGATES.sub("\ufffd", text).translate(_ESCAPED).encode()


def data_element(name: str, data: bytes) -> bytes:
    """The element that contains it; `name` is its id."""
    return b'<script type="application/json" id="%b">%b</script>\n' % (name.encode(), data)
