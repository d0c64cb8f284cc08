"""`write_page`: a survey as one HTML file that needs no other file and no network.

`head` and `end` are those of every such page. Its content security policy allows only the script
and the style sheet in it, by their hashes, and images that are data.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import BinaryIO

from likewise.pages.bundle import bundle
from likewise.pages.embedded import data_element, embedded_json
from likewise.pages.page_texts import EmbeddedTexts
from likewise.run import Progress, silent
from likewise.survey.anonymous.survey import AnonymousSurvey
from likewise.survey.survey import Survey

DEFAULT_SIZE = 25_000_000
ENTRY = "report.js"

_HEAD = """\
<!doctype html>
<html lang="en" data-mode="{mode}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="{icon}">
<style>{style}</style>
</head>
<body>
<div id="app"><noscript>This page is shown by a script inside the file, which the browser does \
not run. Nothing is loaded from anywhere.</noscript></div>
"""
_END = """\
<script type="module">{script}</script>
</body>
</html>
"""


def write_page(
    survey: Survey | AnonymousSurvey,
    stream: BinaryIO,
    *,
    max_size: int = DEFAULT_SIZE,
    texts: bool = True,
    progress: Progress = silent,
) -> EmbeddedTexts:
    """Write the page; the texts that it contains.

    Args:
        max_size: maximum bytes of the page; texts beyond that are excluded. Documents and pairs are
            listed however many bytes that takes.
        texts: False for a page with measures only.
    """
    top, bottom = head(survey.run.title or "Report"), end()
    table = len(embedded_json(survey.to_dict(digests=texts)))
    chosen = EmbeddedTexts.choose(
        survey, max_size - len(top) - len(bottom) - table if texts else None, progress
    )
    data = survey.to_dict(chosen.texts.keys(), chosen.left_out(), digests=texts)
    stream.write(top)
    for name, value in _elements(embedded_json(data), chosen):
        stream.write(data_element(name, value))
    stream.write(bottom)
    return chosen


def _elements(survey: bytes, chosen: EmbeddedTexts) -> Iterator[tuple[str, bytes]]:
    yield "survey", survey
    for row, text in sorted(chosen.texts.items()):
        yield f"text-{row}", text
    for row, passages in sorted(chosen.pairs.items()):
        yield f"pair-{row}", passages


def head(title: str, entry: str = ENTRY) -> bytes:
    """What comes before the data of a page whose script is this module."""
    text = _HEAD.format(
        mode=entry.removesuffix(".js"),
        policy=html.escape(policy(entry), quote=True).replace("&#x27;", "'"),
        title=html.escape(title),
        icon="data:image/svg+xml;base64," + base64.b64encode(_static("icon.svg").encode()).decode(),
        style=style(),
    )
    return text.encode("utf-8", "replace")


def end(entry: str = ENTRY) -> bytes:
    """What comes after them."""
    return _END.format(script=script(entry)).encode()


def policy(entry: str = ENTRY) -> str:
    """The content security policy."""
    scripts, styles = _digest(script(entry)), _digest(style())
    return (
        f"default-src 'none'; script-src '{scripts}'; style-src '{styles}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def script(entry: str = ENTRY) -> str:
    """A module of ours and all that it needs as one."""
    return "\n" + bundle(entry, _static)


@cache
def style() -> str:
    """The style sheet, which the app uses too."""
    text = _static("style.css")
    if "</style" in text.lower():
        raise ValueError("style.css: </style cannot be in a page's style")
    return "\n" + text


def _static(name: str) -> str:
    return files("likewise.pages").joinpath("static", name).read_text(encoding="utf-8")
