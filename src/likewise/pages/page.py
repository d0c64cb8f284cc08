"""`write_page`: a survey as one HTML file that needs no other file and no network.

Its content security policy allows only the script and the style sheet in it, by their hashes, and
images that are data.
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
<html lang="en" data-mode="report">
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
<div id="app"><noscript>This report is shown by a script inside the file, which the browser does \
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
    head = _head(survey.run.title).encode("utf-8", "replace")
    end = _END.format(script=script()).encode()
    table = len(embedded_json(survey.to_dict(digests=texts)))
    chosen = EmbeddedTexts.choose(
        survey, max_size - len(head) - len(end) - table if texts else None, progress
    )
    data = survey.to_dict(chosen.texts.keys(), chosen.left_out(), digests=texts)
    stream.write(head)
    for name, value in _elements(embedded_json(data), chosen):
        stream.write(data_element(name, value))
    stream.write(end)
    return chosen


def _elements(survey: bytes, chosen: EmbeddedTexts) -> Iterator[tuple[str, bytes]]:
    yield "survey", survey
    for row, text in sorted(chosen.texts.items()):
        yield f"text-{row}", text
    for row, passages in sorted(chosen.pairs.items()):
        yield f"pair-{row}", passages


def _head(title: str) -> str:
    return _HEAD.format(
        policy=html.escape(policy(), quote=True).replace("&#x27;", "'"),
        title=html.escape(title or "Report"),
        icon="data:image/svg+xml;base64," + base64.b64encode(_static("icon.svg").encode()).decode(),
        style=style(),
    )


def policy() -> str:
    """The content security policy."""
    return (
        f"default-src 'none'; script-src '{_digest(script())}'; style-src '{_digest(style())}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def script() -> str:
    """All modules of the report as one."""
    return "\n" + bundle(ENTRY, _static)


@cache
def style() -> str:
    """The style sheet, which the app uses too."""
    text = _static("style.css")
    if "</style" in text.lower():
        raise ValueError("style.css: </style cannot be in a page's style")
    return "\n" + text


def _static(name: str) -> str:
    return files("likewise.pages").joinpath("static", name).read_text(encoding="utf-8")
