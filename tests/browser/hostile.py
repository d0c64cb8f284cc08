"""Names, texts and metadata that are markup and script, and whatever else they should not be."""

from __future__ import annotations

from tests.browser.window import RAN
from tests.survey.made_texts import some

RUN = f"window.{RAN}=1"
NAMES = [
    f"<img src=x onerror={RUN}>",
    f"</script><script>{RUN}</script>",
    f"</title></style></textarea><script>{RUN}</script><!--",
    f'"><svg onload="{RUN}">',
    f"' onmouseover='{RUN}' autofocus onfocus='{RUN}' x='",
    f"javascript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    f"{{{{constructor.constructor('{RUN}')()}}}} ${{{RUN}}} <%= 1 %>",
    "__proto__",
    "constructor",
    "../../../../etc/passwd",
    "a/b\\c?d=e&f#g%2F%00",
    "\u202egpj.exe\u202c \u2066isolated\u2069",
    "\x01\x08\x0b\x1f\x7f\ufeff\ufffe\ue000",
    "line\nbreak\ttab\r\n\u2028\u2029end",
    f"<a href='javascript:{RUN}' id='survey'>x</a>",
    "n" * 1000,
    "=cmd|' /C calc'!A0",
    "]]><![CDATA[ &lt;b&gt; &amp;#x3c;",
]


def texts() -> dict[str, str]:
    """Each name as an id, above a text that has it too; all share a passage with one another."""
    shared = " ".join(some(60, "hostile"))
    made = {}
    for number, name in enumerate(NAMES):
        own = " ".join(some(40, f"hostile {number}"))
        made[name] = f"{name}\n\n{own} {name} {shared} {name}\n\n{own[:50]} {name}"
    return made


def metadata() -> dict[str, dict[str, str]]:
    """To every second document title, author, date and group of the same kind."""
    return {
        name: {
            "title": NAMES[number - 1],
            "author": NAMES[number - 2],
            "group": NAMES[number - 3],
            "date": NAMES[number - 4],
        }
        for number, name in enumerate(NAMES)
        if number % 2
    }
